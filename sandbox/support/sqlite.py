"""SQLite for every part with a file: connections that run whole functions in their own thread, and the needs of every
database.

It works with Python's own driver and with compatible ones.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import aiosqlite

T = TypeVar("T")

BUSY_SECONDS = 15  # longer than any transaction of another process takes
_TRY_AGAIN = 0.02


class Connection:
    """A connection with its own thread, by aiosqlite: one switch of threads for any number of statements. ``raw`` is
    the connection itself, for callers that know that nothing runs in its thread.
    """

    def __init__(self, raw: sqlite3.Connection, thread: aiosqlite.Connection) -> None:
        self.raw = raw
        self._thread = thread

    @classmethod
    async def over(cls, raw: sqlite3.Connection) -> "Connection":
        """One for an open connection. Its daemon thread ends with the process; acknowledged writes are kept."""
        made: list[aiosqlite.Connection] = []
        connector: Any = partial(_Functions, raw)
        making = threading.Thread(target=lambda: made.append(aiosqlite.Connection(connector, 1)), daemon=True)
        making.start()
        making.join()
        return cls(raw, await made[0])

    async def run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``function(connection)`` in its thread, after earlier calls; cancelling does not undo it."""
        statement: Any = function
        result: Any = await self._thread.execute_fetchall(statement)
        return cast(T, result)

    async def read(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """The same, over one consistent snapshot."""

        def read(connection: sqlite3.Connection) -> T:
            with snapshot(connection):
                return function(connection)

        return await self.run(read)

    async def close(self) -> None:
        """Close it after all earlier calls."""
        await self._thread.close()


class _Functions:
    """The object that aiosqlite gets as a connection: a statement is a function, which runs as a whole, and its result
    replaces the rows. aiosqlite itself sends statements one by one, which needs as many switches of threads and may
    stop halfway.
    """

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self.close = raw.close

    def execute(self, function: Callable[[sqlite3.Connection], object], _: object) -> "_Result":
        return _Result(function(self._raw))


class _Result(NamedTuple):
    value: object

    def fetchall(self) -> object:
        return self.value


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
