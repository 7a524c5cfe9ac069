"""Joining two memories, and parting them: each stands in the log, but for turns that only follow each other."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("edges")


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
    """Join two nodes; whether they were not joined so before."""
    edge = {
        "source": source,
        "target": target,
        "relation": relation,
        "predicate": predicate,
        "strength": strength,
        "confidence": confidence,
        "evidence": json.dumps(list(evidence)),
    }
    if tx.execute(_SQL.add, {**edge, "now": tx.now}).rowcount == 0:
        return False
    _log(tx, "linked", edge)
    return True


def remove(tx: Transaction, ids: Iterable[int]) -> None:
    """Part what some edges join. The log holds what joins it again."""
    for row in tx.execute(_SQL.by_ids, {"ids": json.dumps(list(ids))}).fetchall():
        tx.execute(_SQL.remove, {"id": row["id"]})
        _log(tx, "unlinked", {name: row[name] for name in row.keys() if name != "id"})  # noqa: SIM118 (a row is no dict)


def remove_between(tx: Transaction, source: int, target: int, relation: str, predicate: str = "") -> None:
    """Part two nodes that are joined so."""
    named = {"source": source, "target": target, "relation": relation, "predicate": predicate}
    remove(tx, [row["id"] for row in tx.execute(_SQL.between, named)])


def replacing(tx: Transaction, target: int) -> list[int]:
    """The edges that say that something replaced a node."""
    return [row["id"] for row in tx.execute(_SQL.replacing, {"target": target})]


def _log(tx: Transaction, event: str, edge: dict[str, Any]) -> None:
    """Of the node the edge starts at; ``to`` is the other's id, for people."""
    named = tx.execute(_SQL.named, {"source": edge["source"], "target": edge["target"]}).fetchone()
    tx.log(event, edge["source"], named["user_id"], **edge, to=named["to"])
