"""Split a turn into sentences and clauses, and find the clauses that are asserted."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sandbox.extensions.memory.lexicon import either
from sandbox.extensions.memory.parse.language import Language
from sandbox.extensions.memory.parse.pattern import last_words, phrase_ends
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.text.words import CAPITAL

_READ = 8000  # characters of a turn; a longer one was pasted
_LONGEST = 70  # words of a sentence
_END = re.compile(rf"(?<=[.!?…])[)\"”»]*\s+|[\n\r]+|;\s+|(?<=\w)\s*\.{{2,}}\s*|(?<=[)])\s+(?=[{CAPITAL}])")
_DAY = re.compile(r"(?<!\d)\d{1,2}\.$")
_QUOTES = frozenset("\"“”„«»'")
_BULLET = re.compile(r"^\s*(?:[-*•–—]|\d{1,2}[.)])\s+")
_IN_MARKS = re.compile(r"[\"“«„]([^\"”»“«„\n]*)[\"”»“]")
_NAME_OF = 2  # words in quotation marks that are a name, or a word that is mentioned
_BREAKS = frozenset(",;:()–—-|/…")


class Segment(NamedTuple):
    """A part of a sentence between two possible ends of clauses. ``is_real``: it is neither a condition nor a
    quotation; ``is_earnest``: nor is it part of a question.
    """

    start: int
    end: int
    is_earnest: bool
    is_real: bool


def sentences(text: str, language: Language | None = None) -> Iterator[str]:
    """The sentences of a turn, without bullets and quotations of several sentences."""
    day, months = _dates(language) if language else (None, frozenset[str]())
    text = _IN_MARKS.sub(_but_passages, text[:_READ].replace("’", "'"))
    waiting = ""
    parts = _END.split(text)
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        whole = f"{waiting} {part}".strip()
        if whole.endswith(".") and (
            _shortened().search(whole) or (day and (day.search(whole) or _is_day_of(months, whole, following)))
        ):
            waiting = whole
            continue
        waiting = ""
        if whole := _BULLET.sub("", whole).strip(" ."):
            yield whole
    if waiting:
        yield waiting


@cache
def _dates(language: Language) -> tuple[re.Pattern[str] | None, frozenset[str]]:
    """A day of a month with a full stop at the end, and the names of months."""
    days = "|".join(phrase[0] for phrase in language.classes.get("before_day", ()))
    day = re.compile(rf"\b(?:{days})\s+\d{{1,2}}\.(?:\d{{1,2}}\.)?$", re.IGNORECASE) if days else None
    return day, frozenset(language.times["months"].split())


@cache
def _shortened() -> re.Pattern[str]:
    return re.compile(rf"(?:^|\s)(?:[{CAPITAL}]|{either('function_words', 'abbreviations')})\.$")


def _but_passages(quoted: re.Match[str]) -> str:
    """A quotation as it is; one of several sentences is replaced by a mark."""
    return " … " if _END.search(quoted[1].strip()) else quoted[0]


def _is_day_of(months: Collection[str], whole: str, following: str) -> bool:
    """Whether a full stop belongs to the day of a month: *23. Mai*."""
    return _DAY.search(whole) is not None and following.partition(" ")[0].strip(".,") in months


def segments(said: Sequence[Token]) -> list[Segment]:
    """The parts of a sentence. A part that is asked, supposed, wished or quoted is not asserted, nor are the parts
    after it.
    """
    if len(said) > _LONGEST:
        return []
    quoted = _quoted(said)
    asks = any(token.text == "?" for token in said)
    found: list[Segment] = []
    is_real = True
    for start, end in _cuts(said):
        words = [token for token in said[start:end] if token.is_word]
        if words:
            is_real = is_real and not any("unreal" in token.classes for token in words)
            is_own = is_real and quoted.isdisjoint(range(start, end))
            found.append(Segment(start, end, is_own and not asks, is_own))
    return found


def _cuts(said: Sequence[Token]) -> Iterator[tuple[int, int]]:
    start = 0
    for at, token in enumerate(said):
        is_sign = token.text in _BREAKS
        if is_sign or (at > start and "joins" in token.classes):
            if at > start:
                yield start, at
            start = at + 1 if is_sign or "unreal" not in token.classes else at
    if start < len(said):
        yield start, len(said)


def is_doubtful(said: Sequence[Token]) -> bool:
    """Whether a sentence asks or supposes."""
    return any(token.text == "?" or "supposed" in token.classes for token in said)


def is_quoting(said: Sequence[Token]) -> bool:
    """Whether a part of a sentence is a quotation of somebody else."""
    return bool(_quoted(said))


def _quoted(said: Sequence[Token]) -> frozenset[int]:
    marks = [at for at, token in enumerate(said) if not token.is_word and token.text in _QUOTES]
    pairs = [(first, last) for first, last in zip(marks[::2], marks[1::2], strict=False) if last - first > _NAME_OF + 1]
    return frozenset(at for first, last in pairs for at in range(first, last + 1))


def variants(said: Sequence[Token], language: Language) -> Iterator[Sequence[Token]]:
    """A clause as it is, then without its introduction, without its trailing words, and without stressing words in
    it.
    """
    starts, ends = _starts(said, language), _ends(said, language)
    for start in starts:
        for end in ends:
            if end > start:
                yield said[start:end]
    if len(said) and starts[-1] < ends[-1]:
        some = said[starts[-1] : ends[-1]]
        less = [token for token in some if "skip" not in token.classes]
        if less and len(less) < len(some):
            yield less


def _starts(said: Sequence[Token], language: Language) -> list[int]:
    found, at = [0], 0
    while at < len(said):
        behind = at + 1 if not said[at].is_word else next(iter(phrase_ends(language.classes["lead"], said, at)), 0)
        if not behind:
            break
        found = [behind] if not said[at].is_word and found == [0] else [*found, behind]
        at = behind
    return found[:1] + found[-2:] if len(found) > 3 else found


def _trailing(said: Sequence[Token], end: int, trail: frozenset[tuple[str, ...]]) -> int:
    """The number of words in the longest phrase that ends before an index, not counting the first word of a clause."""
    lengths = range(min(4, end - 1), 0, -1) if said[end - 1].lower in last_words(trail) else ()
    return next((each for each in lengths if tuple(token.lower for token in said[end - each : end]) in trail), 0)


def _ends(said: Sequence[Token], language: Language) -> list[int]:
    end = len(said)
    while end and not said[end - 1].is_word and said[end - 1].text not in ")%":
        end -= 1
    found = [end]
    while end > 1:
        if not said[end - 1].is_word:
            end -= 1
            continue
        length = _trailing(said, end, language.classes["trail"])
        if not length:
            break
        end -= length
        found.append(end)
    return found[:1] + found[-2:] if len(found) > 3 else found
