"""The log of changes: all changes since a line, or for each memory the result of changes by others since the last block
of a conversation. And the state of memories and entities at a moment of memory time: for filters that look back, and
for the block that does not change during a conversation.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from sandbox.extensions.memory.model import Change, Record, Scope
from sandbox.extensions.memory.store import entities, entity_resolution, search
from sandbox.extensions.memory.store.decisions import PROPOSED, REJECTED
from sandbox.extensions.memory.store.erasing import EXPIRED
from sandbox.extensions.memory.store.filters import Filter, visible
from sandbox.extensions.memory.store.rows import Node, change_from_row
from sandbox.extensions.memory.store.sessions import of_project
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Condition, Snapshot, Transaction
from sandbox.extensions.memory.text.words import name_key
from sandbox.support.trust import FOREIGN

_SQL = load("history")


_STATE = (
    *("retired_at", "retired_seq", "retired_by", "confidence", "anchored_at", "decay_rate", "fades_at"),
    *("importance", "pinned", "trust", "quarantined", "source"),
)

_BROUGHT = ("created", "approved", "corrected", "restored", "reinstated", "put_back", "united")
_ENDED = ("superseded", "forgotten", "pruned", "undone")
_LOOKED_AT = 1_000  # lines of the log at most, the latest; a large import is not reported line by line
_ANNOUNCED_OTHERWISE = (EXPIRED, PROPOSED, REJECTED)


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
        merged=tuple(entity_resolution.merged(snapshot, row["id"])),
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


def changes(snapshot: Snapshot, filter_: Filter, after: int, limit: int, *, whole: bool) -> tuple[Change, ...]:
    """The log for a scope, oldest first; with ``whole``, all changes of its user, in every project and session."""
    sql, parameters = _seen(_SQL.changes, filter_)
    rows = snapshot.execute(sql, parameters, after=after, limit=limit, whole=whole)
    return tuple(change_from_row(row) for row in rows)


def changes_of(snapshot: Snapshot, node_ids: Iterable[int]) -> tuple[Change, ...]:
    """The log of some versions of a memory, oldest first."""
    return tuple(change_from_row(row) for row in snapshot.execute(_SQL.changes_of, ids=node_ids))


def writes(snapshot: Snapshot, filter_: Filter) -> dict[str, int]:
    """The number of changes of its user that a scope may see, by interface and event."""
    return {row[0]: row[1] for row in snapshot.execute(*_seen(_SQL.writes, filter_))}


def writes_of(snapshot: Snapshot, filter_: Filter, batch: str, lines: tuple[int, int]) -> dict[str, int]:
    """The same of one call, whose lines are after the first of ``lines`` and not after the second, by event."""
    sql, parameters = _seen(_SQL.writes_of, filter_)
    between = {"batch": batch, "since": lines[0], "until": lines[1]}
    return {row[0]: row[1] for row in snapshot.execute(sql, {**parameters, **between})}


def last_seq(snapshot: Snapshot) -> int:
    """The last line of the log; 0 if it is empty."""
    return snapshot.number(_SQL.last_seq)


def _seen(sql: str, filter_: Filter) -> Condition:
    (nodes, parameters), (entities, _) = filter_.reach(), filter_.known_entities()
    seen = _SQL.seen.replace("{visible_nodes}", nodes).replace("{known_entities}", entities)
    return sql.replace("{seen}", seen), {**parameters, "every_category": filter_.allowed is None}


Kind = Literal["created", "updated", "merged", "removed"]


class Revision(NamedTuple):
    """The last line of the log that was announced in a conversation, and how often something was."""

    seq: int
    number: int = 0


class ChangesSince(NamedTuple):
    """The changes to announce in a conversation after the line ``since``, the latest first."""

    since: Revision
    until: int  # line of the log
    updates: tuple[tuple[Kind, Node], ...] = ()

    @property
    def revision(self) -> Revision:
        """The conversation's revision after they are announced."""
        return Revision(self.until, self.since.number + bool(self.updates))


def delta(snapshot: Snapshot, filter_: Filter, known: Revision | None) -> ChangesSince | None:
    """Changes by others than the scope's conversation since its last block: since the ``known`` revision, or the stored
    one, or its beginning. None at its beginning, or without a conversation.
    """
    scope = filter_.scope
    if scope.session_id is None:
        return None
    last = last_seq(snapshot)
    if known is not None and known.seq == last:
        return ChangesSince(known, last)
    since = max(filter(None, (known, _stored(snapshot, scope))), default=None)
    if since is None:
        return ChangesSince(Revision(last), last)
    asked = {
        "after": max(since.seq, last - _LOOKED_AT),
        "events": [*_BROUGHT, *_ENDED],
        "foreign": FOREIGN,
        "session_id": scope.session_id,
    }
    seen, parameters = visible(scope)
    believed, more = filter_.condition()
    sql = _SQL.changed.replace("{visible}", seen).replace("{believed}", believed)
    found: dict[tuple[str, str], tuple[Node, sqlite3.Row, set[str]]] = {}
    for row in snapshot.execute(sql, {**parameters, **more, **asked}):
        node = Node.from_row(row[: len(Node._fields)])
        found.setdefault((node.user_id, node.public_id), (node, row, set()))[2].add(row["event"])
    changed = [(_kind(node, row, events, since.seq), node) for node, row, events in found.values()]
    updates = tuple(
        (kind, node) for kind, node in changed if kind is not None and filter_.may_use(node.category or node.type)
    )
    return ChangesSince(since, last, updates)


def mark_announced(tx: Transaction, scope: Scope, revision: Revision) -> None:
    """Record that the changes were announced in a conversation (the column ``told_seq``)."""
    announced = {"seq": revision.seq, "revision": revision.number}
    tx.execute(_SQL.mark_announced, {**of_project(scope, scope.session_id), **announced})


def _stored(snapshot: Snapshot, scope: Scope) -> Revision | None:
    """The stored revision, or the end of the log when the conversation began."""
    seq, number = snapshot.execute(_SQL.announced, of_project(scope, scope.session_id)).fetchone()
    if seq is not None:
        return Revision(seq, number)
    beginning = began(snapshot, scope)
    return None if beginning is None else Revision(beginning[0], number or 0)


def _kind(node: Node, row: sqlite3.Row, events: set[str], since: int) -> Kind | None:
    """The overall change of a memory; None if there is none to announce here."""
    is_new = row["first_seq"] > since or "approved" in events
    if not row["stands"]:
        is_announced = (
            is_new or row["is_replaced"] or node.retired_by == "merged" or node.retired_by in _ANNOUNCED_OTHERWISE
        )
        return None if is_announced else "removed"
    if "united" in events:
        return "merged"
    return "created" if is_new and not row["replaces"] else "updated"
