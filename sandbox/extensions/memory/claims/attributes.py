"""Attributes: what a noun names of its owner, as in ``the_capital`` of France. Pure.

The article says how many it has at a time: ``the_`` one, ``a_`` perhaps several. Two values exclude each other if they
look like answers to one question, and nothing beside one of them would be lost.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from sandbox.extensions.memory.claims.registry import THE, A
from sandbox.extensions.memory.lexicon import words
from sandbox.extensions.memory.text.places import size
from sandbox.extensions.memory.text.words import CYRILLIC, fold, stem

Fit = Literal["unrelated", "doubtful", "exclude"]
Kind = Literal["time", "figure", "continent", "country", "city", "name", "word"]

_NO_LETTERS = re.compile(rf"[^a-z0-9{CYRILLIC}]+")
_LONGEST = 64  # characters of a predicate
_WORD = re.compile(r"[^\s,;()]+|[,;(]")
_TIME = re.compile(
    r"\d{1,2}:\d\d(?::\d\d)?|\d{4}-\d\d(?:-\d\d)?|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}(?:am|pm|th|st|nd|rd)"
)
_FIGURE = re.compile(r"[\d@/]|\w[._:]\w")  # numbers, versions, addresses
_PLACES = frozenset(("country", "city", "name"))


def named(noun: Sequence[str], *, is_one: bool = True) -> str:
    """The predicate for a noun with the words that describe it, folded."""
    return f"{THE if is_one else A}{_NO_LETTERS.sub('_', ' '.join(noun))}"[:_LONGEST].rstrip("_")


def is_any_of(said: Iterable[str], *keys: str) -> bool:
    """Whether one of some folded words is, in some form, under one of some keys of ``statements.yaml``."""
    return not _stems(keys).isdisjoint(map(stem, said))


@cache
def _stems(keys: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(word) for key in keys for word in words("statements", key))


def is_number(word: str) -> bool:
    """Whether a word is a number, in figures or in letters."""
    return word[0].isdecimal() or fold(word) in words("statements", "numbers")


def is_name(text: str, *, is_alone: bool = False) -> bool:
    """Whether a value is a name; ``is_alone``: without words beside it."""
    said, beside = _Value.of(text)
    return _kind(said) not in ("time", "figure", "word") and not (is_alone and beside)


def is_value(text: str) -> bool:
    """Whether some words name something that holds at any time: no opinion, no whole sentence, nothing of some days."""
    said, beside = _Value.of(text)
    if not said or _is_timed(beside) or not words("statements", "sentence").isdisjoint(map(fold, said[:-1])):
        return False
    return not (said[-1].islower() and is_any_of(said[-1:], "judgements"))


def fit(predicate: str, one: str, other: str) -> Fit:
    """Whether two values of an attribute, neither of which says more, exclude each other."""
    noun = predicate.replace("_", " ").split()[1:]
    before, now = _Value.of(one), _Value.of(other)
    found = _of_one_kind(before, now, noun)
    if found == "exclude" and before.limits != now.limits:
        found = "doubtful"
    if predicate.startswith(THE):
        return found
    return "doubtful" if found == "exclude" else "unrelated"


class _Value(NamedTuple):
    """The words of a value, and those beside it: ``with her mother``."""

    said: Sequence[str]
    beside: Sequence[str]

    @classmethod
    def of(cls, text: str) -> "_Value":
        said = _WORD.findall(text)
        while said and fold(said[0]) in words("statements", "leading"):
            said = said[1:]
        ends = words("statements", "joined" if _kind(said[:2]) in ("time", "figure") else "beside")
        for at in range(1, len(said)):
            is_in_name = said[at] == "," and said[at + 1 : at + 2] and said[at + 1][0].isupper()  # Portland, Oregon
            if fold(said[at]) in ends and not is_in_name:
                return cls(said[:at], said[at:])
        return cls(said, ())

    @property
    def class_(self) -> str | None:
        """The class that it names: ``city of London``, ``улица Ленина``, ``room 12``."""
        first, second, *_ = (*self.said, "", "")
        return stem(fold(first)) if first.islower() and second and (second == "of" or not second[0].islower()) else None

    @property
    def limits(self) -> list[str]:
        """The words for when or of what it is meant: those beside it, and the days behind an hour."""
        has_days = bool(_TIME.fullmatch("".join(self.said[:1]))) and is_any_of(map(fold, self.said[1:]), "dates")
        return [*map(fold, (*(self.said[1:] if has_days else ()), *self.beside))]

    @property
    def units(self) -> list[str]:
        """The words beside its figures."""
        return [stem(fold(word)) for word in self.said if not _is_figure(word)]


def _of_one_kind(one: _Value, other: _Value, noun: Sequence[str]) -> Fit:
    """Whether both look like answers to one question."""
    if is_any_of(noun, "unique") or is_any_of(noun[-1:], "qualities") or one.class_ == other.class_ is not None:
        return "exclude"
    is_name, kinds = is_any_of(noun[-1:], "holders"), {_kind(one.said), _kind(other.said)}
    if "word" in kinds and is_name:
        return "unrelated"
    if len(kinds) == 1:
        is_clear = kinds != {"word"} and (kinds != {"figure"} or one.units == other.units)
        return "exclude" if is_clear else "doubtful"
    if kinds == {"city", "name"} and is_name:
        return "exclude"
    return "doubtful" if kinds == {"name", "word"} or kinds <= _PLACES else "unrelated"


def _kind(said: Sequence[str]) -> Kind:
    """Which kind of value some words look like."""
    if _is_timed(said):
        return "time"
    if said and said[0][0].isupper():
        return size(" ".join(said)) or "name"
    return "figure" if any(map(_is_figure, said)) else "word"


def _is_figure(word: str) -> bool:
    return _FIGURE.search(word) is not None or is_number(word)


def _is_timed(said: Sequence[str]) -> bool:
    folded = [fold(word) for word in said]
    in_small = (fold(word) for word in said if word.islower())
    return any(map(_TIME.fullmatch, folded)) or is_any_of(folded, "dates") or is_any_of(in_small, "hours")
