"""Aware datetimes outside, UTC milliseconds inside."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Protocol

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Clock(Protocol):
    """Gives the time; tests and the demo can let weeks pass."""

    def __call__(self) -> datetime:
        """An aware datetime."""
        ...


def system_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)


def to_ms(moment: datetime) -> int:
    """Whole milliseconds since 1970 of an aware datetime. Raises ``OverflowError`` for a moment outside UTC's
    calendar.
    """
    return ((moment if moment.tzinfo is UTC else moment.astimezone(UTC)) - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """The aware UTC datetime."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def in_zone(moment: datetime, zone: tzinfo | None = None) -> datetime:
    """The moment by the clocks of a zone (None: of this machine); in UTC where their calendar ends."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, OSError):  # the latter on Windows, before 1970
        return moment.astimezone(UTC)


def from_ms_or_none(milliseconds: int | None) -> datetime | None:
    """The same; None for None."""
    return None if milliseconds is None else from_ms(milliseconds)
