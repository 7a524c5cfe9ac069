"""Aware datetimes outside, UTC milliseconds inside."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Protocol

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Clock(Protocol):
    """Gives the time; tests and the demo can let weeks pass."""

    def __call__(self) -> datetime:
        """An aware datetime."""


def system_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)


class _Local(tzinfo):
    """The zone of this machine, with its summer time: ``astimezone()`` knows only the offset of its own moment."""

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        """That of UTC where the calendar ends."""
        try:
            return None if when is None else when.replace(tzinfo=None).astimezone().utcoffset()
        except (OverflowError, ValueError, OSError):  # the latter on Windows, before 1970
            return timedelta()

    def dst(self, when: datetime | None) -> None:
        """Not known."""

    def tzname(self, when: datetime | None) -> str | None:
        """``CET``."""
        return None if when is None else when.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, when: datetime) -> datetime:
        """The moment in this zone; of the hour that comes twice, the right one."""
        there = when.replace(tzinfo=UTC).astimezone()
        return there.replace(tzinfo=self, fold=there.replace(tzinfo=None).astimezone() != there)


LOCAL = _Local()


def to_ms(moment: datetime) -> int:
    """Whole milliseconds since 1970 of an aware datetime. Raises ``OverflowError`` outside UTC's calendar."""
    return ((moment if moment.tzinfo is UTC else moment.astimezone(UTC)) - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """The aware UTC datetime."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def in_zone(moment: datetime, zone: tzinfo | None = None) -> datetime:
    """The moment by the clocks of a zone (None: of this machine); in UTC where their calendar ends."""
    try:
        return moment.astimezone(zone or LOCAL)
    except (OverflowError, ValueError, OSError):
        return moment.astimezone(UTC)


def local_day(milliseconds: int) -> str:
    """``2026-03-02``, by the calendar of this machine; of UTC where that ends. A block asks for over a hundred days, so
    this does without ``LOCAL``, which takes four times as long.
    """
    moment = from_ms(milliseconds)
    try:
        there = moment.astimezone()
    except (OverflowError, ValueError, OSError):
        there = moment
    return there.date().isoformat()


def from_ms_or_none(milliseconds: int | None) -> datetime | None:
    """The same; None for None."""
    return None if milliseconds is None else from_ms(milliseconds)
