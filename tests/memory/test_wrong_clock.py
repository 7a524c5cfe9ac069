"""A clock that is set back, or was ahead or behind for a night."""

import asyncio
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings, strategies as st

from sandbox.extensions.memory import Memory
from sandbox.testing import NOON, FakeClock, ScriptedModel
from tests.memory.hits import contents, present
from tests.memory.learning.model.test_chat import chat

WHERE = "Where does the user live?"


async def tell(memory: Memory, way: str, said: str) -> None:
    """Tell where the user lives, on purpose or in a conversation."""
    if way == "remember":
        await memory.remember(said)
    else:
        await memory.observe("user", said, session=said)
        await memory.consolidate(said)


@pytest.mark.parametrize("hours", [1, 20])
async def test_what_was_told_before_is_known(memory: Memory, clock: FakeClock, hours: int) -> None:
    await memory.remember("The user lives in Oslo.")
    clock.advance(minutes=1)
    await memory.remember("The user lives in Rome.")
    clock.advance(hours=-hours)
    assert contents(await memory.search(WHERE, now=clock())) == ["The user lives in Rome."]
    assert "Rome" in present(await memory.context(WHERE, now=clock())).text


@pytest.mark.parametrize("hours", [1, 20])
@pytest.mark.parametrize("way", ["remember", "observe"])
async def test_what_is_told_later_wins(folder: Path, clock: FakeClock, way: str, hours: int) -> None:
    """In the same process and in the next one."""
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        await tell(memory, way, "I live in Oslo.")
        clock.advance(hours=-hours)
        await tell(memory, way, "I live in Rome.")
        assert all("Rome" in each for each in contents(await memory.search(WHERE, types=["semantic"])))
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        clock.advance(minutes=-10)
        await tell(memory, way, "I live in Lima.")
        for days in (0, 1):
            clock.advance(days=days)
            (found,) = contents(await memory.search(WHERE, types=["semantic"]))
            assert "Lima" in found


@pytest.mark.parametrize("way", ["correct", "confirm", "pin", "matter", "forget", "remember", "hear"])
async def test_what_is_changed_after_that_stays(memory: Memory, clock: FakeClock, way: str) -> None:
    id = await memory.remember("The user works at Acme.")
    clock.advance(days=-9)
    match way:
        case "correct":
            await memory.correct(id, "The user works at Acme Corp.")
        case "confirm":
            await memory.confirm(id, by_person=True)
        case "pin":
            await memory.pin(id)
        case "matter":
            await memory.set_importance(id, 5)
        case "forget":
            await memory.forget(id)
            await memory.restore(id)
        case "remember":
            await memory.remember("The user works at Acme.", importance=5)
        case _:
            await tell(memory, "observe", "I work at Acme.")
    assert any(
        "Acme" in each for each in contents(await memory.search("Where does the user work?", types=["semantic"]))
    )


async def test_a_second_back_changes_no_order_and_hides_no_correction(memory: Memory, clock: FakeClock) -> None:
    said = ("Where do herons nest?", "Behind the hill.", "Thanks!")
    for each in said:
        await memory.observe("user", each, session="s")
        clock.advance(seconds=-1)
    assert [each.turn.content for each in (await memory.turns("s")).turns] == [*said]
    id = await memory.remember("Ann likes tea.")
    clock.advance(seconds=-1)
    await memory.correct(id, "Ann likes coffee.")
    assert contents(await memory.search("Ann", types=["semantic"])) == ["Ann likes coffee."]


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
