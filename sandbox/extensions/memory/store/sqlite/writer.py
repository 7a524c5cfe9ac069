"""The single-writer queue: whole functions, grouped into transactions, acknowledged after COMMIT. If the file of an
open database is replaced or gone, acknowledged writes are saved beside its place.
"""

import asyncio
import logging
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from sandbox.extensions.memory.call_context import CALL_CONTEXT, CallContext
from sandbox.extensions.memory.errors import (
    DatabaseBusy,
    DatabaseReplaced,
    DiskFailed,
    DiskFull,
    ErasureIncomplete,
    NotADatabase,
    StoreClosed,
)
from sandbox.extensions.memory.store.sqlite.connection import connected, errors, fault_in_file, translate, unusable
from sandbox.extensions.memory.store.sqlite.migrate import rewrite
from sandbox.extensions.memory.store.sqlite.snapshot import GaveWay, Transaction
from sandbox.support import private
from sandbox.support.inodes import Inodes
from sandbox.support.sqlite import BUSY_SECONDS, Connection, transaction

T = TypeVar("T")
logger = logging.getLogger(__name__)

_GROUP = 256  # writes, at most, that share one fsync
_PATIENCE = 5  # times that a long write lets others go first
_CHECKPOINT_ROWS = 4000  # changed rows between checkpoints: some 500 messages, a write-ahead log of about 30 MB


@dataclass(slots=True)
class _Write(Generic[T]):
    function: Callable[[Transaction], T]
    future: "asyncio.Future[T]"
    patience: int  # times it may still let others go first
    call: CallContext | None = None


class _Outcome(NamedTuple):
    value: Any = None
    error: Exception | None = None
    gave_way: bool = False


