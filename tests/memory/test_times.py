"""Time filters in the forms of tools and people."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.times import moment, to_ms
from sandbox.support.times import from_ms

NOW = datetime(2026, 3, 31, 15, 30, tzinfo=UTC)
TOKYO = timezone(timedelta(hours=9))
EARLIEST, LATEST = datetime(2, 1, 1), datetime(9998, 12, 31)


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        (None, None),
        ("last_week", NOW - timedelta(days=7)),
        ("last week", NOW - timedelta(days=7)),
        (" Last_Month ", NOW - timedelta(days=30)),
        ("last_year", NOW - timedelta(days=365)),
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("2026-03-02T10:00:00+09:00", datetime(2026, 3, 2, 1, tzinfo=UTC)),
        ("2026-03-02T10:00:00Z", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        (datetime(2026, 3, 2, 9, tzinfo=TOKYO), datetime(2026, 3, 2, tzinfo=UTC)),
    ],
)
def test_every_documented_form_is_understood(given_value: datetime | str | None, expected: datetime | None) -> None:
    found = moment(given_value, NOW, "after")
    assert (None if found is None else from_ms(found)) == expected


def test_a_date_begins_in_the_zone_of_the_question() -> None:
    assert moment("2026-03-02", NOW.astimezone(TOKYO), "after") == to_ms(datetime(2026, 3, 2, tzinfo=TOKYO))


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "yesterdayish",
        "2026-13-01",
        "2026-02-30",
        "20260302T",
        "last_century",
        "now(); --",
        5,
        True,
        date(2026, 3, 2),
        datetime(2026, 3, 2),
        "2026-03-02T10:00:00",
    ],
)
def test_an_invalid_filter_is_refused_by_name(nonsense: object) -> None:
    with pytest.raises(InvalidArgument, match="before") as refused:
        moment(nonsense, NOW, "before")  # type: ignore[arg-type]
    assert refused.value.details["argument"] == "before"


@given(st.text(max_size=30))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        understood: object = moment(text, NOW, "after")
    except InvalidArgument as refused:
        understood = refused.details["argument"]
    assert isinstance(understood, int) or understood == "after"


@given(st.datetimes(EARLIEST, LATEST, timezones=st.timezones()))
def test_milliseconds_keep_a_moment_to_the_millisecond(when: datetime) -> None:
    assert timedelta(0) <= when - from_ms(to_ms(when)) < timedelta(milliseconds=1)
