"""Which relations have one value at a time, and which several: verbs and nouns, ``statements.yaml`` of each language.

The relation's own words decide. ``Ann lives in ...`` has one value, ``Ann likes ...`` any number, and an unlisted verb
decides nothing. The nouns are for ``Ann's boss is ...`` and ``the capital of France is ...``: a definite singular names
one thing, unless people and things usually have several of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

from sandbox.extensions.memory.lexicon import by_language, words
from sandbox.extensions.memory.text.words import fold, stem

Values = Literal["any", "one kind", "names", "organisations", "figures"]
"""Which values a relation can have: any; values of one kind; names and figures, but no common words; employers, so no
places; figures.
"""


@dataclass(frozen=True, slots=True)
class WordedRelation:
    """Verbs that mean the same relation. ``single``: the relation has one value at a time; otherwise perhaps."""

    name: str
    phrases: tuple[tuple[str, ...], ...]
    values: Values
    single: bool


words_of = partial(words, "statements")
"""The words under a key, in every language."""

_KINDS: Mapping[str, Values] = {
    "workplace": "organisations",
    "school": "organisations",
    "job": "one kind",
    "team": "organisations",
    "spouse": "names",
    "betrothed": "names",
    "name": "one kind",
    "head": "names",
    "measure": "figures",
    "setting": "one kind",
    "answers": "one kind",
    "citizenship": "one kind",
    "position": "one kind",
}
_PERHAPS_SEVERAL = frozenset(("citizenship", "owner", "position", "affiliation", "whereabouts", "field", "partner"))


@cache
def relations() -> Mapping[str, tuple[tuple[tuple[str, ...], WordedRelation], ...]]:
    """Phrases with their relations, by the first word."""
    found: dict[str, list[tuple[tuple[str, ...], WordedRelation]]] = {}
    listed: list[Mapping[str, Any]] = list(by_language("statements", "relations").values())
    for name in listed[0]:
        said = (phrase for each in listed for phrase in each[name].split(",") if phrase)
        phrases = tuple(tuple(fold(phrase).split()) for phrase in said)
        relation = WordedRelation(name, phrases, _KINDS.get(name, "any"), name not in _PERHAPS_SEVERAL)
        for phrase in phrases:
            found.setdefault(phrase[0], []).append((phrase, relation))
    return {first: tuple(each) for first, each in found.items()}


@cache
def stems_of(name: str) -> frozenset[str]:
    """The stems of the words under a key."""
    return frozenset(stem(fold(word)) for word in words_of(name))
