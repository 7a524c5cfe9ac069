"""The content and the health of the store: counts, the change log, checks."""

import asyncio
import errno
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from tempfile import TemporaryFile
from typing import NamedTuple

from sandbox.extensions.memory.errors import DiskFailed, DiskFull, StoreError
from sandbox.extensions.memory.listings import Failures, Spending
from sandbox.extensions.memory.model import Change, FirstAnswers, Scope, Spent, Statistics
from sandbox.extensions.memory.store.changes import history
from sandbox.extensions.memory.store.indexes import vectors
from sandbox.extensions.memory.store.reading.filters import Filter, visible
from sandbox.extensions.memory.store.rows import change_from_row
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Transaction
from sandbox.extensions.memory.times import from_ms_or_none
from sandbox.support import private
from sandbox.support.diagnosis import Check
from sandbox.support.times import from_ms

_SQL = load("inspect")
_OPERATIONS_KEPT = 10_000  # of each user
_FAILURES_KEPT = 1_000  # of each user
_FAILED = "error"
_IO_ERROR = 10  # SQLITE_IOERR, the low byte of all its extended codes
_ROOM = 2**20  # bytes


class Waiting(NamedTuple):
    """Counts of waiting work."""

    sessions: int
    embeddings: int


def statistics(snapshot: Snapshot, filter_: Filter, path: Path) -> Statistics:
    """Counts of the memories of a scope's user in the filter's reach. Operations and spending are those of the user;
    the size is that of the whole file.
    """
    scope = filter_.scope
    (seen, user), (entities, _), (own, _) = filter_.reach(), filter_.known_entities(), visible(scope, "s")
    held: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, name, count in snapshot.execute(_SQL.held.format(nodes=seen), user):
        held[kind][name] = count
    counts = snapshot.execute(_SQL.counts.format(entities=entities, sessions=own), user).fetchone()
    writes = history.writes(snapshot, scope)
    maintained = counts["last_maintained_at"]
    return Statistics(
        nodes=held["nodes"],
        retired=held["retired"],
        edges=held["edges"],
        entities=counts["entities"],
        sessions=counts["sessions"],
        sessions_pending=counts["sessions_pending"],
        sessions_ended=counts["sessions_ended"],
        embedding_model=vectors.active_model(snapshot),
        **held["counts"],
        database_bytes=sum(each.stat().st_size for each in _files(path)),
        changes=sum(writes.values()),
        last_maintained_at=from_ms_or_none(None if maintained is None else int(maintained)),
        operations=_pairs(snapshot, _SQL.operations, user),
        writes=writes,
        spending={
            row["step"]: Spent(row["calls"], row["prompt_tokens"], row["completion_tokens"])
            for row in snapshot.execute(_SQL.spending, user)
        },
        violations=_pairs(snapshot, _SQL.violations, user),
        first_answers=FirstAnswers(*snapshot.execute(_SQL.first_answers, user).fetchone()),
    )


def spending(snapshot: Snapshot, scope: Scope, days: int) -> tuple[Spending, ...]:
    """The cost of models for a scope's user on the latest days on which one was asked, the latest first."""
    rows = snapshot.execute(_SQL.spending_by_day, {"user_id": scope.user_id, "days": days})
    return tuple(Spending(*row) for row in rows)


def waiting(snapshot: Snapshot) -> Waiting:
    """Counts of sessions that wait to be learnt from, and of nodes without a vector."""
    sessions = snapshot.execute(_SQL.pending_sessions).fetchone()[0]
    return Waiting(sessions, vectors.backlog_size(snapshot))


def changes_of(snapshot: Snapshot, node_ids: Iterable[int]) -> tuple[Change, ...]:
    """The log of some versions of a memory, oldest first."""
    rows = snapshot.execute(_SQL.changes_of, {"ids": json.dumps(list(node_ids))})
    return tuple(change_from_row(row) for row in rows)


def note_maintained(tx: Transaction, now: int) -> None:
    """Record when the night ran, and let SQLite update its statistics."""
    tx.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('last_maintained_at', ?)", (str(now),))
    tx.execute(_SQL.bound_operations, {"keep": _OPERATIONS_KEPT})
    tx.execute("PRAGMA optimize")


def record_operation(tx: Transaction, scope: Scope, stage: str, operation: str, status: str, **detail: object) -> None:
    """Count an operation that does not change the content of a memory."""
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


def record_failure(tx: Transaction, scope: Scope, operation: str, error: str) -> None:
    """Count a call that was answered with a kind of error. The latest are kept."""
    record_operation(tx, scope, tx.call.interface, operation, _FAILED, error=error, client=scope.agent_id)
    tx.execute(_SQL.bound_failures, {"user_id": scope.user_id, "status": _FAILED, "keep": _FAILURES_KEPT})


def failures(snapshot: Snapshot, scope: Scope, limit: int) -> tuple[Failures, ...]:
    """Calls for a scope's user that were answered with an error, by kind, the latest first."""
    rows = snapshot.execute(_SQL.failures, {"user_id": scope.user_id, "status": _FAILED, "limit": limit})
    return tuple(
        Failures(row["stage"], row["operation"], row["error"], row["client"], row["count"], from_ms(row["latest"]))
        for row in rows
    )


def check(snapshot: Snapshot, model: str | None) -> list[Check]:
    """Whether the file is sound and all derived data agrees with it."""
    return [
        _database(snapshot),
        _encryption(snapshot),
        _file(snapshot),
        _full_text(snapshot),
        _vectors(snapshot, model),
    ]


