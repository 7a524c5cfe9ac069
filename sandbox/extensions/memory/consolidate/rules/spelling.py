"""Words that are misspelt by one slip: two letters that changed places, one too many, one too few. English. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, grammar

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
    "form from trial trail sign sing bread beard being begin angel angle diary dairy weird wired".split()
)
