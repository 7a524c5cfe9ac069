"""Closing, cancelling, failing: nobody waits for ever, and nothing acknowledged is lost."""

import asyncio
import gc
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from datetime import datetime
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.errors import InvalidContent, StoreClosed, UnknownMemory, UnknownSession
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.testing import NOON, FakeClock
from tests.memory.store import raw

PATIENCE = 5  # seconds; what would take longer is a hang


# --- closing ----------------------------------------------------------------------------------------------------------


async def test_queued_writes_are_durable_after_closing(folder: Path) -> None:
    """Fifty turns are queued when the memory is closed, and the count of a search, which nobody waits for."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I keep bees.", key="bees")
        await memory.search("bees")
        turns = [asyncio.create_task(memory.observe("user", f"turn {n}", key=f"{n}")) for n in range(50)]
        await asyncio.sleep(0)
    ids = await asyncio.wait_for(asyncio.gather(*turns), PATIENCE)
    stored = dict(raw.query(folder, "SELECT key, public_id FROM nodes"))
    assert [stored[f"{n}"] for n in range(50)] == ids
    assert raw.one(folder, "SELECT access_count FROM nodes WHERE key = 'bees'") == 1
    assert list(raw.sizes(folder)) == [DATABASE]


CALLS: dict[str, Callable[[Memory], Awaitable[object]]] = {
    "observe": lambda memory: memory.observe("user", "too late"),
    "observe_many": lambda memory: memory.observe_many([Message("user", "too late")]),
    "remember": lambda memory: memory.remember("too late"),
    "remember, refuse": lambda memory: memory.remember("too late", on_similar="refuse"),
    "correct": lambda memory: memory.correct("AAAAAAAA", "too late"),
    "confirm": lambda memory: memory.confirm("AAAAAAAA"),
    "forget": lambda memory: memory.forget("AAAAAAAA"),
    "restore": lambda memory: memory.restore("AAAAAAAA"),
    "search": lambda memory: memory.search("bees"),
    "search, empty": lambda memory: memory.search(""),
    "context": lambda memory: memory.context("bees"),
    "explain": lambda memory: memory.explain("AAAAAAAA"),
    "entity": lambda memory: memory.entity("Ann"),
    "weak": lambda memory: memory.weak(),
    "statistics": lambda memory: memory.statistics(),
    "maintain": lambda memory: memory.maintain(),
    "maintain, dry run": lambda memory: memory.maintain(dry_run=True),
    "check": lambda memory: memory.check(),
    "wait_until_embedded": lambda memory: memory.wait_until_embedded(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_a_call_after_closing_says_that_the_memory_is_closed(
    folder: Path, call: Callable[[Memory], Awaitable[object]]
) -> None:
    """The error also says how to open it again."""
    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        await memory.wait_until_embedded()
    with pytest.raises(StoreClosed, match="open it again"):
        await asyncio.wait_for(call(memory), PATIENCE)


async def test_closing_while_everything_is_in_flight_leaves_nobody_waiting(folder: Path) -> None:
    """Turns, searches, contexts and statistics are running, more than there are readers, while another task closes the
    memory. Each gets its result or the error that the memory is closed; turns with an id are stored.
    """
    async with AsyncExitStack() as stack:
        memory = await stack.enter_async_context(Memory.open(folder, embedder=HashEmbedder()))
        await memory.observe_many(Message("user", f"Turn number{n} about bees.", session="s") for n in range(100))
        turns = [asyncio.create_task(memory.observe("user", f"turn {n}", key=f"{n}")) for n in range(50)]
        calls: list[Awaitable[object]] = []
        for _ in range(10):
            calls += [memory.search("bees"), memory.context("bees"), memory.statistics(), memory.wait_until_embedded()]
        others = [asyncio.ensure_future(call) for call in calls]
        await asyncio.sleep(0.005)
    done, hanging = await asyncio.wait([*turns, *others], timeout=PATIENCE)
    assert not hanging
    failures = Counter(type(error).__name__ for task in done if (error := task.exception()))
    assert failures.keys() <= {"StoreClosed"}
    stored = dict(raw.query(folder, "SELECT key, public_id FROM nodes WHERE key IS NOT NULL"))
    assert stored == {f"{n}": task.result() for n, task in enumerate(turns) if not task.exception()}


async def test_closing_does_not_wait_for_a_slow_embedder(folder: Path) -> None:
    """The rest is embedded after the next opening."""
    async with Memory.open(folder, embedder=HashEmbedder(delay=60)) as memory:
        await memory.observe("user", "I keep bees.")
        await asyncio.sleep(0.02)
        closing = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - closing < PATIENCE
    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        await memory.wait_until_embedded()
        assert (await memory.statistics()).vectors == 1


async def test_closing_does_not_wait_for_a_failing_embedder(folder: Path) -> None:
    """Closed at different moments between its attempts; in Python 3.11 ``wait_for`` may swallow a cancellation."""
    for moment in range(10):
        async with asyncio.timeout(PATIENCE), Memory.open(folder, embedder=HashEmbedder(available=False)) as memory:
            for _ in range(3):
                await memory.observe("user", "I keep bees.")
            for _ in range(moment):
                await asyncio.sleep(0)


# --- cancelling -------------------------------------------------------------------------------------------------------


async def test_cancelling_a_waiting_observe_loses_and_corrupts_nothing(memory: Memory) -> None:
    """Twenty turns are observed, and every second one is cancelled at some moment. After observing all again with the
    same keys, each is there once; the others were not affected.
    """
    turns = [
        asyncio.create_task(memory.observe("user", f"Turn number{n}.", session="s", key=f"{n}")) for n in range(20)
    ]
    for turn in turns[::2]:
        await asyncio.sleep(0.0005)
        turn.cancel()
    results = await asyncio.wait_for(asyncio.gather(*turns, return_exceptions=True), PATIENCE)
    ids = [await memory.observe("user", f"Turn number{n}.", session="s", key=f"{n}") for n in range(20)]
    assert results[1::2] == ids[1::2]
    for result, id in zip(results[::2], ids[::2], strict=True):
        assert result == id or isinstance(result, asyncio.CancelledError)
    assert sorted(hit.id for hit in await memory.search("", limit=100)) == sorted(ids)
    assert all(check.ok for check in await memory.check())


async def test_a_cancelled_search_gives_its_reader_back(memory: Memory) -> None:
    """More searches than there are readers are cancelled at different moments; the next one answers."""
    await memory.observe_many(Message("user", f"Turn number{n} about bees.", session="s") for n in range(200))
    for moment in range(20):
        search = asyncio.create_task(memory.search("bees"))
        await asyncio.sleep(moment * 0.0003)
        search.cancel()
    assert await asyncio.wait_for(memory.search("bees"), PATIENCE)


async def test_a_cancelled_call_that_fails_later_is_no_error_of_the_program(
    memory: Memory, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody waits for its error, and asyncio logs no traceback."""
    for call in (memory.turns, memory.pin):
        for moment in range(10):
            failing = asyncio.create_task(call("nothing"))
            await asyncio.sleep(moment * 0.0003)
            failing.cancel()
            with suppress(asyncio.CancelledError, UnknownMemory, UnknownSession):
                await failing
            await asyncio.sleep(0.01)
    gc.collect()
    assert caplog.messages == []


