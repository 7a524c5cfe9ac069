"""The time of a claim, as precise as its text: ISO 8601. Pure."""

import re
from datetime import UTC, datetime, timedelta

_TIME = r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d)?)?)?"
PATTERN = rf"(?:--\d\d-\d\d|{_TIME}|{_TIME}/\.\.|\.\./{_TIME})"
"""A day of every year, a time, a time from which on or a time until which something holds."""

_OPEN = ".."


def is_time(text: str) -> bool:
    """Whether a text says when a claim holds, and there is such a time."""
    told = [part for part in text.split("/") if part != _OPEN and not part.startswith("--")]
    return bool(re.fullmatch(PATTERN, text)) and all(_moment(part) for part in told)


def begins(time: str | None) -> datetime | None:
    """From when on something holds that is told to hold from then on."""
    start, slash, _ = (time or "").partition("/")
    return _moment(start) if slash and start != _OPEN else None


def ends(time: str | None) -> datetime | None:
    """When something is over that is told to hold until then: with the last day, month or year that is named."""
    start, slash, end = (time or "").partition("/")
    if not slash or start != _OPEN or (found := _moment(end)) is None:
        return None
    if "T" in end:
        return found
    if len(end) > len("2026-03"):
        return found + timedelta(days=1)
    if len(end) > len("2026"):
        return (found + timedelta(days=31)).replace(day=1)
    return found.replace(year=found.year + 1)


def _moment(text: str) -> datetime | None:
    """The first moment of a time; None where there is none."""
    least = "2000-01-01T00:00"
    try:
        return datetime.fromisoformat(text + least[len(text) :]).replace(tzinfo=UTC)
    except ValueError:
        return None
