"""What is known and holds: what a night compares, and how near its parts are to each other."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.extensions.memory.store import vectors
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import INSIGHT, NODE_COLUMNS, Node
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.support.embedder import Vector

_SQL = load("standing")

_MOST = 20_000  # of a user's knowledge that one night looks at, the latest


@dataclass(frozen=True, slots=True)
class NodeVectors:
    """Unit vectors of some nodes, shape (nodes, dimensions), in the order of ``ids``."""

    ids: tuple[int, ...]
    vectors: Vector


def users(snapshot: Snapshot) -> list[str]:
    """Everybody of whom something is known, in order of their names."""
    return [row["user_id"] for row in snapshot.execute(_SQL.users)]


def standing(snapshot: Snapshot, user_id: str, now: int) -> list[Node]:
    """What a user knows that holds at ``now``, but what is quarantined or an insight, the oldest first."""
    sql = _SQL.standing.replace("{columns}", NODE_COLUMNS)
    rows = snapshot.execute(sql, {"user_id": user_id, "now": now, "left_out": INSIGHT, "limit": _MOST})
    return [Node.from_row(row) for row in rows][::-1]


def holding(snapshot: Snapshot, ids: Iterable[int], now: int) -> set[int]:
    """Which of some nodes would be among what is known and holds."""
    parameters = {"ids": json.dumps(list(ids)), "now": now, "left_out": INSIGHT}
    return {row["id"] for row in snapshot.execute(_SQL.holding, parameters)}


def changed(snapshot: Snapshot, ids: Iterable[int]) -> dict[int, int]:
    """When each of some nodes was last changed, in milliseconds."""
    return {row["id"]: row["updated_at"] for row in snapshot.execute(_SQL.changed, {"ids": json.dumps(list(ids))})}


def embedded(snapshot: Snapshot, ids: Sequence[int]) -> NodeVectors | None:
    """The vectors of those of some nodes that have one by the model that answers; None where nothing is embedded."""
    name = vectors.active_model(snapshot)
    number = None if name is None else vectors.model_number(snapshot, name)
    rows = snapshot.execute(_SQL.vectors, {"ids": json.dumps(list(ids)), "model_id": number}).fetchall()
    if not rows:
        return None
    joined = np.frombuffer(b"".join([row["vector"] for row in rows]), "<f4").reshape(len(rows), -1)
    return NodeVectors(tuple(row["node_id"] for row in rows), joined)


def first_at(snapshot: Snapshot) -> int | None:
    """When the first thing was remembered, in milliseconds."""
    row = snapshot.execute(_SQL.first_at).fetchone()
    return None if row is None else row["created_at"]
