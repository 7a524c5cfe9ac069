"""Quick reads run in the event loop, step by step; others run in a reader's thread. Writes that nobody waits for delay
nobody.
"""

import asyncio
import threading
import time
from collections.abc import Generator
from functools import partial

import pytest

from sandbox.extensions.memory.errors import StoreClosed
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.sqlite.writer import Writing

LONG = 0.02  # seconds, of a step that is not quick


def where(snapshot: Snapshot) -> Generator[None, None, bool]:
    """Whether this is the event loop's thread."""
    snapshot.execute("SELECT 1").fetchone()
    yield
    return threading.current_thread() is threading.main_thread()


def lasting(snapshot: Snapshot) -> Generator[None, None, bool]:
    time.sleep(LONG)
    return (yield from where(snapshot))


async def in_place(store: Store) -> None:
    """Return when reads run in the event loop: a busy machine may make any of them slow."""
    while not (await store.read_in_steps(where) and await store.read_in_steps(where)):
        pass


async def test_quick_readings_run_in_the_event_loop(store: Store) -> None:
    """Not the first one, not the one after a long step, and not two at once."""
    assert not await store.read_in_steps(where)
    await in_place(store)
    assert list(await asyncio.gather(store.read_in_steps(where), store.read_in_steps(where))) == [True, False]
    await in_place(store)
    assert await store.read_in_steps(lasting)
    assert not await store.read_in_steps(where)
    await in_place(store)


async def test_other_tasks_run_between_steps(store: Store) -> None:
    await in_place(store)
    seen = list[tuple[str, int]]()

    def counting(snapshot: Snapshot) -> Generator[None, None, None]:
        seen.append(("reading", _changes(snapshot)))
        while len(seen) < 2:
            yield
        seen.append(("reading", _changes(snapshot)))

    async def write() -> None:
        await store.write(lambda tx: tx.log("noted", None, "ann"))
        seen.append(("written", await store.read(_changes)))

    async with asyncio.timeout(10):
        await asyncio.gather(store.read_in_steps(counting), write())
    assert seen == [("reading", 0), ("written", 1), ("reading", 0)]


async def test_a_cancelled_or_failing_reading_leaves_the_store_usable(store: Store) -> None:
    await in_place(store)

    def endless(_: Snapshot) -> Generator[None, None, None]:
        while True:
            yield

    def failing(_: Snapshot) -> Generator[None, None, None]:
        yield
        raise LookupError("nothing there")

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(store.read_in_steps(endless), 0.05)
    with pytest.raises(LookupError):
        await store.read_in_steps(failing)
    await in_place(store)
    assert await store.write(lambda tx: tx.log("noted", None, "ann")) == 1
    assert await asyncio.gather(*(store.read(_changes) for _ in range(3))) == [1, 1, 1]


async def test_a_cancelled_reading_in_a_thread_keeps_its_reader_until_its_end(store: Store) -> None:
    await in_place(store)
    ending = threading.Event()

    def slow(snapshot: Snapshot) -> int:
        ending.wait(10)
        return _changes(snapshot)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(store.read(slow), 0.01)
    assert [await store.read_in_steps(where) for _ in range(3)] == [False] * 3
    ending.set()
    await store.quiet()
    await in_place(store)


async def test_a_closed_store_reads_nothing(store: Store) -> None:
    await in_place(store)
    await store.close()
    with pytest.raises(StoreClosed):
        await store.read_in_steps(where)


def _changes(snapshot: Snapshot) -> int:
    count: int = snapshot.execute("SELECT count(*) FROM changes").fetchone()[0]
    return count


# --- writes -----------------------------------------------------------------------------------------------------------


def _note(tx: Transaction, key: str) -> None:
    tx.log(key, None, "ann")


async def _noted(store: Store) -> list[str]:
    rows = await store.read(lambda connection: connection.execute("SELECT event FROM changes ORDER BY seq").fetchall())
    return [row["event"] for row in rows]


