"""Whether two values answer the same question, and whether one contains the other. Pure."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sandbox.extensions.memory.ingest.conflicts.relations import Values, stems_of, words_of
from sandbox.extensions.memory.ingest.conflicts.wording import Word
from sandbox.extensions.memory.text.places import size
from sandbox.extensions.memory.text.words import stem

Fit = Literal["same kind", "doubtful", "other kind"]
Kind = Literal["time", "figure", "continent", "country", "city", "name", "word"]

_TIME = re.compile(
    r"\d{1,2}:\d\d(?::\d\d)?|\d{4}-\d\d(?:-\d\d)?|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}(?:am|pm|th|st|nd|rd)"
)
_FIGURE = re.compile(r"[\d@/]|\w[._:]\w")  # numbers, versions, addresses
_PLACES = frozenset(("country", "city", "name"))


class Value(NamedTuple):
    """A value: its words, the words that follow it (``with her mother``), and whether it had an article."""

    words: tuple[Word, ...]
    beside: tuple[Word, ...]
    is_thing: bool

    @classmethod
    def of(cls, said: Sequence[Word]) -> "Value":
        """The value at the start of the words that follow a verb."""
        start = next((index for index, word in enumerate(said) if word.folded not in words_of("leading")), len(said))
        is_thing = any(word.folded in words_of("articles") for word in said[:start])
        words = tuple(said[start:])
        ends = words_of("joined") if kind(words[:2]) in ("time", "figure") else words_of("beside")
        for index in range(1, len(words)):
            if words[index].folded in ends and not _is_in_name(words, index):
                return cls(words[:index], words[index:], is_thing)
        return cls(words, (), is_thing)

    @property
    def is_said(self) -> bool:
        """Whether the value is a statement in words: no opinion, and no whole sentence."""
        if not self.words or not words_of("sentence").isdisjoint(word.folded for word in self.words[:-1]):
            return False
        last = self.words[-1]
        return not (last.text.islower() and stem(last.folded) in stems_of("judgements"))

    @property
    def class_(self) -> str | None:
        """The class that the value names: ``city of London``, ``улица Ленина``, ``room 12``."""
        if len(self.words) < 2 or not self.words[0].text.islower():
            return None
        named = self.words[1].folded == "of" or not self.words[1].text[0].islower()
        return stem(self.words[0].folded) if named else None

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its words, for comparisons."""
        return frozenset(stem(word.folded) for word in self.words if word.text != ",")

    @property
    def units(self) -> list[str]:
        """The words beside its figures."""
        return [stem(word.folded) for word in self.words if not _FIGURE.search(word.text)]


def one_says_more(one: Value, other: Value) -> bool:
    """Whether one value is the other with words added, or its initials."""
    contained = one.stems <= other.stems or other.stems <= one.stems
    return contained or _are_initials(one, other) or _are_initials(other, one)


def fit(one: Value, other: Value, values: Values) -> Fit:
    """Whether two values look like answers to the same question."""
    if values == "one kind" or one.class_ == other.class_ is not None:
        return "same kind"
    kinds = {kind(one.words), kind(other.words)}
    if (values == "names" and "word" in kinds) or (values == "figures" and kinds != {"figure"}):
        return "other kind"
    if kinds == {"word"}:
        return "same kind" if values == "organisations" and one.is_thing and other.is_thing else "doubtful"
    if kinds == {"figure"}:
        return "same kind" if one.units == other.units else "doubtful"
    if kinds == {"city", "name"} and values != "any":
        return "other kind" if values == "organisations" else "same kind"
    if len(kinds) == 1:
        return "same kind"
    return "doubtful" if kinds == {"name", "word"} or kinds <= _PLACES else "other kind"


def ends(old: Value, new: Value) -> Fit:
    """Whether the words that follow the old value also follow the new one."""
    if [word.folded for word in old.beside] == [word.folded for word in new.beside]:
        return "same kind"
    timed = _is_timed(old.beside) or _is_timed(new.beside)
    if old.beside and new.beside and timed:
        return "other kind"
    return "doubtful" if old.beside or timed or new.beside[0].folded in words_of("joined") else "same kind"


def kind(words: Sequence[Word]) -> Kind:
    """Which kind of value some words look like."""
    if _is_timed(words):
        return "time"
    if words and words[0].text[0].isupper():
        return size(" ".join(word.text for word in words)) or "name"
    return "figure" if any(_FIGURE.search(word.text) for word in words) else "word"


def _is_timed(words: Sequence[Word]) -> bool:
    return any(_TIME.fullmatch(word.folded) or _is_time(word) for word in words)


def _is_time(word: Word) -> bool:
    stemmed = stem(word.folded)
    return stemmed in stems_of("dates") or (stemmed in stems_of("hours") and word.text.islower())


def _is_in_name(words: Sequence[Word], index: int) -> bool:
    """A comma inside a name or address: ``Portland, Oregon``."""
    return words[index].text == "," and index + 1 < len(words) and words[index + 1].text[0].isupper()


def _are_initials(short: Value, long: Value) -> bool:
    letters = "".join(word.folded[0] for word in long.words if word.text[0].isupper())
    first = short.words[0]
    return len(letters) > 1 and len(short.words) == 1 and first.text.isupper() and first.folded.startswith(letters)
