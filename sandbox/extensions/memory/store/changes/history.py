"""Read the log of changes: all changes since a line, or for each memory the result of changes by others since a
conversation's last block.
"""

import sqlite3
from collections.abc import Iterable
from typing import Literal, NamedTuple

from sandbox.extensions.memory.model import Change, Scope
from sandbox.extensions.memory.store.memories.decisions import PROPOSED, REJECTED
from sandbox.extensions.memory.store.memories.retention import EXPIRED
from sandbox.extensions.memory.store.reading import past_states
from sandbox.extensions.memory.store.reading.filters import Filter, visible
from sandbox.extensions.memory.store.rows import Node, change_from_row
from sandbox.extensions.memory.store.sessions import of_project
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Condition, Snapshot, Transaction
from sandbox.support.trust import FOREIGN

_SQL = load("history")


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


_BROUGHT = ("created", "approved", "corrected", "restored", "reinstated", "put_back", "united")
_ENDED = ("superseded", "forgotten", "pruned", "undone")
_LOOKED_AT = 1_000  # lines of the log at most, the latest; a large import is not reported line by line
_ANNOUNCED_OTHERWISE = (EXPIRED, PROPOSED, REJECTED)

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
    beginning = past_states.began(snapshot, scope)
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
