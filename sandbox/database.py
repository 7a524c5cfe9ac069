"""The kernel's own SQLite file: functions run as transactions, in its own thread."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sandbox.errors import KernelClosed, OpenedElsewhere, StateFull, StateTooNew, StateUnusable
from sandbox.support import private, sqlite
from sandbox.support.affinity import Here
from sandbox.support.inodes import Inodes

T = TypeVar("T")

SCHEMA_VERSION = 2
LOCKED = f"another process kept it locked for {sqlite.BUSY_SECONDS} s"
WAIT = "end that process, or try again when it has done its work"
ACCESS = "make it readable and writable for you, or name another home"
_ELSEWHERE = "name another home, or move that away"
_MOVE = "move it away and start again; what is remembered is in another file, what was under way is lost"
_REPLACED = "this was not kept; end this program and start it again, what was under way is lost"
_UNUSABLE = {  # the problem, and the advice
    sqlite.Failure.BUSY: (LOCKED, WAIT),
    sqlite.Failure.ACCESS: ("{error}", ACCESS),
    sqlite.Failure.DISK: ("{error}: the disk is full or failing", "see to the disk and try again"),
    sqlite.Failure.FOREIGN: ("it is damaged: {error}", _MOVE),
    sqlite.Failure.DAMAGE: ("it is damaged: {error}", _MOVE),
}
_APPLICATION_ID = 0x41_4D_4B_4E  # "AMKN"; PRAGMA application_id marks a file as ours


class Database:
    """One open file; several processes may share it."""

    def __init__(self, path: Path, connection: sqlite.Connection) -> None:
        self.path = path
        self._connection = connection
        self._inodes = Inodes(path)
        self._here = Here()
        self._closed = False

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Open or create the file. Raises ``StateUnusable``, ``StateTooNew``, ``StateFull``."""
        try:
            private.make_folder(path.parent)
            opened = await asyncio.to_thread(_open, path)
        except FileExistsError as error:
            raise StateUnusable(path=path, problem=f"{path.parent} is no folder", advice=_ELSEWHERE) from error
        except (OSError, sqlite3.Error) as error:
            raise translated(error, path) from error
        return cls(path, await sqlite.Connection.over(opened))

    async def write(self, function: Callable[[sqlite3.Connection], T], *, durable: bool = True) -> T:
        """Run ``function`` as a whole in a transaction; return after COMMIT. Cancelling does not undo it. A write that
        is not ``durable`` survives the death of the process at once, and a power cut a little later.
        """

        def write(connection: sqlite3.Connection) -> T:
            self._check_place()
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            with sqlite.transaction(connection):
                result = function(connection)
            self._check_place()
            return result

        with self._using() as connection:
            return await connection.run(write)

    async def read(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``function`` over one consistent snapshot."""
        with self._using() as connection:
            return await connection.read(function)

    async def forget_bytes(self) -> None:
        """Return when no byte of deleted rows is in the file or its write-ahead log. Raises ``StateUnusable`` if
        another process keeps the log in use, and ``StateFull``.
        """
        with self._using() as connection:
            if not await connection.run(sqlite.rewrite):
                raise StateUnusable(path=self.path, problem=LOCKED, advice=WAIT)

    async def close(self) -> None:
        """Close the file; the last process to close folds the write-ahead log into it."""
        if not self._closed:
            self._check_here()
            self._closed = True
            with self._inodes.closing():
                await self._connection.close()

    def _check_here(self) -> None:
        if place := self._here.elsewhere():
            raise OpenedElsewhere(path=self.path, place=place)

    def _check_place(self) -> None:
        if problem := self._inodes.problem():
            raise StateUnusable(path=self.path, problem=f"{problem} while it was open", advice=_REPLACED)

    @contextmanager
    def _using(self) -> Iterator[sqlite.Connection]:
        if self._closed:
            raise KernelClosed()
        self._check_here()
        try:
            yield self._connection
        except sqlite3.Error as error:
            raise translated(error, self.path) from None


def _open(path: Path) -> sqlite3.Connection:
    private.make_file(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=sqlite.BUSY_SECONDS)
    connection.row_factory = sqlite3.Row
    try:
        with sqlite.snapshot(connection):  # before anything is written
            _check(connection, path)
        private.narrow(path)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA fullfsync = ON")  # on macOS, another sync does not empty the cache of the disk
        sqlite.write_ahead(connection)
        with sqlite.transaction(connection):
            if not connection.execute("PRAGMA user_version").fetchone()[0]:  # no other process was faster
                sqlite.run_script(connection, Path(__file__).with_name("schema.sql").read_text(encoding="utf-8"))
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
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
    if 0 < version < SCHEMA_VERSION:
        raise StateUnusable(path=path, problem="it was made by a version before 0.1.0", advice=_MOVE)
    if version > SCHEMA_VERSION:
        raise StateTooNew(path=path, found=version, known=SCHEMA_VERSION)


def translated(error: OSError | sqlite3.Error, path: Path) -> Exception:
    """The kernel's error for one of the system or of SQLite; any other error unchanged."""
    if isinstance(error, OSError):
        return StateUnusable(path=path, problem=error.strerror or "it cannot be written", advice=ACCESS)
    failure = sqlite.failure_of(error)
    if failure is sqlite.Failure.FULL:
        return StateFull(path=path)
    if failure is None and sqlite.name_of(error):
        return error
    # an error without a name may quote content
    problem, advice = _UNUSABLE[failure] if failure else ("it is damaged", _MOVE)
    return StateUnusable(path=path, problem=problem.format(error=error), advice=advice)
