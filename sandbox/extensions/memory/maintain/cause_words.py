"""The explicit language of cause and effect: ``causes.yaml`` in the folder of each language. Pure.

Rules alone join two turns if the second begins with a reference to the first ("That's why ...", "Because ..."), or
repeats it on one side of such words ("I moved." "I moved because the rent was too high."). Otherwise such words join
parts of one turn; a bare "so" joins nothing ("Caroline, so glad!").
"""

import re
from functools import cache
from typing import Literal

from sandbox.extensions.memory.lexicon import either, pattern
from sandbox.extensions.memory.text.words import courtesies, terms

Cause = Literal["first", "second"]

_IO, _IE = "\N{CYRILLIC SMALL LETTER IO}", "\N{CYRILLIC SMALL LETTER IE}"  # many writers use one letter for both
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")


def asks_why(text: str) -> bool:
    """Whether a text asks for a cause."""
    return "?" in text and bool(pattern("causes", "asks_why").search(_plain(text)))


def is_filler(text: str) -> bool:
    """Whether a text says nothing: thanks, greetings, praise without a subject."""
    known = courtesies()
    is_courteous = all(term in known for term in terms(text))
    return is_courteous and not (pattern("causes", "subject").search(_plain(text)) or speaks_of_cause(text))


def speaks_of_cause(text: str) -> bool:
    """Whether a text contains a word of cause or effect."""
    return bool(pattern("causes", "speaks").search(_plain(text)))


def cause_by_rule(first: str, second: str, between: str = "") -> Cause | None:
    """Which of two texts is the cause of the other: by the opening of the second, by the question ``between`` them, or
    by a sentence of one that joins the content of the first with something else. None if the words do not show it.
    """
    plain = _plain(second)
    if is_filler(first) or is_filler(second):
        return None
    if _opened("points_back").match(plain):
        return "first"
    if _opened("gives_reason").match(plain) or asks_why(between):
        return "second"
    cause = frozenset(terms(first))
    return next(filter(None, (_joined(sentence, cause) for sentence in _SENTENCE_END.split(plain))), None)


@cache
def _opened(name: str) -> re.Pattern[str]:
    """How a text begins, after words of reply."""
    opening = either("causes", "opening")
    return re.compile(rf"^(?:{opening}\b[,.!—– -]*)*{either('causes', name)}")


def _joined(sentence: str, cause: frozenset[str]) -> Cause | None:
    """Whether a sentence gives the first text as a cause, or as an effect."""
    for name, is_cause_first in (("from_effect", False), ("from_cause", True)):
        if found := pattern("causes", name).search(sentence):
            before, after = _repeats(sentence[: found.start()], cause), _repeats(sentence[found.end() :], cause)
            if before != after:
                return "first" if before == is_cause_first else "second"
    return None


def _repeats(clause: str, cause: frozenset[str]) -> bool:
    """Whether a clause repeats the first text: at least half of its terms are there."""
    said = set(terms(clause))
    return bool(said) and 2 * len(said & cause) >= len(said)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").replace(_IO, _IE).split())
