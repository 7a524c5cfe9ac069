"""Entities: people and things in memories, under all their names, and their links with memories."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import Literal

from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.filters import Filter, visible, wide_enough
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Condition, Snapshot, Transaction
from sandbox.extensions.memory.text.names import (
    KnownNames,
    Mention,
    compatible,
    decide,
    is_capital,
    is_description,
    is_short_for,
    other_names,
    short_words,
)
from sandbox.extensions.memory.text.variants import is_same_typed
from sandbox.extensions.memory.text.words import name_key, stemmed_name
from sandbox.support.characters import storable

_SQL = load("entities")


_MOST_KNOWN = 50  # entities that a name is compared with


def named(snapshot: Snapshot, scope: Scope, keys: Iterable[str]) -> dict[str, list[int]]:
    """Entities by name key, the most mentioned first; unknown keys are left out."""
    found: dict[str, list[int]] = defaultdict(list)
    for row in snapshot.select(_SQL.named, visible(scope, "e"), names=keys):
        found[row["folded"]].append(row["id"])
    return dict(found)


def bearing(snapshot: Snapshot, scope: Scope, name: str) -> list[int]:
    """The entity with a public id; else those with this name, the most mentioned first; else the only one the name can
    mean.
    """
    found = [row["id"] for row in snapshot.select(_SQL.by_public_id, visible(scope, "e"), id=storable(name))]
    found = found or named(snapshot, scope, [name_key(name)]).get(name_key(name), [])
    if found:
        return found
    wanted, anywhere = Mention(spelled(storable(name))), replace(scope, visibility="session")
    meant = decide(wanted, candidates(snapshot, wanted, anywhere)).entity
    return [] if meant is None else [meant]


def namesakes(snapshot: Snapshot, filter_: Filter, of: sqlite3.Row) -> dict[str, str]:
    """Other known entities that an entity's name could mean, by public id: those with the same name, and persons for
    whom it may be short.
    """
    wanted, scope = Mention(of["name"], of["type"]), filter_.scope
    known = _having(snapshot, short_words(wanted.name), replace(scope, visibility="session"))
    others = dict.fromkeys(named(snapshot, scope, [name_key(wanted.name)]).get(name_key(wanted.name), ()))
    others |= dict.fromkeys(each.id for each in known if is_short_for(wanted, each))
    found = [entity(snapshot, each) for each in _known_of(snapshot, filter_, others) if each != of["id"]]
    return {row["public_id"]: row["name"] for row in found}


def in_sentence(snapshot: Snapshot, scope: Scope, runs: Sequence[str]) -> dict[int, frozenset[str]]:
    """The entities that a sentence names, given its stemmed runs of words, with all their names, stemmed."""
    found: dict[int, set[str]] = defaultdict(set)
    for row in snapshot.select(_SQL.in_sentence, visible(scope, "e"), runs=runs):
        found[row["id"]].add(row["stemmed"])
    return {entity_id: frozenset(names) for entity_id, names in found.items()}


def roles(snapshot: Snapshot, node_ids: Sequence[int], entity_ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """For each node that is linked with one of the entities, the roles and the names."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for node, role, name in snapshot.execute(_SQL.roles, nodes=node_ids, entities=entity_ids) if entity_ids else ():
        found[node].append((role, name))
    return found


def entity(snapshot: Snapshot, entity_id: int) -> sqlite3.Row:
    """The row of one entity."""
    row: sqlite3.Row = snapshot.execute(_SQL.entity, id=entity_id).fetchone()
    return row


def called(snapshot: Snapshot, filter_: Filter, name: str) -> int:
    """The entity with a name or public id that the filter's scope may know of; else the only one whose name differs
    in accents or the script alone. Raises ``UnknownEntity``.
    """
    if found := _known_of(snapshot, filter_, bearing(snapshot, filter_.scope, name)):
        return found[0]
    names = snapshot.select(_SQL.every_name, visible(filter_.scope, "e"))
    alike = _known_of(snapshot, filter_, {row["id"] for row in names if is_same_typed(row["name"], name)})
    if len(alike) != 1:
        raise UnknownEntity(name=name)
    return alike[0]


def aliases(snapshot: Snapshot, entity_id: int) -> list[str]:
    """All names of an entity."""
    return [row["name"] for row in snapshot.execute(_SQL.aliases, id=entity_id)]


def entities_of(snapshot: Snapshot, node_id: int, scope: Scope, role: str | None = None) -> list[str]:
    """Names of the entities linked with a node, in one role or any, as far as a scope sees them."""
    return [row["name"] for row in snapshot.select(_SQL.entities_of, visible(scope, "e"), id=node_id, role=role)]


def is_at_home(snapshot: Snapshot, entity_id: int, scope: Scope) -> bool:
    """Whether everybody who sees an entity also sees what the scope stores."""
    return snapshot.execute(_SQL.at_home, whose(scope), id=entity_id).fetchone() is not None


def whose(scope: Scope) -> dict[str, object]:
    """The home of memories that a scope stores, as parameters of SQL."""
    return {
        "user_id": scope.user_id,
        "visibility": scope.visibility,
        "project_id": scope.project_id,
        "session_id": scope.session_id,
    }


