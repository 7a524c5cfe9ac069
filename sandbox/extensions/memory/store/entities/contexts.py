"""Contexts: named groups of memories, joined by links ``belongs_to``.

A context is an entity of its own type, which no text can mean; only an explicit call puts a memory into it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sandbox.extensions.memory.listings import MemoryContext
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.entities import entities
from sandbox.extensions.memory.store.reading.filters import Filter, visible
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.words import name_key
from sandbox.support.trust import FOREIGN

ROLE = "belongs_to"
TYPE = "context"

_SQL = load("contexts")


def link(tx: Transaction, node_id: int, draft: Draft, previous: Node | None = None) -> None:
    """Link a memory with the contexts of its draft and of its ``previous`` version; a new name makes a new context."""
    into = [_own(tx, name, draft.event_time, draft.scope) for name in draft.contexts]
    entities.link_with(tx, node_id, draft, into, ROLE, previous)


def change(tx: Transaction, name: str, priority: float | None, description: str | None, scope: Scope) -> None:
    """Set the priority or description of a context, or create the context; None changes nothing."""
    id = _own(tx, name, tx.now, scope)
    set_priority(tx, id, priority, scope.actor_id)
    tx.execute(_SQL.describe, id=id, description=description)


def set_priority(tx: Transaction, id: int, priority: float | None, actor: str | None) -> None:
    """Set the priority of a context; with None it stays, and the log still tells of a change of the context."""
    context = entities.entity(tx, id)
    detail = {"context": context["public_id"], "was": context["priority"], "priority": priority}
    tx.log("context_changed", None, context["user_id"], actor=actor, **detail)
    tx.execute(_SQL.set_priority, id=id, priority=priority)


def known(snapshot: Snapshot, filter_: Filter) -> tuple[MemoryContext, ...]:
    """The visible contexts, those of the highest priority first, each with the number of memories in it that the filter
    allows. An agent with restricted categories knows only of contexts with memories it may use.
    """
    wanted, parameters = filter_.condition()
    rows = snapshot.select(_SQL.known.replace("{wanted}", wanted), visible(filter_.scope, "e"), **parameters)
    found = (MemoryContext(*row) for row in rows)
    return tuple(each for each in found if each.memories or filter_.allowed is None)


def called(snapshot: Snapshot, scope: Scope, names: Iterable[str]) -> list[int]:
    """The contexts with some names or public ids; an unknown one is left out."""
    given = list(names)
    rows = snapshot.select(_SQL.called, visible(scope, "e"), ids=given, names=map(name_key, given))
    return [row["id"] for row in rows]


def of_nodes(snapshot: Snapshot, node_ids: Sequence[int], scope: Scope) -> dict[int, tuple[str, ...]]:
    """The names of the contexts of some nodes, those of the highest priority first."""
    found = defaultdict[int, list[str]](list)
    for row in snapshot.select(_SQL.of_nodes, visible(scope, "e"), nodes=node_ids):
        found[row["node_id"]].append(row["name"])
    return {node: tuple(names) for node, names in found.items()}


def priorities(snapshot: Snapshot, node_ids: Sequence[int]) -> dict[int, float]:
    """The highest priority of each node in a context with one. Memories of tools and pages do not count, because they
    could put themselves into any context.
    """
    return dict(map(tuple, snapshot.execute(_SQL.priorities, nodes=node_ids, trusts=FOREIGN)))


def _own(tx: Transaction, name: str, at: int, scope: Scope) -> int:
    """The context of this name that has exactly the scope's audience."""
    known = tx.number(_SQL.own, entities.whose(scope), folded=name_key(name))
    return known or entities.add(tx, Mention(name, TYPE), at, scope)
