"""Write everything in a database row by row, and restore it into an empty one: the same ids, versions, times and order.
Beside that, the JSON Schema of the rows, and the files that were written, which may hold text that is erased later.

Derived data (full text, indexes of vectors) is left out and made again.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import ExportReport
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite import migrate
from sandbox.extensions.memory.store.sqlite.connection import errors, open_file
from sandbox.extensions.memory.store.sqlite.migrate import SCHEMA_VERSION
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("dump")

VERSION = SCHEMA_VERSION  # of the rows' format

# A row comes after the rows it refers to, except for `merged_into` and `rests_on`.
TABLES = (
    "meta",
    "changes",
    "nodes",
    "past_states",
    "edges",
    "entities",
    "entity_names",
    "node_entities",
    "entity_merges",
    "claims",
    "profile_values",
    "sessions",
    "summaries",
    "recalls",
    "operations",
    "spending",
    "checked_pairs",
    "night_marks",
    "nights",
    "erased_keys",
    "embedding_models",
    "vector_groups",
    "vectors",
    "entity_vectors",
    "documents",
    "document_vectors",
)
BYTES = "base64"  # bytes in JSON are an object with this key

Row = tuple[str, dict[str, Any]]
"""The name of a table, and values by column."""


class Unfit(Exception):
    """A row does not fit the database; the message is a phrase that follows its place."""


def rows(snapshot: Snapshot) -> Iterator[Row]:
    """Every row of every table, in the form of JSON."""
    for table in TABLES:
        for row in snapshot.execute(f"SELECT * FROM {_kept(table)}"):
            values = {name: row[name] for name in row.keys() if row[name] is not None}  # noqa: SIM118 (a row is no dict)
            yield table, {name: _plain(value) for name, value in values.items()}


def count(snapshot: Snapshot) -> int:
    """How many these are."""
    return sum(snapshot.number(f"SELECT count(*) FROM {_kept(table)}") for table in TABLES)


def _kept(table: str) -> str:
    """A table, without what is said there of derived data."""
    return "meta WHERE key NOT GLOB 'vec_*'" if table == "meta" else table


def is_empty(tx: Transaction) -> bool:
    """Whether nothing was ever stored."""
    return tx.execute(_SQL.unless_empty).fetchone() is None


def fitting(tx: Transaction, dumped: Iterable[Row]) -> Iterator[Row]:
    """Rows in the form of their tables. Raises :class:`Unfit`, and the errors of ``dumped``."""
    columns = {table: {row["name"] for row in tx.execute(_SQL.columns, name=table)} for table in TABLES}
    for table, values in dumped:
        if table not in columns or not values or not values.keys() <= columns[table]:
            raise Unfit("is of a table, or has a column, that this version does not know")
        yield table, {name: _value(value) for name, value in values.items()}


def restore(tx: Transaction, fitting: Iterable[Row]) -> int:
    """Store every row in an empty database; return the number of memories. Raises :class:`Unfit`; then nothing is
    stored.
    """
    tx.execute("PRAGMA defer_foreign_keys = ON")  # until the end, because a row may refer to a later one
    for table, values in fitting:
        sql = f"INSERT OR REPLACE INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
        with fitting_into(table):
            tx.execute(sql, list(values.values()))
    check_whole(tx)
    tx.execute(_SQL.forget_ids)
    tx.execute(_SQL.take_ids)
    unembedded(tx)
    return tx.number("SELECT count(*) FROM nodes")


@contextmanager
def fitting_into(table: str) -> Iterator[None]:
    """Store a row in this context. Raises :class:`Unfit` if the table refuses it."""
    try:
        yield
    except errors() as error:
        raise Unfit(f"does not fit the table {table} ({type(error).__name__})") from None


def check_whole(tx: Transaction) -> None:
    """Raise :class:`Unfit` if a row refers to one that is missing."""
    if tx.execute("PRAGMA foreign_key_check").fetchone():
        raise Unfit("refers to a row that is not in the file; the file is not whole")


def unembedded(tx: Transaction) -> None:
    """Put every node without a vector into the backlog."""
    tx.execute(_SQL.unembedded)


def holds_of_others(snapshot: Snapshot, scope: Scope) -> bool:
    """Whether it contains memories of another user than the scope's, or global ones."""
    return snapshot.execute(_SQL.of_others, user_id=scope.user_id).fetchone() is not None


def known(snapshot: Snapshot, filter_: Filter) -> Iterator[Node]:
    """The scope's knowledge now, by category."""
    return map(Node.from_row, snapshot.select(_SQL.known, filter_.condition()))


def turns(snapshot: Snapshot, filter_: Filter) -> Iterator[Node]:
    """The turns of the conversations that a scope sees, one conversation after the other."""
    return map(Node.from_row, snapshot.select(_SQL.turns, filter_.condition()))


def _plain(value: Any) -> Any:
    return {BYTES: b64encode(value).decode()} if isinstance(value, bytes) else value


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        try:
            return b64decode(value[BYTES], validate=True)
        except (KeyError, TypeError, ValueError):
            raise Unfit("holds a value that is neither text, nor a number, nor bytes") from None
    if value is not None and not isinstance(value, str | int | float):
        raise Unfit("holds a value that is neither text, nor a number, nor bytes")
    return value


_KINDS = {"INTEGER": "integer", "REAL": "number", "TEXT": "string"}
_BYTES = {
    "type": "object",
    "properties": {BYTES: {"type": "string", "contentEncoding": "base64"}},
    "required": [BYTES],
    "additionalProperties": False,
}


def row_schemas() -> dict[str, dict[str, Any]]:
    """The schema of a row of each exported table. A row leaves out columns without a value."""
    with (
        TemporaryDirectory(prefix="memory-schema-") as folder,
        closing(open_file(Path(folder) / "made.db")) as connection,
    ):
        migrate.migrate(connection, 0, Path(folder) / "made.db")
        return {table: _row_schema(connection, table) for table in TABLES}


def _row_schema(connection: Any, table: str) -> dict[str, Any]:
    columns = connection.execute(f"SELECT name, type, \"notnull\" FROM pragma_table_info('{table}')").fetchall()
    return {
        "type": "object",
        "properties": {name: _column_schema(kind) for name, kind, _ in columns},
        "required": [name for name, _, is_required in columns if is_required],
        "additionalProperties": False,
    }


def _column_schema(kind: str) -> dict[str, Any]:
    return {"type": _KINDS[kind]} if kind in _KINDS else _BYTES if kind == "BLOB" else {}


def missing_files(snapshot: Snapshot) -> list[str]:
    """The files that are gone, although their folders are there; without its folder a file may be on a missing disk."""
    paths = [Path(row["path"]) for row in snapshot.execute(_SQL.paths)]
    return [str(path) for path in paths if path.parent.exists() and not path.exists()]


def note_file(tx: Transaction, written: ExportReport, user_id: str | None, seq: int, gone: Iterable[str]) -> None:
    """Record a file of one user's memories, or of all users' (None), and drop the files that are ``gone``."""
    tx.execute(_SQL.drop_files, paths=gone)
    file = {"path": str(Path(written.file).absolute()), "lines": written.lines, "bytes": written.bytes}
    tx.execute(_SQL.note_file, file, user_id=user_id, seq=seq)


def files_holding(snapshot: Snapshot, user_id: str, nodes: Sequence[int]) -> tuple[ExportReport, ...]:
    """The files that may hold some nodes of a user."""
    rows = snapshot.execute(_SQL.holding, user_id=user_id, gone=nodes)
    return tuple(ExportReport(*row) for row in rows)
