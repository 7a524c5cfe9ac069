"""One consistent state of the database; reads and writes are functions of it."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Condition = tuple[str, dict[str, Any]]
"""A condition of SQL and its parameters."""


class Snapshot:
    """One consistent state of the database. Only the store reads it; other modules pass it on."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self._connection.execute(sql, parameters)

    def select(self, sql: str, condition: Condition, **parameters: Any) -> sqlite3.Cursor:
        """Run one statement with a condition in place of ``{condition}``."""
        return self.execute(sql.replace("{condition}", condition[0]), {**condition[1], **parameters})

    def value(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> Any | None:
        """The first value of the first row; None if there is no row."""
        row = self.execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def number(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> int:
        """The same for a whole number; 0 if there is none."""
        return self.value(sql, parameters) or 0

    def plain(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; its rows are plain tuples, which are faster for many rows."""
        rows = self._connection.execute(sql, parameters)
        rows.row_factory = None
        return rows

    def meta(self, key: str) -> str | None:
        """A value of the table ``meta``."""
        return self.value("SELECT value FROM meta WHERE key = ?", (key,))

    def trace(self, heard: Callable[[str], object] | None) -> None:
        """Report every statement to ``heard`` from now on; None ends that."""
        self._connection.set_trace_callback(heard)
