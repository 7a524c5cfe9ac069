"""SQLite, for whoever keeps a file: connections that run whole functions in a thread of their own, and what every
database needs. It works with Python's own driver and with those that follow it.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from functools import partial
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")
_Call = Callable[[], None]

BUSY_SECONDS = 15  # longer than any transaction of another process takes
_TRY_AGAIN = 0.02


class Connection:
    """A connection with a thread of its own: one hop however many statements. ``raw`` is the connection itself, for who
    knows that nothing runs in its thread. The thread ends with the process, also where nobody closed the connection:
    what was acknowledged is on the disk.
    """

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self._calls = SimpleQueue[_Call | None]()
        threading.Thread(target=_work, args=(self._calls,), name="sqlite", daemon=True).start()

    async def run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """``function(connection)`` in its thread, after what was asked for before; cancelling does not undo it."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[T] = loop.create_future()

        def call() -> None:
            tell: _Call
            try:
                tell = partial(result.set_result, function(self.raw))
            except BaseException as error:
                tell = partial(result.set_exception, error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(lambda: None if result.done() else tell())

        self._calls.put(call)
        return await result

    async def read(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """The same, over one consistent snapshot."""

        def read(connection: sqlite3.Connection) -> T:
            with snapshot(connection):
                return function(connection)

        return await self.run(read)

    async def close(self) -> None:
        """Close it, once everything that was asked for is done; it runs nothing afterwards."""
        try:
            await self.run(lambda raw: raw.close())
        finally:
            self._calls.put(None)


def _work(calls: "SimpleQueue[_Call | None]") -> None:
    while call := calls.get():
        call()
        del call  # and what it holds, until somebody asks for more


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Meanwhile one consistent state is read; what is written is undone."""
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.rollback()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Meanwhile everything is written, or nothing where something is raised."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def run_script(connection: sqlite3.Connection, sql: str) -> None:
    """Run every statement of a script. (``executescript`` would commit the transaction it runs in.)"""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            connection.execute(pending)
            pending = ""
    if pending.strip():
        connection.execute(pending)


def write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log: the file is new, or was restored by somebody's tool. SQLite does not wait here for
    others who open the file at the same time, so this does.
    """
    last_try = time.monotonic() + BUSY_SECONDS
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except Exception as error:  # of whichever driver this is
            if failure_of(error) is not Failure.BUSY or time.monotonic() > last_try:
                raise
            time.sleep(_TRY_AGAIN)


def rewrite(connection: sqlite3.Connection) -> bool:
    """Write the file anew, from what it says, and empty the write-ahead log: pages keep bytes of what was deleted
    wherever SQLite has moved it within them, which ``secure_delete`` does not overwrite. False where somebody still
    reads the log.
    """
    connection.execute("VACUUM")
    return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]


class Failure(Enum):
    """What keeps a file from being used, by the beginnings of SQLite's names for it."""

    BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
    FULL = ("SQLITE_FULL",)
    ACCESS = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")
    DISK = ("SQLITE_IOERR",)
    FOREIGN = ("SQLITE_NOTADB",)
    DAMAGE = ("SQLITE_CORRUPT",)


def name_of(error: BaseException) -> str:
    """SQLite's name of an error; empty for one of the driver's own, such as of text that cannot be decoded."""
    return str(getattr(error, "sqlite_errorname", "") or "")


def failure_of(error: BaseException) -> Failure | None:
    """What keeps the file from being used; None where it is something else."""
    return next((failure for failure in Failure if name_of(error).startswith(failure.value)), None)
