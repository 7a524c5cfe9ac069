"""Tell whether two similar statements may both hold: they say the same of two things, or differ in when. Pure.

The words in which they differ decide. In doubt both hold, because a fact that is replaced is lost to its user, and two
values that stand side by side show their days.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from sandbox.extensions.memory.lexicon import words
from sandbox.extensions.memory.text.timewords import every_symbol, rows, telling
from sandbox.extensions.memory.text.words import statement_words, stem, stop_words, terms

# of a ticket, an error, a request (ABC-101, E1001, #57), a team (B; *I* is a word) or a file (a.py)
_CODE = re.compile(r"\b[A-Z]+-?\d\d+\b|#\d+\b|(?<=\w )[A-HJ-Z](?=[ .,])|(?<![\w.-])[\w-]+\.[a-z]\w{0,4}\b")
_BEGINNING = 3  # terms in which a statement names what it is about
_REST = 2  # terms that both have behind such a name
_COMPARED = 60  # terms of a statement; a person may store a whole text
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_CLOCK = re.compile(r"\d\d?:\d\d")


def name_other_codes(one: str, other: str) -> bool:
    """Whether two statements name different tickets, errors, teams or files. One may name none."""
    mine, theirs = (set(_CODE.findall(each)) for each in (one, other))
    return bool(mine and theirs) and mine != theirs


def may_be_of_another(one: str, other: str) -> bool:
    """Whether a difference of two statements may tell two things or times apart. Such a difference is one of several;
    or it stands where a statement names what it is about, and what they say of it is alike: *backups of the orders
    database go to Frankfurt*; or it is the number of a thing, tells which thing (*left knee*), or when.
    """
    mine, theirs = _words_of(one), _words_of(other)
    blocks = SequenceMatcher(None, mine.terms, theirs.terms, autojunk=False).get_opcodes()
    differences = [number for number, block in enumerate(blocks) if block[0] == "replace"]
    if len(differences) != 1:
        return bool(differences)
    [number] = differences
    before, behind = _equal(blocks[:number]), _equal(blocks[number + 1 :])
    if before < _BEGINNING and behind >= _REST:
        return True
    _, *ends = blocks[number]
    return all(map(_tells_apart, (mine.part(*ends[:2]), theirs.part(*ends[2:]))))


class _Part(NamedTuple):
    """Words of a statement, those before them and those behind them."""

    before: Sequence[str]
    words: Sequence[str]
    behind: Sequence[str]


class _Words(NamedTuple):
    """The words of a statement, and its terms with the places of their words."""

    words: Sequence[str]
    terms: Sequence[str]
    places: Sequence[int]

    def part(self, begin: int, end: int) -> _Part:
        """The words of some terms."""
        first, last = self.places[begin], self.places[end - 1] + 1
        return _Part(self.words[:first], self.words[first:last], self.words[last:])


def _words_of(statement: str) -> _Words:
    said = [word for word in statement_words(_POSSESSIVE.sub("", statement)) if word[0].isalnum()]
    placed = [(term, place) for place, word in enumerate(said) for term in terms(word)][:_COMPARED]
    return _Words(said, [term for term, _ in placed], [place for _, place in placed])


def _equal(blocks: Sequence[tuple[str, int, int, int, int]]) -> int:
    return sum(end - begin for kind, begin, end, _, _ in blocks if kind == "equal")


def _tells_apart(part: _Part) -> bool:
    """Whether some words may say which thing or which time is meant, and are not what is said of it."""
    is_number = all(word[0].isdigit() for word in part.words)
    if not stop_words().isdisjoint(part.words) and not all(map(_names_time, set(part.words) - stop_words())):
        return True  # several differences, between which both have function words
    following = part.behind[0] if part.behind else ""
    if _is_time(part):
        return not _is_said(part)
    if is_number:
        return following in words("statements", "copulas")
    return bool(following) and following not in stop_words()


def _is_time(part: _Part) -> bool:
    """Whether some words are part of a time, or stand behind *before* or *after*."""
    if any(map(_names_time, part.words)):
        return True
    beside = (*part.before[-1:], *part.behind[:1])
    return any(stem(word) in _months() for word in beside) or every_symbol(" ".join(part.before[-1:])) in (" B ", " F ")


def _names_time(word: str) -> bool:
    return bool(_CLOCK.fullmatch(word)) or stem(word) in _times()


def _is_said(part: _Part) -> bool:
    """Whether a time is what a statement says of a thing: *the standup is at 10:00*."""
    right_before = takewhile(stop_words().__contains__, reversed(part.before))
    return not words("statements", "copulas").isdisjoint(right_before)


@cache
def _times() -> frozenset[str]:
    return frozenset(map(stem, telling() | words("statements", "dates")))


@cache
def _months() -> frozenset[str]:
    return frozenset(stem(word) for listed in rows("months") for word in listed.split())
