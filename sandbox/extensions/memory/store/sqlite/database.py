"""The store: one writer, a few readers, one file."""

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sandbox.extensions.memory.errors import DatabaseReadOnly, DatabaseReplaced, ErasureIncomplete, StoreClosed
from sandbox.extensions.memory.store import erasing, nodes
from sandbox.extensions.memory.store.columns import NodeCache
from sandbox.extensions.memory.store.sqlite import migrate
from sandbox.extensions.memory.store.sqlite.connection import (
    check_header,
    connect,
    is_empty,
    translate,
    unusable,
)
from sandbox.extensions.memory.store.sqlite.database_file import make
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.sqlite.writer import Writer, Writing
from sandbox.extensions.memory.store.vectors import VectorIndex
from sandbox.extensions.memory.store.word_index import WordIndexes
from sandbox.support import private
from sandbox.support.inodes import Inodes
from sandbox.support.sqlite import Connection, snapshot
from sandbox.support.tasks import uninterrupted

T = TypeVar("T")
logger = logging.getLogger(__name__)

_OPENED, _ANEW = "it was opened for reading", "open it for writing"
_READERS = (True, True)  # read-only connections that are opened at once: one for searches, one for others


Steps = Callable[[Snapshot], Generator[None, None, T]]
"""Reads a snapshot, and yields at points where other tasks may run."""

_QUICK = 0.005  # seconds of a step; a thread that computes would delay the loop as long
_FRESH = 30.0  # seconds, after which cached data may have been dropped from memory


_LONG = 10_000  # characters; analysing them takes some milliseconds


async def off_loop(characters: int, work: Callable[[], T]) -> T:
    """The result of ``work`` on a text of so many characters; for a long text in a thread."""
    return work() if characters <= _LONG else await asyncio.to_thread(work)


def result_of(reading: Generator[None, None, T]) -> T:
    """The result of a reading."""
    while True:
        try:
            next(reading)
        except StopIteration as end:
            result: T = end.value
            return result


class Pace:
    """How long the steps of the last reading took."""

    def __init__(self) -> None:
        self._longest = float("inf")  # seconds
        self._ended = 0.0

    def is_quick(self) -> bool:
        """Whether the last reading was recent and had no long step."""
        return self._longest <= _QUICK and time.monotonic() - self._ended < _FRESH

    def run(self, reading: Generator[None, None, T]) -> T:
        """Run all steps at once, in a thread."""
        *_, (result,) = self._timed(reading)
        return result

    async def walk(self, reading: Generator[None, None, T]) -> T:
        """Run step by step, with other tasks between the steps."""
        ended: tuple[T, ...] = ()
        for ended in self._timed(reading):
            if not ended:
                await asyncio.sleep(0)
        (result,) = ended
        return result

    def _timed(self, reading: Generator[None, None, T]) -> Iterator[tuple[T, ...]]:
        """The same steps, with their times measured."""
        longest, ended = 0.0, tuple[T, ...]()
        while not ended:
            started = time.perf_counter()
            try:
                next(reading)
            except StopIteration as end:
                ended = (end.value,)
            finally:
                longest = max(longest, time.perf_counter() - started)
                self._longest, self._ended = longest, time.monotonic()
            yield ended


