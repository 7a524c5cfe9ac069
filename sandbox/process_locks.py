"""Which kernels are alive: each locks a file of its own, and the system releases the lock when the process dies."""

import secrets
from contextlib import suppress
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from sandbox.database import translated
from sandbox.support import private

FOLDER = "kernels"


class Owner:
    """This kernel among those that share a home. Raises ``StateUnusable`` if the home cannot be written."""

    def __init__(self, home: Path) -> None:
        self.id = secrets.token_hex(4)
        self._folder = home / FOLDER
        try:
            private.make_folder(self._folder)
            self._lock = self._lock_of(self.id)
            self._lock.acquire()
        except OSError as error:
            raise translated(error, self._folder) from error
        for file in self._folder.glob("*.lock"):
            self.is_alive(file.stem)  # removes the files of dead kernels

    def is_alive(self, id: str) -> bool:
        """Whether the kernel with that id runs."""
        if id == self.id:
            return True
        if not self._file(id).exists():
            return False
        lock = self._lock_of(id)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        self._release(id, lock)
        return False

    def may_take_up(self, id: str) -> bool:
        """Whether this kernel may continue the work of that one: its own, or a dead one's."""
        return id == self.id or not self.is_alive(id)

    def close(self) -> None:
        """Release the lock; others may then take over unfinished work."""
        self._release(self.id, self._lock)

    def _release(self, id: str, lock: BaseFileLock) -> None:
        with suppress(OSError):
            # while it is locked; a kernel that waits for the lock notices and makes another file
            self._file(id).unlink()
        lock.release()

    def _lock_of(self, id: str) -> FileLock:
        return FileLock(self._file(id), mode=private.FILE, thread_local=False)

    def _file(self, id: str) -> Path:
        return self._folder / f"{id}.lock"