# --- failing ----------------------------------------------------------------------------------------------------------


async def test_a_failing_write_does_not_affect_others_of_its_group(memory: Memory) -> None:
    """Corrections of unknown memories and with secrets wait together with turns."""
    known = await memory.remember("Ann lives in Berlin.")
    results = await asyncio.gather(
        memory.observe("user", "first", key="1"),
        memory.correct("AAAAAAAA", "Ann lives in Bonn."),
        memory.observe("user", "second", key="2"),
        memory.correct(known, "   "),
        memory.forget("BBBBBBBB"),
        memory.observe("user", "third", key="3"),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [str, UnknownMemory, str, InvalidContent, UnknownMemory, str]
    assert [hit.key for hit in await memory.search("", types=["episodic"])] == ["3", "2", "1"]
    assert (await memory.explain(known)).memory.content == "Ann lives in Berlin."
    assert all(check.ok for check in await memory.check())


async def test_a_write_failing_half_way_is_undone_alone(store: Store, folder: Path) -> None:
    """Each write of a group has its own savepoint; reserved ids are reserved anew."""

    def note(value: str) -> Callable[[Transaction], int]:
        def write(tx: Transaction) -> int:
            seq = tx.log("noted", None, "default", value=value)
            if value == "bad":
                raise ZeroDivisionError
            return seq

        return write

    first = await store.write(note("before"))
    results = await asyncio.gather(*map(store.write, map(note, ["good", "bad", "good"])), return_exceptions=True)
    assert results[0] == first + 1
    assert isinstance(results[1], ZeroDivisionError)
    assert results[2] == first + 2
    assert raw.one(folder, "SELECT group_concat(json_extract(detail, '$.value')) FROM changes") == "before,good,good"


class BrokenClock(FakeClock):
    """A clock that fails until it is repaired."""

    broken = False

    def __call__(self) -> datetime:
        if self.broken:
            raise OSError("the clock stands still")
        return self.moment


async def test_a_clock_that_fails_fails_the_write_and_nobody_waits(folder: Path) -> None:
    """Closing does not wait either; after the repair, the memory works again."""
    clock = BrokenClock(NOON)

    async def use() -> None:
        async with Memory.open(folder, embedder=None, clock=clock) as memory:
            known = await memory.remember("Ann lives in Berlin.")
            clock.broken = True
            with pytest.raises(OSError, match="stands still"):
                await memory.forget(known)
            clock.broken = False
            await memory.confirm(known)

    await asyncio.wait_for(use(), PATIENCE)
