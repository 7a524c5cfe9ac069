"""One consistent state of the database; reads and writes are functions of it."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any


class Snapshot:
    """One consistent state of the database. Only the store reads it; other modules pass it on."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self._connection.execute(sql, parameters)

    def plain(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; its rows are plain tuples, which are faster for many rows."""
        rows = self._connection.execute(sql, parameters)
        rows.row_factory = None
        return rows

    def trace(self, heard: Callable[[str], object] | None) -> None:
        """Report every statement to ``heard`` from now on; None ends that."""
        self._connection.set_trace_callback(heard)
