"""Times from callers."""

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
