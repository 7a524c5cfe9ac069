"""Times from callers, and times that may be missing."""

from datetime import datetime

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.support import times


def to_ms(moment: datetime, argument: str = "at") -> int:
    """Milliseconds since 1970. Raises ``InvalidArgument`` unless the moment is an aware datetime."""
    if not isinstance(moment, datetime) or moment.utcoffset() is None:
        raise InvalidArgument(argument=argument, value=moment, expected="give a datetime with a time zone")
    try:
        return times.to_ms(moment)
    except OverflowError as error:
        raise InvalidArgument(argument=argument, value=moment, expected="it lies outside the calendar") from error


def from_ms_or_none(milliseconds: int | None) -> datetime | None:
    """The aware UTC datetime; None for None."""
    return None if milliseconds is None else times.from_ms(milliseconds)
