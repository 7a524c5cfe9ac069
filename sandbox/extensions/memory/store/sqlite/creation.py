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
    """Create the database if there is no file. If another process is faster, its file stays. If the folder does not
    allow it, nothing is done: opening the path then creates the file or reports the problem.
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
    """Write the new name to the disk; Windows neither can nor has to."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _clear(folder: Path) -> None:
    """Remove the remains of killed processes. A process that is still making a database will find the one that
    exists.
    """
    for left in folder.glob(f"{_BESIDE}*"):
        shutil.rmtree(left, ignore_errors=True)
