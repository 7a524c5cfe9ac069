"""Where another value belongs in an English statement: a day for a day, a figure for a figure, a name for a name.

Pure.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from difflib import SequenceMatcher
from functools import partial

from sandbox.extensions.memory.consolidate.rules.date_words import MONTHS_EN
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.statements import Said

ALIKE = 0.55  # of the letters of two spellings of one name: Katherine, Catharine

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\d{1,3}(?:st|nd|rd|th))"
)
_FIGURE = rf"(?:\d[\d.,:]*(?: ?(?:am|pm)\b|%)?|\b(?:{'|'.join(_NUMBERS)})\b)"
_NAME = re.compile(r"[A-ZÀ-Þ][\w+.'-]*(?: [A-ZÀ-Þ][\w+.'-]*)*")
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|@\w\S*|\b[\w-]+(?:\.[\w-]+)+\b")
_BEFORE = re.compile(r"^(?:(?:on|in|at|to|for|from|with|by|until|as|of|around)\b ?)*")
_DAY = re.compile(r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)?", re.IGNORECASE)
_MONTH = rf"\b(?:{'|'.join(MONTHS_EN)})\b"

Swapped = tuple[str, datetime | None]


def put(said: Said, new: str, now: datetime, *, in_words: bool = False) -> Said | None:
    """A statement with another value, in the place of the one of its sort; ``in_words``: of any sort. None where it
    has no such place, or says that already.
    """
    text, new = said.value or said.wording, _BEFORE.sub("", new)
    swapped = _day(text, new, now) or next(
        (found for way in _ways(text, now, in_words) if (found := way(text, new))), None
    )
    changed = with_text(said, *swapped) if swapped else said
    return changed if changed.content.lower() != said.content.lower() else None


def _ways(text: str, now: datetime, in_words: bool) -> Iterator[Callable[[str, str], Swapped | None]]:
    yield from (_address, partial(_leading, _ORDINALS))
    if not moments(text, now):
        yield partial(_leading, _FIGURE)
    yield _name
    if in_words:
        yield _noun


def with_text(said: Said, text: str, at: datetime | None = None) -> Said:
    """A statement with other words behind its verb, or in all where it has its own."""
    text = re.sub(r"\b(an?)(?= (\w))", lambda one: "an" if one[2] in "aeiou" else "a", text)
    changed = replace(said, at=at or said.at, mentions=(), replaces=())
    return replace(changed, value=text) if said.value else replace(changed, wording=text)


def alike(one: str, other: str) -> float:
    """How much two spellings have in common, 0 to 1."""
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


def _day(text: str, new: str, now: datetime) -> Swapped | None:
    found = moments(text, now)
    if not found:
        return None
    start, end, at = found[-1].start, found[-1].end, found[-1].at
    old = text[start:end]
    if (day := _DAY.fullmatch(new)) and re.search(rf"\d (?:{_MONTH})", old):
        written, at = re.sub(r"\d{1,2}(?= )", day["day"], old, count=1), _on(at, int(day["day"]), at.month)
    elif new in MONTHS_EN and re.search(_MONTH, old):
        written, at = re.sub(_MONTH, new, old), _on(at, at.day, MONTHS_EN.index(new) + 1)
    else:
        ahead = at.date() > now.date()
        meant = next((each for each in moments(new, now, ahead=ahead) if each.end - each.start > len(new) - 4), None)
        if meant is None:
            return None
        before = _BEFORE.match(old)
        written = f"{before[0] if before else ''}{_BEFORE.sub('', meant.written)}"
        written, at = written if re.search(r"\d{4}", old) else re.sub(r" \d{4}$", "", written), meant.at
    return f"{text[:start]}{written}{text[end:]}", at


def _on(at: datetime, day: int, month: int) -> datetime:
    try:
        return at.replace(day=day, month=month)
    except ValueError:  # there is no such day
        return at


def _address(text: str, new: str) -> Swapped | None:
    return _in_place(_ADDRESS, text, new) if _ADDRESS.fullmatch(new) else None


def _leading(sort: str, text: str, new: str) -> Swapped | None:
    """``four cups`` for ``three cups of coffee``: what is counted stays where it is said again or not at all."""
    given = re.match(rf"(?:the |an? )?(?P<one>{sort})(?: (?P<of>.+))?$", new, re.IGNORECASE)
    place = re.search(rf"{sort}", text, re.IGNORECASE)
    if given is None or place is None:
        return None
    one, counted = given["one"].lower(), (given["of"] or "").lower()
    if one in _NUMBERS and place[0].isdigit():
        one = str(_NUMBERS.index(one))
    end = place.end()
    if counted and not text[end:].lower().lstrip().startswith(counted):
        rest = re.match(r"(?: (?!(?:of|in|on|at|a|per|every|with|for)\b)\S+)*", text[end:])
        end += rest.end() if rest else 0
        one = f"{one} {given['of']}"
    return f"{text[: place.start()]}{one}{text[end:]}", None


def _name(text: str, new: str) -> Swapped | None:
    """For the name most like it, else the last."""
    names = [each for each in _NAME.finditer(text) if each[0] not in MONTHS_EN]
    if not _NAME.fullmatch(new) or not names:
        return None
    best = max(
        names, key=lambda each: (round(alike(each[0], new), 1) if alike(each[0], new) > ALIKE else 0, each.start())
    )
    return f"{text[: best.start()]}{new}{text[best.end() :]}", None


def _noun(text: str, new: str) -> Swapped | None:
    """For all that is said, where that is a noun with little else."""
    before = _BEFORE.match(text)
    start = before.end() if before else 0
    old, new = text[start:], new if new.isupper() else f"{new[:1].lower()}{new[1:]}"
    if not old or len(old.split()) > 3 or re.search(r"[A-Z\d]", old) or re.search(r"[A-Z\d]", new):
        return None
    article = re.match(r"(?:an?|the|the user's) ", old)
    has_one = re.match(r"(?:an?|the|my|two|three|some) ", new)
    return f"{text[:start]}{article[0] if article and not has_one else ''}{new}", None


def _in_place(sort: re.Pattern[str], text: str, new: str) -> Swapped | None:
    places = list(sort.finditer(text))
    return (f"{text[: places[-1].start()]}{new}{text[places[-1].end() :]}", None) if places else None
