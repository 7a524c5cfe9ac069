"""What language models cost, and which of their answers could not be taken as they were."""

from collections.abc import Mapping

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.model import FirstAnswers, Scope, Spent
from sandbox.extensions.memory.store.inspect import record_operation
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("spending")

_REFUSED = "refused"  # status of an operation: an answer went back, or was given up
_FIRST = "first answers"  # an operation: so many items, and so many of them right


def record(
    tx: Transaction,
    user_id: str,
    step: str,
    model: str,
    spent: Spent,
    refused: Mapping[str, int] | None = None,
    first: FirstAnswers | None = None,
) -> None:
    """Note what ``step`` asked of a model on behalf of a user, in the transaction of what it bought; ``refused`` counts
    by kind the answers that went back, ``first`` how many items there were at first and were right.
    """
    if spent.calls:
        tx.execute(
            _SQL.record,
            {
                "user_id": user_id,
                "day": tx.now // DAY,
                "step": step,
                "model": model,
                "calls": spent.calls,
                "prompt_tokens": spent.prompt_tokens,
                "completion_tokens": spent.completion_tokens,
            },
        )
    for kind, count in (refused or {}).items():
        for _ in range(count):
            record_operation(tx, Scope(user_id), "learn", kind, _REFUSED, step=step)
    if first is not None and first.items:
        record_operation(tx, Scope(user_id), "learn", _FIRST, "ok", step=step, items=first.items, right=first.right)


def spent_on(snapshot: Snapshot, day: int) -> int:
    """Tokens of one day (since 1970, UTC), of all users together."""
    tokens: int = snapshot.execute(_SQL.spent_on, {"day": day}).fetchone()[0]
    return tokens
