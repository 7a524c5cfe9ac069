"""The published schema of claims, which the memory stores as it says; and the times in them."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from sandbox.extensions.memory import Claim, Memory
from sandbox.extensions.memory.claims import predicates
from sandbox.extensions.memory.claims.moments import begins, ends
from sandbox.extensions.memory.claims.registry import schema
from sandbox.extensions.memory.errors import InvalidArgument

TIMES = {
    "2026": True,
    "2026-03": True,
    "2026-03-02": True,
    "2026-03-02T18:20": True,
    "--05-12": True,
    "--02-29": True,
    "2026-03/..": True,
    "../2026-03-02": True,
    "": False,
    "..": False,
    "../..": False,
    "26-03": False,
    "2026-03/2026-04": False,
    "tomorrow": False,
}


def properties() -> dict[str, Any]:
    """The properties in the schema."""
    found: dict[str, Any] = json.loads(json.dumps(schema()))["properties"]
    return found


async def test_every_predicate_is_published_and_stored(memory: Memory) -> None:
    *known, free = properties()["predicate"]["anyOf"]
    assert [each["const"] for each in known] == list(predicates())
    assert all(re.match(free["pattern"], each["const"]) for each in known)
    await memory.remember("Ann is somebody.", claims=[Claim("Ann", each["const"], "x") for each in known[:20]])


@pytest.mark.parametrize(("time", "is_one"), TIMES.items())
async def test_times_are_checked(memory: Memory, time: str, is_one: bool) -> None:
    assert bool(re.match(properties()["time"]["pattern"], time)) == is_one
    claims = [Claim("Ann", "home", "Rome", time=time)]
    if is_one:
        assert await memory.remember("Ann lives in Rome.", claims=claims)
    else:
        with pytest.raises(InvalidArgument):
            await memory.remember("Ann lives in Rome.", claims=claims)


def test_the_schema_has_the_fields_of_a_claim() -> None:
    assert set(properties()) == set(Claim.__dataclass_fields__)
    made = Claim("Ann", "home", "Rome")
    assert schema()["required"] == ["subject", "predicate", "value"]
    assert (made.is_affirmed, made.modality) == (
        properties()["is_affirmed"]["default"],
        properties()["modality"]["default"],
    )


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
