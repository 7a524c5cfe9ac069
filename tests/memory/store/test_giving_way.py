"""Writes that nobody waits for delay nobody."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "memory.db", lambda: 0, 0.05)
    yield opened
    await opened.close()


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


async def test_a_failure_of_a_yielding_write_is_reported(store: Store) -> None:
    def failing(tx: Transaction) -> None:
        tx.yield_to_waiting()
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await store.write(failing, low_priority=True)
    assert await _noted(store) == []
