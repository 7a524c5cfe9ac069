"""The time of a claim."""

from datetime import UTC, datetime

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.claims.moments import begins, ends


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("../2026", None, (2027, 1, 1)),
        ("../2026-01", None, (2026, 2, 1)),
        ("../2026-12", None, (2027, 1, 1)),
        ("../2026-03-02", None, (2026, 3, 3)),
        ("../2026-03-02T18:20", None, (2026, 3, 2, 18, 20)),
        ("../9999", None, None),
        ("../9999-12", None, None),
        ("../9999-12-31", None, None),
        ("2026/..", (2026, 1, 1), None),
        ("2026-03/..", (2026, 3, 1), None),
        ("2026-03", None, None),
        (None, None, None),
    ],
)
def test_a_claim_begins_with_its_first_day_and_ends_after_its_last(
    text: str | None, first: tuple[int, ...] | None, last: tuple[int, ...] | None
) -> None:
    assert begins(text) == (first and datetime(*first, tzinfo=UTC))  # type: ignore[arg-type,misc]
    assert ends(text) == (last and datetime(*last, tzinfo=UTC))  # type: ignore[arg-type,misc]


async def test_a_claim_valid_until_the_end_of_the_calendar_is_stored(memory: Memory) -> None:
    told = await memory.remember("Ann lives in Oslo for good.", claims=[Claim("Ann", "home", "Oslo", time="../9999")])
    assert [hit.id for hit in await memory.search("Oslo")] == [told]