class Store:
    """One open database. Writes are functions of a ``Transaction``, reads functions of a ``Snapshot``."""

    def __init__(
        self, path: Path, writer: Writer | None, readers: list[Connection], refusal: DatabaseReadOnly | None = None
    ) -> None:
        self.path = path
        self.vectors = VectorIndex()
        self.node_cache = NodeCache()
        self.words = WordIndexes()
        self._writer = writer
        self._refusal = refusal  # why the file could not be opened for writing
        self._files = Inodes(path)
        self._pace = Pace()
        self._readers: asyncio.Queue[Connection] = asyncio.LifoQueue()
        self._all_readers = readers
        self._closed = False
        self._reading = 0
        self._quiet = asyncio.Event()  # set while nothing is being read
        self._quiet.set()
        for reader in readers:
            self._readers.put_nowait(reader)

    @classmethod
    async def open(cls, path: Path, now: Callable[[], int], *, read_only: bool = False) -> "Store":
        """Open or create the database. A file that exists and cannot be written is opened for reading, and with
        ``read_only`` every file.

        Raises ``NotADatabase``, ``DatabaseTooNew``, ``DatabaseTooOld``, ``DatabaseReadOnly``, ``DatabaseDamaged`` and
        ``DatabaseBusy``.
        """
        version = await asyncio.to_thread(check_header, path)
        if read_only and 0 < version < migrate.SCHEMA_VERSION:
            problem = f"{_OPENED}, and is of an older version"
            raise DatabaseReadOnly(path=path, problem=problem, advice=f"{_ANEW}, which updates it")
        try:
            if read_only:
                raise DatabaseReadOnly(path=path, problem=f"{_OPENED}, and there is nothing to read", advice=_ANEW)
            connection = await _open_writer(path, now)
        except DatabaseReadOnly as error:
            if is_empty(path):
                raise
            try:
                return cls(path, None, await _connect_all(path, *_READERS), None if read_only else error)
            except DatabaseReadOnly:  # there is nothing to read: say why nothing could be created
                raise error from None
        try:
            checkpointer, *readers = await _connect_all(path, False, *_READERS)
        except BaseException:
            await connection.close()
            raise
        store = cls(path, Writer(connection, checkpointer, path, now), readers)
        try:
            if await store.read(lambda opened: nodes.clock_was_ahead(opened, now())):
                await store.write(nodes.believe_again)
            if await store.read(erasing.is_marked):  # an erasure was cut off before its bytes were overwritten
                try:
                    await store.forget_bytes()
                except ErasureIncomplete as error:  # others use the file; the next process that opens it does it
                    logger.warning("%s", error)
        except BaseException:
            await store.close()
            raise
        return store

    @property
    def read_only(self) -> bool:
        """Whether writes are refused."""
        return self._writer is None

    @property
    def problem(self) -> str | None:
        """What happened to the file since it was opened; None if it is still at its path."""
        return self._files.problem() if self._writer is None else self._writer.problem()

    async def write(self, function: Callable[[Transaction], T], *, low_priority: bool = False) -> T:
        """Run ``function`` as a whole, and return its result when it is on the disk. A ``low_priority`` write, for
        which nobody waits, lets others go first, and may call ``yield_to_waiting``.
        """
        return await self._require_writer().write(function, low_priority=low_priority)

    async def write_in_steps(self, steps: Writing[T]) -> T:
        """Run the writes that ``steps`` yields, each as a whole, with low priority. It gets the result of each; its own
        result is returned when all are on the disk.
        """
        return await self._require_writer().write_in_steps(steps)

    def submit(self, function: Callable[[Transaction], object], purpose: str, *, low_priority: bool = False) -> None:
        """Queue a write that nobody waits for; it is skipped if the database cannot be written."""
        if self._open()._writer is not None:
            self._require_writer().submit(function, purpose, low_priority=low_priority)

    async def settled(self) -> None:
        """Return when every queued write is on the disk."""
        if self._open()._writer is not None:
            await self._require_writer().settled()

    async def forget_bytes(self) -> None:
        """Return when no byte of deleted rows is left; see ``Writer.rewrite``. Raises ``ErasureIncomplete``."""
        self.words.forget()
        await self._require_writer().rewrite()
        await self.write(erasing.unmark)

    async def read(self, function: Callable[[Snapshot], T]) -> T:
        """Run ``function`` over one snapshot, in a reader's thread, which a cancelled call keeps busy."""
        return await uninterrupted(self._read(function))

    async def _read(self, function: Callable[[Snapshot], T]) -> T:
        with self._being_read():
            reader = await self._readers.get()
            try:
                return await reader.read(lambda connection: function(Snapshot(connection)))
            finally:
                self._readers.put_nowait(reader)

    async def read_in_steps(self, steps: Steps[T]) -> T:
        """Run ``steps`` over one consistent snapshot: in the event loop while they are quick, with other tasks between
        them, otherwise like ``read``. Switching to a thread on another core and back takes a fifth of the time.
        """
        if self._reading or self._readers.empty() or not self._pace.is_quick():
            return await self.read(lambda opened: self._pace.run(steps(opened)))
        with self._being_read():
            reader = self._readers.get_nowait()
            try:
                with snapshot(reader.raw) as connection:
                    return await self._pace.walk(steps(Snapshot(connection)))
            finally:
                self._readers.put_nowait(reader)

    @contextmanager
    def _being_read(self) -> Iterator[None]:
        self._open()._reading += 1
        self._quiet.clear()
        try:
            self._check_place(self._files.problem())
            yield
        except unusable() as error:
            self._check_place(self.problem)
            raise translate(error, self.path) from None
        finally:
            self._reading -= 1
            if not self._reading:
                self._quiet.set()

    def _check_place(self, problem: str | None) -> None:
        """Raise ``DatabaseReplaced`` if something happened to the file: it may have been erased as a whole."""
        if problem is not None:
            raise DatabaseReplaced(path=self.path, problem=problem, kept="kept if they can be")

    async def quiet(self) -> None:
        """Return when nothing is being read."""
        await self._quiet.wait()

    async def close(self) -> None:
        """Finish the queue, and close every connection; the last one folds the log into the file."""
        if self._closed:
            return
        self._closed = True
        await self._quiet.wait()
        for reader in self._all_readers:
            await reader.close()
        if self._writer is not None:
            await self._writer.close()

    def _open(self) -> "Store":
        if self._closed:
            raise StoreClosed(path=self.path)
        return self

    def _require_writer(self) -> Writer:
        if self._open()._writer is None:
            if self._refusal is not None:
                raise DatabaseReadOnly(**self._refusal.details)
            raise DatabaseReadOnly(path=self.path, problem=_OPENED, advice=_ANEW)
        assert self._writer is not None
        return self._writer


async def _connect_all(path: Path, *read_only: bool) -> list[Connection]:
    """All connections, or none."""
    opened: list[Connection] = []
    try:
        for kind in read_only:
            opened.append(await connect(path, read_only=kind))
    except BaseException:
        for connection in opened:
            await connection.close()
        raise
    return opened


async def _open_writer(path: Path, now: Callable[[], int]) -> Connection:
    if not is_empty(path) and not os.access(path, os.W_OK):
        raise DatabaseReadOnly(path=path, problem="the file is write-protected")
    await asyncio.to_thread(make, path, now())
    private.make_file(path)
    private.narrow(path)
    connection = await connect(path)
    try:
        await connection.run(lambda raw: _prepare(raw, now(), path))
    except BaseException as error:
        await connection.close()
        if isinstance(error, unusable()):
            raise translate(error, path) from None
        raise
    return connection


def _prepare(connection: sqlite3.Connection, now: int, path: Path) -> None:
    """Update the schema, and check that the file can be written."""
    migrate.migrate(connection, now, path)
    migrate.secure_full_text(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(f"PRAGMA user_version = {migrate.SCHEMA_VERSION}")
    finally:
        connection.execute("ROLLBACK")
