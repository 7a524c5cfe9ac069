"""A clock that was a year ahead or decades behind for a night has no effect once it is right again."""

import asyncio
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory import Memory
from sandbox.testing import NOON, FakeClock, ScriptedModel
from tests.memory.learning.model.test_chat import chat

SAID = ("Ann lives in Berlin.", "The wifi is in the hall.", "Rex is a dog.", "I like tea.")

Held = list[tuple[str, str | None, float]]


async def held(memory: Memory) -> Held:
    """The known memories, with the reason of their retirement and their confidence."""
    hits = await memory.search("", limit=50, history=True, reinforce=False)
    return sorted((hit.content, hit.retired_by, round(hit.confidence, 9)) for hit in hits)


async def nights(folder: Path, clock: FakeClock, *offsets: timedelta) -> Held:
    """The memories after a night at each offset from the right time."""
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        for days, said in enumerate(SAID):
            await memory.remember(said, source="inferred")
            clock.advance(days=10 * days)
        right = clock.moment
        for offset in offsets:
            clock.moment = right + offset
            await memory.maintain()
        clock.moment = right
        await memory.maintain()
        return await held(memory)


@settings(max_examples=10)
@given(wrong=st.lists(st.integers(-20_000, 20_000), min_size=1, max_size=3), later=st.integers(0, 60))
@example(wrong=[365], later=0)
@example(wrong=[-20_000], later=60)
@example(wrong=[365, -365], later=30)
def test_the_right_clock_keeps_rightly_retired_memories_retired(wrong: list[int], later: int) -> None:
    """After nights at any clocks, the first night at the right time corrects their effects."""
    with TemporaryDirectory() as folder:
        after = [timedelta(days=days) for days in wrong]
        one = asyncio.run(nights(Path(folder) / "one", FakeClock(NOON + timedelta(days=later)), *after))
        two = asyncio.run(nights(Path(folder) / "two", FakeClock(NOON + timedelta(days=later))))
    assert one == two


async def test_wrongly_retired_memories_return_at_the_next_start(folder: Path, clock: FakeClock) -> None:
    """Without another night."""
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        id = await memory.remember("Ann lives in Berlin.", source="inferred")
        clock.advance(days=365)
        assert (await memory.maintain()).pruned == (id,)
        assert await memory.search("Ann") == []
    clock.advance(days=-365)
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        assert [hit.id for hit in await memory.search("Ann")] == [id]
        assert (await memory.statistics()).last_maintained_at == clock.moment


async def test_a_session_that_failed_under_a_clock_ahead_is_read_again(folder: Path, clock: FakeClock) -> None:
    """A model fails while the clock is a year ahead; the session must not wait for a year."""
    with ScriptedModel() as server:
        async with chat(server) as model, Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
            await memory.observe("user", "I live in Lima.", session="s")
            clock.advance(days=365)
            assert (await memory.consolidate()).waiting
            assert not (await memory.consolidate()).waiting  # it is not due
            clock.advance(days=-365)
            assert (await memory.consolidate()).waiting  # it was, and failed again
