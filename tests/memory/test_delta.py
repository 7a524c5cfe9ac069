"""The next block of a conversation begins with what others changed, once."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Scope
from sandbox.support.embedder import Vector
from sandbox.testing import FakeClock

HERE, THERE = Scope(session_id="here"), Scope(session_id="there")


async def header(
    memory: Memory, session: str = "here", prompt: str = "What is new?", scope: Scope | None = None
) -> list[str]:
    """The lines of updates in a conversation's block."""
    block = await memory.context(prompt, session=session, scope=scope or Scope())
    lines = block.text.splitlines() if block else []
    first = next((place for place, line in enumerate(lines) if line.startswith("## Memory updates")), None)
    if first is None:
        return []
    assert first == 2, "directly behind the opening of the block"
    bullets = [line for line in lines[first + 1 : first + 4] if line[2:3] in "+^<-"]
    return [lines[first], *bullets]


async def test_changes_by_others_are_announced_once(memory: Memory) -> None:
    """A conversation does not announce its own changes."""
    kept = await memory.remember("Ann keeps bees.", scope=HERE)
    gone = await memory.remember("Ann plays golf.", scope=HERE)
    await memory.observe("user", "Hello there.", session="here")
    assert await header(memory) == []

    new = await memory.remember("Ann paints boats.", scope=THERE)
    await memory.correct(kept, "Ann keeps ten hives of bees.", scope=THERE)
    await memory.forget(gone)
    assert await header(memory) == [
        "## Memory updates since rev 0",
        f"- -removed: {gone}",
        f"- ^updated: [Fact] Ann keeps ten hives of bees. ({kept}, 2026-03-02)",
        f"- +created: [Fact] Ann paints boats. ({new}, 2026-03-02)",
    ]
    assert await header(memory) == []
    assert await header(memory, "there") == []

    await memory.remember("Ann sings in a choir.")
    assert (await header(memory))[0] == "## Memory updates since rev 1"
    assert await header(memory) == []


async def test_simultaneous_blocks_announce_the_same(memory: Memory) -> None:
    """An update may appear twice, but is never lost."""
    await memory.observe("user", "Hello there.", session="here")
    await memory.remember("Ann keeps bees.")
    told = await asyncio.gather(*(header(memory) for _ in range(4)))
    assert {lines[0] for lines in told if lines} == {"## Memory updates since rev 0"}
    await memory.remember("Ann paints boats.")
    assert (await header(memory))[0] == "## Memory updates since rev 1"


async def test_a_slow_block_does_not_repeat_later_news(folder: Path) -> None:
    waits, go = asyncio.Event(), asyncio.Event()

    class Waiting(HashEmbedder):
        async def embed_batch(self, texts: Sequence[str]) -> Vector:
            if "slow" in " ".join(texts):
                waits.set()
                await go.wait()
            return await super().embed_batch(texts)

    async with Memory.open(folder, embedder=Waiting()) as memory:
        await memory.observe("user", "Hello there.", session="here")
        await memory.remember("Ann keeps bees.")
        slow = asyncio.create_task(header(memory, prompt="What is slow?"))
        await waits.wait()
        await memory.remember("Ann paints boats.")
        assert len(await header(memory)) == 3
        go.set()
        assert len(await slow) == 2
        assert await header(memory) == []
    async with Memory.open(folder, embedder=None) as memory:
        assert await header(memory) == []


async def test_at_most_three_are_shown_and_the_others_counted(memory: Memory) -> None:
    """The fixed block stays as it is."""
    await memory.remember("Ann keeps bees.")
    await memory.observe("user", "Hello there.", session="here")
    before = await memory.fixed_block(session="here")
    for number in range(5):
        await memory.remember(f"Box {number} is in room {number}.", on_similar="keep")
    told = await header(memory)
    assert told[0] == "## Memory updates since rev 0 (the latest 3 of 5)"
    assert [line.split("Box ")[1][0] for line in told[1:]] == ["4", "3", "2"]
    assert await memory.fixed_block(session="here") == before


async def test_merges_and_replacements_are_announced(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("I live in Berlin.")
    await memory.observe("user", "Hello there.", session="here")
    clock.advance(hours=1)
    await memory.remember("I live in Potsdam.")
    assert [line.split(": ")[0] for line in (await header(memory))[1:]] == ["- ^updated"]

    short = await memory.remember("Ann is allergic to nuts.", subject="Ann")
    assert [line.split(": ")[0] for line in (await header(memory))[1:]] == ["- +created"]
    await memory.remember("Ann is allergic to all nuts.", subject="Ann", on_similar="keep", scope=HERE)
    await memory.forget(short)
    await memory.restore(short)
    assert [line.split(": ")[0] for line in (await header(memory))[1:]] == ["- ^updated"]


async def test_hidden_and_forgotten_memories_are_not_announced(memory: Memory) -> None:
    """Nor the words of a page."""
    await memory.observe("user", "Hello there.", session="here")
    await memory.remember("Bob keeps cats.", scope=Scope("bob"))
    await memory.remember("The build takes a minute.", scope=Scope(project_id="p", visibility="project"))
    await memory.remember("Ann secretly keeps snakes.", scope=Scope(session_id="there", visibility="session"))
    await memory.remember("The page says that Ann keeps dogs.", trust="web")
    await memory.forget(await memory.remember("Ann keeps bees."))
    assert await header(memory) == []


async def test_another_process_continues_the_announcements(folder: Path, clock: FakeClock) -> None:
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        await memory.observe("user", "Hello there.", session="here")
        await memory.remember("Ann keeps bees.")
        assert len(await header(memory)) == 2
        await memory.remember("Ann paints boats.")
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        told = await header(memory)
        assert told[0] == "## Memory updates since rev 1"
        assert [line for line in told if "boats" in line]
        assert not [line for line in told if "bees" in line]
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        assert await header(memory) == []


@pytest.mark.parametrize("budget", [10, 40, 400])
async def test_a_block_with_updates_keeps_its_budget(memory: Memory, budget: int) -> None:
    """Without room, a later block announces them."""
    await memory.observe("user", "Hello there.", session="here")
    await memory.remember("Ann keeps bees in the garden behind the house of her parents.")
    block = await memory.context("bees", budget=budget, session="here")
    assert block is None or block.tokens <= max(budget, 40)
    assert (budget == 400) == bool(block and "Memory updates" in block.text)
    assert bool(await header(memory)) == (budget < 400)


async def test_merges_of_the_night_are_announced(memory: Memory) -> None:
    await memory.remember("Ann waters the plants at the Acme office.")
    await memory.remember("Ann waters the plants at Acme office.", category="person")
    await memory.observe("user", "Hello there.", session="here")
    await memory.maintain(only=["merge"])
    assert [line.split(": ")[0] for line in (await header(memory))[1:]] == ["- <>merged"]
