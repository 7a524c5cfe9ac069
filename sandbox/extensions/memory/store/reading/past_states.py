"""The state of memories and entities at a moment of memory time: for filters that look back, and for the block that
does not change during a conversation.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sandbox.extensions.memory.model import Record, Scope
from sandbox.extensions.memory.store.entities import entities, identity
from sandbox.extensions.memory.store.reading import search
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sessions import of_project
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.words import name_key
from sandbox.support.trust import FOREIGN

_SQL = load("past_states")


_STATE = (
    *("retired_at", "retired_seq", "retired_by", "confidence", "anchored_at", "decay_rate", "fades_at"),
    *("importance", "pinned", "trust", "quarantined", "source"),
)


def records(snapshot: Snapshot, found: Sequence[Node], filter_: Filter) -> list[Record]:
    """The public values of nodes: in their present state, or in the state at the filter's moment."""
    if filter_.believed_seq is None:
        return [node.record(filter_.now) for node in found]
    rows = snapshot.execute(_SQL.states, ids=[node.id for node in found], seq=filter_.believed_seq)
    states = {row["node"]: row for row in rows}
    at = filter_.believed_at or filter_.now
    return [_stood(node, states.get(node.id), filter_).record(at) for node in found]


def _stood(node: Node, state: sqlite3.Row | None, filter_: Filter) -> Node:
    """A node in its past state; one that was learnt later, in its present state. Its end of validity follows the rules
    of ``Filter``.
    """
    if state is None:
        return node
    stood, closed = node, state["closed_now"]
    if state["node_id"] is not None:
        stood, closed = node._replace(**{name: state[name] for name in _STATE}), state["closed_seq"]
        if not filter_.learnt_later:
            stood = stood._replace(valid_until=state["valid_until"])
    if closed is not None and closed > (filter_.believed_seq or 0) and not filter_.learnt_later:
        stood = stood._replace(valid_until=None)
    return stood


class EntityState(NamedTuple):
    """An entity, now or at a moment; ``gained`` are nodes that it got only by later merges."""

    aliases: tuple[str, ...]
    merged: tuple[str, ...]
    gained: frozenset[int]
    mentions: int
    first: int
    last: int
    summary: str | None


def apart(snapshot: Snapshot, entity_id: int, name: str, filter_: Filter) -> int:
    """The entity that a name meant before it was merged into another."""
    if filter_.believed_at is None:
        return entity_id
    asked = {"at": filter_.believed_at, "folded": name_key(name), "name": name}
    while row := snapshot.execute(_SQL.apart, asked, into=entity_id).fetchone():
        entity_id = row["entity_id"]
    return entity_id


def entity(snapshot: Snapshot, row: sqlite3.Row, filter_: Filter) -> EntityState | None:
    """An entity, or its state at the filter's moment; None if it was not known then. An agent with a list of categories
    sees names that a memory in its reach brought, and no summary, because a summary rests on memories of any category.
    """
    stood = _now(snapshot, row, filter_) if filter_.believed_at is None else _then(snapshot, row, filter_)
    if stood is None or filter_.allowed is None:
        return stood
    names = {each["name"] for each in snapshot.select(_SQL.brought, filter_.mentions(), id=row["id"])}
    aliases, merged = (tuple(each for each in told if each in names) for told in (stood.aliases, stood.merged))
    return stood._replace(aliases=aliases, merged=merged, summary=None)


def _then(snapshot: Snapshot, row: sqlite3.Row, filter_: Filter) -> EntityState | None:
    at = {"into": row["id"], "at": filter_.believed_at}
    names, links = set[str](), set[int]()
    for gained in snapshot.execute(_SQL.gained, at):
        names.update(json.loads(gained["names"]))
        links.update(node for node, _ in json.loads(gained["links"]))
    met = snapshot.select(_SQL.met, filter_.condition(), entity=row["id"], gained=links).fetchone()
    if not met["count"]:
        return None
    called = snapshot.execute(_SQL.called, id=row["id"], gained=names)
    return EntityState(
        aliases=tuple(each["name"] for each in called),
        merged=tuple(each["name"] for each in snapshot.execute(_SQL.merged, at)),
        gained=frozenset(links),
        mentions=met["count"],
        first=met["first"],
        last=met["last"],
        summary=snapshot.value(_SQL.summary, user_id=row["user_id"], about=row["public_id"], at=filter_.believed_at),
    )


def _now(snapshot: Snapshot, row: sqlite3.Row, filter_: Filter) -> EntityState:
    count, first, last = search.met(snapshot, row["id"], filter_)
    return EntityState(
        aliases=tuple(entities.aliases(snapshot, row["id"])),
        merged=tuple(identity.merged(snapshot, row["id"])),
        gained=frozenset(),
        mentions=count,
        first=row["first_seen"] if first is None else first,
        last=row["last_seen"] if last is None else last,
        summary=row["summary"],
    )


Beginning = tuple[int, int]
"""The last line of the log before a conversation, and its time (milliseconds)."""


def began(snapshot: Snapshot, scope: Scope) -> Beginning | None:
    """The beginning of a scope's conversation; None if it has no turn yet."""
    row = snapshot.execute(_SQL.began, of_project(scope, scope.session_id)).fetchone()
    return None if row is None else (row[0], row[1])


def known_then(snapshot: Snapshot, categories: Sequence[str], beginning: Beginning, filter_: Filter) -> list[Node]:
    """All memories of some categories that were known then, in the order of the categories and by age, without those of
    tools and pages and without those forgotten since.
    """
    seq, at = beginning
    then = replace(filter_, believed_seq=seq, world=at, learnt_later=False, quarantined=False)
    rows = snapshot.select(_SQL.fixed, then.condition(), categories=categories, foreign=FOREIGN)
    return [Node.from_row(row) for row in rows]
