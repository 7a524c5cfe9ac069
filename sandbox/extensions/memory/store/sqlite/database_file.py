"""The file of a database: making it in one step, and removing it. If it is replaced or goes while it is open,
acknowledged writes are saved beside its place, unless it was removed on purpose.
"""

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandbox.extensions.memory.errors import DatabaseReplaced, NotADatabase
from sandbox.extensions.memory.store.sqlite.connection import (
    connected,
    errors,
    fault_in_file,
    is_empty,
    is_encrypted,
    mark_of,
    open_file,
    translate,
    unusable,
)
from sandbox.extensions.memory.store.sqlite.migrate import migrate
from sandbox.support import private
from sandbox.support.inodes import Inodes

_MAKING = ".making-"  # beginning of the name of a folder in which a database is made
_WRITING_SECONDS, _LOOK_AGAIN = 2.0, 0.05


def make(path: Path, now: int) -> None:
    """Create the database in one step, if there is no file: it is made in a folder beside its place and then moved, so
    that nobody finds a half-made file. If another process is faster, its file stays. If the folder does not
    allow it, nothing is done: opening the path then creates the file or reports the problem.
    """
    if path.exists():
        return
    with suppress(OSError, *errors()), TemporaryDirectory(prefix=_MAKING, dir=path.parent) as folder:
        whole = Path(folder) / path.name
        os.close(os.open(whole, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if is_encrypted(path):
            shutil.copy(mark_of(path), mark_of(whole))
        with closing(open_file(whole)) as connection:
            migrate(connection, now, whole)
        os.link(whole, path)
        sync(path.parent)
        for left in path.parent.glob(f"{_MAKING}*"):  # by killed processes; one that makes a database finds this one
            shutil.rmtree(left, ignore_errors=True)


def remove(path: Path) -> None:
    """Remove a database, if there is one. Processes that have it open save nothing of it, if the disk has room for the
    mark that says so.
    """
    if not is_empty(path):
        with suppress(*errors()), closing(open_file(path)) as connection:
            _mark_removed(connection)
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """Write the new names in a folder to the disk; Windows neither can nor has to."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            private.sync(opened)
        finally:
            os.close(opened)


class DatabaseFile(Inodes):
    """Where a database was opened. It stays lost even if it is moved back, as others may have changed it."""

    def __init__(self, path: Path) -> None:
        self._marks = _marks(path)
        self._lost: DatabaseReplaced | None = None
        super().__init__(path)

    @property
    def is_lost(self) -> bool:
        """Whether somebody was told that the file is lost."""
        return self._lost is not None

    def problem(self) -> str | None:
        """What happened to the file; None if all is in order."""
        return str(self._lost.details["problem"]) if self._lost else super().problem()

    def check(self, connection: sqlite3.Connection) -> None:
        """Raise ``DatabaseReplaced`` if it is lost, and save all that ``connection`` reaches, the first time."""
        if self._lost is None and (problem := super().problem()):
            self._lost = DatabaseReplaced(path=self._path, problem=problem, kept=self._save(connection))
        if self._lost is not None:
            raise DatabaseReplaced(**self._lost.details)

    def _save(self, connection: sqlite3.Connection) -> str:
        """Save the acknowledged writes; return where. Nothing is saved of what was removed on purpose."""
        if _was_removed(connection):
            self.leave()
            return "erased with everything else"
        if self.of_database() is None:
            if _fold(connection):
                return f"in {self._path.name}"
        elif not self._path.parent.is_dir():
            return "where its folder is now, if that was moved"
        target = _copy(connection, self._path)
        if self.of_database() is not None:
            self.leave()
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


def _mark_removed(connection: sqlite3.Connection) -> None:
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
