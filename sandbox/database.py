"""The kernel's own SQLite file: whole functions as transactions, in a thread of its own."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import aiosqlite

from sandbox.errors import KernelClosed, OpenedElsewhere, StateFull, StateTooNew, StateUnusable
from sandbox.support import private
from sandbox.support.inodes import Inodes

T = TypeVar("T")

SCHEMA_VERSION = 2
BUSY_SECONDS = 15  # longer than any transaction of another process takes
LOCKED = f"another process kept it locked for {BUSY_SECONDS} s"
WAIT = "end that process, or try again when it has done its work"
ACCESS = "make it readable and writable for you, or name another home"
_ELSEWHERE = "name another home, or move that away"
_MOVE = "move it away and start again; what is remembered is in another file, what was under way is lost"
_REPLACED = "this was not kept; end this program and start it again, what was under way is lost"
_UNUSABLE = {  # by the beginnings of SQLite's names: what is wrong, and what to do
    ("SQLITE_BUSY", "SQLITE_LOCKED"): (LOCKED, WAIT),
    ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"): ("{error}", ACCESS),
    ("SQLITE_IOERR",): ("{error}: the disk is full or failing", "see to the disk and try again"),
    ("SQLITE_NOTADB", "SQLITE_CORRUPT"): ("it is damaged: {error}", _MOVE),
}
_TRY_AGAIN = 0.02
_APPLICATION_ID = 0x41_4D_4B_4E  # "AMKN"; PRAGMA application_id marks a file as ours


class Database:
    """One open file; several processes may share it."""

    def __init__(self, path: Path, connection: aiosqlite.Connection) -> None:
        self.path = path
        self._connection = connection
        self._inodes = Inodes(path)
        self._process, self._loop = os.getpid(), asyncio.get_running_loop()
        self._closed = False

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Open or make the file. Raises ``StateUnusable``, ``StateTooNew``, ``StateFull``."""
        try:
            private.make_folder(path.parent)
            opened = await asyncio.to_thread(_open, path)
        except FileExistsError as error:
            raise StateUnusable(path=path, problem=f"{path.parent} is no folder", advice=_ELSEWHERE) from error
        except (OSError, sqlite3.Error) as error:
            raise translated(error, path) from error
        connection = aiosqlite.Connection(lambda: opened, 64)
        connection._thread.daemon = True  # it ends with the process, whether or not somebody closed this
        await connection
        return cls(path, connection)

    async def write(self, function: Callable[[sqlite3.Connection], T], *, durable: bool = True) -> T:
        """Run ``function`` whole in a transaction; returns after COMMIT, and cancelling does not undo it. What is not
        ``durable`` survives the death of the process at once, and a power cut a little later.
        """

        def write(connection: sqlite3.Connection) -> T:
            self._check_place()
            result = _write(connection, function, durable)
            self._check_place()
            return result

        return await self._run(write)

    async def read(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``function`` over one consistent snapshot."""
        return await self._run(lambda connection: _read(connection, function))

    async def forget_bytes(self) -> None:
        """Write the file anew, from what it says, and empty the write-ahead log, so that no byte of what was deleted
        stays: pages keep some wherever SQLite has moved it within them. Raises ``StateUnusable`` where another process
        does not let go of it, ``StateFull``.
        """
        row = await self._run(_rewrite)
        if row["busy"]:
            raise StateUnusable(path=self.path, problem=LOCKED, advice=WAIT)

    async def close(self) -> None:
        """Done with it; the last one to close folds the write-ahead log away."""
        if not self._closed:
            self._check_here()
            self._closed = True
            with self._inodes.closing():
                await self._connection.close()

    def _check_here(self) -> None:
        """Raises ``OpenedElsewhere``: threads of another process are not here, and another loop is never woken."""
        if os.getpid() != self._process:
            raise OpenedElsewhere(path=self.path, place="process")
        if asyncio.get_running_loop() is not self._loop:
            raise OpenedElsewhere(path=self.path, place="event loop")

    def _check_place(self) -> None:
        if problem := self._inodes.problem():
            raise StateUnusable(path=self.path, problem=f"{problem} while it was open", advice=_REPLACED)

    async def _run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise KernelClosed()
        self._check_here()
        execute: Callable[..., Awaitable[T]] = self._connection._execute  # one hop into its thread for all statements
        try:
            return await execute(function, self._connection._conn)
        except sqlite3.Error as error:
            raise translated(error, self.path) from None


def _open(path: Path) -> sqlite3.Connection:
    private.make_file(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    connection.row_factory = sqlite3.Row
    try:
        _read(connection, lambda raw: _check(raw, path))  # before anything is written
        private.narrow(path)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        _write_ahead(connection)
        _write(connection, _create, durable=True)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    application, version, tables = connection.execute(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if tables and application != _APPLICATION_ID:
        problem = "it is the database of another program, and was left untouched"
        raise StateUnusable(path=path, problem=problem, advice=_ELSEWHERE)
    if version > SCHEMA_VERSION:
        raise StateTooNew(path=path, found=version, known=SCHEMA_VERSION)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait here for others who open a new file, so this does."""
    last_try = time.monotonic() + BUSY_SECONDS
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > last_try:
                raise
            time.sleep(_TRY_AGAIN)


def _create(connection: sqlite3.Connection) -> None:
    """Make the schema, or bring it up to date, unless another process was faster."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < SCHEMA_VERSION:
        name = "migration.sql" if version else "schema.sql"
        for statement in files(__package__).joinpath(name).read_text(encoding="utf-8").split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _write(connection: sqlite3.Connection, function: Callable[[sqlite3.Connection], T], durable: bool) -> T:
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    with connection:  # which commits at the end, or undoes everything
        connection.execute("BEGIN IMMEDIATE")
        return function(connection)


def _rewrite(connection: sqlite3.Connection) -> sqlite3.Row:
    """What SQLite says of the checkpoint."""
    connection.execute("VACUUM")
    row: sqlite3.Row = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return row


def _read(connection: sqlite3.Connection, function: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN")
    try:
        return function(connection)
    finally:
        connection.rollback()


def translated(error: OSError | sqlite3.Error, path: Path) -> Exception:
    """The error of this house for one of the system or of SQLite; any other as it is."""
    if isinstance(error, OSError):
        return StateUnusable(path=path, problem=error.strerror or "it cannot be written", advice=ACCESS)
    name = str(getattr(error, "sqlite_errorname", "") or "")
    if name.startswith("SQLITE_FULL"):
        return StateFull(path=path)
    for names, (problem, advice) in _UNUSABLE.items():
        if name.startswith(names):
            return StateUnusable(path=path, problem=problem.format(error=error), advice=advice)
    return error if name else StateUnusable(path=path, problem="it is damaged", advice=_MOVE)  # the error quotes it
