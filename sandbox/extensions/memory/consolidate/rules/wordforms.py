"""English verbs by table, and the third person they are learnt in. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sandbox.extensions.memory.consolidate.rules import english_verbs as verbs_of
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Subject


@dataclass(frozen=True, slots=True)
class Word:
    """A word, folded, and where it stands."""

    text: str
    low: str
    start: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb with the words that belong to it, as it is said and as it is learnt."""

    said: tuple[str, ...]
    learnt: str
    kind: Kind


Table = dict[str, list[Phrase]]


def table(text: str) -> Table:
    """``category importance type: phrase, phrase=as learnt, ...``, by first word, longest first."""
    found: Table = {}
    for block in re.split(r"\n\s*(?=\w+ \d[ \w]*:)", text.strip()):
        head, _, phrases = block.partition(":")
        category, importance, *type_ = head.split()
        kind = Kind(category, int(importance), "opinion" if type_ else "semantic")
        for phrase in phrases.split(","):
            said, _, learnt = " ".join(phrase.split()).partition("=")
            if said:
                found.setdefault(said.split()[0], []).append(Phrase(tuple(said.split()), learnt or said, kind))
    for known in found.values():
        known.sort(key=lambda phrase: -len(phrase.said))
    return found


@dataclass(frozen=True, slots=True)
class Grammar:
    """The tables, read once."""

    be: Table
    states: Table
    going_on: Table
    for_long: Table
    events: Table
    of_things: Table
    base: dict[str, str]  # lives -> live
    things: frozenset[str]  # verbs that things have
    finite: frozenset[str]


@cache
def grammar() -> Grammar:
    """Read at the first sentence."""
    states, events = table(verbs_of.STATES), table(verbs_of.EVENTS)
    of_things = table(verbs_of.OF_THINGS)
    base = {third(verb): verb for verb in (*states, *of_things)}
    finite = {"is", "are", "was", "were", "has", "have", "does", "will", "can", "used", "just"}
    return Grammar(
        table(verbs_of.BE),
        states,
        table(verbs_of.GOING_ON),
        table(verbs_of.FOR_LONG),
        events,
        of_things,
        base,
        frozenset(("is", "are", *of_things, *map(third, of_things))),
        frozenset(
            finite
            | set(base)
            | set(events)
            | set(map(third, verbs_of.SCHEDULED))
            | words_of.KEPT - {"mostly", "mainly"}
        ),
    )


def third(verb: str) -> str:
    """The third person of a verb in the present."""
    irregular = {"have": "has", "do": "does", "go": "goes", "be": "is", "am": "is", "are": "is"}
    if verb in irregular:
        return irregular[verb]
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def agreeing(about: Subject, phrase: str) -> str:
    """A verb with its words in the number of its subject."""
    return {"am": "are", "be": "are"}.get(phrase, phrase) if about.plural else in_third(phrase)


def in_third(phrase: str) -> str:
    """The same of a verb with its words: ``live in`` -> ``lives in``."""
    verb, _, rest = phrase.partition(" ")
    return f"{third(verb)} {rest}".strip()


def lookup(known: Table, words: Sequence[Word], at: int) -> tuple[Phrase, int] | None:
    """The longest phrase of a table that stands at a place, and where it ends."""
    for phrase in known.get(words[at].low, ()) if at < len(words) else ():
        end = at + len(phrase.said)
        if tuple(word.low for word in words[at:end]) == phrase.said:
            return phrase, end
    return None


def base_of(gerund: str) -> str:
    """``using`` -> ``use``, ``putting`` -> ``put``; as it stands where no known verb is meant."""
    stem = gerund.removesuffix("ing")
    for base in (stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else ""):
        if base and (base in verbs_of.IMPERATIVES or base in grammar().states or base in verbs_of.LIFE):
            return base
    return stem


def mid(text: str) -> str:
    """As it stands inside a sentence."""
    return f"the {text[4:]}" if text.startswith("The ") else text
