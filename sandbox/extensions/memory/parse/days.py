"""The days that an expression of time means, by its words and their symbols (see ``text/timewords.py``). Pure.

``text/period.py`` reads most expressions; here is what a statement means otherwise than a question: *for two years*,
*in two weeks*, *the 14th*.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime

from sandbox.extensions.memory.lexicon import words
from sandbox.extensions.memory.text import spans
from sandbox.extensions.memory.text.period import period
from sandbox.extensions.memory.text.spans import Span
from sandbox.support.times import from_ms

_OF_MONTH = re.compile(r"(?<!\S)(?:m\d|o\d)")  # shows the day better than the word for a week before it
_DAY_OF_MONTH = re.compile(r"D\.(\d+)\.(\d+)")


def days_of(phrase: str, symbols: Sequence[str], now: datetime, *, is_since: bool) -> Span | None:
    """The days of an expression; a month or a weekday alone is read after a word that marks it as one."""
    if len(symbols) > 1 and symbols[0][:1] == "w" and any(_OF_MONTH.search(each) for each in symbols[1:]):
        return days_of(phrase.partition(" ")[2], ["t", *filter(None, symbols[1:])], now, is_since=is_since)
    if later := _later(symbols, now.date(), is_for_long=phrase.partition(" ")[0] in words("calendar", "for_long")):
        return later
    if is_since and (begun := _begun(symbols, now.date())):
        return begun
    if len(told := [symbol for symbol in symbols if symbol]) == 1 and (day := _DAY_OF_MONTH.fullmatch(told[0])):
        return _latest(int(day[1]), int(day[2]), now.date())
    if nth := _nth(symbols, now.date()):
        return nth
    first = symbols[0][:1]
    if first == "Y" or (len(symbols) == 1 and first in "ms"):
        phrase = f"in {phrase}"
    elif first == "w":
        phrase = f"on {phrase}"
    found = period(phrase, now)
    if found is None:
        return None
    zone = now.tzinfo or UTC
    return from_ms(found.after).astimezone(zone).date(), from_ms(found.before).astimezone(zone).date()


def _later(symbols: Sequence[str], today: date, *, is_for_long: bool) -> Span | None:
    """In two weeks."""
    match = re.fullmatch(r"(?:i|I) (?:n(\d+) )?(?:i )?u([dwmy])", " ".join(filter(None, symbols)))
    if match is None or is_for_long or (match[1] is None and match[2] != "w" and symbols[0] != "I"):
        return None
    with suppress(ValueError, OverflowError):
        day = spans.back(today, -int(match[1] or 1), match[2])
        return spans.days(day) if match[2] in "dw" else spans.around(day, match[2])
    return None


def _begun(symbols: Sequence[str], today: date) -> Span | None:
    """For two years: the time of the beginning, as exact as it is told."""
    match = re.fullmatch(r"(?:n(\d+) )?u([dwmy])", " ".join(filter(None, symbols)))
    if match is None:
        return None
    with suppress(ValueError, OverflowError):
        day = spans.back(today, int(match[1] or 1), match[2])
        return spans.days(day) if match[2] in "dw" else spans.unit(match[2], day, 0)
    return None


def _latest(month: int, day: int, today: date) -> Span | None:
    """The latest date of a day and month that is not in the future."""
    for year in range(today.year, today.year - 9, -1):
        with suppress(ValueError):
            if (found := date(year, month, day)) <= today:
                return spans.days(found)
    return None


def is_nth(symbols: Sequence[str]) -> bool:
    """Whether only the day of a month is told: *the 14th*."""
    return re.fullmatch(r"(?:[iUcbF] )?(?:t )?o\d+", " ".join(filter(None, symbols))) is not None


def _nth(symbols: Sequence[str], today: date) -> Span | None:
    """The 14th: the next one, from today on. Sunday the 14th: the next Sunday with that date, or else the last."""
    match = re.fullmatch(r"(?:[iUcbF] )?(?:w(\d) )?t o(\d+)", " ".join(filter(None, symbols)))
    if match is None:
        return None
    for step in range(3) if match[1] is None else (*range(3), *range(0, -12, -1)):
        month = today.year * 12 + today.month - 1 + step
        with suppress(ValueError):
            found = date(month // 12, month % 12 + 1, int(match[2]))
            if match[1] is None and found < today:
                continue
            if match[1] is None or found.weekday() == int(match[1]):
                return spans.days(found)
    return None
