"""Whom an English clause is about: the speaker, somebody of theirs, somebody named, the project. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.rules import duties
from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.introductions import mentioned, named, pronoun_of
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Setting, Subject, may_be_meant
from sandbox.extensions.memory.consolidate.rules.things import thing
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, grammar, mid, third

_NO_NAME = frozenset(
    """i we you he she they it my our your his her their the this that these those there here what who how why when
    where if but and or so not no yes a an some any all every each everyone everything nothing nobody most many much
    one two three let thanks thank please hope good great nice sure maybe just never always today tomorrow yesterday
    monday tuesday wednesday thursday friday saturday sunday wow hey hi hello oh well people life home god""".split()
)
_PERSONAL = frozenset(
    """
    lives works moved got married studies speaks joined left prefers likes loves hates is was has graduated bought
    adopted started quit owns plays drives became turned broke lost teaches retired runs manages uses eats drinks
    does went visited passed died resigned retired divorced emigrated relocated
""".split()
)


def subject(words: Sequence[Word], setting: Setting) -> tuple[Subject, int]:
    """Whom a clause is about, and where its predicate begins."""
    first = words[0].low
    if first in ("i", "we"):
        return replace(setting.speaker, is_team=first == "we"), 1
    if first in ("he", "she", "they", "it"):
        return _meant(first, setting), 1
    begin = 2 if first in ("my", "our") else 1  # "our tests are": the noun is a verb as well
    end = next((index for index in range(begin, min(len(words), 8)) if _is_finite(words, index)), 0)
    if setting.to_assistant and (told := _by_form(words, setting)) and (not end or told < end):
        end = told
    if not end and setting.to_assistant and _is_name(words[0]) and duties.is_duty(words, 1):
        end = 1
    if not end:
        raise NotLearnt("no statement")
    if first in ("his", "her", "its"):
        owner = _meant({"his": "he", "her": "she"}.get(first, "it"), setting)
        if end != 2 or words[1].low not in _OWN:
            raise NotLearnt("not self-contained")
        return replace(owner, name=f"{owner.name}'s {words[1].text}", is_thing=True), end
    if first.removesuffix("'s") in _PARENTS and setting.to_assistant:
        parent = replace(words[0], text=words[0].low)
        return _mine([parent, *(word for word in words[1:end] if word.text != ",")], setting), end
    if first in ("my", "our"):
        mine = _mine([word for word in words[1:end] if word.text != ","], setting)
        several = mine.is_thing and words[end].low in grammar().of_things and words[end - 1].low.endswith("s")
        return replace(mine, plural=True) if several else mine, end
    if setting.to_assistant and (about := thing(words, end, setting, _NO_NAME)):
        return about, end
    if first in ("the", "this") and _heads(words[1:end])[0] in words_of.SYSTEMS | words_of.HAPPENINGS and end <= 6:
        name = " ".join(word.text for word in words[1:end])
        return Subject(f"The {name}", f"the {name}", is_thing=True), end
    if first.endswith("'s") and words[0].text[0].isupper() and (theirs := _theirs(words[:end], setting)):
        return theirs, end
    named = words[:end]
    if (
        2 < end < 5
        and words[1].low in ("from", "in", "at", "the")
        and named[0].text[0].isupper()
        and setting.to_assistant
    ):
        name = " ".join(word.text for word in named)
        is_who = words[1].low != "the" or words[end - 1].low in words_of.KIN | words_of.PETS | words_of.PROFESSIONS
        if first not in _NO_NAME and words[2].low not in words_of.PRONOUNS and is_who:
            return Subject(name, name), end
    if (
        end <= 3
        and all(
            word.text[0].isupper() or word.text[0] == "@" or word.text[0].isdigit() * index
            for index, word in enumerate(named)
        )
        and _NO_NAME.isdisjoint(word.low for word in named)
    ):
        name = " ".join(word.text for word in named)
        if end == 1 and name not in setting.people and _is_made(words):
            return Subject(name, name, is_thing=True), end
        if (
            end == 1
            and name not in setting.people
            and (
                first.endswith("ing")
                or (
                    words[1].low not in _PERSONAL
                    and first[0] != "@"
                    and not duties.is_duty(words, 1)
                    and not _is_ahead(words, setting)
                )
            )
        ):
            raise NotLearnt("no statement")
        return setting.people.get(name) or Subject(name, name), end
    raise NotLearnt("no statement")


def _is_ahead(words: Sequence[Word], setting: Setting) -> bool:
    """``Emmi starts school in September``: what is to be, said of somebody by name."""
    if not setting.to_assistant or words[1].low not in map(third, verbs_of.SCHEDULED):
        return False
    text = " ".join(word.text for word in words[2:])
    return any(each.at.date() > setting.at.date() for each in moments(text, setting.at, ahead=True))


def _is_name(word: Word) -> bool:
    return word.text[0].isupper() and word.low not in _NO_NAME


_MADE = re.compile(
    r"is (?:now |currently |mostly |entirely )?(?:written|built|made|deployed|hosted|implemented|coded|stored|licensed"
    r"|maintained|developed|powered|backed|documented|tested|released|published|packaged|configured|generated|rendered"
    r"|based) (?:in|on|with|by|at|to|from|using|under|as|via|for)\b"
)


def _is_made(words: Sequence[Word]) -> bool:
    """Whether it is said of something with a name how it is made: ``Falcon is written in Elixir``."""
    text = " ".join(word.low for word in words[1:5])
    return bool(_MADE.match(text)) and not text.startswith(("is based in", "is made for", "is made to"))


_PARENTS = frozenset("mum mom dad mother father grandma grandpa granny nana granddad mama papa".split())
_OWN = frozenset("name birthday age job favorite favourite phone email hometown nickname surname".split())


def _meant(pronoun: str, setting: Setting) -> Subject:
    """Whom a pronoun means: the one it can be of those just named, else who was spoken of last, if it can be them; of
    animals it may be any.
    """
    near = mentioned(setting.heard, setting.speaker, setting.people)
    near = may_be_meant(setting.last, near, goes_on=_PRONOUN.search(setting.heard) is not None)
    fitting = [one for one in near if _can_mean(pronoun, one)]
    if len(fitting) != 1:
        raise NotLearnt("not self-contained")
    return fitting[0]


_PRONOUN = re.compile(r"\b(?:he|she|they|it|his|her)\b", re.IGNORECASE)


def _can_mean(pronoun: str, one: Subject) -> bool:
    is_animal = not words_of.PETS.isdisjoint(one.name.lower().split())
    if pronoun == "it":
        return is_animal or one.is_thing
    if one.is_thing or one.plural != (pronoun == "they"):
        return False
    return not one.pronoun or one.pronoun == pronoun or is_animal or one.plural


def _by_form(words: Sequence[Word], setting: Setting) -> int:
    """Where a verb that is in no table stands, told by its form: ``my sister Ana restores``; 0 where there is none."""
    own = words_of.KIN | words_of.PETS | words_of.SYSTEMS | words_of.SETTINGS | words_of.THINGS
    at = next((index for index, word in enumerate(words[:5]) if word.low in own), None)
    if words[0].low not in ("my", "our", "the"):
        at = 0 if words[0].text in setting.people or at is None or not words[0].low.endswith("'s") else at
    if at is None or (at == 0 and (words[0].text not in setting.people or words[0].text.islower())):
        return 0
    at += 1
    while at < len(words) and (words[at].text == "," or words[at].text[0].isupper()):
        at += 1
    if at + 1 >= len(words):
        return 0
    word = words[at].low
    is_verb = words[at].text.islower() and re.fullmatch(r"[a-z]{3,}[^s'.]s", word) and word not in _NO_VERB
    return at if is_verb and words[at + 1].low not in _FINITE else 0


_FINITE = frozenset("is are was were has have had do does did can will would".split())  # "my family members are"
_NO_VERB = frozenset("always sometimes perhaps besides afterwards nowadays has does was towards".split())


def _theirs(words: Sequence[Word], setting: Setting) -> Subject | None:
    """``Pavel's cat Mochi``: of somebody who is named."""
    owner, low = words[0].text.removesuffix("'s"), [word.low for word in words]
    head = next((index for index in range(1, len(low)) if low[index] in _OWNED), 0)
    if not head or owner.lower() in _NO_NAME or any(word.text[0].isupper() for word in words[1:head]):
        return None
    known = setting.people.get(owner) or Subject(owner, owner)
    name = " ".join(word.text for word in words[head + 1 :] if word.text != ",")
    if name and not name[0].isupper():
        return None
    noun = " ".join(word.text for word in words[1 : head + 1])
    if name:
        return named(known, noun, name)
    if low[head] in words_of.KIN | words_of.PETS:
        return Subject(f"{known.name}'s {noun}", f"{known.about}'s {noun}", pronoun=pronoun_of(low[head]))
    return replace(known, name=f"{known.name}'s {noun}", is_thing=True)


