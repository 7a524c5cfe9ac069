"""Find what a sentence denies, and what it says is so in its place: *my son's name is not Paul, it's Pauli*."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.pattern import phrase_ends
from sandbox.extensions.memory.parse.tokens import Token

_MOST_WORDS = 6  # of what is so instead


class Denial(NamedTuple):
    """A sentence as if what it denies were so (*my son's name is Paul*), its words before what it denies, and, if it
    says so, what is so instead (*my son's name is Pauli*).
    """

    denied: str
    head: str
    affirmed: str | None


def denial(said: Sequence[Token], text: str, language: Language) -> Denial | None:
    """What some words of a text deny; None if they deny nothing, or two things."""
    places = [at for at, token in enumerate(said) if _denies(said, at)]
    if len(places) != 1:
        return None
    (at,) = places
    dropped = set(_with_not(said, at))
    end, instead = next(_instead(said, at + 1, language), (len(said), len(said)))
    head = _written(said, text, [each for each in range(at) if each not in dropped])
    kept = [each for each in range(end) if each not in dropped and not _ends(said, each)]
    rest = said[instead:]
    affirmed = in_place(head, rest, text) if 0 < sum(each.is_word for each in rest) <= _MOST_WORDS else None
    return Denial(_written(said, text, kept), head, affirmed)


def in_place(head: str, said: Sequence[Token], text: str) -> str:
    """The words of a sentence before what it denies, with other words behind them."""
    return f"{head} {_written(said, text, range(len(said)))}"


def behind_it_is(said: Sequence[Token], language: Language) -> Sequence[Token]:
    """The words behind *it is* at the beginning of a sentence; none if it begins otherwise."""
    end = next(iter(phrase_ends(language.classes["it_is"], said, 0)), len(said))
    return said[end:] if sum(each.is_word for each in said[end:]) <= _MOST_WORDS else ()


def _denies(said: Sequence[Token], at: int) -> bool:
    behind = said[at + 1].classes if at + 1 < len(said) else frozenset()
    is_no_longer = "no_word" in said[at].classes and "over" in behind
    return is_no_longer or ("not" in said[at].classes and "merely" not in behind)  # *not only in Rome*


def _with_not(said: Sequence[Token], at: int) -> Iterator[int]:
    """The places of a word such as *not* and of what belongs to it: *do not*, *no longer*, «больше не»."""
    yield at
    if at and not {"supports", "over"}.isdisjoint(said[at - 1].classes):
        yield at - 1
    if at + 1 < len(said) and "over" in said[at + 1].classes:
        yield at + 1


def _ends(said: Sequence[Token], at: int) -> bool:
    """Whether a word begins the end of a sentence that says that something is over: *anymore*, *any more*."""
    *before, last = [each.classes for each in said[at:] if each.is_word] or [frozenset[str]()]
    return "over" in last and (not before or (len(before) == 1 and "any" in before[0]))


def _instead(said: Sequence[Token], start: int, language: Language) -> Iterator[tuple[int, int]]:
    """Where what is denied ends, and where what is so instead begins."""
    for at in range(start + 1, len(said)):
        if "but" in said[at].classes:
            yield at, at + 1
        elif not said[at].is_word:
            behind = at + 1
            if behind < len(said) and "but" in said[behind].classes:
                yield at, behind + 1
            for end in phrase_ends(language.classes["it_is"], said, behind):
                yield at, end


def _written(said: Sequence[Token], text: str, places: Collection[int]) -> str:
    """Some words as they are written, and those of a contraction in full."""
    parts: list[str] = []
    before: Token | None = None
    for at in places:
        token = said[at]
        is_short = any(0 <= each < len(said) and said[each].start == token.start for each in (at - 1, at + 1))
        is_apart = before is not None and (before.end < token.start or before.start >= token.start)
        parts.append((" " if is_apart else "") + (token.text if is_short else text[token.start : token.end]))
        before = token
    return "".join(parts)
