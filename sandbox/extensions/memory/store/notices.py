"""What the memory did by itself, and a person has yet to be told: once, in the next conversation."""

import json
from collections.abc import Iterable

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.filters import visible
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import NODE_COLUMNS, Node
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("notices")


def tell_later(tx: Transaction, node: Node) -> None:
    """Whose memory it is has yet to be told of it."""
    tx.execute(_SQL.tell_later, {"user_id": node.user_id, "node": node.id, "now": tx.now})


def untold(snapshot: Snapshot, scope: Scope) -> list[Node]:
    """What the user of a scope has yet to be told of, as far as the scope sees it."""
    condition, parameters = visible(scope)
    sql = _SQL.untold.replace("{columns}", NODE_COLUMNS).replace("{condition}", condition)
    return [Node.from_row(row) for row in snapshot.execute(sql, {**parameters, "owner": scope.user_id})]


def told(tx: Transaction, user_id: str, ids: Iterable[int]) -> None:
    """The user knows of some memories now."""
    tx.execute(_SQL.told, {"user_id": user_id, "ids": json.dumps(list(ids))})
