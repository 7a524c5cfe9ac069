"""Lists for people: memories, entities and changes in pages that no change shifts; conversations turn by turn, counts
of each kind, days, and relations; statistics, with the costs of models and waiting work.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path

from sandbox.extensions.memory.errors import InvalidArgument, UnknownSession
from sandbox.extensions.memory.listings import (
    Counts,
    Day,
    Entity,
    EntityEdge,
    KnowledgeChange,
    ListedMemory,
    Neighbour,
    Neighbourhood,
    Page,
    Spending,
    Turns,
    TurnWithKnowledge,
)
from sandbox.extensions.memory.model import ListOrder, Scope
from sandbox.extensions.memory.reports import AnswerQuality, Spent, Statistics
from sandbox.extensions.memory.store import changes, claims, entities, graph, nodes, search, vectors
from sandbox.extensions.memory.store.filters import Filter, visible
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.times import from_ms, from_ms_or_none, in_zone

_SQL = load("browsing")


_END = 2**60 - 1  # after every id and every time

_ORDERS: Mapping[ListOrder, tuple[str, str, str]] = {
    "newest": ("first.id < :place", "first.id DESC", "0"),
    "oldest": ("first.id > :place", "first.id", "0"),
    "most_used": (
        "(-n.access_count, -first.id) > (-:at, -:place)",
        "n.access_count DESC, first.id DESC",
        "n.access_count",
    ),
    "most_important": (
        "(-n.importance, -first.id) > (-:at, -:place)",
        "n.importance DESC, first.id DESC",
        "n.importance",
    ),
    "fading_first": (
        f"(coalesce(n.fades_at, {_END}), -first.id) > (:at, -:place)",
        f"coalesce(n.fades_at, {_END}), first.id DESC",
        f"coalesce(n.fades_at, {_END})",
    ),
}
"""For each order: the condition for rows after a place, the SQL order, and the value that identifies a place beside the
id.
"""


def memories(
    snapshot: Snapshot, filter_: Filter, cursor: str | None, limit: int, order: ListOrder = "newest"
) -> Page[ListedMemory]:
    """Memories that the filter allows, in an order. Raises ``InvalidArgument`` for an invalid cursor."""
    condition, is_knowledge = filter_.condition(), not filter_.sees_turns
    behind, by, key = _ORDERS[order]
    sql = _SQL.listed.replace("{kind}", _kind("first", is_knowledge))
    sql = sql.replace("{behind}", behind if cursor else "1").replace("{order}", by).replace("{key}", key)
    at, place = _keyed(cursor) if cursor is not None else (0, 0)
    rows = snapshot.select(sql, condition, at=at, place=place, limit=limit + 1).fetchall()
    counted = _SQL.counted.replace("{kind}", _kind("n", is_knowledge))
    total = snapshot.select(counted, condition).fetchone()[0]
    stood = changes.records(snapshot, [Node._make(row[: len(Node._fields)]) for row in rows[:limit]], filter_)
    filed = entities.contexts_of(snapshot, [row["id"] for row in rows[:limit]], filter_.scope)
    found = [
        ListedMemory(each, from_ms(row["first_stored"]), filed.get(row["id"], ()))
        for each, row in zip(stood, rows, strict=False)
    ]
    return Page(tuple(found), total, _next(rows, limit))


def own(snapshot: Snapshot, filter_: Filter) -> list[Node]:
    """The user's own memories that the filter allows, without global ones."""
    return [Node._make(row) for row in snapshot.select(_SQL.own, filter_.condition())]


def known_entities(snapshot: Snapshot, filter_: Filter, cursor: str | None, limit: int) -> Page[Entity]:
    """Entities that the filter's scope may know of, with counts of the memories that it may see: the most mentioned
    first, or for an agent with a list of categories the latest, because the mentions are counted in all.
    """
    condition = filter_.known_entities()
    sql = _SQL.entities.replace("{key}", "e.mention_count" if filter_.allowed is None else "0")
    mentions, place = (_END, _END) if cursor is None else _keyed(cursor)
    rows = snapshot.select(sql, condition, mentions=mentions, place=place, limit=limit + 1).fetchall()
    found = []
    for row in rows[:limit]:
        count, first, last = search.met(snapshot, row["place"], filter_.mentions())
        seen = [
            from_ms(row[name] if met is None else met) for name, met in (("first_seen", first), ("last_seen", last))
        ]
        found.append(Entity(row["public_id"], row["name"], row["type"], count, *seen))
    total = snapshot.select(_SQL.entities_counted, condition).fetchone()[0]
    return Page(tuple(found), total, _next(rows, limit))


def last_change(snapshot: Snapshot, filter_: Filter) -> int:
    """The last line of the log for a scope; 0 if there is none."""
    row = snapshot.select(_SQL.last_change, filter_.reach()).fetchone()
    return 0 if row is None else int(row["seq"])