_OWNED = words_of.KIN | words_of.PETS | words_of.ATTRIBUTES | words_of.THINGS


def _is_finite(words: Sequence[Word], index: int) -> bool:
    """A verb that agrees with what stands before it; of several the base form does."""
    before = words[index - 2 if words[index - 1].text == "," else index - 1]
    plural = before.low in words_of.PLURAL or (
        before.text[0].isupper() and words[0].low in ("my", "our") and words[1].low in words_of.PLURAL
    )
    if words[index].low in grammar().of_things and words[index - 1].low.endswith("s"):
        plural = plural or words[0].low in ("the", "all", "our") or index <= 2
    past = (
        index > 1
        and words[index].text.islower()
        and words[0].low in ("my", "our")
        and (words[index].low in verbs_of.PAST or words[index].low.endswith("ed"))
    )
    known = grammar()
    low = words[index].low
    if low in words_of.PLURAL and index + 1 < len(words) and words[index + 1].low in known.things:
        return False  # "unit tests run"
    return (
        low in known.finite
        or past
        or (plural and (low in known.states or low in known.of_things or low in verbs_of.SCHEDULED or low == "are"))
    )


_NO_THING = (
    words_of.TASKS
    | words_of.PASSING
    | words_of.VAGUE
    | frozenset(
        "code problem output result screen head mind point bad guess request concern turn fault terminal life".split()
    )
)
_BESIDE = re.compile(r"^(?:to|in|with|for|at|of|on)$")


