"""Texts as rules look at them before they try anything: their words, what is in them, what they begin with. Pure."""

import re
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=1 << 6)
def words_in(text: str) -> frozenset[str]:
    """Its words in small letters: a rule that cannot do without one of some is not tried where none is."""
    return frozenset(_WORD.findall(text.lower()))


def small(text: str) -> str:
    """In small letters, each in its place: a long pattern finds in it what it finds by ignoring case, much sooner."""
    return text.replace("İ", "I").lower()  # the one letter that would become two


def has_any(text: str, parts: Iterable[str]) -> bool:
    """Whether one of some parts, in small letters, is in it."""
    lowered = text.lower()
    return any(part in lowered for part in parts)


def headless(text: str, head: re.Pattern[str]) -> str:
    """Without what it begins with, where that is found at its beginning."""
    match = head.match(text)
    return text[match.end() :] if match else text
