"""The words of a statement: affirmed, and without words that only mean "now". Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.ingest.conflicts.relations import stems_of, words_of
from sandbox.extensions.memory.text.words import fold, stem

_WORD = re.compile(
    r"\d\w*(?:[.,:/\-]\w+)*%?"  # numbers, dates, times, versions
    r"|\w+(?:['’.\-&/@+:]+\w+)*[+#]*"  # words, names, addresses
    r"|[—–;:,(]|(?<=\s)-(?=\s)|[.!?…](?=\s)|[$€£₽]"
)
_NUMBER = re.compile(r"\d")


class Word(NamedTuple):
    """A word as it was written, and folded."""

    text: str
    folded: str


def split(text: str) -> list[Word]:
    """The words, with marks at the ends of clauses; a possessive ending is a word of its own. Words for "now" and
    "since" are dropped.
    """
    words = [part for match in _WORD.finditer(text.strip()) for part in _parts(match[0])]
    words = [word for index, word in enumerate(words) if not (word.text in ".!?…" and _abbreviates(words, index))]
    words = [word for word in words if word.folded not in words_of("now")]
    for index, word in enumerate(words):
        since = word.folded in words_of("from_when") and is_number(words[index + 1 : index + 2])
        if (since or word.folded in words_of("since")) and index > 2:
            return words[:index]
    return words


def affirmed(words: Sequence[Word]) -> tuple[list[Word], bool]:
    """The words without negation, and whether there was one."""
    kept: list[Word] = []
    negated = False
    for index, word in enumerate(words):
        following = words[index + 1].folded if index + 1 < len(words) else ""
        if word.folded in words_of("nots") or (word.folded == "no" and following in words_of("longer")):
            negated = True
            if kept and kept[-1].folded in words_of("helping"):
                kept.pop()
        elif word.folded.endswith("n't"):
            negated = True
            if (verb := word.folded[:-3]) and verb not in words_of("helping"):
                kept.append(Word(verb, verb))
        elif not (negated and word.folded in words_of("longer")):
            kept.append(word)
    return kept, negated


def stands_apart(words: Sequence[Word]) -> bool:
    """Whether a statement says that it is an addition, or that it holds only for the day or the week in which it is
    said.
    """
    folded = [word.folded for word in words]
    spans = zip(folded, map(stem, folded[1:]), strict=False)
    times = stems_of("dates") | stems_of("hours")
    passing = any(word in words_of("that_one") and time in times for word, time in spans)
    return passing or not words_of("also").isdisjoint(folded) or not words_of("passing").isdisjoint(folded)


def is_number(words: Sequence[Word]) -> bool:
    """Whether the first word is a number, in figures or in letters."""
    return bool(words) and (bool(_NUMBER.match(words[0].text)) or words[0].folded in words_of("numbers"))


def _parts(text: str) -> Iterator[Word]:
    folded = fold(text)
    for ending, verb in (("'s", "is"), ("'m", "am"), ("'re", "are")):
        if folded.endswith(ending):
            base = folded.removesuffix(ending)
            yield Word(text[: len(base)], base)
            yield Word(ending, "'s" if ending == "'s" and base not in words_of("say_is") else verb)
            return
    yield Word(text, folded)


def _abbreviates(words: Sequence[Word], index: int) -> bool:
    """Whether a full stop belongs to ``St.`` or an initial, or stands at the end, so that it ends no clause."""
    if index + 1 == len(words) or not words[index + 1].text[0].isupper():
        return True
    before = words[index - 1].text if index else ""
    return before[:1].isupper() and (len(before) <= 3 or before in words_of("titles"))
