"""When a claim holds, as far as that was told: ISO 8601, as precise as it was. Pure."""

import re
from datetime import UTC, datetime, timedelta

_MOMENT = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d))?)?)?")
_YEARLY = re.compile(r"--(\d\d)-(\d\d)")
_OPEN = ".."


def is_time(text: str) -> bool:
    """Whether a text is a time, a time from which on or a time until which something holds."""
    begins, _, ends = text.partition("/")
    told = [part for part in (begins, ends) if part not in ("", _OPEN)]
    return bool(told) and all(_YEARLY.fullmatch(part) or _parts(part) for part in told)


def begins(time: str | None) -> datetime | None:
    """From when on something holds that is told to hold from then on."""
    start, slash, _ = (time or "").partition("/")
    return _parts(start) if slash and start != _OPEN else None


def ends(time: str | None) -> datetime | None:
    """When something is over that is told to hold until then: with the last day, month or year that is named."""
    start, slash, end = (time or "").partition("/")
    if not slash or start != _OPEN or (found := _parts(end)) is None:
        return None
    if "T" in end:
        return found
    if len(end) > len("2026-03"):
        return found + timedelta(days=1)
    if len(end) > len("2026"):
        return (found + timedelta(days=31)).replace(day=1)
    return found.replace(year=found.year + 1)


def _parts(text: str) -> datetime | None:
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute = (int(part or least) for part, least in zip(found.groups(), "01100", strict=True))
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return None
