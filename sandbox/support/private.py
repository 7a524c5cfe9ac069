"""Folders and files that only their owner may read, whoever creates them and with any umask.

On Windows modes have no meaning: there a home is as private as its parent folder.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

FOLDER, FILE = 0o700, 0o600
_OTHERS = 0o077
_BESIDE = ("", "-wal", "-shm", "-journal")  # files that SQLite keeps beside a database


def make_folder(path: Path) -> None:
    """Create a folder, and missing ones above it, for its owner. An existing one does not change. Raises ``OSError``,
    and ``FileExistsError`` if it is a file.
    """
    try:
        path.mkdir(FOLDER, exist_ok=True)
    except FileNotFoundError:
        make_folder(path.parent)  # with `parents=True` others could read those
        path.mkdir(FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Create an empty file for its owner if there is none; the files that SQLite creates beside a database get its
    mode. If this fails, opening the file reports why.
    """
    with suppress(OSError):  # an existing one is not opened, because closing it would release the locks of this process
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def write_whole(path: Path, text: str) -> None:
    """Put a private file with this text in the place of another, all of it or nothing. Raises ``OSError``."""
    part = path.with_name(f"{path.name}-{os.getpid()}.part")
    make_file(part)
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def narrow(path: Path) -> None:
    """Remove the rights of others on our file, and on the files that SQLite keeps beside it."""
    for file in (path.with_name(f"{path.name}{ending}") for ending in _BESIDE):
        with suppress(OSError):  # there is none, or somebody else owns it
            if others_may(file):
                file.chmod(file.stat().st_mode & 0o7777 & ~_OTHERS)


def sync(descriptor: int) -> None:
    """Write an open file or folder to the disk. On macOS, ``fsync`` leaves it in the cache of the disk."""
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):  # not every disk can
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def others_may(path: Path) -> bool:
    """Whether anybody but the owner has rights on a file or a folder."""
    return os.name != "nt" and bool(path.stat().st_mode & _OTHERS)
