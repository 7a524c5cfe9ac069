"""What other processes do in the tests of the bus; each function is one program."""

import asyncio
import concurrent.futures.thread  # noqa: F401  who became nobody may not be allowed to read it any more
import os
import signal
import sqlite3
import sys
from functools import partial
from itertools import count
from multiprocessing.synchronize import Barrier
from pathlib import Path
from secrets import token_hex
from typing import Any

from sandbox.database import Database
from sandbox.errors import SandboxError
from sandbox.process_locks import Owner
from tests.kernel.buses import STATE, Listener, Said, bus_in
from tests.memory.store.processes import Journal, Switch, become_nobody, program


@program
async def publish_for_ever(home: Path, journal_path: Path, run: int) -> None:
    """Publish one event after the other and note each acknowledgement in the journal, where two handlers note their
    work.
    """
    journal = Journal(journal_path)
    async with bus_in(home, (Said, "one", _noting(journal, "one")), (Said, "two", _noting(journal, "two"))) as bus:
        for number in count():
            await bus.publish(Said(f"{run}-{number}", "words"))
            journal.add(["acknowledged", f"{run}-{number}"])


def _noting(journal: Journal, name: str) -> Any:
    failing = Listener(failures={f"{run}-{number}": 1 for run in range(50) for number in range(3, 500, 7)})

    async def handle(event: Said) -> None:
        await failing(event)
        await asyncio.sleep(0)
        journal.add([name, event.key])

    return handle


@program
async def publish_some(home: Path, journal: Path, run: int, barrier: Barrier) -> None:
    """Open together with others, publish fifty events, deliver them."""
    notes = Journal(journal)
    barrier.wait()
    async with bus_in(home, (Said, "one", _noting(notes, "one")), (Said, "two", _noting(notes, "two"))) as bus:
        barrier.wait()
        for number in range(50):
            await bus.publish(Said(f"{run}-{number}", "words"))
        await bus.settled()


@program
async def hang(home: Path, journal: Path) -> None:
    """Publish three events to a handler that never ends."""

    async def handle(event: Said) -> None:
        Journal(journal).add(["began", event.key])
        await asyncio.Event().wait()

    async with bus_in(home, (Said, "one", handle)) as bus:
        for number in range(3):
            await bus.publish(Said(str(number), "words"))
            Journal(journal).add(["acknowledged", str(number)])
        await bus.settled()


@program
async def die_of_it(home: Path) -> None:
    """Deliver the waiting events to a handler that kills the process at one of them."""

    async def handle(event: Said) -> None:
        if event.key == "evil":
            os.kill(os.getpid(), signal.SIGKILL)

    async with bus_in(home, (Said, "one", handle)) as bus:
        await bus.settled()


@program
async def deliver_on_a_full_disk(home: Path, full: Path, journal_path: Path) -> None:
    """The disk is full when a handler ends, and when another event is published; then there is space again."""
    no_space = Switch(full)
    journal = Journal(journal_path)
    filled = asyncio.Event()

    async def handle(event: Said) -> None:
        journal.add(["handled", event.key])
        if event.key == "first":
            no_space.on()
            filled.set()

    async with bus_in(home, (Said, "one", handle)) as bus:
        await bus.publish(Said("first", "x" * 10_000))
        await filled.wait()
        try:
            await bus.publish(Said("second", "x" * 10_000))
        except SandboxError as error:
            journal.add([type(error).__name__, str(error)])
        no_space.off()
        journal.add(["published", await bus.publish(Said("second"))])
        await bus.settled()
        journal.add(["pending", await bus.pending()])


def acknowledge_writes(home: Path, log: Path) -> None:
    """Write in both ways, and print a line ``ack WHAT`` after each."""

    async def main() -> None:
        database = await Database.open(home / STATE)
        acknowledge("open")
        for durable in (True, False):
            for number in range(3):
                await database.write(partial(_add, f"{durable} {number}"), durable=durable)
                acknowledge("durable" if durable else "fast")
        acknowledge("last")
        await database.close()

    def acknowledge(what: str) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"ack {what}\n")

    asyncio.run(main())


def _add(key: str, connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO events (topic, key, at) VALUES ('t', ?, 0)", (key,))


def open_on_a_full_disk(home: Path, full: Path, journal: Path) -> None:
    """Open a database where there is none, without and with space."""
    no_space = Switch(full)
    no_space.on()
    asyncio.run(_open(home, Journal(journal)))
    no_space.off()
    asyncio.run(_open(home, Journal(journal)))


def open_as_nobody(home: Path, journal: Path) -> None:
    """Open the database, and then the lock of a kernel, as a user who may not write there."""
    become_nobody()
    asyncio.run(_open(home, Journal(journal)))
    try:
        Owner(home).close()
    except SandboxError as error:
        Journal(journal).add([type(error).__name__, str(error)])


async def _open(home: Path, journal: Journal) -> None:
    try:
        await (await Database.open(home / STATE)).close()
        journal.add(["opened", ""])
    except SandboxError as error:
        journal.add([type(error).__name__, str(error)])


@program
async def open_together(home: Path, barrier: Barrier) -> None:
    """Open a database at the same moment as other processes."""
    barrier.wait()
    database = await Database.open(home / STATE)
    await database.write(partial(_add, token_hex()))
    await database.close()


def own(home: Path, journal: Path) -> None:
    """Be a kernel until the process is killed."""
    owner = Owner(home)
    Journal(journal).add(owner.id)
    asyncio.run(asyncio.sleep(60))


if __name__ == "__main__":
    globals()[sys.argv[1]](*map(Path, sys.argv[2:]))