class Writer:
    """Runs writes one after the other on one connection; waiting writes share one COMMIT."""

    def __init__(self, connection: Connection, folder: Connection, path: Path, now: Callable[[], int]) -> None:
        self._connection = connection
        self._folder = folder
        self._place = DatabaseFile(path)
        self._path = path
        self._now = now
        self._waiting: list[_Write[Any]] = []
        self._low_priority: deque[_Write[Any]] = deque()
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closing = False
        self._committed = False  # whether anything was committed
        self._checkpointed_rows = 0
        self._checkpoint: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._checkpoint.set_result(None)
        self._task = asyncio.create_task(self._run(), name="memory-writer")

    async def write(self, function: Callable[[Transaction], T], *, low_priority: bool = False) -> T:
        """Run ``function`` as a whole in a transaction; return when it is on the disk. Cancelling does not undo it. A
        ``low_priority`` write has its own transaction after the waiting ones, and may yield in it.
        """
        return await asyncio.shield(self._enqueue(function, low_priority=low_priority))

    def submit(self, function: Callable[[Transaction], object], purpose: str, *, low_priority: bool = False) -> None:
        """Like ``write``, without waiting, for writes that may be lost if they fail. Failures are logged."""

        def report(future: "asyncio.Future[object]") -> None:
            if not future.cancelled() and (error := future.exception()):
                logger.warning("%s was not stored: %s", purpose, error)

        self._enqueue(function, low_priority=low_priority).add_done_callback(report)

    async def settled(self) -> None:
        """Return when every queued write is committed or refused."""
        await self._idle.wait()

    async def rewrite(self) -> None:
        """Write the whole file anew, so that no byte of deleted rows stays. It takes about 10 to 30 s per GB, and as
        much memory and free disk as the file has; meanwhile nobody can write. Raises ``ErasureIncomplete``.
        """
        await self._checkpoint
        try:
            if await self._connection.run(rewrite):
                return
            problem = "another process is still reading the old text"
        except unusable() as error:
            failure = translate(error, self._path)
            problems: dict[type[Exception], str] = {
                DatabaseBusy: f"another process kept it locked for {BUSY_SECONDS} s",
                DiskFull: f"the disk has no room to write it anew, up to {self._path.stat().st_size:,} bytes",
                DiskFailed: "the disk could not write it anew",
            }
            if type(failure) not in problems:
                raise failure from None
            problem = problems[type(failure)]
        raise ErasureIncomplete(path=self._path, problem=problem, seconds=BUSY_SECONDS)

    def problem(self) -> str | None:
        """What happened to the file, if it is not the one at its path; None if all is in order."""
        return self._place.problem()

    async def close(self) -> None:
        """Commit the queue, then close the connection. Raises ``DatabaseReplaced`` if acknowledged writes are not in
        the file at the path, and nobody was told.
        """
        if self._closing:
            return
        self._closing = True
        self._wake.set()
        await self._task
        await self._checkpoint
        try:
            if (self._committed or self._place.has_log()) and not self._place.is_lost:
                await self._connection.run(self._place.check)
        finally:
            with self._place.closing():
                await self._folder.close()
                await self._connection.close()

    def _enqueue(self, function: Callable[[Transaction], T], *, low_priority: bool = False) -> "asyncio.Future[T]":
        if self._closing:
            raise StoreClosed(path=self._path)
        future, patience = asyncio.get_running_loop().create_future(), _PATIENCE if low_priority else 0
        write = _Write(function, future, patience, CALL_CONTEXT.get())
        (self._low_priority if low_priority else self._waiting).append(write)
        self._idle.clear()
        self._wake.set()
        return write.future

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting or self._low_priority:
                group, self._waiting = self._waiting[:_GROUP], self._waiting[_GROUP:]
                await self._commit(group or [self._low_priority.popleft()])
                if self._waiting and self._low_priority and not self._put_off():
                    await self._commit([self._low_priority.popleft()])
            self._idle.set()
            if self._closing:
                return

    def _put_off(self) -> bool:
        """Whether the first low-priority write can wait once more."""
        self._low_priority[0].patience -= 1
        return self._low_priority[0].patience >= 0

    async def _commit(self, group: Sequence[_Write[Any]]) -> None:
        """Run a group, and report to each of its writers."""
        try:
            now = self._now()
            outcomes = await self._connection.run(lambda connection: self._run_group(connection, group, now))
        except Exception as error:
            outcomes = [_Outcome(error=error)] * len(group)
        for write, outcome in zip(group, outcomes, strict=True):
            if outcome.gave_way:
                write.patience -= 1
                self._low_priority.appendleft(write)
            else:
                _settle(write.future, outcome, self._path)
        self._checkpoint_when_due()

    def _run_group(self, connection: sqlite3.Connection, group: Sequence[_Write[Any]], now: int) -> list[_Outcome]:
        self._place.check(connection)
        with transaction(connection):
            outcomes = [self._run_one(connection, write, now) for write in group]
        self._place.check(connection)
        self._committed = True
        return outcomes

    def _run_one(self, connection: sqlite3.Connection, write: _Write[Any], now: int) -> _Outcome:
        """Run one write in its own savepoint. An error undoes this write alone, unless SQLite rolled back the
        transaction.
        """
        connection.execute("SAVEPOINT one")
        try:
            tx = Transaction(connection, now, lambda: write.patience > 0 and bool(self._waiting), write.call)
            outcome = _Outcome(value=write.function(tx))
        except (Exception, GaveWay) as error:
            if not connection.in_transaction:
                raise error if isinstance(error, Exception) else DatabaseBusy(path=self._path, seconds=0) from error
            connection.execute("ROLLBACK TO one")
            outcome = _Outcome(gave_way=True) if isinstance(error, GaveWay) else _Outcome(error=error)
        connection.execute("RELEASE one")
        return outcome

    def _checkpoint_when_due(self) -> None:
        """Fold the write-ahead log into the file while writes continue, on another connection."""
        rows = self._connection.raw.total_changes
        due = rows - self._checkpointed_rows >= _CHECKPOINT_ROWS and not self._place.is_lost
        if not due or not self._checkpoint.done():
            return
        self._checkpointed_rows = rows
        self._checkpoint = asyncio.ensure_future(self._fold())

    async def _fold(self) -> None:
        try:
            await self._folder.run(lambda connection: connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone())
        except errors() as error:
            logger.debug("checkpoint postponed: %s", error)


def _settle(future: "asyncio.Future[Any]", outcome: _Outcome, path: Path) -> None:
    if future.done():
        return
    if outcome.error is None:
        future.set_result(outcome.value)
    else:
        future.set_exception(translate(outcome.error, path))


# seconds in which a file that is being rewritten may seem to be another one; seconds between looks
_WRITING_SECONDS, _LOOK_AGAIN = 2.0, 0.05


