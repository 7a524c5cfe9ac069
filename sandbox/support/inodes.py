"""Check whether the files of an open SQLite database are still in their places.

SQLite continues with files that were deleted or replaced, and reports nothing: its writes there are lost with the last
process that has the files open. A log left behind is worse, because SQLite takes it for the log of the next file in
that place (https://sqlite.org/howtocorrupt.html, sections 2.4 and 4).
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOG, _INDEX = "-wal", "-shm"  # kept by SQLite beside the database


class Inodes:
    """The database at ``path``, its write-ahead log and its shared memory at the time of creation."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = {suffix: path.with_name(path.name + suffix) for suffix in ("", _LOG, _INDEX)}
        self._opened = {suffix: _inode(file) for suffix, file in self._files.items()}
        self._seen: tuple[int, int] | None = None  # length and time of the last change

    def problem(self) -> str | None:
        """What happened to the files; None if all is in order, a check of a few microseconds."""
        return self.of_database() or self._of_log()

    def of_database(self) -> str | None:
        """What happened to the database file."""
        try:
            now = self._path.stat()
        except OSError:
            return "it was deleted or moved away"
        if (now.st_dev, now.st_ino) != self._opened[""]:
            return "another file was put in its place"
        if not now.st_size:
            return "it was emptied"
        if (now.st_size, now.st_mtime_ns) != self._seen:
            same = self._is_same()
            if same is False:
                return "another file was written over it"
            if same:
                self._seen = now.st_size, now.st_mtime_ns
        return None

    def _is_same(self) -> bool | None:
        """Whether the file is still this database, None if that is unclear during a write; it is asked only after a
        change. A subclass may read the file.
        """
        return True

    def has_log(self) -> bool:
        """Whether its write-ahead log is still in its place and holds something, perhaps written by others."""
        log = self._files[_LOG]
        return (opened := self._opened[_LOG]) is not None and _inode(log) == opened and log.stat().st_size > 0

    def _of_log(self) -> str | None:
        for suffix in (_LOG, _INDEX):
            if (opened := self._opened[suffix]) is not None and (now := _inode(self._files[suffix])) != opened:
                return "its write-ahead log was " + ("deleted" if now is None else "replaced")
        return None

    def leave(self) -> None:
        """Remove the log and shared memory of a lost database, which would be written over a new file."""
        for suffix in (_LOG, _INDEX):
            if (inode := _inode(self._files[suffix])) is not None and inode == self._opened[suffix]:
                with suppress(OSError):
                    self._files[suffix].unlink()

    @contextmanager
    def closing(self) -> Iterator[None]:
        """For closing connections: a file that was written over is moved aside meanwhile, so that SQLite does not write
        into it. SQLite itself spares another file in its place, which others may have open.
        """
        problem = self.of_database()
        if problem is not None:
            self.leave()
        if problem is None or _inode(self._path) != self._opened[""]:
            yield
            return
        aside = self._path.with_name(f"{self._path.name}-aside")
        with suppress(OSError):
            self._path.rename(aside)
        try:
            yield
        finally:
            with suppress(OSError):
                aside.rename(self._path)


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
