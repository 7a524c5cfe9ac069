"""A model's claims are kept if the statement supports them; others are left out, and not asked for again."""

from pathlib import Path

import pytest

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.memories import claims, nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import Reader, item, reader


async def claimed(reading: Reader, folder: Path) -> list[Claim]:
    """The claims of all knowledge."""
    store = await Store.open(folder / "memory.db", lambda: to_ms(reading.clock()), 0.05)
    try:
        ids = [hit.id for hit in await reading.known()]
        heads = await store.read(lambda connection: [nodes.versions(connection, each, Scope())[0].id for each in ids])
        found = await store.read(lambda connection: claims.of_nodes(connection, heads))
    finally:
        await store.close()
    return [kept.claim for each in found.values() for kept in each]


@pytest.mark.parametrize(
    ("content", "row", "claim"),
    [
        ("Ann lives in Porto.", ["user", "home", "Porto"], Claim("", "home", "Porto")),
        ("Ann lives in Porto.", ["Ann", "home", "Porto"], Claim("", "home", "Porto")),
        ("Ben works with Ann.", ["Ben", "works_with", "Ann"], Claim("Ben", "works_with", "Ann")),
        ("Ann no longer lives in Porto.", ["user", "not home", "Porto"], Claim("", "home", "Porto", False)),
        (
            "Ann plans to fly to Porto in May 2026.",
            ["user", "travels_to", "Porto", "plan", "2026-05"],
            Claim("", "travels_to", "Porto", True, "plan", "2026-05"),
        ),
        ("Ann lives in Porto.", ["user", "home", "Porto", "maybe", "soon"], Claim("", "home", "Porto")),
        ("Ann lives in Porto.", ["user", "feels_at_home_in", "Porto"], Claim("", "feels_at_home_in", "Porto")),
    ],
)
async def test_a_claim_is_kept_with_its_statement(
    tmp_path: Path, clock: FakeClock, content: str, row: list[str], claim: Claim
) -> None:
    async with reader(tmp_path, clock, [item(content, claims=[row])]) as reading:
        await reading.read("I live in Porto and work with Ben. I plan to fly there in May, no longer.", speaker="Ann")
        assert await claimed(reading, tmp_path) == [claim]
        assert "home" in reading.requests("extract")[0].system


@pytest.mark.parametrize(
    "row",
    [
        ["user", "home", "Lisbon"],
        ["Bartholomew", "home", "Porto"],
        ["user", "Lives In!", "Porto"],
        ["user", "birthday", "Porto"],
        ["user", "home"],
        ["user", "home", ""],
        "home is Porto",
    ],
)
async def test_a_claim_needs_support_in_its_statement(tmp_path: Path, clock: FakeClock, row: object) -> None:
    async with reader(tmp_path, clock, [item("Ann lives in Porto.", claims=[row])]) as reading:
        await reading.read("I live in Porto.", speaker="Ann")
        assert await reading.contents() == ["Ann lives in Porto."]
        assert await claimed(reading, tmp_path) == [Claim("", "home", "Porto")], "only what its words claim"
        assert len(reading.requests("extract")) == 1


async def test_facts_that_claim_different_things_are_not_compared(tmp_path: Path, clock: FakeClock) -> None:
    first = item("Ann has lived with two cats in Porto.", claims=[["user", "home", "Porto"]])
    second = item("Ann has two cats from Porto.", claims=[["user", "pet", "two cats"]])
    async with reader(tmp_path, clock, [first], [second]) as reading:
        await reading.read("I have lived with two cats in Porto.", speaker="Ann")
        await reading.read("My two cats are from Porto.", speaker="Ann")
        assert len(await reading.contents()) == 2
        assert reading.requests("judge") == []


async def test_a_plan_is_over_after_its_date(tmp_path: Path, clock: FakeClock) -> None:
    plan = item("Ann plans to fly to Porto.", claims=[["user", "travels_to", "Porto", "plan", "2026-03"]])
    async with reader(tmp_path, clock, [plan]) as reading:
        await reading.read("I plan to fly to Porto this month.", speaker="Ann")
        clock.advance(days=28)
        assert await reading.contents() == ["Ann plans to fly to Porto."]
        clock.advance(days=3)
        assert await reading.contents() == []
