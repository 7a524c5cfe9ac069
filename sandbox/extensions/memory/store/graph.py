"""Edges and sessions: what joins memories."""

import itertools
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import entities
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.writer import Transaction

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


def prevailing(connection: sqlite3.Connection, ids: Iterable[int]) -> list[tuple[int, int, str]]:
    """(here, there, relation) for all that replaced one of ``ids``, or counts for more in a possible conflict."""
    rows = connection.execute(_SQL.prevailing, {"ids": json.dumps(list(ids)), "conflict": CONFLICT})
    return [(row[0], row[1], row[2]) for row in rows]


def conflicting(connection: sqlite3.Connection, ids: Iterable[int]) -> list[tuple[int, int]]:
    """(here, there) for all that one of ``ids`` may be in conflict with."""
    rows = connection.execute(_SQL.conflicting, {"ids": json.dumps(list(ids)), "conflict": CONFLICT})
    return [(row[0], row[1]) for row in rows]


def _link_session(tx: Transaction, turns: Sequence[NewTurn], session_id: str, scope: Scope) -> None:
    parameters = {"user_id": scope.user_id, "session_id": session_id}
    row = tx.execute(_SQL.last_episode, parameters).fetchone()
    last = row["last_node_id"] if row else None
    chain = ([last] if last is not None else []) + [turn.node_id for turn in turns]
    tx.insert(
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
    entity_id = entities.speaker(tx, speaker, turns[0].event_time, scope)
    entities.link(tx, entity_id, {turn.node_id: turn.event_time for turn in turns}, "speaker")


def _grouped(turns: Sequence[NewTurn], name: Callable[[NewTurn], str | None]) -> dict[str, list[NewTurn]]:
    groups: dict[str, list[NewTurn]] = defaultdict(list)
    for turn in turns:
        if (key := name(turn)) is not None:
            groups[key].append(turn)
    return groups
