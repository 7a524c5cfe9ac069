"""The log of changes, read: what happened since a line of it, and what a conversation was not told of yet."""

from sandbox.extensions.memory.model import Change, Scope
from sandbox.extensions.memory.store.filters import visible
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import change_from_row
from sandbox.extensions.memory.store.snapshot import Snapshot

_SQL = load("history")


def changes(snapshot: Snapshot, scope: Scope, after: int, limit: int, *, whole: bool) -> tuple[Change, ...]:
    """The log of what a scope may see, oldest first; the ``whole`` log of its user, every project and session."""
    (nodes, parameters), (entities, _) = visible(scope), visible(scope, "e")
    sql = _SQL.changes.replace("{visible_nodes}", nodes).replace("{visible_entities}", entities)
    rows = snapshot.execute(sql, {**parameters, "after": after, "limit": limit, "whole": whole})
    return tuple(change_from_row(row) for row in rows)
