"""SQLite for every part with a file: connections that run whole functions in a thread of their own, and the needs of
every database.

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
    """A connection with a thread of its own, by aiosqlite: one hop however many statements. ``raw`` is the connection
    itself, for who knows that nothing runs in its thread.
    """

    def __init__(self, raw: sqlite3.Connection, thread: aiosqlite.Connection) -> None:
        self.raw = raw
        self._thread = thread

    @classmethod
    async def over(cls, raw: sqlite3.Connection) -> "Connection":
        """One over a connection that is open. Its thread ends with the process, also where nobody closed it, as threads
        do that were made in such a thread: what was acknowledged is on the disk.
        """
        made: list[aiosqlite.Connection] = []
        connector: Any = partial(_Functions, raw)
        making = threading.Thread(target=lambda: made.append(aiosqlite.Connection(connector, 1)), daemon=True)
        making.start()
        making.join()
        return cls(raw, await made[0])

    async def run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """``function(connection)`` in its thread, after what was asked for before; cancelling does not undo it."""
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
        """Close it, once everything that was asked for is done."""
        await self._thread.close()


class _Functions:
    """What aiosqlite is given for a connection: a statement is a function, run whole, and its result stands for the
    rows. aiosqlite itself sends statements one by one, which takes as many hops and may end in the middle.
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
