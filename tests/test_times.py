"""Times by the clocks of this machine."""

from datetime import UTC, datetime, timedelta

import pytest

from sandbox.support.times import LOCAL, in_zone


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("day", [datetime(2026, 3, 28, tzinfo=UTC), datetime(2026, 10, 24, tzinfo=UTC)])
def test_a_moment_is_the_same_by_the_clocks_of_this_machine(day: datetime) -> None:
    """In Europe these clocks are changed a day later; an hour comes twice or not at all."""
    for minutes in range(0, 3 * 24 * 60, 30):
        moment = day + timedelta(minutes=minutes)
        here = in_zone(moment)
        assert here.astimezone(UTC) == moment
        assert here.replace(tzinfo=None) == moment.astimezone().replace(tzinfo=None)
        assert here.tzname() == moment.astimezone().tzname()


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("end", [datetime.min, datetime.max])
def test_times_at_the_ends_of_the_calendar_are_moments(end: datetime) -> None:
    assert end.replace(tzinfo=LOCAL).astimezone(UTC).year == end.year
    assert in_zone(end.replace(tzinfo=UTC)).year == end.year
