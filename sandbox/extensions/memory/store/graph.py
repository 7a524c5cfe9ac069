"""Edges between memories: causes and effects, similar memories, sources, and turns with the turns before them.

``related_to`` edges without a predicate lead from the younger to the older memory; their strength is the similarity.
The log records added and removed edges, except those from a turn to the next.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("graph")


CONFLICT = "possible_conflict"
"""Predicate of the ``related_to`` edge between two memories of which perhaps only one is true; it starts at the one
with more weight.
"""

DIFFERENT = "different"
"""Predicate of the ``related_to`` edge between two memories that a person called different."""

NodePair = tuple[int, int]
"""Two node ids, the lower first."""


def add_edge(
    tx: Transaction,
    source: int,
    target: int,
    relation: str,
    *,
    predicate: str = "",
    strength: float = 1.0,
    confidence: float = 1.0,
    evidence: Sequence[str] = (),
) -> bool:
    """Add an edge between two nodes; return whether it is new."""
    edge = {"source": source, "target": target, "relation": relation, "predicate": predicate}
    edge |= {"strength": strength, "confidence": confidence, "evidence": json.dumps(list(evidence))}
    if tx.execute(_SQL.add, edge, now=tx.now).rowcount == 0:
        return False
    _log(tx, "linked", edge)
    return True


def remove_edges(tx: Transaction, ids: Iterable[int]) -> None:
    """Remove edges. The log holds what restores them."""
    for row in tx.execute(_SQL.by_ids, ids=ids).fetchall():
        tx.execute(_SQL.remove, id=row["id"])
        _log(tx, "unlinked", {name: row[name] for name in row.keys() if name != "id"})  # noqa: SIM118 (a row is no dict)


def remove_edge(tx: Transaction, source: int, target: int, relation: str, predicate: str) -> None:
    """Remove the edge between two nodes."""
    named = {"source": source, "target": target, "relation": relation, "predicate": predicate}
    remove_edges(tx, [row["id"] for row in tx.execute(_SQL.between, named)])


def remove_replacing(tx: Transaction, target: int) -> None:
    """Remove the edges that say that a memory replaced a node."""
    remove_edges(tx, [row["id"] for row in tx.execute(_SQL.replacing, target=target)])


def _log(tx: Transaction, event: str, edge: dict[str, Any]) -> None:
    """Log an edge at its first node; ``to`` is the public id of the other one."""
    named = tx.execute(_SQL.named, source=edge["source"], target=edge["target"]).fetchone()
    tx.log(event, edge["source"], named["user_id"], **edge, to=named["to"])


def neighbours(snapshot: Snapshot, ids: Iterable[int], relations: Sequence[str]) -> list[tuple[int, int, float]]:
    """(here, there, strength) for every edge of some relations at one of ``ids``."""
    return list(map(tuple, snapshot.execute(_SQL.neighbours, ids=ids, relations=relations)))


def targets(snapshot: Snapshot, ids: Iterable[int], relation: str) -> list[tuple[int, int]]:
    """(here, there) along edges of one relation that start at ``ids``, oldest edge first."""
    return list(map(tuple, snapshot.execute(_SQL.targets, ids=ids, relation=relation)))


def sources(snapshot: Snapshot, ids: Iterable[int], relation: str) -> list[tuple[int, int]]:
    """(here, there) against edges of one relation that end at ``ids``, oldest edge first."""
    return list(map(tuple, snapshot.execute(_SQL.sources, ids=ids, relation=relation)))


def prevailing(snapshot: Snapshot, ids: Iterable[int]) -> list[tuple[int, int, str]]:
    """(here, there, relation) for memories that replaced one of ``ids``, or outweigh it in a conflict."""
    return list(map(tuple, snapshot.execute(_SQL.prevailing, ids=ids, conflict=CONFLICT)))


def outdated(snapshot: Snapshot, ids: Iterable[int], now: int) -> list[tuple[int, int]]:
    """(here, there) for all turns among ``ids`` of which nothing that was learnt holds, and what replaced it."""
    return list(map(tuple, snapshot.execute(_SQL.outdated, ids=ids, at=now)))


def conflicting(snapshot: Snapshot, ids: Iterable[int]) -> list[tuple[int, int]]:
    """(here, there) for possible conflicts of ``ids``."""
    return [(here, there) for here, there, _ in snapshot.execute(_SQL.beside, ids=ids, predicate=CONFLICT)]


def apart(snapshot: Snapshot, ids: Iterable[int], *predicates: str) -> set[NodePair]:
    """Pairs with an edge ``DIFFERENT`` or ``CONFLICT`` from one of ``ids``."""
    rows = snapshot.execute(_SQL.apart, ids=ids, stated=predicates)
    return {_pair(row[0], row[1]) for row in rows}


class Following(NamedTuple):
    """Two turns, the second right after the first, or with a turn of somebody else between them (``between_them``).
    ``edge`` is the id of the temporal edge to the second; ``asks`` if one of them is a question; ``stand`` if people or
    assistants said both, and both are believed.
    """

    edge: int
    user_id: str
    first_id: int
    second_id: int
    first_public_id: str
    second_public_id: str
    first: str
    second: str
    between_them: str
    asks: bool
    stand: bool


def following(snapshot: Snapshot, user_id: str, after: int, limit: int) -> list[Following]:
    """Consecutive turns of a user in the order in which they were stored, after an edge."""
    rows = snapshot.execute(_SQL.following, user_id=user_id, after=after, limit=limit)
    return [Following._make(row) for row in rows]


def last_turn(snapshot: Snapshot) -> int:
    """The id of the last edge between turns; 0 if there is none."""
    return snapshot.number(_SQL.last_turn)


def join_cause(tx: Transaction, cause: int, effect: int, confidence: float, evidence: Sequence[str]) -> bool:
    """Add a causal edge between two believed memories; return whether it is new."""
    believed = tx.execute(_SQL.are_believed, cause=cause, effect=effect).fetchone()[0]
    is_new = believed and cause != effect
    return bool(is_new) and add_edge(tx, cause, effect, "causal", confidence=confidence, evidence=evidence)


def related(snapshot: Snapshot, user_id: str) -> dict[NodePair, tuple[int, float]]:
    """The edge and its strength for every pair of related memories of a user."""
    rows = snapshot.execute(_SQL.related, user_id=user_id)
    return {_pair(row["source_id"], row["target_id"]): (row["id"], row["strength"]) for row in rows}


def related_to(snapshot: Snapshot, ids: Iterable[int]) -> list[tuple[int, int, float]]:
    """(here, there, strength) for all memories related to one of ``ids``, the nearest first."""
    return list(map(tuple, snapshot.execute(_SQL.beside, ids=ids, predicate="")))


def relate_new(tx: Transaction, node_id: int, near: Sequence[tuple[int, float]], limit: int) -> int:
    """Add edges from a new memory to the nearest (node id, similarity), best first, while neither has more than
    ``limit``; return their number. Pairs with an edge, also one of a possible conflict, are skipped.
    """
    others = [other for other, _ in near if other != node_id]
    joined = {row["there"] for row in tx.execute(_SQL.joined, id=node_id, ids=others)}
    degrees = {row["id"]: row["degree"] for row in tx.execute(_SQL.degrees, ids=[node_id, *others])}
    alone = set(others) - joined
    free = [(other, score) for other, score in near if other in alone and degrees[other] < limit]
    taken = free[: max(0, limit - degrees[node_id])]
    relate(tx, {_pair(node_id, other): score for other, score in taken})
    return len(taken)


def relate(tx: Transaction, pairs: Mapping[NodePair, float]) -> None:
    """Add edges between pairs, with their similarity."""
    for (older, younger), similarity in pairs.items():
        add_edge(tx, younger, older, "related_to", strength=round(similarity, 3))


def _pair(one: int, other: int) -> NodePair:
    return (one, other) if one < other else (other, one)
