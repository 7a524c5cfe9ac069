"""The file of an open database: whether it was replaced or is gone; if so, acknowledged writes are saved beside its
place, unless it was removed on purpose.
"""

import os
import sqlite3
import time
from contextlib import AbstractContextManager, closing, suppress
from itertools import count
from pathlib import Path
from typing import Any

from sandbox.extensions.memory.errors import DatabaseReplaced, NotADatabase
from sandbox.extensions.memory.store.sqlite.connection import connected, errors, fault_in_file, translate, unusable
from sandbox.support import private
from sandbox.support.inodes import Inodes

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
