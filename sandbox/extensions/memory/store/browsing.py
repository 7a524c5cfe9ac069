"""What there is, page by page: memories, entities, changes. No change moves a place in a list."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.model import Change, Record, Scope
from sandbox.extensions.memory.reports import Entity, Listed, Page
from sandbox.extensions.memory.store import search
from sandbox.extensions.memory.store.filters import Filter, visible
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import NODE_COLUMNS, Node, change_from_row
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.text.words import stemmed_name
from sandbox.support.times import from_ms

_SQL = load("browsing")
_END = 2**63 - 1  # behind every id


def memories(
    snapshot: Snapshot,
    filter_: Filter,
    cursor: str | None,
    limit: int,
    category: str | None = None,
    subject: str | None = None,
) -> Page[Listed]:
    """What the filter allows, what was stored last first. Raises ``InvalidArgument`` for what is no cursor."""
    wanted, parameters = filter_.condition()
    if category is not None:
        wanted, parameters["category"] = f"{wanted} AND n.category = :category", category
    if subject is not None:
        wanted, parameters["who"] = f"{wanted} AND n.who = :who", stemmed_name(subject)
    is_knowledge = subject is not None or not filter_.sees_turns
    sql = _SQL.listed.replace("{columns}", NODE_COLUMNS).replace("{wanted}", wanted)
    sql = sql.replace("{kind}", _kind("first", is_knowledge))
    rows = snapshot.execute(sql, {**parameters, "before": _place(cursor), "limit": limit + 1}).fetchall()
    total = _counted(snapshot, wanted, parameters, is_knowledge)
    found = [
        Listed(Node.from_row(row[: len(Node._fields)]).record(filter_.now), from_ms(row["first_stored"]))
        for row in rows[:limit]
    ]
    return Page(tuple(found), total, _next(rows, limit))


def used(snapshot: Snapshot, filter_: Filter, limit: int) -> Page[Record]:
    """What the filter allows, what was recalled last first."""
    wanted, parameters = filter_.condition()
    is_knowledge = not filter_.sees_turns
    sql = _SQL.used.replace("{columns}", NODE_COLUMNS).replace("{wanted}", wanted)
    sql = sql.replace("{kind}", _kind("n", is_knowledge))
    rows = snapshot.execute(sql, {**parameters, "limit": limit})
    found = tuple(Node.from_row(row).record(filter_.now) for row in rows)
    return Page(found, _counted(snapshot, wanted, parameters, is_knowledge))


def own(snapshot: Snapshot, filter_: Filter) -> list[Node]:
    """What the filter allows of its own user's, and what not everybody sees."""
    wanted, parameters = filter_.condition()
    sql = _SQL.own.replace("{columns}", NODE_COLUMNS).replace("{wanted}", wanted)
    return [Node.from_row(row) for row in snapshot.execute(sql, parameters)]


def entities(snapshot: Snapshot, scope: Scope, cursor: str | None, limit: int) -> Page[Entity]:
    """Whom and what a scope may know of, who was met last first; counted are memories that the scope may see."""
    condition, parameters = visible(scope, "e")
    sql = _SQL.entities.replace("{condition}", condition)
    rows = snapshot.execute(sql, {**parameters, "before": _place(cursor), "limit": limit + 1}).fetchall()
    found = []
    for row in rows[:limit]:
        count, first, last = search.met(snapshot, row["place"], scope)
        seen = [
            from_ms(row[name] if met is None else met) for name, met in (("first_seen", first), ("last_seen", last))
        ]
        found.append(Entity(row["public_id"], row["name"], row["type"], count, *seen))
    total: int = snapshot.execute(_SQL.entities_counted.replace("{condition}", condition), parameters).fetchone()[0]
    return Page(tuple(found), total, _next(rows, limit))


def changes(snapshot: Snapshot, scope: Scope, after: int, limit: int) -> tuple[Change, ...]:
    """The log of what a scope may see, oldest first."""
    condition, parameters = visible(scope)
    sql = _SQL.changes.replace("{condition}", condition)
    rows = snapshot.execute(sql, {**parameters, "after": after, "limit": limit})
    return tuple(change_from_row(row) for row in rows)


def last_change(snapshot: Snapshot, scope: Scope) -> int:
    """The last line of the log of what a scope may see, 0: there is none."""
    condition, parameters = visible(scope)
    row = snapshot.execute(_SQL.last_change.replace("{condition}", condition), parameters).fetchone()
    return 0 if row is None else int(row["seq"])


def _counted(snapshot: Snapshot, wanted: str, parameters: Mapping[str, Any], is_knowledge: bool) -> int:
    sql = _SQL.counted.replace("{wanted}", wanted).replace("{kind}", _kind("n", is_knowledge))
    count: int = snapshot.execute(sql, parameters).fetchone()[0]
    return count


def _kind(table: str, is_knowledge: bool) -> str:
    """A condition as the indexes of knowledge have it, so that they are used and no turn is looked at."""
    return f"{table}.type <> 'episodic'" if is_knowledge else "1"


def _next(rows: Sequence[sqlite3.Row], limit: int) -> str | None:
    """The cursor behind a page, of which one row more was read."""
    return f"{rows[limit - 1]['place']:x}" if len(rows) > limit else None


def _place(cursor: str | None) -> int:
    if cursor is None:
        return _END
    try:
        place = int(cursor, 16)
    except ValueError:
        place = -1
    if not 0 <= place <= _END or f"{place:x}" != cursor:
        raise InvalidArgument(argument="cursor", value=cursor, expected="give `next` of the page before")
    return place
