"""One consistent state of the database: reads are functions of a snapshot, writes of a transaction."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.call_context import CallContext
from sandbox.extensions.memory.store.sqlite import batch_insert

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


class Transaction(Snapshot):
    """The argument of a write: a snapshot that it can change. A write must not do I/O, and not keep the transaction."""

    __slots__ = ("_others_wait", "_sequences", "call", "now")

    def __init__(
        self,
        connection: sqlite3.Connection,
        now: int,
        others_wait: Callable[[], bool] = lambda: False,
        call: CallContext | None = None,
    ) -> None:
        super().__init__(connection)
        self.now = now  # milliseconds
        self.call = call or CallContext()
        self._others_wait = others_wait
        self._sequences: dict[str, int] = {}

    def executemany(self, sql: str, rows: Iterable[Mapping[str, Any] | Sequence[Any]]) -> None:
        """Run one statement for many rows."""
        self._connection.executemany(sql, rows)

    def insert(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run an ``INSERT ... (columns) VALUES (?, ...)`` for rows in order, many by one statement."""
        for statement, values in batch_insert.statements(sql, rows):
            self.execute(statement, values)

    def set_meta(self, key: str, value: object) -> None:
        """Set a value of the table ``meta``."""
        self.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, str(value)))

    def reserve(self, table: str, count: int = 1) -> int:
        """The first of ``count`` consecutive ids of an AUTOINCREMENT table; all must be used in this transaction."""
        last = self._sequences.get(table)
        if last is None:
            row = self.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
            last = row[0] if row else 0
        self._sequences[table] = last + count
        return last + 1

    def yield_to_waiting(self) -> None:
        """For steps of a long write that can start again: if others wait, it is undone and starts again after them, a
        few times at most.
        """
        if self._others_wait():
            raise GaveWay

    def log(
        self,
        event: str,
        node_id: int | None,
        user_id: str,
        *,
        actor: str | None = None,
        session_id: str | None = None,
        **detail: Any,
    ) -> int:
        """Append to ``changes``; return the sequence number of the line. ``detail`` holds ids and fields, never text.
        The current call gives actor and session, if it knows them. Call it before the change itself, so that the state
        before it can be found again (``past_states``).
        """
        seq = self.reserve("changes")
        interface, caller, session, batch = self.call
        origin = (actor or caller, session or session_id, batch, interface, json.dumps(detail))
        self.execute(
            "INSERT INTO changes (seq, at, event, node_id, user_id, actor, session_id, batch, interface, detail)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (seq, self.now, event, node_id, user_id, *origin),
        )
        return seq


class GaveWay(BaseException):
    """The write starts again. No write function catches this."""
