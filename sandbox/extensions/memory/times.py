"""Aware datetimes at the border, UTC milliseconds inside."""

from datetime import UTC, datetime, timedelta
from typing import Protocol

from sandbox.extensions.memory.errors import InvalidArgument

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_ms(moment: datetime, argument: str = "at") -> int:
    """Milliseconds since 1970; ``InvalidArgument`` for anything but an aware datetime."""
    if not isinstance(moment, datetime) or moment.utcoffset() is None:
        raise InvalidArgument(argument=argument, value=moment, expected="give a datetime with a time zone")
    try:
        return ((moment if moment.tzinfo is UTC else moment.astimezone(UTC)) - _EPOCH) // _MILLISECOND
    except OverflowError as error:
        raise InvalidArgument(argument=argument, value=moment, expected="it lies outside the calendar") from error


def from_ms(milliseconds: int) -> datetime:
    """The aware UTC datetime."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def from_ms_or_none(milliseconds: int | None) -> datetime | None:
    """``from_ms`` where there is a time."""
    return None if milliseconds is None else from_ms(milliseconds)


class Clock(Protocol):
    """Tells the time, so that tests and the demo can let weeks pass."""

    def __call__(self) -> datetime:
        """An aware datetime."""
        ...


def system_clock() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)
