"""Memories that are near to each other: ``related_to`` edges without a predicate, from
the younger to the older, their strength the similarity.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from sandbox.extensions.memory.store import graph
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("related")

Pair = tuple[int, int]
"""Two node ids, the lower first."""


def related(snapshot: Snapshot, user_id: str) -> dict[Pair, tuple[int, float]]:
    """The edge and its strength for every pair of a user's related memories."""
    rows = snapshot.execute(_SQL.related, {"user_id": user_id})
    return {_pair(row["source_id"], row["target_id"]): (row["id"], row["strength"]) for row in rows}


def beside(snapshot: Snapshot, ids: Iterable[int]) -> list[tuple[int, int, float]]:
    """(here, there, strength) for all that one of ``ids`` is joined with, the nearest first."""
    rows = snapshot.execute(_SQL.beside, {"ids": json.dumps(list(ids))})
    return [(row["here"], row["there"], row["strength"]) for row in rows]


def link(tx: Transaction, node_id: int, near: Sequence[tuple[int, float]], limit: int) -> int:
    """Join a new memory with the nearest of some (node id, similarity), best first, as far as neither then has more
    than ``limit``; how many there were. What is joined already, also as a possible conflict, stays as it is.
    """
    others = [other for other, _ in near if other != node_id]
    joined = {row["there"] for row in tx.execute(_SQL.joined, {"id": node_id, "ids": json.dumps(others)})}
    degrees = {row["id"]: row["degree"] for row in tx.execute(_SQL.degrees, {"ids": json.dumps([node_id, *others])})}
    free = [(other, score) for other, score in near if other in set(others) - joined and degrees[other] < limit]
    taken = free[: max(0, limit - degrees[node_id])]
    relate(tx, {_pair(node_id, other): score for other, score in taken})
    return len(taken)


def relate(tx: Transaction, pairs: Mapping[Pair, float]) -> None:
    """Join pairs, with their similarity."""
    for (older, younger), similarity in pairs.items():
        graph.add_edge(tx, younger, older, "related_to", strength=round(similarity, 3))


def unrelate(tx: Transaction, edges: Iterable[int]) -> None:
    """Take edges back."""
    tx.executemany(_SQL.unrelate, ({"id": edge} for edge in edges))


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
