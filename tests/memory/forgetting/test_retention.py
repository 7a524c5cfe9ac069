"""Unused memories are put away. The next block announces it once, they can be restored, and some weeks later they are
purged.
"""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import UnknownMemory
from sandbox.extensions.memory.reports import MaintenanceReport
from sandbox.testing import FakeClock
from tests.files import bytes_of
from tests.memory.hits import present, text_of

# Facts are put away too; a guess fades after 142 days.
pytestmark = pytest.mark.settings(unused_days={"fact": 60, "project": 60, "event": 0}, decay_rate_default=0.05)


async def guessed(memory: Memory, content: str, *, category: str = "fact", importance: int = 2) -> str:
    """A memory that nobody told on purpose."""
    return await memory.remember(content, source="inferred", category=category, importance=importance)


async def night(memory: Memory, *, dry_run: bool = False) -> MaintenanceReport:
    return await memory.maintain(only=["retain"], dry_run=dry_run)


async def state(memory: Memory, id: str) -> str | None:
    return (await memory.explain(id)).memory.retired_by


async def test_unused_memories_are_put_away_by_importance_and_category(memory: Memory, clock: FakeClock) -> None:
    unused = await guessed(memory, "Ann collects stamps.")
    kept = [
        await guessed(memory, "Ann keeps bees.", importance=3),
        await guessed(memory, "Ann ran a marathon.", category="event"),
        await guessed(memory, "Ann drinks green tea.", category="preference"),
        await memory.remember("Ann lives in Potsdam."),
        await memory.observe("user", "I keep bees.", session="s"),
        await guessed(memory, "Ann sings alto."),
    ]
    await memory.pin(kept[-1])
    used = await guessed(memory, "Ann plays chess.")
    clock.advance(days=30)
    await memory.search("chess")
    clock.advance(days=29)
    assert (await night(memory)).pruned == ()
    clock.advance(hours=24)
    planned = await night(memory, dry_run=True)
    assert planned.steps[0].counts == {"unused": 1}
    assert await state(memory, unused) is None
    assert (await night(memory)).pruned == (unused,)
    assert await state(memory, unused) == "expired"
    assert [await state(memory, each) for each in (*kept, used)] == [None] * 7
    assert (await night(memory)).pruned == ()


async def test_a_memory_put_away_is_hidden_and_restorable_until_purged(
    memory: Memory, tmp_path: Path, clock: FakeClock
) -> None:
    """No byte of a purged memory stays, nor of its merged parts; a memory that was restored in time is complete."""
    gone, back = await guessed(memory, "Ann owns a zylophon."), await guessed(memory, "Ann collects stamps.")
    part = await guessed(memory, "Ann owns the Zylophon!", category="project")
    await memory.maintain(only=["merge"])
    assert await state(memory, part) == "merged"
    clock.advance(days=60)
    assert set((await night(memory)).pruned) == {gone, back}
    assert await memory.search("stamps") == []
    await memory.restore(back)
    clock.advance(days=29)
    assert (await night(memory)).steps[0].counts == {}
    assert b"zylophon!" in bytes_of(tmp_path / "memory")
    clock.advance(days=1)
    assert (await night(memory)).steps[0].counts == {"purged": 1}
    with pytest.raises(UnknownMemory):
        await memory.explain(gone)
    assert b"zylophon" not in bytes_of(tmp_path / "memory")
    assert [hit.id for hit in await memory.search("stamps")] == [back]
    assert [check for check in await memory.check() if check.name != "embedding" and not check.ok] == []


async def test_the_next_conversation_is_told_once(memory: Memory, clock: FakeClock) -> None:
    """With ids and without content, and only to its owner."""
    id = await guessed(memory, "Ann collects stamps.")
    await memory.remember("Bob keeps bees.", scope=Scope("bob"))
    clock.advance(days=61)
    await night(memory)
    assert "Put away" not in str(await memory.context("Hello", scope=Scope("bob")))
    looked = text_of(await memory.context("Hello", reinforce=False))
    told = text_of(await memory.context("Hello", session="s"))
    assert told == looked
    assert f"Put away, since nobody used them: {id}. `memory restore ID` brings one back until 2026-06-01" in told
    assert "stamps" not in told
    assert told.endswith("</memory>")
    assert await memory.context("Hello", session="s") is None


async def test_news_stays_within_the_budget(memory: Memory, clock: FakeClock) -> None:
    for number in range(40):
        await guessed(memory, f"Ann keeps bees in the hive with the number {number}.", category="project")
        await memory.observe("user", f"I saw the bees of the hive with the number {number} today.", session="s")
    clock.advance(days=61)
    await night(memory)
    block = present(await memory.context("Where are the bees?", budget=300))
    assert " and 35 more. " in block.text
    assert block.tokens <= 300


@pytest.mark.settings(max_total=4)
async def test_the_least_important_memories_beyond_max_total_are_put_away(memory: Memory) -> None:
    told = [await memory.remember(f"The user owns boat {number}.") for number in range(3)]
    guesses = [
        await guessed(memory, f"The user likes lake {number}.", importance=importance)
        for number, importance in enumerate((3, 1, 2, 2))
    ]
    assert (await night(memory, dry_run=True)).steps[0].counts == {"too many": 3}
    assert (await night(memory)).pruned == (guesses[1], guesses[2], guesses[3])
    assert [await state(memory, each) for each in told] == [None] * 3
    await memory.remember("The user owns boat 4.")
    await memory.remember("The user owns boat 5.")
    assert (await night(memory)).pruned == (guesses[0],)
    assert (await night(memory)).pruned == ()
    assert (await memory.list()).total == 5


async def test_a_clock_once_ahead_loses_nothing(memory: Memory, clock: FakeClock) -> None:
    id = await guessed(memory, "Ann collects stamps.")
    clock.advance(days=4000)
    await memory.maintain(only=["prune", "retain"])
    assert await state(memory, id) is not None
    clock.advance(days=-3999)
    await memory.maintain(only=["prune", "retain"])
    assert await state(memory, id) is None
    assert [hit.id for hit in await memory.search("stamps")] == [id]
