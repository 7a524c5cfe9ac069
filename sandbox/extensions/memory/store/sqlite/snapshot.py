"""One consistent state of the database: reads are functions of a snapshot, writes of a transaction."""

import itertools
import json
import os
import sqlite3
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import Any

from sandbox.extensions.memory.call_context import CallContext

Condition = tuple[str, dict[str, Any]]
"""A condition of SQL and its parameters."""

Parameters = dict[str, Any] | Sequence[Any]

_VALUES = (str, int, float, bytes, bytearray, type(None))  # of SQLite, in the order in which they are frequent


class Snapshot:
    """One consistent state of the database. Only the store reads it; other modules pass it on."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Parameters = (), /, **named: Any) -> sqlite3.Cursor:
        """Run one statement. A parameter with a name that is a collection is bound as a JSON array."""
        if named or isinstance(parameters, dict):
            parameters = {name: _bound(value) for name, value in {**dict(parameters), **named}.items()}
        return self._connection.execute(sql, parameters)

    def select(self, sql: str, condition: Condition, **named: Any) -> sqlite3.Cursor:
        """Run one statement with a condition in place of ``{condition}``."""
        return self.execute(sql.replace("{condition}", condition[0]), condition[1], **named)

    def value(self, sql: str, parameters: Parameters = (), /, **named: Any) -> Any | None:
        """The first value of the first row; None if there is no row."""
        row = self.execute(sql, parameters, **named).fetchone()
        return None if row is None else row[0]

    def number(self, sql: str, parameters: Parameters = (), /, **named: Any) -> int:
        """The same for a whole number; 0 if there is none."""
        return self.value(sql, parameters, **named) or 0

    def plain(self, sql: str, parameters: Parameters = (), /, **named: Any) -> sqlite3.Cursor:
        """Run one statement; its rows are plain tuples, which are faster for many rows."""
        rows = self.execute(sql, parameters, **named)
        rows.row_factory = None
        return rows

    def meta(self, key: str) -> str | None:
        """A value of the table ``meta``."""
        return self.value("SELECT value FROM meta WHERE key = ?", (key,))

    def trace(self, heard: Callable[[str], object] | None) -> None:
        """Report every statement to ``heard`` from now on; None ends that."""
        self._connection.set_trace_callback(heard)


def _bound(value: Any) -> Any:
    return value if isinstance(value, _VALUES) else json.dumps(list(value))


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
        for statement, values in statements(sql, rows):
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

    def free_ids(
        self, table: str, user_id: str, count: int, generate: Callable[[int], Iterable[str]] | None = None
    ) -> list[str]:
        """``count`` public ids that are new among a user's rows of a table; a collision draws again."""
        sql = f"SELECT public_id FROM {table} WHERE user_id = ? AND public_id IN (SELECT value FROM json_each(?))"
        free: dict[str, None] = {}
        while len(free) < count:
            drawn = set((generate or public_ids)(count - len(free)))
            taken = {row["public_id"] for row in self.execute(sql, (user_id, json.dumps(list(drawn))))}
            free.update(dict.fromkeys(drawn - taken))
        return list(free)

    def yield_to_waiting(self) -> None:
        """For steps of a long write that can start again: it does, after others that wait, a few times at most."""
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


_ALPHABET = (string.ascii_letters + string.digits).encode()
_CHARACTERS = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in range(256))
_UNEVEN = bytes(range(256 - 256 % len(_ALPHABET), 256))  # bytes that would make the first letters more likely
_PUBLIC_ID_LENGTH = 8  # 62^8 = 2e14: short, for prompts


def public_ids(count: int) -> list[str]:
    """Random public ids, every character equally likely. Only the database can check that they are unique."""
    drawn, length = "", _PUBLIC_ID_LENGTH * count
    while len(drawn) < length:
        drawn += os.urandom(2 * length).translate(_CHARACTERS, _UNEVEN).decode()
    return [drawn[start : start + _PUBLIC_ID_LENGTH] for start in range(0, length, _PUBLIC_ID_LENGTH)]


_ROWS = 512  # rows of one statement; SQLite takes 32,766 values

Row = Sequence[Any]
# Kinds of columns in one statement: NULL, the same value in all rows, a value for each row.
_NULL, _SHARED, _OWN = range(3)


def statements(sql: str, rows: Iterable[Row]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """An ``INSERT`` of one row of ``?`` as statements for all rows, in order, with their parameters."""
    remaining = iter(rows)
    while chunk := list(itertools.islice(remaining, _ROWS)):
        own = _own(chunk) if len(chunk) > 1 else []
        kinds = [_NULL if value is None else _SHARED for value in chunk[0]]
        for place in own:
            kinds[place] = _OWN
        shared = [value for value, kind in zip(chunk[0], kinds, strict=True) if kind == _SHARED]
        values = [row[place] for row in chunk for place in own]
        yield _statement(sql, tuple(kinds), len(chunk)), (*shared, *values)


def _own(rows: Sequence[Row]) -> list[int]:
    """The indexes of columns in which rows differ."""
    columns = enumerate(zip(*rows, strict=True))
    return [place for place, column in columns if not all(map(is_, column, itertools.repeat(column[0])))]


@lru_cache(maxsize=64)
def _statement(sql: str, kinds: tuple[int, ...], rows: int) -> str:
    """The statement for so many rows. Its parameters are the common values, then those of each row; a parameter without
    a number follows the last one with a number.
    """
    into, _, rest = sql.partition(" VALUES ")
    head, _, names = into.rstrip(") \n").rpartition("(")
    columns = sorted(zip(kinds, names.split(","), strict=True), key=lambda column: column[0])
    shared = kinds.count(_SHARED)
    marks = ["NULL"] * kinds.count(_NULL) + [f"?{number}" for number in range(1, shared + 1)]
    row = ", ".join(marks + ["?"] * kinds.count(_OWN))
    values = ", ".join([f"({row})"] * rows)
    return f"{head}({', '.join(name for _, name in columns)}) VALUES {values}{rest.partition(')')[2]}"
