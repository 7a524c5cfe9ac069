"""Times from callers, also in the forms that tools and people write."""

import re
from datetime import UTC, date, datetime, timedelta

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


_RELATIVE = {"last_week": timedelta(days=7), "last_month": timedelta(days=30), "last_year": timedelta(days=365)}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_EXPECTED = f"give a date like 2026-03-02, a time like 2026-03-02T18:30, or one of {', '.join(_RELATIVE)}"


def moment(value: datetime | str | None, now: datetime, argument: str) -> int | None:
    """Milliseconds of a time filter. A date means its first moment, in the
    time zone of ``now``; ``last_week`` is seven days before ``now``. Raises ``InvalidArgument``.
    """
    if value is None:
        return None
    if isinstance(value, datetime):
        return to_ms(value, argument)
    text = value.strip().lower().replace(" ", "_") if isinstance(value, str) else ""
    if text in _RELATIVE:
        return to_ms(now - _RELATIVE[text], argument)
    try:
        if _DATE.fullmatch(text):
            day = date.fromisoformat(text)
            return to_ms(datetime(day.year, day.month, day.day, tzinfo=now.tzinfo or UTC), argument)
        return to_ms(datetime.fromisoformat(value), argument)
    except (ValueError, TypeError) as error:
        raise InvalidArgument(argument=argument, value=value, expected=_EXPECTED) from error
