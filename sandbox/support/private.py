"""Folders and files that only their owner may read, whoever makes them first and with any umask.

On Windows modes mean nothing: there a home is as private as its parent folder.
"""

import os
from contextlib import suppress
from pathlib import Path

FOLDER, FILE = 0o700, 0o600
_OTHERS = 0o077
_BESIDE = ("", "-wal", "-shm", "-journal")  # what SQLite keeps beside a database


def make_folder(path: Path) -> None:
    """Make a folder, and what is missing above it, for its owner. One that is there stays as it is. Raises ``OSError``,
    ``FileExistsError`` where it is a file.
    """
    try:
        path.mkdir(FOLDER, exist_ok=True)
    except FileNotFoundError:
        make_folder(path.parent)  # `parents=True` would let others in there
        path.mkdir(FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file for its owner where there is none: what SQLite makes beside a database has its mode. Who opens
    the file meets what keeps this from making it.
    """
    with suppress(OSError):  # one that is there is not opened: closing it would give up the locks of this process
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def narrow(path: Path) -> None:
    """Take from others what they may do with a file that is ours, and with what SQLite keeps beside it."""
    for file in (path.with_name(f"{path.name}{ending}") for ending in _BESIDE):
        with suppress(OSError):  # there is none, or it is somebody else's
            if others_may(file):
                file.chmod(file.stat().st_mode & 0o7777 & ~_OTHERS)


def others_may(path: Path) -> bool:
    """Whether somebody else than the owner may do anything with a file or a folder."""
    return os.name != "nt" and bool(path.stat().st_mode & _OTHERS)
