"""The single-writer queue: whole functions, grouped into transactions, acknowledged after COMMIT."""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from sandbox.extensions.memory.call_context import CALL_CONTEXT, CallContext
from sandbox.extensions.memory.errors import (
    DatabaseBusy,
    DiskFailed,
    DiskFull,
    ErasureIncomplete,
    StoreClosed,
)
from sandbox.extensions.memory.store.sqlite.connection import errors, translate, unusable
from sandbox.extensions.memory.store.sqlite.database_file import DatabaseFile
from sandbox.extensions.memory.store.sqlite.migrate import rewrite
from sandbox.extensions.memory.store.sqlite.snapshot import GaveWay, Transaction
from sandbox.support.sqlite import BUSY_SECONDS, Connection, transaction
from sandbox.support.tasks import uninterrupted

T = TypeVar("T")
logger = logging.getLogger(__name__)

_GROUP = 256  # writes, at most, that share one fsync
_PATIENCE = 5  # times that a long write lets others go first
_CHECKPOINT_ROWS = 4000  # changed rows between checkpoints: some 500 messages, a write-ahead log of about 30 MB


Writing = Generator[Callable[[Transaction], Any], Any, T]
"""Yields writes, gets the result of each, and returns the result of them all."""


@dataclass(slots=True)
class _Write(Generic[T]):
    function: Callable[[Transaction], Any]
    future: "asyncio.Future[T]"
    patience: int  # times it may still let others go first
    call: CallContext | None = None
    following: Writing[T] | None = None


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
        self._waiting: deque[_Write[Any]] = deque()
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
        ``low_priority`` write comes after the waiting ones, and may yield to others.
        """
        return await uninterrupted(self._enqueue(function, low_priority=low_priority))

    async def write_in_steps(self, steps: Writing[T]) -> T:
        """Run writes of low priority one after the other. They share a COMMIT, unless others wait when one has ended:
        these then come first, and share the COMMIT of what has ended.
        """
        return await uninterrupted(self._enqueue(next(steps), low_priority=True, following=steps))

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

    def _enqueue(
        self, function: Callable[[Transaction], T], *, low_priority: bool, following: Writing[T] | None = None
    ) -> "asyncio.Future[T]":
        if self._closing:
            raise StoreClosed(path=self._path)
        future, patience = asyncio.get_running_loop().create_future(), _PATIENCE if low_priority else 0
        write = _Write(function, future, patience, CALL_CONTEXT.get(), following)
        (self._low_priority if low_priority else self._waiting).append(write)
        self._idle.clear()
        self._wake.set()
        return write.future

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting or self._low_priority:
                await self._commit(self._next_group() or [self._low_priority.popleft()])
                if self._waiting and self._low_priority and not self._put_off():
                    await self._commit([self._low_priority.popleft()])
            self._idle.set()
            if self._closing:
                return

    def _next_group(self) -> list[_Write[Any]]:
        return [self._waiting.popleft() for _ in range(min(len(self._waiting), _GROUP))]

    def _put_off(self) -> bool:
        """Whether the first low-priority write can wait once more."""
        self._low_priority[0].patience -= 1
        return self._low_priority[0].patience >= 0

    async def _commit(self, group: list[_Write[Any]]) -> None:
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

    def _run_group(self, connection: sqlite3.Connection, group: list[_Write[Any]], now: int) -> list[_Outcome]:
        self._place.check(connection)
        with transaction(connection):
            outcomes = [self._run_all(connection, write, now) for write in group]
            if outcomes[0].gave_way:
                group += self._next_group()  # they share this COMMIT, and need not wait for two
                outcomes += [self._run_all(connection, write, now) for write in group[1:]]
        self._place.check(connection)
        self._committed = True
        return outcomes

    def _run_all(self, connection: sqlite3.Connection, write: _Write[Any], now: int) -> _Outcome:
        """Run one write, and those that follow it until others wait."""
        outcome = self._run_one(connection, write, now)
        while write.following is not None and not outcome.gave_way and outcome.error is None:
            try:
                write.function, write.patience = write.following.send(outcome.value), _PATIENCE
            except StopIteration as end:
                return _Outcome(value=end.value)
            outcome = _Outcome(gave_way=True) if self._waiting else self._run_one(connection, write, now)
        return outcome

    def _run_one(self, connection: sqlite3.Connection, write: _Write[Any], now: int) -> _Outcome:
        """Run one write, which an error undoes alone unless SQLite rolled back the transaction."""
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
