"""Edges, entities and sessions: what joins memories."""

import itertools
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.filters import visible
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import public_id
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.extensions.memory.text.words import name_key, stemmed_name

_SQL = load("graph")

CONFLICT = "possible_conflict"
"""Predicate of the ``related_to`` edge between two memories of which perhaps one holds only; it starts at the one that
counts for more."""


@dataclass(frozen=True, slots=True)
class NewTurn:
    """Where a stored episode belongs: what the graph needs to know to link it."""

    node_id: int
    session_id: str | None
    speaker: str | None
    event_time: int


def add_edge(
    tx: Transaction,
    source: int,
    target: int,
    relation: str,
    *,
    predicate: str = "",
    strength: float = 1.0,
    evidence: Sequence[str] = (),
) -> None:
    """Join two nodes."""
    tx.execute(
        _SQL.add_edge,
        {
            "source": source,
            "target": target,
            "relation": relation,
            "predicate": predicate,
            "strength": strength,
            "evidence": json.dumps(list(evidence)),
            "now": tx.now,
        },
    )


def link_turns(tx: Transaction, turns: Sequence[NewTurn], scope: Scope) -> None:
    """Give new episodes their place: session, edge from the turn before, speaker."""
    for session_id, members in _grouped(turns, lambda turn: turn.session_id).items():
        _link_session(tx, members, session_id, scope)
    for speaker, members in _grouped(turns, lambda turn: turn.speaker).items():
        _link_speaker(tx, members, speaker, scope)


def end_session(tx: Transaction, session_id: str, scope: Scope) -> None:
    """Nothing more is said in a session, as far as is known; one that is not there needs no end."""
    tx.execute(_SQL.end_session, {"user_id": scope.user_id, "session_id": session_id, "now": tx.now})


def resolve(tx: Transaction, name: str, type_: str, at: int, scope: Scope) -> int:
    """The entity that goes by this name, made where there is none: exact, folded, aliases included."""
    name, key = " ".join(name.split()), name_key(name)
    known = named(tx.connection, scope, [key])
    if known:
        return known[key][0]
    entity_id = tx.reserve("entities")
    parameters = {
        "id": entity_id,
        "public_id": _free_id(tx, scope.user_id),
        "user_id": scope.user_id,
        "project_id": scope.project_id,
        "session_id": scope.session_id,
        "visibility": scope.visibility,
        "name": name,
        "folded": key,
        "stemmed": stemmed_name(name),
        "type": type_,
        "at": at,
    }
    tx.execute(_SQL.insert_entity, parameters)
    tx.execute(_SQL.insert_name, parameters)
    return entity_id


def _free_id(tx: Transaction, user_id: str) -> str:
    """A public id this user's entities have not used yet."""
    while True:
        drawn = public_id()
        taken = tx.execute("SELECT 1 FROM entities WHERE user_id = ? AND public_id = ?", (user_id, drawn)).fetchone()
        if taken is None:
            return drawn


def link(tx: Transaction, entity_id: int, nodes: Mapping[int, int], role: str) -> None:
    """Link nodes (id -> event time) with an entity and count the mentions."""
    tx.executemany(_SQL.link, ((entity_id, node_id, role) for node_id in nodes))
    times = nodes.values()
    tx.execute(_SQL.mentioned, {"id": entity_id, "count": len(nodes), "first": min(times), "last": max(times)})


def named(connection: sqlite3.Connection, scope: Scope, keys: Iterable[str]) -> dict[str, list[int]]:
    """Entities by each of some name keys that is known, the most mentioned first."""
    condition, parameters = visible(scope, "e")
    sql = _SQL.named.replace("{condition}", condition)
    found: dict[str, list[int]] = defaultdict(list)
    for row in connection.execute(sql, {**parameters, "names": json.dumps(list(keys))}):
        found[row["folded"]].append(row["id"])
    return dict(found)


def in_sentence(connection: sqlite3.Connection, scope: Scope, runs: Sequence[str]) -> dict[int, frozenset[str]]:
    """Entities one of whose names stands in a sentence, given as its stemmed runs of words, with all their names,
    stemmed."""
    condition, parameters = visible(scope, "e")
    sql = _SQL.in_sentence.replace("{condition}", condition)
    rows = connection.execute(sql, {**parameters, "runs": json.dumps(list(runs))})
    found: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        found[row["id"]].add(row["stemmed"])
    return {entity_id: frozenset(names) for entity_id, names in found.items()}


