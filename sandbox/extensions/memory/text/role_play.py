"""Role play in turns: whether parts are given out, and what a player says after leaving theirs. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from sandbox.extensions.memory.lexicon import pattern, texts, words
from sandbox.extensions.memory.text.pasted_intros import words_in
from sandbox.extensions.memory.text.pasted_marks import has, words_of

_READ = 10_000  # characters that are examined; no reader reads as many
_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SENTENCE = re.compile(r"[.!?…;]\s|\n")
_PART = re.compile(r"[.,:;!?…()\n*—–]+|\s-\s")


def begins(text: str) -> bool:
    """Whether a turn gives out parts: *you're the innkeeper, I'm Thorgrim*."""
    text = text[:_READ].replace("’", "'")
    may_pair = any(map(text.lower().__contains__, texts("role_play", "paired_hints")))  # most texts have none
    if may_pair and pattern("role_play", "paired", re.IGNORECASE).search(text):
        return True
    if _holds(text, "scenes"):
        return True
    return may_order(text) and any(orders(sentence) for _, sentence in _sentences(text))


def left(text: str) -> str:
    """What a player says in a turn after leaving the part; empty if they stay in it."""
    for at, sentence in _sentences(text.replace("’", "'")):
        if _holds(sentence, "unplayed") or any(map(_stops, _PART.split(sentence.lower()))):
            return text[at:]
    return ""


def _holds(text: str, name: str) -> bool:
    """Whether a text holds one of the phrases under a key, word by word."""
    spoken = f" {' '.join(_WORDS.findall(text.lower()))} "
    return any(f" {each} " in spoken for each in texts("role_play", name))


def _stops(part: str) -> bool:
    """Whether some words between two marks only say that it is over: *ok stop*."""
    laughs = pattern("role_play", "laughs")
    said = [each for each in _WORDS.findall(part) if not laughs.fullmatch(each)]
    stops = words("role_play", "stops")
    return not stops.isdisjoint(said) and (stops | words_of("leads")).issuperset(said)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    starts = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    return ((at, text[at:until]) for at, until in pairwise(starts))


@lru_cache(maxsize=8)  # of a turn it is asked twice
def may_order(text: str) -> bool:
    """Whether a sentence may order somebody to play a part; a quick test, because most texts have no such word."""
    lowered = text.lower()
    return any(map(lowered.__contains__, (*texts("pasted", "plays"), *texts("pasted", "you_are"))))


def orders(sentence: str) -> bool:
    """Whether a sentence orders somebody to play a part."""
    if pattern("pasted", "played").match(sentence.strip()):
        return True
    lowered = sentence.lower()
    at = min((found for each in texts("pasted", "plays") if (found := lowered.find(each)) >= 0), default=None)
    leads = words_in(lowered[:at]) if at is not None else ["?"]
    return words_of("leads").issuperset(leads) and not has(leads[-1:], "leads_no_play")
