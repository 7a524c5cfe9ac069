"""Operations that do not change the content of a memory, and calls that failed: the latest of each user."""

import json

from sandbox.extensions.memory.listings import Failures
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.times import from_ms

_SQL = load("operations")
_KEPT = 10_000  # of each user
_FAILURES_KEPT = 1_000  # of each user
_FAILED = "error"


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
        Failures(stage, operation, error, client, count, from_ms(latest))
        for stage, operation, error, client, count, latest in rows
    )


def drop_earlier(tx: Transaction) -> None:
    """Delete all but the latest operations of each user."""
    tx.execute(_SQL.bound_operations, {"keep": _KEPT})