async def check_writable(store: Store) -> Check:
    """Whether the memory can be written: the file itself, and beside it room for the growth of about a day."""
    if store.read_only:
        detail, advice = (
            "no, it was opened for reading only",
            "leave out --read-only, or make the folder and the file writable",
        )
        return Check("writable", False, detail, advice, "read_only")
    try:
        await store.write(lambda tx: tx.execute(_SQL.note_checked, {"at": tx.now}))
        await asyncio.to_thread(_write_beside, store.path)
    except StoreError as error:
        advice = "see to the disk and the file; nothing is remembered meanwhile"
        return Check("writable", False, str(error), advice, "not_writable", {"error": type(error).__name__})
    return Check("writable", True, "yes", finding="writable")


def check_private(path: Path) -> list[Check]:
    """Whether others can read the folder, which its owner can change; empty if nobody can."""
    folder = path.parent
    try:
        is_open = private.others_may(folder)
    except OSError:  # another check reports a missing folder
        return []
    detail = f"others on this machine may look into {folder}, not into its files"
    values = {"folder": str(folder)}
    return [Check("private", False, detail, f"chmod 700 {quote(str(folder))}", "open", values)] if is_open else []


def _write_beside(path: Path) -> None:
    try:
        with TemporaryFile(dir=path.parent) as probe:
            probe.write(bytes(_ROOM))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise DiskFull(path=path) from error
        raise DiskFailed(path=path, problem=error.strerror or type(error).__name__) from error


_RESTORE = "restore memory.db from a backup"


def unreadable(error: Exception) -> Check:
    """The check of a file that could not be read."""
    return Check("file", False, str(error), _RESTORE, "unreadable", {"error": type(error).__name__})


def _database(snapshot: Snapshot) -> Check:
    found = driver()
    version = snapshot.execute("SELECT sqlite_version()").fetchone()[0]
    name = "sqlcipher3" if _is_encrypted(snapshot) else found.name
    values = {"version": version, "driver": name}
    if found.has_vec:
        return Check("database", True, f"SQLite {version} by {name}, vectors by vec0", None, "with_vec0", values)
    state = f"SQLite {version} by {name}, vectors by numpy, since vec0 cannot be loaded here"
    return Check("database", True, state, None, "without_vec0", values)


def _encryption(snapshot: Snapshot) -> Check:
    if _is_encrypted(snapshot):
        return Check("encryption", True, "memory.db is encrypted; the chat's own files are not", finding="encrypted")
    return Check("encryption", True, "none; `memory encrypt` encrypts memory.db", finding="not_encrypted")


def _is_encrypted(snapshot: Snapshot) -> bool:
    status = snapshot.execute("PRAGMA cipher_status").fetchone()  # other builds of SQLite return nothing
    return status is not None and str(status[0]) == "1"


def _file(snapshot: Snapshot) -> Check:
    # FTS5 checks its cached state of the file; a query makes it read again
    for table in ("nodes_fts", "knowledge_fts"):
        snapshot.execute(f"SELECT rowid FROM {table} LIMIT 1").fetchone()
    first = snapshot.execute("PRAGMA quick_check(1)").fetchone()[0]
    broken = len(snapshot.execute("PRAGMA foreign_key_check").fetchall())
    code = re.search(r"error code=(\d+)", first)
    if code and int(code[1]) & 0xFF == _IO_ERROR:
        advice = "check the disk; the data on it may be sound"
        return Check("file", False, "the disk could not be read", advice, "unreadable_disk")
    if first != "ok":
        return Check("file", False, f"damaged: {first}", _RESTORE, "damaged", {"problem": first})
    if broken:
        references = f"{broken:,} broken {'reference' if broken == 1 else 'references'}"
        return Check("file", False, f"damaged: {references}", _RESTORE, "broken_references", {"count": broken})
    return Check("file", True, "sound", finding="sound")


def _full_text(snapshot: Snapshot) -> Check:
    nodes, knowledge = snapshot.execute(_SQL.countable).fetchone()
    indexed, indexed_knowledge = snapshot.execute(_SQL.indexed).fetchone()
    sound = (nodes, knowledge) == (indexed, indexed_knowledge)
    state = f"{indexed:,} of {nodes:,} memories indexed"
    return Check("words", sound, state, None if sound else _RESTORE, "indexed", {"indexed": indexed, "nodes": nodes})


def _vectors(snapshot: Snapshot, model: str | None) -> Check:
    active, waits = vectors.active_model(snapshot), vectors.backlog_size(snapshot)
    values: dict[str, str | int] = {"waiting": waits}
    if active is None:
        return Check("vectors", True, f"none yet, {waits:,} waiting", None, "no_vectors", values)
    detail, values["model"] = f"by {active}, {waits:,} waiting", active
    if model in (None, active):
        return Check("vectors", True, detail, None, "vectors", values)
    advice, values["configured"] = "words answer until everything is embedded anew", model
    return Check("vectors", False, f"{detail}; configured: {model}", advice, "other_vectors", values)


def _pairs(snapshot: Snapshot, sql: str, parameters: dict[str, str]) -> dict[str, int]:
    return {row[0]: row[1] for row in snapshot.execute(sql, parameters)}


def _files(path: Path) -> list[Path]:
    return [each for each in (path, path.with_name(path.name + "-wal")) if each.exists()]