class DatabaseFile:
    """Where a database was opened. Once it is lost it stays lost, even if the file is moved back, because others may
    have changed it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._marks = _marks(path)
        self._inodes = Inodes(path, self._is_same)
        self._lost: DatabaseReplaced | None = None

    @property
    def is_lost(self) -> bool:
        """Whether somebody was told that the file is lost."""
        return self._lost is not None

    def has_log(self) -> bool:
        """Whether the log in its place holds writes that may not be in the file."""
        return self._inodes.has_log()

    def problem(self) -> str | None:
        """What happened to the file; None if all is in order."""
        return str(self._lost.details["problem"]) if self._lost else self._inodes.problem()

    def check(self, connection: sqlite3.Connection) -> None:
        """Raise ``DatabaseReplaced`` if it is lost. The first time, all data that ``connection`` still reaches is
        saved.
        """
        if self._lost is None and (problem := self._inodes.problem()):
            self._lost = DatabaseReplaced(path=self._path, problem=problem, kept=self._save(connection))
        if self._lost is not None:
            raise DatabaseReplaced(**self._lost.details)

    def closing(self) -> AbstractContextManager[None]:
        """Close connections within this context; nothing of this database is written over the file that is now at the
        path.
        """
        return self._inodes.closing()

    def _save(self, connection: sqlite3.Connection) -> str:
        """Save the acknowledged writes; return where. Nothing is saved of what was removed on purpose."""
        if _was_removed(connection):
            self._inodes.leave()
            return "erased with everything else"
        if self._inodes.of_database() is None:
            if _fold(connection):
                return f"in {self._path.name}"
        elif not self._path.parent.is_dir():
            return "where its folder is now, if that was moved"
        target = _copy(connection, self._path)
        if self._inodes.of_database() is not None:
            self._inodes.leave()
        return f"in {target}" if target else "lost, as no copy of it could be written"

    def _is_same(self) -> bool | None:
        """Whether the file has its old content, or more. None if it cannot be read."""
        last_look = time.monotonic() + _WRITING_SECONDS
        while True:
            now = _marks(self._path)
            if now is None or self._marks is None:
                return None
            if now[0] == self._marks[0] and now[1] >= self._marks[1]:
                self._marks = now
                return True
            if time.monotonic() > last_look:
                return False
            time.sleep(_LOOK_AGAIN)


def _marks(path: Path) -> tuple[str, int] | None:
    """When the schema was created, which identifies a database, and the length of the log, which only grows; neither
    for a file that is no database. Each is on one page, so a concurrent write cannot mix them, but can prevent reading:
    None.
    """
    sql = (
        "SELECT (SELECT applied_at FROM migrations ORDER BY version LIMIT 1),"
        " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)"
    )
    try:
        # SQLite reads them, because closing the file by other means would release the locks of this process.
        with closing(connected(path, "?mode=ro&immutable=1")) as looking:
            made, logged = looking.execute(sql).fetchone()
    except unusable() as error:
        foreign = "no such table" in str(error) or isinstance(translate(error, path), NotADatabase)
        return ("", 0) if foreign else None
    return str(made), int(logged)


_LAST_CHANGE = "(SELECT coalesce(max(seq), 0) FROM changes)"


def mark_removed(connection: sqlite3.Connection) -> None:
    """Tell every process that has the database open that it is about to be removed on purpose, with all changes so far.
    If the removal is cut off, what is written later counts again.
    """
    connection.execute(f"INSERT OR REPLACE INTO meta (key, value) SELECT 'removed', {_LAST_CHANGE}")


def _was_removed(connection: sqlite3.Connection) -> bool:
    sql = f"SELECT 1 FROM meta WHERE key = 'removed' AND value = {_LAST_CHANGE}"
    with suppress(*errors()):
        return connection.execute(sql).fetchone() is not None
    return False


def _fold(connection: sqlite3.Connection) -> bool:
    """Whether all of the log, whose file has no name any more, could be written into the database."""
    with suppress(*errors()):
        row = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        return not row[0] and row[1] == row[2]
    return False


def _copy(connection: sqlite3.Connection, path: Path) -> Path | None:
    """A new file beside the database, for its owner only, with all of its data; None if that fails."""
    for number in count(1):
        target = path.with_name(f"{path.stem}-recovered{f'-{number}' if number > 1 else ''}{path.suffix}")
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, private.FILE))
        except FileExistsError:
            continue
        except OSError:
            return None
        with suppress(*errors()):
            connection.execute("VACUUM INTO ?", (str(target),))
            if _is_sound(target):
                return target
        with suppress(OSError):
            target.unlink()
        return None
    raise AssertionError("numbers do not end")


def _is_sound(path: Path) -> bool:
    """Whether a copy can be read; one that was overwritten while it was copied cannot."""
    copy: Any
    with closing(connected(path)) as copy:
        return fault_in_file(copy.execute) is None
