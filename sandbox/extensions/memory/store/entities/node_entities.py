"""The links between nodes and entities, each in a role: *mentions*, *speaker*."""

import json
from collections.abc import Iterable, Mapping
from typing import Literal

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("entities")


def link(tx: Transaction, entity_id: int, nodes: Mapping[int, int], role: str) -> None:
    """Link nodes (id -> event time) with an entity; count the new mentions."""
    link_all(tx, {entity_id: nodes}, role)


def link_with(
    tx: Transaction, node_id: int, draft: Draft, entity_ids: Iterable[int], role: str, previous: Node | None = None
) -> None:
    """Link a node with some entities, and with those linked with its ``previous`` version in the same role. The log
    records the new links.
    """
    kept = {id for id, _ in linked_in(tx, [previous.id], role)} if previous else set()
    met = dict.fromkeys([*entity_ids, *kept])
    if not met:
        return
    known = kept | {id for id, _ in linked_in(tx, [node_id], role)}
    link_all(tx, {id: {node_id: draft.event_time} for id in met}, role)
    for id in met:
        if id not in known:
            log_link(tx, "linked", node_id, draft.scope, id, role)


def unlink(tx: Transaction, entity_id: int, node_id: int, role: str) -> None:
    """Remove the link between a node and an entity."""
    if tx.execute(_SQL.unlink, {"entity": entity_id, "node": node_id, "role": role}).rowcount:
        tx.execute(_SQL.met_less, {"entity": entity_id})


def log_link(
    tx: Transaction, event: Literal["linked", "unlinked"], node_id: int, scope: Scope, entity_id: int, role: str
) -> None:
    """Log a new or removed link between a node and an entity, by the entity's public id."""
    named = tx.execute(_SQL.entity, {"id": entity_id}).fetchone()["public_id"]
    tx.log(event, node_id, scope.user_id, actor=scope.actor_id, relation=role, to=named)


def link_all(tx: Transaction, linked: Mapping[int, Mapping[int, int]], role: str) -> None:
    """Link entities with nodes (id -> node id -> event time); count the new mentions."""
    known = linked_in(tx, set().union(*linked.values()), role)
    new = {entity_id: [node for node in nodes if (entity_id, node) not in known] for entity_id, nodes in linked.items()}
    tx.insert(_SQL.link, ((entity_id, node, role) for entity_id, nodes in new.items() for node in nodes))
    times = {entity_id: nodes.values() for entity_id, nodes in linked.items() if new[entity_id]}
    met = [(entity_id, len(new[entity_id]), min(at), max(at)) for entity_id, at in times.items()]
    if met:
        tx.execute(_SQL.mentioned, {"met": json.dumps(met)})


def linked_in(snapshot: Snapshot, nodes: Iterable[int], role: str) -> set[tuple[int, int]]:
    """The pairs (entity, node) that are linked in a role. They are read before, because the rows of INSERT ...
    RETURNING come one by one, and each releases the interpreter's lock.
    """
    return set(map(tuple, snapshot.execute(_SQL.linked, {"nodes": json.dumps(list(nodes)), "role": role})))
