"""SQLite for every part with a file: connections that run whole functions in their own thread, and the needs of every
database.

It works with Python's own driver and with compatible ones.
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
from typing import Any, TypeVar

T = TypeVar("T")

BUSY_SECONDS = 15  # longer than any transaction of another process takes
_TRY_AGAIN = 0.02


class Connection:
    """An open connection with a thread of its own: one switch of threads for any number of statements. ``raw`` is for
    callers that know that nothing runs in its thread. The thread is no executor's: it works until the process ends,
    also for other threads and for what `atexit` calls, and delays no exit.
    """

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._is_closed = False
        threading.Thread(target=_work, args=(raw, self._calls), name="sqlite", daemon=True).start()

    async def run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``function(connection)`` in its thread, after earlier calls; cancelling does not undo it."""
        if self._is_closed:
            raise RuntimeError("the connection is closed")
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._calls.put((function, result))
        return await result

    async def read(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """The same, over one consistent snapshot."""

        def read(connection: sqlite3.Connection) -> T:
            with snapshot(connection):
                return function(connection)

        return await self.run(read)

    async def close(self) -> None:
        """Close it after all earlier calls."""
        await self.run(lambda connection: connection.close())
        self._is_closed = True
        self._calls.put(None)


_Call = tuple[Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]"]


def _work(connection: sqlite3.Connection, calls: "SimpleQueue[_Call | None]") -> None:
    while (call := calls.get()) is not None:
        function, result = call
        try:
            settle = partial(_settle, result, result.set_result, function(connection))
        except BaseException as error:
            settle = partial(_settle, result, result.set_exception, error)
        with suppress(RuntimeError):  # the loop was closed, and nobody waits
            result.get_loop().call_soon_threadsafe(settle)
        del call, function, result, settle  # they must not live until the next call


def _settle(result: "asyncio.Future[Any]", settle: Callable[[Any], None], value: object) -> None:
    if not result.done():  # it may have been cancelled
        settle(value)


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Read one consistent state in this context; writes are rolled back."""
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.rollback()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Write everything in this context, or nothing if it raises."""
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
    """Switch to a write-ahead log: the file is new, or a tool restored it. SQLite does not wait here for others that
    open the file at the same time, so this function does.
    """
    last_try = time.monotonic() + BUSY_SECONDS
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except Exception as error:  # of any driver
            if failure_of(error) is not Failure.BUSY or time.monotonic() > last_try:
                raise
            time.sleep(_TRY_AGAIN)


def rewrite(connection: sqlite3.Connection) -> bool:
    """Write the file anew, and empty the write-ahead log. Pages keep bytes of deleted rows that SQLite moved inside
    them, and ``secure_delete`` does not overwrite these. False if another process still reads the log. If the disk has
    no room for it, the log gives back what it took.
    """
    try:
        connection.execute("VACUUM")
    finally:
        is_in_use: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not is_in_use


class Failure(Enum):
    """Why a file cannot be used, by the beginnings of SQLite's names for the errors."""

    BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
    FULL = ("SQLITE_FULL",)
    ACCESS = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")
    DISK = ("SQLITE_IOERR",)
    FOREIGN = ("SQLITE_NOTADB",)
    DAMAGE = ("SQLITE_CORRUPT",)


def name_of(error: BaseException) -> str:
    """SQLite's name of an error; empty for one of the driver itself, for example about text that cannot be decoded."""
    return str(getattr(error, "sqlite_errorname", "") or "")


def failure_of(error: BaseException) -> Failure | None:
    """Why the file cannot be used; None for another error."""
    return next((failure for failure in Failure if name_of(error).startswith(failure.value)), None)
