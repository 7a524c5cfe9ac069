"""Times from callers."""

from datetime import datetime, timedelta

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.support import times
from sandbox.support.times import Clock

_SET_BACK = timedelta(hours=3)  # after more than that, the clock was wrong before


class SteadyClock:
    """A clock that stands still until it has caught up, if it is set back by a few hours. So what is recorded later has
    no earlier time. ``latest`` is the time that it has reached, ``source`` the clock that may be set back.
    """

    def __init__(self, clock: Clock) -> None:
        self.source = clock
        self.latest: datetime | None = None

    def __call__(self) -> datetime:
        """An aware datetime."""
        now = self.source()
        if self.latest is None or not now < self.latest <= now + _SET_BACK:
            self.latest = now
        return self.latest


def to_ms(moment: datetime, argument: str = "at") -> int:
    """Milliseconds since 1970. Raises ``InvalidArgument`` unless the moment is an aware datetime."""
    if not isinstance(moment, datetime) or moment.utcoffset() is None:
        raise InvalidArgument(argument=argument, value=moment, expected="give a datetime with a time zone")
    try:
        return times.to_ms(moment)
    except OverflowError as error:
        raise InvalidArgument(argument=argument, value=moment, expected="it lies outside the calendar") from error
