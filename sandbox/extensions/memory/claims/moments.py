"""The time of a claim, as precise as its text: ISO 8601, by the calendar of this machine."""

import re
from datetime import datetime, timedelta

from sandbox.support.times import LOCAL

_TIME = r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d)?)?)?"
PATTERN = rf"(?:--\d\d-\d\d|{_TIME}|{_TIME}/\.\.|\.\./{_TIME})"
"""A day of every year, a time, the time from which something holds, or the time until which it does."""

_OPEN = ".."


def is_time(text: str) -> bool:
    """Whether a text is the time of a claim, and that time exists."""
    parts = [part.replace("--", "2000-") for part in text.split("/") if part != _OPEN]  # 2000 has a 29 February
    return bool(re.fullmatch(PATTERN, text)) and all(first_moment(part) for part in parts)


def begins(time: str | None, *, is_plan: bool = False) -> datetime | None:
    """The time from which a claim holds, if it says so. What is planned for a time holds from that time on."""
    start, slash, _ = (time or "").partition("/")
    return first_moment(start) if start and (slash or is_plan) and start != _OPEN else None


def ends(time: str | None) -> datetime | None:
    """The time at which a claim ends, if it says so: the end of the named day, month or year. The end of the calendar
    is none.
    """
    start, slash, end = (time or "").partition("/")
    if not slash or start != _OPEN or (found := first_moment(end)) is None:
        return None
    if "T" in end:
        return found
    length = 1 if len(end) > len("2026-03") else 31 if len(end) > len("2026") else 366
    try:
        later = found + timedelta(days=length)
    except OverflowError:
        return None
    return later if length == 1 else later.replace(day=1)


def first_moment(text: str) -> datetime | None:
    """The beginning of a minute, a day, a month or a year; None if there is none."""
    least = "2000-01-01T00:00"
    if not re.fullmatch(_TIME, text):
        return None
    try:
        return datetime.fromisoformat(text + least[len(text) :]).replace(tzinfo=LOCAL)
    except ValueError:
        return None
