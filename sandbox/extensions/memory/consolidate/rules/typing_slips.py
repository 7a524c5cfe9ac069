"""What is typed without care: names without capitals, and words misspelt by one slip. English. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, grammar
from sandbox.extensions.memory.text.places import size

_CAPITAL = re.compile(r"[A-HJ-Z]|I\B")
_KIN = "|".join(sorted(words_of.KIN | words_of.PETS, key=len, reverse=True))
_NAMED = re.compile(
    r"\b(?P<before>(?:name|nickname|surname) is|(?:is|am|are) (?:called|named)|(?:called|named)|calls? (?:him|her"
    r"|me)|goes? by|short for|known as) (?P<name>(?!(?:me|it|the|an?|in|on|off|up|back|for|to|after|by|not|very|him"
    r"|her|us|you|this|that|out|my|our|later|now|today|tomorrow|if|when)\b)[a-z]{2,15})(?=$|[,.!]| (?:and|but|is|was"
    r"|who|from|in|lives?|works?)\b)"
)
_NO_NAME = (  # a number, or the other half of a compound: "my dog food is"
    "two|three|four|five|six|seven|eight|nine|ten|food|plant|tree|tower|bed|toys?|house|park|litter|feeder|tank|cage"
    "|coop|collar|hair|fur|walker|sitter|owner|school|shelter"
)
_KIN_NAMED = re.compile(
    rf"\b(?P<before>(?:my|our) (?:[a-z]+ )?(?:{_KIN})) (?P<name>(?!(?:{_NO_NAME})\b)[a-z]{{2,12}})(?= (?P<verb>[a-z]+))"
)
_BEARERS = words_of.KIN | words_of.PETS | {"name", "nickname", "surname", "me", "i"}
_AT_WORK = re.compile(
    r"\b(?P<before>(?:works?|working|worked|started|interned|intern) at|works? for|joined|stud(?:y|ies"
    r"|ied) at) (?P<name>[a-z]{2,15})(?=$|[,.!]| (?:and|as|in|but|since)\b)"
)
_PLACED = re.compile(
    r"\b(?P<before>in|from|to|near|at|around|outside|leave|love|visit) (?P<name>[a-z]+(?: [a-z]+){0,2})"
)
_TONGUES = frozenset(
    """
    english french german spanish italian portuguese russian dutch japanese chinese swedish norwegian danish finnish
    turkish arabic hebrew hindi korean greek czech hungarian romanian ukrainian vietnamese thai catalan welsh irish
    croatian serbian bulgarian mandarin cantonese farsi persian urdu bengali swahili american british canadian
    australian indian brazilian mexican scottish belgian austrian nigerian kenyan egyptian israeli lebanese european
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february april june july august september october november december christmas easter
""".split()
)
_VERB_FORMS = re.compile(r"(?:is|was|has|will|can|just|[a-z]{3,}[^s]s|[a-z]{3,}ed)$")


def restored(sentence: str) -> str:
    """A sentence with capitals for the names in it, if it was typed without any; else as it is."""
    if _CAPITAL.search(sentence, 1):
        return sentence
    if not _BEARERS.isdisjoint(words_in(sentence)):
        sentence = _KIN_NAMED.sub(_kin, _NAMED.sub(_name, sentence))
    sentence = _PLACED.sub(_place, _AT_WORK.sub(_firm, sentence))
    if _TONGUES.isdisjoint(words_in(sentence)):
        return sentence
    return re.sub(r"[a-z]{4,}", lambda word: word[0].capitalize() if word[0] in _TONGUES else word[0], sentence)


def _name(match: re.Match[str]) -> str:
    return f"{match['before']} {match['name'].capitalize()}"


def _kin(match: re.Match[str]) -> str:
    """``my wife anna is``, not ``my wife also is``."""
    known = words_of.KIN | words_of.PETS | words_of.THINGS | words_of.HAPPENINGS | words_of.DROPPED | words_of.KEPT
    word = match["name"]
    is_name = _VERB_FORMS.match(match["verb"]) and word not in known and _VERB_FORMS.match(word) is None
    return _name(match) if is_name and word not in words_of.DANGLING | words_of.ATTRIBUTES else match[0]


def _firm(match: re.Match[str]) -> str:
    return match[0] if match["name"] in words_of.THINGS | words_of.HAVE | _PLACES_OF_WORK else _name(match)


_PLACES_OF_WORK = frozenset(
    "home night nights work sea college hospital weekends least the my an hospitals here".split()
)


def _place(match: re.Match[str]) -> str:
    words = match["name"].split()
    for count in range(len(words), 0, -1):
        if size(" ".join(words[:count])):
            named = " ".join(word.capitalize() for word in words[:count])
            return " ".join([match["before"], named, *words[count:]])
    return match[0]


_LOOKED_AT = 5  # words at the beginning of a clause: subject and verb
_SHORTEST = 4


def mended(words: Sequence[Word]) -> Sequence[Word]:
    """The words of a clause with slips of the pen in its first words put right; the same where there are none."""
    known = _known()
    slips = {
        index: right
        for index, word in enumerate(words[1:_LOOKED_AT], 1)
        if word.text == word.low
        and len(word.low) >= _SHORTEST
        and word.low.isalpha()
        and word.low not in known
        and (right := _slips().get(word.low)) is not None
    }
    if not slips:
        return words
    return [
        replace(word, text=slips[index], low=slips[index]) if index in slips else word
        for index, word in enumerate(words)
    ]


@cache
def _known() -> frozenset[str]:
    tables = grammar()
    return (
        frozenset((*tables.states, *tables.events, *tables.be, *tables.going_on, *tables.base, *tables.finite))
        | words_of.KIN
        | words_of.PETS
        | words_of.ATTRIBUTES
        | words_of.PROFESSIONS
        | words_of.PLURAL
        | words_of.DROPPED
        | words_of.KEPT
        | _COMMON
    )


@cache
def _slips() -> dict[str, str]:
    """Misspelt -> meant, for what can only be meant in one way."""
    found: dict[str, set[str]] = {}
    for word in _known() - _COMMON:
        if len(word) >= _SHORTEST and word.isalpha():
            for slip in _of(word):
                found.setdefault(slip, set()).add(word)
    return {slip: next(iter(meant)) for slip, meant in found.items() if len(meant) == 1 and slip not in _known()}


def _of(word: str) -> set[str]:
    """Slips inside a word; its first letter is right, and what differs at its end is another form of it."""
    inside = range(1, len(word) - 1)
    swapped = {f"{word[:i]}{word[i + 1]}{word[i]}{word[i + 2 :]}" for i in inside if word[i] != word[i + 1]}
    if len(word) < _SHORTEST + 1:
        return swapped
    doubled = {f"{word[:i]}{word[i]}{word[i:]}" for i in inside}
    return swapped | doubled | {f"{word[:i]}{word[i + 1 :]}" for i in inside}


_COMMON = frozenset(
    """
    form from trial trail sign sing bread beard being begin angel angle diary dairy weird wired avid ants bans bids bind
    bother bothers bred cached caches caching caps career cars cashed cast char contacted crate crated crates crating
    dive diver dives drier dries eared ears east fees filed files fins fried funded hall hats hosed hoses hosing kits
    layer leaned leaning lied lots lunched lunches manger marred mediate mediates nice pained pains pants paying pint
    pints planed planing plated plating plot prod quiet reds reigned restring retried retries rise rises rising ruses
    sacred sake says scarred send sends sent signs singed sins solder sore sores sped spit stared staring stars stated
    stating stats steamer supper tech tied tier tile tiller tins tired trans tuned vale wars water waver
""".split()
)
