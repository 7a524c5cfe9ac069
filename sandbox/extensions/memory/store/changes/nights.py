"""The latest nights. How their steps ended is the same for all users; what they changed is read from the log, as far as
a scope sees it.
"""

import json
from collections.abc import Iterable

from sandbox.extensions.memory.listings import NightRun, NightStep
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import StepReport
from sandbox.extensions.memory.store import operations
from sandbox.extensions.memory.store.changes import history
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.times import from_ms

_SQL = load("nights")
_KEPT = 60


def note(tx: Transaction, now: int, seconds: float, steps: Iterable[StepReport], since: int) -> None:
    """Record a night of the current call that began at ``now`` (milliseconds), after the line ``since`` of the log, and
    let SQLite update its statistics.
    """
    ended = [
        (each.step, each.status if each.status in ("skipped", "failed") else "done", round(each.seconds, 3), each.error)
        for each in steps
    ]
    values = {"at": now, "seconds": round(seconds, 3), "steps": json.dumps(ended), "batch": tx.call.batch}
    tx.execute(_SQL.note, {**values, "since": since})
    tx.execute(_SQL.bound, {"keep": _KEPT})
    tx.set_meta("last_maintained_at", now)
    operations.drop_earlier(tx)
    tx.execute("PRAGMA optimize")


def latest(snapshot: Snapshot, scope: Scope, limit: int) -> tuple[NightRun, ...]:
    """The latest nights, the latest first, with the changes that a scope may see of its user's memories."""
    return tuple(
        NightRun(
            from_ms(row["at"]),
            row["seconds"],
            tuple(NightStep(*step) for step in json.loads(row["steps"])),
            history.writes_of(snapshot, scope, row["batch"], (row["since"], row["until"])),
        )
        for row in snapshot.execute(_SQL.latest, {"limit": limit}).fetchall()
    )
