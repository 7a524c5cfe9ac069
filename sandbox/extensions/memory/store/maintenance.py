"""The state that a night keeps for the next one: the progress of each step, examined pairs, costs of models, operations
and how the latest nights went. How their steps ended is the same for all users; what they changed is read from the log,
as far as a scope sees it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.listings import Failures, NightRun, NightStep
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import AnswerQuality, Spent, StepReport
from sandbox.extensions.memory.store import changes
from sandbox.extensions.memory.store.filters import Filter, whose
from sandbox.extensions.memory.store.rows import INSIGHT, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.times import from_ms

_SQL = load("maintenance")

_OPERATIONS_KEPT, _FAILURES_KEPT = 10_000, 1_000  # of each user
_NIGHTS_KEPT = 60
_RECALLS_KEPT = 30 * DAY  # long after a session was last shown anything
_FAILED = "error"

JUDGED = "judged"
"""The step of pairs that were judged to be different while sessions were read; the night does not ask about them."""

EVERYBODY = ""
"""The user of a step that works for all users together."""


@dataclass(frozen=True, slots=True)
class Mark:
    """``position``: the last examined id (0: none); ``at``: when the step last reached its end (None: never)."""

    position: int = 0
    at: int | None = None


def mark(snapshot: Snapshot, user_id: str, step: str) -> Mark:
    """The mark of a step."""
    row = snapshot.execute(_SQL.mark, user_id=user_id, step=step).fetchone()
    return Mark() if row is None else Mark(*row)


def set_mark(tx: Transaction, user_id: str, step: str, position: int, at: int) -> None:
    """Set the mark of a step."""
    tx.execute(_SQL.set_mark, user_id=user_id, step=step, position=position, at=at)


class MemoryPair(NamedTuple):
    """A pair by its node ids, the older first. With another ``fingerprint`` it is examined again."""

    first: int
    second: int
    fingerprint: str


def pairs_seen(snapshot: Snapshot, user_id: str, step: str, since: int) -> set[MemoryPair]:
    """The pairs that ``step`` has examined since a moment (milliseconds)."""
    return {MemoryPair(*row) for row in snapshot.execute(_SQL.fresh, user_id=user_id, step=step, since=since)}


def pairs_counted(snapshot: Snapshot, user_id: str, step: str, since: int) -> int:
    """How many pairs ``step`` has examined since a moment (milliseconds)."""
    return snapshot.number(_SQL.count, user_id=user_id, step=step, since=since)


def note_pairs(tx: Transaction, user_id: str, step: str, seen: Iterable[MemoryPair], now: int) -> None:
    """Record that ``step`` has examined some pairs."""
    for first, second, fingerprint in seen:
        pair = {"first": first, "second": second, "fingerprint": fingerprint}
        tx.execute(_SQL.note, pair, user_id=user_id, step=step, now=now)


def forget_pairs(tx: Transaction, user_id: str, step: str, before: int) -> None:
    """Delete the records of pairs that were examined before a moment (milliseconds)."""
    tx.execute(_SQL.forget, user_id=user_id, step=step, before=before)


_REFUSED = "refused"  # status of an operation: an answer was refused
_ANSWERS = "answers"  # operation: the number of items, and of the right ones


def record_spent(
    tx: Transaction,
    user_id: str,
    step: str,
    model: str,
    spent: Spent,
    refused: Mapping[str, int],
    quality: AnswerQuality | None = None,
) -> None:
    """Record what ``step`` asked a model for a user, in the transaction of its results; ``refused`` counts the refused
    answers by kind, ``quality`` the items of all answers and the right ones.
    """
    if spent.calls:
        cost = {"user_id": user_id, "day": tx.now // DAY, "step": step, "model": model, **asdict(spent)}
        tx.execute(_SQL.record, cost)
    for kind, count in refused.items():
        for _ in range(count):
            record_operation(tx, Scope(user_id), "learn", kind, _REFUSED, step=step)
    if quality is not None and quality.items:
        record_operation(tx, Scope(user_id), "learn", _ANSWERS, "ok", step=step, **asdict(quality))


def spent_on(snapshot: Snapshot, day: int) -> dict[str, int]:
    """Tokens of one day (since 1970, UTC), by user."""
    return dict(map(tuple, snapshot.execute(_SQL.spent_on, day=day)))


def last_turns(snapshot: Snapshot) -> dict[str, int]:
    """The id of the last turn of every user who talked in a session."""
    return dict(map(tuple, snapshot.execute(_SQL.latest)))


def turns_since(snapshot: Snapshot, user_id: str, after: int, limit: int) -> list[Node]:
    """The latest turns after a node, the last one first."""
    return [Node._make(row) for row in snapshot.execute(_SQL.turns, user_id=user_id, after=after, limit=limit)]


def facts_since(snapshot: Snapshot, user_id: str, after: int, now: int, limit: int) -> list[Node]:
    """The latest facts after a node that are valid at ``now``, the last one first, without insights."""
    rows = snapshot.execute(_SQL.facts, user_id=user_id, after=after, now=now, limit=limit, left_out=INSIGHT)
    return [Node._make(row) for row in rows]


def record_operation(tx: Transaction, scope: Scope, stage: str, operation: str, status: str, **detail: object) -> None:
    """Count an operation that does not change the content of a memory."""
    done = {"stage": stage, "operation": operation, "status": status, "detail": json.dumps(detail)}
    tx.execute(_SQL.record_operation, {**whose(scope), **done}, at=tx.now)


def record_failure(tx: Transaction, scope: Scope, operation: str, error: str) -> None:
    """Count a call that was answered with a kind of error. The latest are kept."""
    record_operation(tx, scope, tx.call.interface, operation, _FAILED, error=error, client=scope.agent_id)
    tx.execute(_SQL.bound_failures, user_id=scope.user_id, status=_FAILED, keep=_FAILURES_KEPT)


def failures(snapshot: Snapshot, scope: Scope, limit: int) -> tuple[Failures, ...]:
    """Calls for a scope's user that were answered with an error, by kind, the latest first."""
    rows = snapshot.execute(_SQL.failures, user_id=scope.user_id, status=_FAILED, limit=limit)
    return tuple(
        Failures(stage, operation, error, client, count, from_ms(latest))
        for stage, operation, error, client, count, latest in rows
    )


