"""Tools and pages may store a limited number of statements in an hour; this limit never refuses the user."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import TooManyFromOutside
from sandbox.testing import FakeClock

ANN, BOB = Scope("ann"), Scope("bob")


@pytest.fixture
async def limited(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Memory]:
    """A memory that takes two statements from outside in an hour."""
    config = {"foreign_facts_per_hour": 2}
    async with Memory.open(tmp_path, embedder=None, clock=clock, config=config) as opened:
        yield opened


async def test_facts_beyond_the_limit_are_refused(limited: Memory, clock: FakeClock) -> None:
    await limited.remember("The lamp is red.", trust="tool", scope=ANN)
    second = await limited.remember("The lamp is new.", trust="web", scope=ANN)
    with pytest.raises(TooManyFromOutside, match=r"2 statements.*last hour.*`foreign_facts_per_hour` allows 2"):
        await limited.remember("The lamp is big.", trust="tool", scope=ANN)
    assert not await limited.search("big", scope=ANN)
    with pytest.raises(TooManyFromOutside):
        await limited.correct(second, "The lamp is broken.", trust="tool", scope=ANN)
    assert (await limited.explain(second, scope=ANN)).memory.version == 1
    clock.advance(minutes=61)
    await limited.remember("The lamp is big.", trust="tool", scope=ANN)


async def test_the_limit_does_not_apply_to_the_user_and_others(limited: Memory) -> None:
    ids = [await limited.remember(f"The lamp {number} is red.", trust="tool", scope=ANN) for number in range(2)]
    assert await limited.remember("The lamp 0 is red.", trust="tool", scope=ANN) == ids[0]
    await limited.correct(ids[0], "The lamp 0 is blue.", scope=ANN)
    for number in range(4):
        await limited.remember(f"The rug {number} is red.", scope=ANN)
        await limited.remember(f"The rug {number} is blue.", trust="assistant", scope=ANN)
    await limited.remember("The lamp is big.", trust="tool", scope=BOB)


async def test_turns_and_imports_are_not_limited(limited: Memory, tmp_path: Path) -> None:
    told = [{"id": str(n), "text": f"The cup {n} is red.", "scope": "user", "trust": "tool"} for n in range(4)]
    file = tmp_path / "memories.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in told))
    assert (await limited.import_file(file, scope=ANN)).new == 4
    for number in range(4):
        await limited.observe("tool", f"Result {number}", scope=ANN)