def _known_of(snapshot: Snapshot, filter_: Filter, ids: Iterable[int]) -> list[int]:
    """The entities among some that the filter's scope may know of, in their order."""
    return [row[0] for row in snapshot.select(_SQL.known_of, filter_.known_entities(), ids=ids)]


def candidates(snapshot: Snapshot, wanted: Mention, scope: Scope) -> list[KnownNames]:
    """Entities that a name could mean: those with it as a name or alias in any form; else persons whose name begins or
    ends like it.
    """
    keys = [name_key(wanted.name), *other_names(wanted)]
    found = with_names(snapshot, keys, [stemmed_name(wanted.name)], scope)
    borne = any(keys[0] in each.names and compatible(wanted.type, each.type) for each in found)
    if borne or not (compatible(wanted.type, "person") and is_capital(wanted.name)):
        return found
    fuller = _having(snapshot, short_words(wanted.name), scope)
    return list({each.id: each for each in (*found, *fuller)}.values())


def with_names(snapshot: Snapshot, keys: Sequence[str], stems: Sequence[str], scope: Scope) -> list[KnownNames]:
    """The most mentioned entities with one of some names (as keys), or of their stems, that the scope sees."""
    return _entities(snapshot, _SQL.with_names, scope, names=keys, stems=stems)


def _having(snapshot: Snapshot, words: Sequence[str], scope: Scope) -> list[KnownNames]:
    return _entities(snapshot, _SQL.having_words, scope, words=words)


def _entities(snapshot: Snapshot, sql: str, scope: Scope, **wanted: Sequence[str]) -> list[KnownNames]:
    """The most mentioned of the found entities."""
    rows = snapshot.select(sql, home(scope), **wanted)
    best = nsmallest(_MOST_KNOWN, rows, key=lambda row: (-row["mention_count"], row["id"]))
    return [_as_known(row, json.loads(row["names"])) for row in best]


def _as_known(row: sqlite3.Row, names: Sequence[str]) -> KnownNames:
    keys, described = frozenset(map(name_key, names)), all(map(is_description, names))
    return KnownNames(row["id"], row["type"], name_key(row["name"]), keys, row["mention_count"], described)


def home(scope: Scope) -> Condition:
    """A SQL condition for entities ``e`` that the scope sees, and that everybody who sees the scope's memories also
    sees.
    """
    condition, parameters = visible(scope, "e")
    wide = f"{condition} AND e.visibility IN (SELECT value FROM json_each(:wide))"
    return wide, {**parameters, "wide": wide_enough(scope)}


def add(tx: Transaction, wanted: Mention, at: int, scope: Scope, said_in: int | None = None) -> int:
    """Store a new entity under its name; return its id."""
    entity_id = tx.reserve("entities")
    parameters = {
        "id": entity_id,
        "public_id": tx.free_ids("entities", scope.user_id, 1)[0],
        **whose(scope),
        "name": wanted.name,
        "type": wanted.type,
        "at": at,
    }
    tx.execute(_SQL.insert_entity, parameters)
    add_name(tx, entity_id, wanted.name, scope, said_in)
    return entity_id


def add_name(tx: Transaction, entity_id: int, name: str, scope: Scope, said_in: int | None) -> None:
    """Store a name of an entity on the word of the node ``said_in``, unless others see the entity, too."""
    tx.execute(
        _SQL.insert_name,
        whose(scope),
        node=said_in,
        folded=name_key(name),
        id=entity_id,
        name=name,
        stemmed=stemmed_name(name),
    )


def spelled(name: str) -> str:
    """A name with single spaces."""
    return " ".join(name.split())


def link_with(
    tx: Transaction, node_id: int, draft: Draft, entity_ids: Iterable[int], role: str, previous: Node | None
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
    if tx.execute(_SQL.unlink, entity=entity_id, node=node_id, role=role).rowcount:
        tx.execute(_SQL.met_less, entity=entity_id)


def log_link(
    tx: Transaction, event: Literal["linked", "unlinked"], node_id: int, scope: Scope, entity_id: int, role: str
) -> None:
    """Log a new or removed link between a node and an entity, by the entity's public id."""
    named = tx.execute(_SQL.entity, id=entity_id).fetchone()["public_id"]
    tx.log(event, node_id, scope.user_id, actor=scope.actor_id, relation=role, to=named)


def link_all(tx: Transaction, linked: Mapping[int, Mapping[int, int]], role: str) -> None:
    """Link entities with nodes (id -> node id -> event time); count the new mentions."""
    known = linked_in(tx, set().union(*linked.values()), role)
    new = {entity_id: [node for node in nodes if (entity_id, node) not in known] for entity_id, nodes in linked.items()}
    tx.insert(_SQL.link, ((entity_id, node, role) for entity_id, nodes in new.items() for node in nodes))
    times = {entity_id: nodes.values() for entity_id, nodes in linked.items() if new[entity_id]}
    met = [(entity_id, len(new[entity_id]), min(at), max(at)) for entity_id, at in times.items()]
    if met:
        tx.execute(_SQL.mentioned, met=met)


def linked_in(snapshot: Snapshot, nodes: Iterable[int], role: str) -> set[tuple[int, int]]:
    """The pairs (entity, node) that are linked in a role. They are read before, because the rows of INSERT ...
    RETURNING come one by one, and each releases the interpreter's lock.
    """
    return set(map(tuple, snapshot.execute(_SQL.linked, nodes=nodes, role=role)))
