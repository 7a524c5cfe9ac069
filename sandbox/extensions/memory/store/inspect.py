"""What the store holds and whether it is sound: counts, the change log, checks."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sandbox.extensions.memory.model import Change, Check, FirstAnswers, Scope, Spent, Statistics
from sandbox.extensions.memory.store import vectors
from sandbox.extensions.memory.store.connection import driver
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import change_from_row
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.extensions.memory.times import from_ms_or_none

_SQL = load("inspect")
_OPERATIONS_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is still to be done."""

    sessions: int
    embeddings: int


def statistics(connection: sqlite3.Connection, scope: Scope, path: Path) -> Statistics:
    """Counts for one user; vectors, backlog and size are of the whole file."""
    user = {"user_id": scope.user_id}
    counts = connection.execute(_SQL.counts, user).fetchone()
    maintained = counts["last_maintained_at"]
    return Statistics(
        nodes=_pairs(connection, _SQL.by_type, user),
        retired=_pairs(connection, _SQL.retired, user),
        edges=_pairs(connection, _SQL.edges, user),
        entities=counts["entities"],
        sessions=counts["sessions"],
        sessions_pending=counts["sessions_pending"],
        sessions_ended=counts["sessions_ended"],
        orphan_nodes=counts["orphan_nodes"],
        embedding_model=vectors.active_model(connection),
        vectors=counts["vectors"],
        embedding_backlog=counts["embedding_backlog"],
        database_bytes=sum(each.stat().st_size for each in _files(path)),
        changes=counts["changes"],
        last_maintained_at=from_ms_or_none(None if maintained is None else int(maintained)),
        operations=_pairs(connection, _SQL.operations, user),
        spending={
            row["step"]: Spent(row["calls"], row["prompt_tokens"], row["completion_tokens"])
            for row in connection.execute(_SQL.spending, user)
        },
        violations=_pairs(connection, _SQL.violations, user),
        first_answers=FirstAnswers(*connection.execute(_SQL.first_answers, user).fetchone()),
    )


def waiting(connection: sqlite3.Connection) -> Waiting:
    """Sessions nothing was learnt from yet, and nodes without a vector."""
    sessions = connection.execute(_SQL.pending_sessions).fetchone()[0]
    return Waiting(sessions, vectors.backlog_size(connection))


def changes_of(connection: sqlite3.Connection, node_ids: Iterable[int]) -> tuple[Change, ...]:
    """The log of some versions of a memory, oldest first."""
    rows = connection.execute(_SQL.changes_of, {"ids": json.dumps(list(node_ids))})
    return tuple(change_from_row(row) for row in rows)


def note_maintained(tx: Transaction, now: int) -> None:
    """Remember when the night ran, and let SQLite look after its statistics."""
    tx.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('last_maintained_at', ?)", (str(now),))
    tx.execute(_SQL.bound_operations, {"keep": _OPERATIONS_KEPT})
    tx.execute("PRAGMA optimize")


def record_operation(tx: Transaction, scope: Scope, stage: str, operation: str, status: str, **detail: object) -> None:
    """Count something that was done without changing what a memory says."""
    tx.execute(
        _SQL.record_operation,
        {
            "at": tx.now,
            "user_id": scope.user_id,
            "session_id": scope.session_id,
            "stage": stage,
            "operation": operation,
            "status": status,
            "detail": json.dumps(detail),
        },
    )


def check(connection: sqlite3.Connection, model: str | None) -> list[Check]:
    """Whether the file is sound and everything derived agrees with it."""
    return [
        _database(),
        _file(connection),
        _full_text(connection),
        _vectors(connection, model),
    ]


def check_writable(read_only: bool) -> Check:
    """Whether anything can be remembered."""
    detail = "no, it was opened for reading only" if read_only else "yes"
    return Check("writable", not read_only, detail, "make the folder and the file writable" if read_only else None)


_RESTORE = "restore memory.db from a backup"


def _database() -> Check:
    found = driver()
    vectors_by = "vec0" if found.has_vec else "numpy, since vec0 cannot be loaded here"
    return Check("database", True, f"SQLite {found.sqlite_version} by {found.name}, vectors by {vectors_by}")


def _file(connection: sqlite3.Connection) -> Check:
    for table in ("nodes_fts", "knowledge_fts"):  # FTS5 checks what it remembers of the file; a query has it look anew
        connection.execute(f"SELECT rowid FROM {table} LIMIT 1").fetchone()
    first = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    broken = len(connection.execute("PRAGMA foreign_key_check").fetchall())
    if first == "ok" and not broken:
        return Check("file", True, "sound")
    return Check("file", False, f"damaged: {first if first != 'ok' else f'{broken} broken references'}", _RESTORE)


def _full_text(connection: sqlite3.Connection) -> Check:
    nodes, knowledge = connection.execute(_SQL.countable).fetchone()
    indexed, indexed_knowledge = connection.execute(_SQL.indexed).fetchone()
    sound = (nodes, knowledge) == (indexed, indexed_knowledge)
    return Check("words", sound, f"{indexed} of {nodes} memories indexed", None if sound else _RESTORE)


def _vectors(connection: sqlite3.Connection, model: str | None) -> Check:
    active, waits = vectors.active_model(connection), vectors.backlog_size(connection)
    detail = f"by {active}, {waits} waiting" if active else f"none yet, {waits} waiting"
    if model is not None and active not in (None, model):
        return Check(
            "vectors", False, f"{detail}; configured: {model}", "words answer until everything is embedded anew"
        )
    return Check("vectors", True, detail)


def _pairs(connection: sqlite3.Connection, sql: str, parameters: dict[str, str]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(sql, parameters)}


def _files(path: Path) -> list[Path]:
    return [each for each in (path, path.with_name(path.name + "-wal")) if each.exists()]