def _kind(table: str, is_knowledge: bool) -> str:
    """A condition in the form of the indexes of knowledge, so that SQLite uses them and reads no turns."""
    return f"{table}.type <> 'episodic'" if is_knowledge else "1"


def _next(rows: Sequence[sqlite3.Row], limit: int) -> str | None:
    """The cursor after a page; one row more was read."""
    return f"{rows[limit - 1]['sort_key']:x}.{rows[limit - 1]['place']:x}" if len(rows) > limit else None


def _keyed(cursor: str) -> tuple[int, int]:
    """The value of a place in an order, and its id."""
    key, _, place = cursor.rpartition(".")
    return _place(key or "0"), _place(place)


def _place(cursor: str) -> int:
    try:
        place = int(cursor, 16)
    except ValueError:
        place = -1
    if not 0 <= place <= _END or f"{place:x}" != cursor:
        raise InvalidArgument(argument="cursor", value=cursor, expected="give the `next` of the previous page")
    return place


def turns(snapshot: Snapshot, session: str, filter_: Filter, offset: int, limit: int, around: str | None) -> Turns:
    """Turns of a session after an offset, or around a turn, with what was learnt. Raises ``UnknownSession``."""
    total, earlier = _turns_there(snapshot, session, filter_.scope, around)
    start = offset if around is None else max(0, earlier - limit // 2)
    found = said(snapshot, session, filter_.scope, start, limit)
    learnt = graph.sources(snapshot, [node.id for node in found], "derived_from")
    seen = search.allowed(snapshot, {there for _, there in learnt}, _everything(filter_))
    stored = nodes.by_ids(snapshot, seen)
    heard = tuple(
        TurnWithKnowledge(
            node.record(filter_.now),
            tuple(stored[there].record(filter_.now) for here, there in learnt if here == node.id and there in stored),
        )
        for node in found
    )
    return Turns(heard, total, start)


def said(snapshot: Snapshot, session: str, scope: Scope, offset: int, limit: int) -> list[Node]:
    """Turns of a session that a scope may see, in order, after an offset. ``UnknownSession`` if it may see none."""
    rows = snapshot.select(_SQL.said, visible(scope), session=session, limit=limit, offset=offset).fetchall()
    if not rows and not _turns_there(snapshot, session, scope)[0]:
        raise UnknownSession(session=session)
    return [Node._make(row) for row in rows]


def _turns_there(snapshot: Snapshot, session: str, scope: Scope, around: str | None = None) -> tuple[int, int]:
    """How many turns of a session a scope may see, and how many of them come before the turn with an id."""
    total, earlier = snapshot.select(_SQL.said_counted, visible(scope), session=session, around=around).fetchone()
    return total, earlier


def counts(snapshot: Snapshot, filter_: Filter) -> Counts:
    """How many memories of knowledge the filter allows, by kind, the most first."""
    kinds: dict[str, Counter[str]] = {name: Counter() for name in ("type", "category", "subject", "trust")}
    for row in snapshot.select(_SQL.kinds, filter_.condition()):
        for name, counter in kinds.items():
            if row[name] is not None:
                counter[row[name]] += row["memories"]
    return Counts(*(dict(kinds[name].most_common()) for name in kinds))


def days(snapshot: Snapshot, filter_: Filter, zone: tzinfo | None) -> tuple[Day, ...]:
    """The days on which something was said, learnt or retired, in order, by the clocks of a zone."""
    found: dict[str, Day] = {}
    for quarter, said, learnt, retired in snapshot.select(_SQL.quarters, filter_.reach()):
        name = in_zone(from_ms(quarter), zone).date().isoformat()
        day = found.setdefault(name, Day(name, 0, 0, 0))
        day.said, day.learnt, day.retired = day.said + said, day.learnt + learnt, day.retired + retired
    return tuple(found.values())


def knowledge_changes(
    snapshot: Snapshot, filter_: Filter, since: int, until: int, after: int, limit: int
) -> tuple[KnowledgeChange, ...]:
    """Changes of knowledge between two moments, after a line of the log, each with its version."""
    asked = {"since": since, "until": until, "after": after, "limit": limit}
    rows = snapshot.select(_SQL.happened, filter_.reach(), **asked).fetchall()
    seen = search.allowed(snapshot, [row["node"] for row in rows], _everything(filter_))
    stored = nodes.by_ids(snapshot, seen)
    return tuple(
        KnowledgeChange(
            changes.change_from_row(row), stored[row["node"]].record(filter_.now) if row["node"] in stored else None
        )
        for row in rows
    )


def projects(snapshot: Snapshot, scope: Scope) -> tuple[str, ...]:
    """The projects of the scope's user with memories or turns that are found only there."""
    return tuple(row[0] for row in snapshot.execute(_SQL.projects, user_id=scope.user_id))


def neighbourhood(snapshot: Snapshot, name: str, filter_: Filter, hops: int, limit: int) -> Neighbourhood:
    """The neighbourhood of an entity, over at most ``hops`` joins and with at most ``limit`` entities."""
    centre, users = entities.called(snapshot, filter_, name), claims.users_entities(snapshot, filter_)
    user = centre if centre in users else next(iter(users), None)
    reached, joins = dict(_wholes(snapshot, [centre], filter_.scope).values()), dict[tuple[str, str, str], EntityEdge]()
    outermost: Iterable[int] = [centre]
    for _ in range(hops):
        nearer = set(reached)
        for ends, joined in _joins(snapshot, outermost, filter_, user, limit):
            if len(reached | ends) <= limit:
                reached |= ends
                joins.setdefault((joined.source, joined.target, joined.predicate or ""), joined)
        outermost = reached.keys() - nearer
    return Neighbourhood(reached[centre].id, tuple(reached.values()), tuple(joins.values()))


def _joins(
    snapshot: Snapshot, ids: Iterable[int], filter_: Filter, user: int | None, limit: int
) -> Iterator[tuple[dict[int, Neighbour], EntityEdge]]:
    """The joins of some entities with others that the scope may know of, or with the ``user``, and the entities at both
    ends: claims first, then memories that mention both.
    """
    near = [row[0] for row in snapshot.execute(_SQL.parts, entities=ids)]
    condition, asked = filter_.condition(), {"entities": near, "limit": limit}
    claimed = snapshot.select(_SQL.joined, condition, **asked, of_user=user in near).fetchall()
    found = [
        (*(user if end is None else end for end in ends), predicate, public_id, bool(affirmed), 1)
        for *ends, predicate, affirmed, public_id, _ in claimed
    ]
    pairs = {frozenset(row[:2]) for row in found}
    found += [
        (row["one"], row["other"], None, row["public_id"], True, row["memories"])
        for row in snapshot.select(_SQL.together, condition, **asked)
        if frozenset((row["one"], row["other"])) not in pairs
    ]
    known = _wholes(snapshot, {end for row in found for end in row[:2] if end is not None}, filter_.scope)
    for one, other, predicate, *more in found:
        ends = [end for end in (one, other) if end is not None]
        if all(end in known for end in ends):
            names = ["" if end is None else known[end][1].id for end in (one, other)]
            source, target = names if predicate else sorted(names)
            if source != target:
                yield dict(known[end] for end in ends), EntityEdge(source, target, predicate, *more)


def _wholes(snapshot: Snapshot, ids: Iterable[int], scope: Scope) -> dict[int, tuple[int, Neighbour]]:
    """For each entity that the scope may know of, the one that it was merged into, or itself."""
    rows = snapshot.select(_SQL.wholes, visible(scope, "e"), entities=ids)
    return {row["of"]: (row["id"], Neighbour(row["public_id"], row["name"], row["type"])) for row in rows}


def _everything(filter_: Filter) -> Filter:
    """The filter, with replaced and faded memories."""
    return replace(filter_, history=True)


def statistics(snapshot: Snapshot, filter_: Filter, path: Path) -> Statistics:
    """Counts of the memories of a scope's user in the filter's reach. Operations and spending are those of the user;
    the size is that of the whole file.
    """
    scope = filter_.scope
    (seen, user), (entities, _), (own, _) = filter_.reach(), filter_.known_entities(), visible(scope, "s")
    held: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, name, count in snapshot.execute(_SQL.held.format(nodes=seen), user):
        held[kind][name] = count
    counts = snapshot.execute(_SQL.counts.format(entities=entities, sessions=own), user).fetchone()
    writes, files = changes.writes(snapshot, filter_), (path, path.with_name(path.name + "-wal"))
    maintained = snapshot.meta("last_maintained_at")
    return Statistics(
        nodes=held["nodes"],
        retired=held["retired"],
        edges=held["edges"],
        embedding_model=vectors.active_model(snapshot),
        **held["counts"],
        **dict(counts),
        database_bytes=sum(each.stat().st_size for each in files if each.exists()),
        changes=sum(writes.values()),
        last_maintained_at=from_ms_or_none(None if maintained is None else int(maintained)),
        operations=_pairs(snapshot, _SQL.operations, user),
        writes=writes,
        spending={step: Spent(*spent) for step, *spent in snapshot.execute(_SQL.spending, user)},
        violations=_pairs(snapshot, _SQL.violations, user),
        answer_quality=AnswerQuality(*snapshot.execute(_SQL.answer_quality, user).fetchone()),
    )


def spending(snapshot: Snapshot, scope: Scope, days: int) -> tuple[Spending, ...]:
    """The cost of models for a scope's user on the latest days on which one was asked, the latest first."""
    return tuple(Spending(*row) for row in snapshot.execute(_SQL.spending_by_day, user_id=scope.user_id, days=days))


def pending_sessions(snapshot: Snapshot) -> int:
    """How many sessions wait to be learnt from."""
    return snapshot.number(_SQL.pending_sessions)


def _pairs(snapshot: Snapshot, sql: str, parameters: dict[str, str]) -> dict[str, int]:
    return dict(map(tuple, snapshot.execute(sql, parameters)))
