"""Texts as rules look at them before they try anything: their words, what is in them, what they begin with. Pure."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

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


def without_leads(text: str, leads: str, end: str = r"\b") -> str:
    """Without those of some phrases, with commas between them, that it begins with; ``end`` is what each ends at."""
    match = _any_of(leads, end).match(small(text))
    return text[match.end() :] if match else text


@cache
def _any_of(leads: str, end: str) -> re.Pattern[str]:
    phrases = sorted((" ".join(lead.split()) for lead in leads.split(",")), key=len, reverse=True)
    return re.compile(rf"(?:(?:{'|'.join(map(re.escape, phrases))}){end}[\s,!.:—–-]*)+")


def headless(text: str, head: re.Pattern[str]) -> str:
    """Without what it begins with, where that is found at its beginning."""
    match = head.match(text)
    return text[match.end() :] if match else text
