"""The state that a night keeps for the next one: the progress of each step, examined pairs, costs of models, and
operations.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.model import FirstAnswers, Scope, Spent
from sandbox.extensions.memory.store.inspect import record_operation
from sandbox.extensions.memory.store.rows import NODE_COLUMNS, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Transaction

_SQL = load("maintenance")


JUDGED = "judged"
"""The step of pairs that were judged to be different while sessions were read: the night asks of none of them again."""

EVERYBODY = ""
"""The user of a step that looks at what concerns everybody at once."""


@dataclass(frozen=True, slots=True)
class Mark:
    """``position`` is the last id that was looked at, ``at`` when the step was last done with what there was."""

    position: int
    at: int


def mark(snapshot: Snapshot, user_id: str, step: str) -> Mark | None:
    """How far a step has come; None where it never ran."""
    row = snapshot.execute(_SQL.mark, {"user_id": user_id, "step": step}).fetchone()
    return None if row is None else Mark(row["position"], row["at"])


def set_mark(tx: Transaction, user_id: str, step: str, position: int, at: int) -> None:
    """A step has come this far."""
    tx.execute(_SQL.set_mark, {"user_id": user_id, "step": step, "position": position, "at": at})


class Seen(NamedTuple):
    """A pair by its node ids, the older first, and what was seen of it."""

    first: int
    second: int
    fingerprint: str


def pairs_seen(snapshot: Snapshot, user_id: str, step: str, since: int) -> set[Seen]:
    """What ``step`` has looked at since some moment (milliseconds)."""
    rows = snapshot.execute(_SQL.fresh, {"user_id": user_id, "step": step, "since": since})
    return {Seen(*row) for row in rows}


def pairs_counted(snapshot: Snapshot, user_id: str, step: str, since: int) -> int:
    """How many pairs ``step`` has looked at since some moment (milliseconds)."""
    number: int = snapshot.execute(_SQL.count, {"user_id": user_id, "step": step, "since": since}).fetchone()[0]
    return number


def note_pairs(tx: Transaction, user_id: str, step: str, seen: Iterable[Seen], now: int) -> None:
    """Remember that ``step`` has looked at some pairs."""
    tx.executemany(
        _SQL.note,
        (
            {"user_id": user_id, "step": step, "now": now, "first": a, "second": b, "fingerprint": fingerprint}
            for a, b, fingerprint in seen
        ),
    )


def forget_pairs(tx: Transaction, user_id: str, step: str, before: int) -> None:
    """Let go what was looked at before some moment (milliseconds)."""
    tx.execute(_SQL.forget, {"user_id": user_id, "step": step, "before": before})


_REFUSED = "refused"  # status of an operation: an answer went back, or was given up
_FIRST = "first answers"  # an operation: so many items, and so many of them right


def record_spent(
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


def spent_on(snapshot: Snapshot, day: int) -> dict[str, int]:
    """Tokens of one day (since 1970, UTC), by user."""
    return {row["user_id"]: row["tokens"] for row in snapshot.execute(_SQL.spent_on, {"day": day})}


def last_turns(snapshot: Snapshot) -> dict[str, int]:
    """The id of the last turn of everybody who talked in a session."""
    return {row["user_id"]: row["last"] for row in snapshot.execute(_SQL.latest)}


def turns_since(snapshot: Snapshot, user_id: str, after: int, limit: int) -> list[Node]:
    """The latest turns behind a node, the last one first."""
    sql = _SQL.turns.replace("{columns}", NODE_COLUMNS)
    rows = snapshot.execute(sql, {"user_id": user_id, "after": after, "limit": limit})
    return [Node.from_row(row) for row in rows]


def facts_since(snapshot: Snapshot, user_id: str, after: int, now: int, limit: int, left_out: str) -> list[Node]:
    """The latest facts behind a node that hold at ``now``, the last one first, none of the category ``left_out``."""
    sql = _SQL.facts.replace("{columns}", NODE_COLUMNS)
    parameters = {"user_id": user_id, "after": after, "now": now, "limit": limit, "left_out": left_out}
    return [Node.from_row(row) for row in snapshot.execute(sql, parameters)]
