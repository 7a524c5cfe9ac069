"""Memories of which perhaps one holds only, until a person says that both do."""

from sandbox.extensions.memory.store import edges, nodes
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.graph import CONFLICT
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("conflicts")


def possible(snapshot: Snapshot, filter_: Filter, limit: int) -> list[tuple[Node, Node]]:
    """Pairs that the filter allows, the latest first; the first of a pair counts for more."""
    wanted, parameters = filter_.condition()
    sql = _SQL.possible.replace("{wanted}", wanted)
    pairs = snapshot.execute(sql, {**parameters, "conflict": CONFLICT, "limit": limit}).fetchall()
    found = nodes.by_ids(snapshot, {id for pair in pairs for id in pair})
    return [(found[one], found[other]) for one, other in pairs]


def settle(tx: Transaction, one: Node, other: Node) -> None:
    """Both hold: nothing says any more that one of them does not."""
    for source, target in ((one, other), (other, one)):
        edges.remove_between(tx, source.id, target.id, "related_to", CONFLICT)
