"""Recalls strengthen a memory: each search, and automatic context once a session."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.model import Record
from sandbox.testing import FakeClock

DAY = timedelta(days=1)


async def known(memory: Memory, id: str) -> Record:
    return (await memory.explain(id)).memory


async def test_each_search_counts_for_what_it_found(memory: Memory) -> None:
    found, other = [await memory.remember(each) for each in ("Ann lives in Berlin.", "Ann has a port in Porto.")]
    for _ in range(35):
        await memory.search("where does Ann live?", limit=1)
    await memory.observe("user", "Good morning.", session="s1")
    assert [(await known(memory, id)).access_count for id in (found, other)] == [35, 0]


async def test_automatic_context_counts_once_a_session_or_a_day(memory: Memory, clock: FakeClock) -> None:
    """Being shown must not make a memory more likely to be shown."""
    id = await memory.remember("Ann lives in Berlin.")
    for session in ("s1", "s1", "s1", "s2", "s1", "s2"):
        clock.advance(hours=1)
        assert await memory.context("where does Ann live?", session=session) is not None
        assert await memory.context("where does Ann live?", scope=Scope(session_id=session)) is not None
    assert (await known(memory, id)).access_count == 2
    for hours in (0, 1, 2, 20, 1, 48):
        clock.advance(hours=hours)
        await memory.context("where does Ann live?")
    assert (await known(memory, id)).access_count == 2 + 3


async def test_a_night_keeps_no_recalls_of_long_ago(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember("Ann lives in Berlin.")
    for days, count in ((0, 1), (20, 1), (20, 2)):
        clock.advance(days=days)
        await memory.maintain()
        assert await memory.context("where does Ann live?", session="s") is not None
        await memory.maintain()
        assert (await known(memory, id)).access_count == count


async def test_a_recall_stores_what_the_specification_says(memory: Memory, clock: FakeClock) -> None:
    """min(1, confidence + 0.05 * log(1 + access_count / 20)), from now on."""
    id = await memory.remember("Ann lives in Berlin.", source="inferred")
    clock.advance(days=10)
    await memory.search("Ann")
    now = await known(memory, id)
    assert now.confidence == pytest.approx(0.7 + 0.05 * 0.04879016)
    assert now.fades_at is not None
    assert now.fades_at > clock() + timedelta(days=50)


async def test_recalls_of_protected_memories_are_counted(memory: Memory, clock: FakeClock) -> None:
    turn = await memory.observe("user", "Ann lives in Berlin.")
    confirmed = await memory.remember("Ann lives in Berlin.")
    await memory.confirm(confirmed)
    clock.advance(days=10)
    await memory.search("Ann")
    for id in (turn, confirmed):
        record = await known(memory, id)
        assert (record.access_count, record.confidence, record.fades_at) == (1, 1.0, None)


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(["search", "context", "history"]), st.integers(-20, 60), st.integers(1, 3)),
        min_size=1,
        max_size=8,
    )
)
async def test_a_recall_never_shortens_a_life(
    memory: Memory, clock: FakeClock, recalls: list[tuple[str, int, int]]
) -> None:
    """Found and shown over months, with a clock that is sometimes set back."""
    told = f"Ann moved on {clock().timestamp():.0f}"
    id = await memory.remember(told, source="inferred")
    for kind, days, session in recalls:
        clock.advance(days=days, seconds=1)
        before = await known(memory, id)
        if kind == "context":
            await memory.context(told, session=f"{told} {session}")
        else:
            await memory.search(told, history=kind == "history")
        after = await known(memory, id)
        assert before.fades_at is not None
        assert after.fades_at is not None
        assert after.fades_at >= before.fades_at
        assert after.confidence >= before.confidence
