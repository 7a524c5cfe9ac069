"""What happened lately, user by user: of what is private to a user and seen by them everywhere."""

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import NODE_COLUMNS, Node
from sandbox.extensions.memory.store.snapshot import Snapshot

_SQL = load("activity")


def latest(snapshot: Snapshot) -> dict[str, int]:
    """The id of the last turn of everybody who talked in a session."""
    return {row["user_id"]: row["last"] for row in snapshot.execute(_SQL.latest)}


def turns(snapshot: Snapshot, user_id: str, after: int, limit: int) -> list[Node]:
    """The latest turns behind a node, the last one first."""
    sql = _SQL.turns.replace("{columns}", NODE_COLUMNS)
    rows = snapshot.execute(sql, {"user_id": user_id, "after": after, "limit": limit})
    return [Node.from_row(row) for row in rows]


def facts(snapshot: Snapshot, user_id: str, after: int, now: int, limit: int, left_out: str) -> list[Node]:
    """The latest facts behind a node that hold at ``now``, the last one first, none of the category ``left_out``."""
    sql = _SQL.facts.replace("{columns}", NODE_COLUMNS)
    parameters = {"user_id": user_id, "after": after, "now": now, "limit": limit, "left_out": left_out}
    return [Node.from_row(row) for row in snapshot.execute(sql, parameters)]
