"""The time of a claim."""

from datetime import UTC, datetime

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.claims.moments import begins, ends, is_time


@pytest.mark.parametrize(
    "text", ["2026", "2026-03", "2026-03-02", "2026-03-02T18:20", "--05-12", "--02-29", "2026-03/..", "../2026-03"]
)
def test_a_time_keeps_its_precision(text: str) -> None:
    assert is_time(text)


@pytest.mark.parametrize(
    "text", ["", "..", "26", "2026-13", "2026-02-30", "--02-30", "2026-03-02T25:00", "2026/2027", "../2026-13"]
)
def test_an_impossible_date_is_no_time(text: str) -> None:
    assert not is_time(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("../2026", (2027, 1, 1)),
        ("../2026-01", (2026, 2, 1)),
        ("../2026-12", (2027, 1, 1)),
        ("../2026-03-02", (2026, 3, 3)),
        ("../2026-03-02T18:20", (2026, 3, 2, 18, 20)),
        ("../9999", None),
        ("../9999-12", None),
        ("../9999-12-31", None),
        ("2026-03/..", None),
        ("2026-03", None),
        (None, None),
    ],
)
def test_a_claim_ends_after_its_last_day(text: str | None, expected: tuple[int, ...] | None) -> None:
    assert ends(text) == (expected and datetime(*expected, tzinfo=UTC))  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2026/..", (2026, 1, 1)), ("2026-03/..", (2026, 3, 1)), ("../2026", None), ("2026-03", None), (None, None)],
)
def test_a_claim_begins_with_its_first_day(text: str | None, expected: tuple[int, ...] | None) -> None:
    assert begins(text) == (expected and datetime(*expected, tzinfo=UTC))  # type: ignore[arg-type,misc]


async def test_a_claim_valid_until_the_end_of_the_calendar_is_stored(memory: Memory) -> None:
    told = await memory.remember("Ann lives in Oslo for good.", claims=[Claim("Ann", "home", "Oslo", time="../9999")])
    assert [hit.id for hit in await memory.search("Oslo")] == [told]