def note_night(tx: Transaction, now: int, seconds: float, steps: Iterable[StepReport], since: int) -> None:
    """Record a night that began at ``now``, after the line ``since`` of the log; let SQLite update statistics."""
    ended = [
        (each.step, each.status if each.status in ("skipped", "failed") else "done", round(each.seconds, 3), each.error)
        for each in steps
    ]
    values = {"at": now, "seconds": round(seconds, 3), "steps": ended, "batch": tx.call.batch}
    tx.execute(_SQL.note_night, values, since=since)
    tx.execute(_SQL.bound_nights, keep=_NIGHTS_KEPT)
    tx.set_meta("last_maintained_at", now)
    tx.execute(_SQL.bound_operations, keep=_OPERATIONS_KEPT)
    tx.execute(_SQL.bound_recalls, before=now - _RECALLS_KEPT)
    tx.execute("PRAGMA optimize")


def latest_nights(snapshot: Snapshot, filter_: Filter, limit: int) -> tuple[NightRun, ...]:
    """The latest nights, the latest first, with the changes that a scope may see of its user's memories."""
    return tuple(
        NightRun(
            from_ms(row["at"]),
            row["seconds"],
            tuple(NightStep(*step) for step in json.loads(row["steps"])),
            changes.writes_of(snapshot, filter_, row["batch"], (row["since"], row["until"])),
        )
        for row in snapshot.execute(_SQL.latest_nights, limit=limit).fetchall()
    )
