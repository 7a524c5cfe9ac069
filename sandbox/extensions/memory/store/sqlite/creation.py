"""Create a database in one step: it is made in a folder beside its place, and then moved there.

So nobody finds a file that another process is still making, or that a killed process left unfinished.
"""

import os
import shutil
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.extensions.memory.store.sqlite import encryption, migrate
from sandbox.extensions.memory.store.sqlite.connection import errors, open_file

_BESIDE = ".making-"


def make(path: Path, now: int) -> None:
    """Make the database where there is no file; where another process was faster, its file stays. Where this folder
    allows none of it, nothing is made: whoever opens the path makes it there, or finds out why not.
    """
    if path.exists():
        return
    with suppress(OSError, *errors()), TemporaryDirectory(prefix=_BESIDE, dir=path.parent) as folder:
        whole = Path(folder) / path.name
        os.close(os.open(whole, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if encryption.is_encrypted(path):
            shutil.copy(encryption.mark_of(path), encryption.mark_of(whole))
        with closing(open_file(whole)) as connection:
            migrate.migrate(connection, now, whole)
        os.link(whole, path)
        _sync(path.parent)
        _clear(path.parent)


def _sync(folder: Path) -> None:
    """The new name is on the disk as well; Windows neither can nor need."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _clear(folder: Path) -> None:
    """Remove what killed processes left behind; who is still making a database finds the one that is there."""
    for left in folder.glob(f"{_BESIDE}*"):
        shutil.rmtree(left, ignore_errors=True)