def _heads(noun: Sequence[Word]) -> tuple[str, Sequence[Word]]:
    """The noun itself, without what is joined to it: ``flight`` of ``flight to Oslo``; and the words up to it."""
    end = next((index for index, word in enumerate(noun) if _BESIDE.match(word.low)), len(noun))
    lower = [word for word in noun[:end] if word.text[0].islower() or word.low in words_of.NOUNS | words_of.PROFESSIONS]
    return (lower[-1].low if lower else ""), lower


_ONE_AT_A_TIME = frozenset("boss manager supervisor landlord landlady doctor dentist therapist gp".split())


def _several(owner: str, noun: Sequence[Word]) -> Subject | None:
    """``parents Rita & Hans``: those that are listed; None where one is meant, or nobody is named."""
    words = [word.text for word in noun if word.text not in ("&", "and")]
    at = next((index for index, word in enumerate(words) if word[0].isupper()), 0)
    names = words[at:]
    if not at or len(names) < 2 or words[at - 1] not in words_of.PLURAL or not all(name[0].isupper() for name in names):
        return None
    whose = " ".join((owner, *words[:at]))
    return Subject(f"{whose} {', '.join(names[:-1])} and {names[-1]}", mid(whose), plural=True)


def _mine(noun: Sequence[Word], setting: Setting) -> Subject:
    """``my sister``, ``my sister Ana``, ``my sister's dog``: of the speaker."""
    owner = f"{setting.speaker.name}'s"
    if several := _several(owner, noun):
        return several
    head, lower = _heads(noun)
    rest = noun[len(lower) :]
    if (
        not lower
        or noun[: len(lower)] != lower
        or any(word.low in words_of.PRONOUNS or word.low == "and" for word in noun)
    ):
        raise NotLearnt("no statement")
    favourite = any(
        word.low in ("favorite", "favourite", "preferred", "native", "first", "best", "current") for word in lower[:-1]
    )
    is_chosen = setting.to_assistant and head in words_of.SETTINGS
    if head not in words_of.NOUNS and not (favourite or is_chosen) and (not setting.to_assistant or head in _NO_THING):
        raise NotLearnt("no statement")
    is_another = head in words_of.ATTRIBUTES | _ONE_AT_A_TIME and lower[0].low == "new"
    if is_another:
        lower, noun = lower[1:], noun[1:]
    text = " ".join(word.text for word in lower)
    is_thing = head not in words_of.KIN | words_of.PETS | words_of.PROFESSIONS
    pronoun = pronoun_of(head)
    if rest and rest[0].text[0].isupper() and not is_thing:
        return named(setting.speaker, text, " ".join(word.text for word in rest))
    known = setting.people.get(head) if not (is_thing or rest or is_another) else None
    whole = " ".join(word.text for word in noun)
    about = mid(setting.speaker.name) if is_thing else f"{mid(owner)} {whole}"
    return known or Subject(
        f"{owner} {whole}", about, is_thing=is_thing, plural=head in words_of.PLURAL, pronoun=pronoun
    )
