"""Edges and sessions: what joins memories."""

import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import entities
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction

_SQL = load("graph")

CONFLICT = "possible_conflict"
"""Predicate of the ``related_to`` edge between two memories of which perhaps one holds only; it starts at the one that
counts for more."""


class NewTurn(NamedTuple):
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
    _link_sessions(tx, _grouped(turns, lambda turn: turn.session_id), scope)
    _link_speakers(tx, _grouped(turns, lambda turn: turn.speaker), scope)


def neighbours(snapshot: Snapshot, ids: Iterable[int], relations: Sequence[str]) -> list[tuple[int, int, float]]:
    """(here, there, strength) for every edge of some relations that touches one of ``ids``."""
    parameters = {"ids": json.dumps(list(ids)), "relations": json.dumps(list(relations))}
    return [(row[0], row[1], row[2]) for row in snapshot.execute(_SQL.neighbours, parameters)]


def targets(snapshot: Snapshot, ids: Iterable[int], relation: str) -> list[tuple[int, int]]:
    """(here, there) along edges of one relation that start at ``ids``, oldest edge first."""
    parameters = {"ids": json.dumps(list(ids)), "relation": relation}
    return [(row[0], row[1]) for row in snapshot.execute(_SQL.targets, parameters)]


def sources(snapshot: Snapshot, ids: Iterable[int], relation: str) -> list[tuple[int, int]]:
    """(here, there) against edges of one relation that end at ``ids``, oldest edge first."""
    parameters = {"ids": json.dumps(list(ids)), "relation": relation}
    return [(row[0], row[1]) for row in snapshot.execute(_SQL.sources, parameters)]


def prevailing(snapshot: Snapshot, ids: Iterable[int]) -> list[tuple[int, int, str]]:
    """(here, there, relation) for all that replaced one of ``ids``, or counts for more in a possible conflict."""
    rows = snapshot.execute(_SQL.prevailing, {"ids": json.dumps(list(ids)), "conflict": CONFLICT})
    return [(row[0], row[1], row[2]) for row in rows]


def conflicting(snapshot: Snapshot, ids: Iterable[int]) -> list[tuple[int, int]]:
    """(here, there) for all that one of ``ids`` may be in conflict with."""
    rows = snapshot.execute(_SQL.conflicting, {"ids": json.dumps(list(ids)), "conflict": CONFLICT})
    return [(row[0], row[1]) for row in rows]


def _link_sessions(tx: Transaction, sessions: Mapping[str, Sequence[NewTurn]], scope: Scope) -> None:
    home = {"user_id": scope.user_id, "visibility": scope.visibility, "project_id": scope.project_id}
    wanted = {**home, "sessions": json.dumps(list(sessions))}
    last = dict(tx.execute(_SQL.last_episodes, wanted).fetchall())
    chains = ([last.get(session), *(turn.node_id for turn in turns)] for session, turns in sessions.items())
    pairs = (pair for chain in chains for pair in itertools.pairwise(chain) if pair[0] is not None)
    tx.insert(_SQL.follow, ((earlier, later, "temporal", tx.now, tx.now) for earlier, later in pairs))
    tx.insert(_SQL.touch_session, (_session_row(session, turns, scope) for session, turns in sessions.items()))


def _session_row(session_id: str, turns: Sequence[NewTurn], scope: Scope) -> tuple[object, ...]:
    times = [turn.event_time for turn in turns]
    home = (scope.user_id, session_id, scope.project_id, scope.agent_id, scope.actor_id, scope.visibility)
    return (*home, min(times), max(times), turns[-1].node_id, len(turns))


def _link_speakers(tx: Transaction, speakers: Mapping[str, Sequence[NewTurn]], scope: Scope) -> None:
    linked: dict[int, dict[int, int]] = defaultdict(dict)
    for speaker, turns in speakers.items():
        entity_id = entities.speaker(tx, speaker, turns[0].event_time, scope, turns[0].node_id)
        linked[entity_id].update((turn.node_id, turn.event_time) for turn in turns)
    entities.link_all(tx, linked, "speaker")


def _grouped(turns: Sequence[NewTurn], name: Callable[[NewTurn], str | None]) -> dict[str, list[NewTurn]]:
    groups: dict[str, list[NewTurn]] = defaultdict(list)
    for turn in turns:
        if (key := name(turn)) is not None:
            groups[key].append(turn)
    return groups