async def test_waiting_writes_go_first_and_the_long_one_restarts(store: Store) -> None:
    loop, attempts = asyncio.get_running_loop(), list[int]()
    urgent: list[asyncio.Future[None]] = []

    def long(tx: Transaction) -> None:
        attempts.append(len(attempts))
        _note(tx, "long 1")
        if len(attempts) == 1:  # another write comes meanwhile
            coming = asyncio.run_coroutine_threadsafe(_come(), loop)
            coming.result()
        tx.yield_to_waiting()
        _note(tx, "long 2")

    async def _come() -> None:
        urgent.append(asyncio.ensure_future(store.write(lambda tx: _note(tx, "urgent"))))
        await asyncio.sleep(0)  # it is queued

    await store.write(long, low_priority=True)
    await asyncio.gather(*urgent)
    assert attempts == [0, 1]
    assert await _noted(store) == ["urgent", "long 1", "long 2"]


async def test_a_long_write_gives_way_a_limited_number_of_times(store: Store) -> None:
    """However much others store, it ends while they continue."""
    attempts, stop = list[None](), asyncio.Event()

    def long(tx: Transaction) -> str:
        attempts.append(None)
        for number in range(200):
            _note(tx, f"long {number}")
            tx.yield_to_waiting()
        return "done"

    async def others(name: str) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            await store.write(partial(_note, key=f"{name} {number}"))

    talking = [asyncio.create_task(others(name)) for name in "abc"]
    assert await asyncio.wait_for(store.write(long, low_priority=True), 30) == "done"
    stop.set()
    await asyncio.gather(*talking)
    noted = await _noted(store)
    assert [each for each in noted if each.startswith("long")] == [f"long {number}" for number in range(200)]
    assert len(attempts) <= 6


async def test_a_write_of_low_priority_is_overtaken(store: Store) -> None:
    """Both wait, the one of low priority first; the other is stored before it, in its own transaction."""
    patient = asyncio.ensure_future(store.write(lambda tx: _note(tx, "patient"), low_priority=True))
    urgent = asyncio.ensure_future(store.write(lambda tx: _note(tx, "urgent")))
    await urgent
    assert not patient.done()
    await patient
    assert await _noted(store) == ["urgent", "patient"]


async def test_steps_that_have_ended_are_kept_and_stored_before_what_waits(store: Store) -> None:
    loop, urgent = asyncio.get_running_loop(), list[asyncio.Future[None]]()

    def first(tx: Transaction) -> int:
        _note(tx, "first")
        if not urgent:  # another write comes meanwhile
            asyncio.run_coroutine_threadsafe(_come(), loop).result()
        return 2

    async def _come() -> None:
        urgent.append(asyncio.ensure_future(store.write(lambda tx: _note(tx, "urgent"))))
        await asyncio.sleep(0)  # it is queued

    def steps() -> Writing[str]:
        for number in range((yield first)):
            yield partial(_note, key=f"step {number}")
        return "done"

    assert await store.write_in_steps(steps()) == "done"
    await asyncio.gather(*urgent)
    assert await _noted(store) == ["first", "urgent", "step 0", "step 1"]


async def test_a_failed_step_undoes_itself_alone_and_ends_the_steps(store: Store) -> None:
    def failing(tx: Transaction) -> None:
        _note(tx, "failing")
        raise ValueError("no")

    def steps() -> Writing[None]:
        yield partial(_note, key="first")
        yield failing
        yield partial(_note, key="last")

    with pytest.raises(ValueError, match="no"):
        await store.write_in_steps(steps())
    assert await _noted(store) == ["first"]


async def test_a_failure_of_a_yielding_write_is_reported(store: Store) -> None:
    def failing(tx: Transaction) -> None:
        tx.yield_to_waiting()
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await store.write(failing, low_priority=True)
    assert await _noted(store) == []
