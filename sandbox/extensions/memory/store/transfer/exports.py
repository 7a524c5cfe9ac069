"""The files to which a memory was exported: they may hold text that is erased later."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from sandbox.extensions.memory.reports import ExportReport
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("exports")


def gone(snapshot: Snapshot) -> list[str]:
    """The files that are gone, although their folders are there; without its folder a file may be on a missing disk."""
    paths = [Path(row["path"]) for row in snapshot.execute(_SQL.paths)]
    return [str(path) for path in paths if path.parent.exists() and not path.exists()]


def note(tx: Transaction, written: ExportReport, user_id: str | None, seq: int, gone: Iterable[str]) -> None:
    """Record a file of one user's memories, or of all users' (None), and drop the files that are ``gone``."""
    tx.execute(_SQL.drop, {"paths": json.dumps(list(gone))})
    file = {"path": str(Path(written.file).absolute()), "lines": written.lines, "bytes": written.bytes}
    tx.execute(_SQL.note, {**file, "user_id": user_id, "seq": seq})


def holding(snapshot: Snapshot, user_id: str, nodes: Sequence[int]) -> tuple[ExportReport, ...]:
    """The files that may hold some nodes of a user."""
    rows = snapshot.execute(_SQL.holding, {"user_id": user_id, "gone": json.dumps(nodes)})
    return tuple(ExportReport(*row) for row in rows)
