"""Checks of the file: whether it is sound, can be written, and agrees with all derived data."""

import asyncio
import errno
import os
import re
from pathlib import Path
from shlex import quote
from tempfile import TemporaryFile

from sandbox.extensions.memory.errors import DiskFailed, DiskFull, StoreError
from sandbox.extensions.memory.store import vectors
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.connection import driver, fault_in_file
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support import private
from sandbox.support.diagnosis import Check

_SQL = load("checks")
_IO_ERROR = 10  # SQLITE_IOERR, the low byte of all its extended codes
_ROOM = 2**20  # bytes


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
            "no, it is open for reading only",
            "make the folder and the file writable, or free some space; `memory serve --read-only` never writes",
        )
        return Check("writable", False, detail, advice, "read_only")
    try:
        await store.write(lambda tx: tx.set_meta("last_checked_at", tx.now))
        await asyncio.to_thread(_write_beside, store.path)
    except StoreError as error:
        advice = "see to the disk and the file; nothing is remembered meanwhile"
        return Check("writable", False, str(error), advice, "not_writable", {"error": type(error).__name__})
    return Check("writable", True, "yes", finding="writable")


def check_private(path: Path) -> list[Check]:
    """Whether others can read the folder, which its owner can change; empty if nobody can."""
    folder = path.parent
    try:
        is_open, is_readable = private.others_may(folder), private.others_may(path)
    except OSError:  # another check reports a missing folder
        return []
    if is_readable:  # although every opening takes the rights of others away
        detail = f"others on this machine can read {path}, whose permissions cannot be changed"
        return [Check("private", False, detail, "move the folder to another disk", "readable", {"path": str(path)})]
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
    fault = fault_in_file(snapshot.execute)
    broken = len(snapshot.execute("PRAGMA foreign_key_check").fetchall())
    code = re.search(r"error code=(\d+)", fault or "")
    if code and int(code[1]) & 0xFF == _IO_ERROR:
        advice = "check the disk; the data on it may be sound"
        return Check("file", False, "the disk could not be read", advice, "unreadable_disk")
    if fault is not None:
        return Check("file", False, f"damaged: {fault}", _RESTORE, "damaged", {"problem": fault})
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
