"""An agent's own memory of sessions: a file by `openai-agents`, which is read and cut here without that library."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from sandbox.database import LOCKED, WAIT, translated
from sandbox.errors import StateUnusable
from sandbox.support.sqlite import BUSY_SECONDS, rewrite

T = TypeVar("T")


class History:
    """The items of each session, in one file. All methods raise ``StateUnusable`` and ``StateFull``."""

    def __init__(self, file: Path) -> None:
        self.file = file

    async def size(self, session: str) -> int:
        """The number of stored items of the session."""
        return await asyncio.to_thread(self._run, lambda connection: _size(connection, session), 0)

    async def rewind(self, session: str, size: int) -> None:
        """Keep only the first ``size`` items; later ones belong to an incomplete turn."""
        await asyncio.to_thread(self._run, lambda connection: _rewind(connection, session, size), None)

    async def forget(self, session: str) -> None:
        """Erase the session; afterwards no byte of it is in the file, or in its log."""
        await asyncio.to_thread(self._run, lambda connection: self._forget(connection, session), None)

    def _forget(self, connection: sqlite3.Connection, session: str) -> None:
        for table in ("agent_messages", "agent_sessions"):
            connection.execute(f"DELETE FROM {table} WHERE session_id = ?", (session,))
        if not rewrite(connection):
            raise StateUnusable(path=self.file, problem=LOCKED, advice=WAIT)

    def _run(self, function: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        if not self.file.exists():
            return nothing
        try:
            with closing(sqlite3.connect(self.file, isolation_level=None, timeout=BUSY_SECONDS)) as connection:
                return function(connection) if _is_written(connection) else nothing
        except sqlite3.Error as error:
            raise translated(error, self.file) from error


def _is_written(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'agent_messages'").fetchone() is not None


def _size(connection: sqlite3.Connection, session: str) -> int:
    row = connection.execute("SELECT count(*) FROM agent_messages WHERE session_id = ?", (session,)).fetchone()
    return int(row[0])


def _rewind(connection: sqlite3.Connection, session: str, size: int) -> None:
    connection.execute(
        "DELETE FROM agent_messages WHERE session_id = :session AND id >= "
        "(SELECT id FROM agent_messages WHERE session_id = :session ORDER BY id LIMIT 1 OFFSET :size)",
        {"session": session, "size": size},
    )
