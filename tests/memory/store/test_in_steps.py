"""Quick reads run in the event loop, step by step; others run in a reader's thread."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest

from sandbox.extensions.memory.errors import StoreClosed
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

LONG = 0.02  # seconds, of a step that is not quick


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "memory.db", lambda: 0, 0.05)
    yield opened
    await opened.close()


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


async def test_the_first_reading_runs_in_a_thread_and_quick_ones_do_not(store: Store) -> None:
    assert not await store.read_in_steps(where)
    await in_place(store)


async def test_after_a_long_step_the_next_runs_in_a_thread(store: Store) -> None:
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


async def test_a_second_reading_runs_in_a_thread(store: Store) -> None:
    await in_place(store)
    assert list(await asyncio.gather(store.read_in_steps(where), store.read_in_steps(where))) == [True, False]


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


async def test_a_closed_store_reads_nothing(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "other.db", lambda: 0, 0.05)
    await in_place(store)
    await store.close()
    with pytest.raises(StoreClosed):
        await store.read_in_steps(where)


def _changes(snapshot: Snapshot) -> int:
    count: int = snapshot.execute("SELECT count(*) FROM changes").fetchone()[0]
    return count