def entity(connection: sqlite3.Connection, entity_id: int) -> sqlite3.Row:
    """The row of one entity."""
    row: sqlite3.Row = connection.execute(_SQL.entity, {"id": entity_id}).fetchone()
    return row


def aliases(connection: sqlite3.Connection, entity_id: int) -> list[str]:
    """Everything an entity is called."""
    return [row["name"] for row in connection.execute(_SQL.aliases, {"id": entity_id})]


def entities_of(connection: sqlite3.Connection, node_id: int) -> list[str]:
    """Names of the entities a node is linked with."""
    return [row["name"] for row in connection.execute(_SQL.entities_of, {"id": node_id})]


def neighbours(
    connection: sqlite3.Connection, ids: Iterable[int], relations: Sequence[str]
) -> list[tuple[int, int, float]]:
    """(here, there, strength) for every edge of some relations that touches one of ``ids``."""
    parameters = {"ids": json.dumps(list(ids)), "relations": json.dumps(list(relations))}
    return [(row[0], row[1], row[2]) for row in connection.execute(_SQL.neighbours, parameters)]


def targets(connection: sqlite3.Connection, ids: Iterable[int], relation: str) -> list[tuple[int, int]]:
    """(here, there) along edges of one relation that start at ``ids``, oldest edge first."""
    parameters = {"ids": json.dumps(list(ids)), "relation": relation}
    return [(row[0], row[1]) for row in connection.execute(_SQL.targets, parameters)]


def sources(connection: sqlite3.Connection, ids: Iterable[int], relation: str) -> list[tuple[int, int]]:
    """(here, there) against edges of one relation that end at ``ids``, oldest edge first."""
    parameters = {"ids": json.dumps(list(ids)), "relation": relation}
    return [(row[0], row[1]) for row in connection.execute(_SQL.sources, parameters)]


def prevailing(connection: sqlite3.Connection, ids: Iterable[int]) -> list[tuple[int, int]]:
    """(here, there) for all that replaced one of ``ids``, or counts for more in a possible conflict."""
    rows = connection.execute(_SQL.prevailing, {"ids": json.dumps(list(ids)), "conflict": CONFLICT})
    return [(row[0], row[1]) for row in rows]


def conflicting(connection: sqlite3.Connection, ids: Iterable[int]) -> list[tuple[int, int]]:
    """(here, there) for all that one of ``ids`` may be in conflict with."""
    rows = connection.execute(_SQL.conflicting, {"ids": json.dumps(list(ids)), "conflict": CONFLICT})
    return [(row[0], row[1]) for row in rows]


def _link_session(tx: Transaction, turns: Sequence[NewTurn], session_id: str, scope: Scope) -> None:
    parameters = {"user_id": scope.user_id, "session_id": session_id}
    row = tx.execute(_SQL.last_episode, parameters).fetchone()
    last = row["last_node_id"] if row else None
    chain = ([last] if last is not None else []) + [turn.node_id for turn in turns]
    tx.executemany(
        "INSERT INTO edges (source_id, target_id, relation, valid_from, created_at) VALUES (?, ?, 'temporal', ?, ?)",
        ((earlier, later, tx.now, tx.now) for earlier, later in itertools.pairwise(chain)),
    )
    times = [turn.event_time for turn in turns]
    tx.execute(
        _SQL.touch_session,
        {
            **parameters,
            "project_id": scope.project_id,
            "agent_id": scope.agent_id,
            "actor_id": scope.actor_id,
            "visibility": scope.visibility,
            "first": min(times),
            "last": max(times),
            "last_node": chain[-1],
            "count": len(turns),
        },
    )


def _link_speaker(tx: Transaction, turns: Sequence[NewTurn], speaker: str, scope: Scope) -> None:
    entity_id = resolve(tx, speaker, "person", turns[0].event_time, scope)
    link(tx, entity_id, {turn.node_id: turn.event_time for turn in turns}, "speaker")


def _grouped(turns: Sequence[NewTurn], name: Callable[[NewTurn], str | None]) -> dict[str, list[NewTurn]]:
    groups: dict[str, list[NewTurn]] = defaultdict(list)
    for turn in turns:
        if (key := name(turn)) is not None:
            groups[key].append(turn)
    return groups
