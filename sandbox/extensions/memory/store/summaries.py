"""Summaries: versioned, each resting on valid memories. The database removes one together with any of its sources."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import nodes, vectors
from sandbox.extensions.memory.store.entities import EntityRow
from sandbox.extensions.memory.store.filters import Filter, visible, whose
from sandbox.extensions.memory.store.rows import INSIGHT, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.embedder import Vector

_SQL = load("summaries")


ENTITY = "entity"
SESSION = "session"

_MOST_COMPARED = 2_000  # entities whose vectors a question is compared with
_MOST_SESSIONS, _MOST_TURNS = 50, 5_000  # limits of what is searched for a time
_BLANK = Node._make([None] * len(Node._fields))._replace(
    type="semantic", terms="", tags="[]", source="summary", attributes="{}"
)


class Summary(NamedTuple):
    """One version of a summary; ``rests_on`` are node ids, ``made_by`` is a model's id or ``rules``."""

    id: int
    version: int
    content: str
    rests_on: tuple[int, ...]
    made_by: str


class Shown(NamedTuple):
    """A summary in a block: a memory without a row, with a negative id, and the nodes it rests on."""

    node: Node
    rests_on: frozenset[int]


class Unembedded(NamedTuple):
    """An entity whose summary has no vector yet."""

    entity_id: int
    name: str
    summary: str


def mentioned(snapshot: Snapshot, minimum: int, after: int, limit: int) -> list[EntityRow]:
    """Entities of all users that are mentioned at least ``minimum`` times, or have a summary, by id after ``after``."""
    rows = snapshot.execute(_SQL.mentioned, minimum=minimum, after=after, limit=limit)
    return [EntityRow.of(row) for row in rows]


def facts(snapshot: Snapshot, entity: EntityRow, now: int, limit: int) -> list[Node]:
    """The facts about an entity that are valid at ``now``, the most important first, without those that somebody who
    sees the entity may not see, and without insights.
    """
    rows = snapshot.execute(_SQL.facts, id=entity.id, now=now, limit=limit, left_out=INSIGHT)
    return [Node._make(row) for row in rows]


def current(snapshot: Snapshot, home: EntityRow | Scope, kind: str, about: str) -> Summary | None:
    """The valid summary in a home of an entity or session, by its public id or name."""
    row = snapshot.execute(_SQL.current, whose(home), kind=kind, about=about).fetchone()
    if row is None:
        return None
    return Summary(row["id"], row["version"], row["content"], tuple(json.loads(row["rests_on"])), row["made_by"])


def put(
    tx: Transaction,
    *,
    kind: str,
    about: str,
    content: str,
    rests_on: Sequence[int],
    made_by: str,
    home: EntityRow | Scope,
) -> bool:
    """Store a summary as the next version. False, and nothing is stored, if a node that it rests on is not valid."""
    if not nodes.are_believed(tx, rests_on):
        return False
    about_it = {**whose(home), "kind": kind, "about": about}
    if (old := current(tx, home, kind, about)) is not None:
        retire(tx, old)
    version = tx.number(_SQL.latest_version, about_it) + 1
    tx.execute(_SQL.insert, about_it, version=version, content=content, rests_on=rests_on, made_by=made_by, now=tx.now)
    return True


def put_entity(tx: Transaction, entity: EntityRow, content: str, rests_on: Sequence[int], made_by: str) -> bool:
    """Store the summary of an entity; False if a node that it rests on is not valid."""
    done = put(
        tx, kind=ENTITY, about=entity.public_id, content=content, rests_on=rests_on, made_by=made_by, home=entity
    )
    if done:
        tx.execute(_SQL.set_entity, id=entity.id, content=content)
    return done


def retire(tx: Transaction, summary: Summary) -> None:
    """Retire a summary; its entity then has none."""
    tx.execute(_SQL.retire, id=summary.id, now=tx.now)


def unembedded(snapshot: Snapshot, model: str, limit: int) -> list[Unembedded]:
    """Entities whose summary has no vector of ``model``, if that is the active model."""
    number = vectors.answering_model(snapshot, model)
    if number is None:
        return []
    return [Unembedded(*row) for row in snapshot.execute(_SQL.unembedded, model_id=number, limit=limit)]


def embed(tx: Transaction, model: str, found: Mapping[Unembedded, Vector]) -> None:
    """Store the vectors of those summaries that are still valid, if ``model`` is still the active one."""
    number = vectors.answering_model(tx, model)
    if number is None:
        return
    for each, vector in found.items():
        stored = {"model_id": number, "vector": vector.astype("<f4").tobytes()}
        tx.execute(_SQL.embed, stored, id=each.entity_id, summary=each.summary)


def nearest(snapshot: Snapshot, scope: Scope, model_id: int, question: Vector, least: float) -> list[int]:
    """The visible entity whose summary is nearest to a question in meaning; none if its cosine is under ``least``."""
    condition = visible(scope, "e")
    rows = snapshot.select(_SQL.vectors, condition, model_id=model_id, limit=_MOST_COMPARED).fetchall()
    if not rows:
        return []
    cosines = np.frombuffer(b"".join(row["vector"] for row in rows), "<f4").reshape(len(rows), -1) @ question
    best = int(cosines.argmax())
    return [rows[best]["entity_id"]] if cosines[best] >= least else []


def latest(snapshot: Snapshot, user_id: str, kind: str, limit: int) -> list[str]:
    """The latest valid summaries of a kind that a user sees everywhere."""
    return [row["content"] for row in snapshot.execute(_SQL.latest, user_id=user_id, kind=kind, limit=limit)]


def of_entities(snapshot: Snapshot, ids: Sequence[int], filter_: Filter, limit: int) -> list[Shown]:
    """The visible and valid summaries of some entities."""
    rows = snapshot.select(_SQL.of_entities, visible(filter_.scope, "s"), ids=ids, now=filter_.now, limit=limit)
    return [_shown(row) for row in rows]


def of_sessions(snapshot: Snapshot, filter_: Filter, within: tuple[int, int] | None, limit: int) -> list[Shown]:
    """Summaries of the latest conversations, or ``within`` a time, unless their turns are left out."""
    after, before = within or (None, None)
    asked = {"without": filter_.without_turns_of, "after": after, "before": before, "limit": limit}
    bounds = {"turns": _MOST_TURNS, "sessions": _MOST_SESSIONS}
    rows = snapshot.select(_SQL.of_sessions, visible(filter_.scope, "s"), **asked, **bounds)
    return [_shown(row) for row in rows]


def _shown(row: sqlite3.Row) -> Shown:
    node = _BLANK._replace(
        id=-row["id"],
        public_id=row["shown_as"],
        version=row["id"],  # each version is a row
        content=row["content"],
        user_id=row["user_id"],
        visibility=row["visibility"],
        session_id=row["session_id"],
        event_time=row["at"],
        trust=row["trust"],
    )
    return Shown(node, frozenset(json.loads(row["rests_on"])))
