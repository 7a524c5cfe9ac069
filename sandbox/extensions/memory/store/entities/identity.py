"""Entities that may be one: new entities, their candidates, and evidence that two are different; merging two, and
undoing it exactly.

A merged entity keeps its names and links, hidden; the other entity gets a copy of those that it lacks. Undoing removes
the copies, so both are as before. Links made since then stay where they were made.
"""

import hashlib
import json
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.entities import entities
from sandbox.extensions.memory.store.rows import EntityRow
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Transaction
from sandbox.extensions.memory.text.names import UNKNOWN
from sandbox.extensions.memory.text.words import name_key

_SQL = load("identity")


def merge(tx: Transaction, entity: int, into: int, actor: str | None = None, said_in: int | None = None) -> None:
    """Make one entity part of another: everything it is called and linked with counts for that one as well. The node
    ``said_in`` says that they are one, None: a person did, or a night concluded it.
    """
    pair = {"entity": entity, "into": into}
    source, target = _row(tx, entity), _row(tx, into)
    names = [row["folded"] for row in tx.execute(_SQL.gained_names, pair)]
    links = [(row["node_id"], row["role"]) for row in tx.execute(_SQL.gained_links, pair)]
    for sql in (_SQL.add_names, _SQL.add_links, _SQL.hide):
        tx.execute(sql, pair)
    tx.execute(
        _SQL.grow,
        {
            "into": into,
            "type": source["type"] if target["type"] == UNKNOWN else target["type"],
            "count": len(links),
            "first": source["first_seen"],
            "last": source["last_seen"],
        },
    )
    record = {"names": json.dumps(names), "links": json.dumps(links), "was": json.dumps(_was(target))}
    tx.execute(_SQL.note, {**pair, **record, "node": said_in, "now": tx.now})
    tx.log(
        "entity_merged",
        None,
        target["user_id"],
        actor=actor,
        entity=source["public_id"],
        into=target["public_id"],
    )


def split(tx: Transaction, into: int, actor: str | None = None) -> bool:
    """Undo the latest merge into an entity; False where there is none. The two are not merged again unless a person
    says so. A summary that was written meanwhile goes, since it may be of both.
    """
    row = tx.execute(_SQL.last, {"into": into}).fetchone()
    if row is None:
        return False
    _unmerge(tx, row)
    tx.execute(_SQL.mark_split, {"id": row["id"], "now": tx.now})
    source, target = _row(tx, row["entity_id"]), _row(tx, into)
    tx.log("entity_split", None, target["user_id"], actor=actor, entity=source["public_id"], into=target["public_id"])
    return True


def take_back(tx: Transaction, said_in: Sequence[int]) -> None:
    """Undo, as if they had never been, merges that nothing says any more once some nodes are gone. What was merged on
    top of them is merged again.
    """
    nodes = {"nodes": json.dumps(said_in)}
    while (row := tx.execute(_SQL.said_in, nodes).fetchone()) is not None:
        undone, reached = [row], {row["into_id"]}
        for later in tx.execute(_SQL.standing_after, {"id": row["id"]}).fetchall():
            if not reached.isdisjoint((later["into_id"], later["entity_id"])):
                undone.append(later)
                reached.add(later["into_id"])
        for each in reversed(undone):
            _unmerge(tx, each)
            tx.execute(_SQL.drop_merge, {"id": each["id"]})
        for each in undone[1:]:
            merge(tx, each["entity_id"], each["into_id"], None, each["node_id"])


def keep_apart(tx: Transaction, one: int, other: int) -> None:
    """Note that two entities are two."""
    if may_be_same(tx, one, other):
        nothing = {"names": "[]", "links": "[]", "was": "{}", "now": tx.now}
        tx.execute(_SQL.note_apart, {"entity": one, "into": other, **nothing})


def brought_one_of(snapshot: Snapshot, into: int, names: Collection[str]) -> bool:
    """Whether the latest merge into an entity brought one of its names, as keys, and not the others."""
    row = snapshot.execute(_SQL.last, {"into": into}).fetchone()
    return row is not None and len(set(names).intersection(json.loads(row["names"]))) == 1


def may_be_same(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether nothing says that two entities are two: another home, a merge that was undone, one conversation in which
    both spoke.
    """
    if not same_home(snapshot, one, other):
        return False
    return not snapshot.execute(_SQL.told_apart, {"one": one, "other": other}).fetchone()["apart"]


def same_home(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether whoever sees one of two entities sees the other."""
    first, second = _row(snapshot, one), _row(snapshot, other)
    shared = ["user_id", "visibility"]
    shared += {"project": ["project_id"], "session": ["session_id"]}.get(first["visibility"], [])
    return all(first[column] == second[column] for column in shared)


def merged(snapshot: Snapshot, into: int) -> list[str]:
    """Names of what is part of an entity, in the order it was merged."""
    return [row["name"] for row in snapshot.execute(_SQL.merged, {"into": into})]


def _unmerge(tx: Transaction, row: sqlite3.Row) -> None:
    """Take away what an entity brought to another."""
    into, names, links = row["into_id"], json.loads(row["names"]), json.loads(row["links"])
    tx.executemany(_SQL.drop_name, ((into, folded) for folded in names))
    tx.executemany(_SQL.drop_link, ((into, node_id, role) for node_id, role in links))
    _shrink(tx, into, len(links), json.loads(row["was"]))
    tx.execute(_SQL.hide, {"entity": row["entity_id"], "into": None})


def _shrink(tx: Transaction, into: int, count: int, was: dict[str, str | int | None]) -> None:
    """An entity as it was, with what was linked since."""
    since = tx.execute(_SQL.times, {"into": into}).fetchone()
    now = _was(_row(tx, into))
    tx.execute(
        _SQL.shrink,
        {
            "into": into,
            "type": was["type"],
            "count": count,
            "first": min(time for time in (was["first"], since["first"]) if time is not None),
            "last": max(time for time in (was["last"], since["last"]) if time is not None),
            "keeps_summary": now["summary"] == was["summary"],
        },
    )


def _was(entity: sqlite3.Row) -> dict[str, str | int | None]:
    """What merging changes about an entity. Of the summary only a hash, which tells whether it is another."""
    summary = entity["summary"]
    return {
        "type": entity["type"],
        "first": entity["first_seen"],
        "last": entity["last_seen"],
        "summary": None if summary is None else hashlib.blake2b(summary.encode(), digest_size=8).hexdigest(),
    }


def _row(snapshot: Snapshot, entity_id: int) -> sqlite3.Row:
    row: sqlite3.Row = snapshot.execute(_SQL.by_id, {"id": entity_id}).fetchone()
    return row


@dataclass(frozen=True, slots=True)
class Known:
    """An entity, everything it is called, how often it was met, and what sums it up."""

    entity: EntityRow
    names: tuple[str, ...]
    mentions: int
    summary: str | None

    @property
    def id(self) -> int:
        """Its internal id."""
        return self.entity.id


def users(snapshot: Snapshot) -> list[str]:
    """Everybody who has entities, in order of their names."""
    return [row["user_id"] for row in snapshot.execute(_SQL.users)]


def since(snapshot: Snapshot, user_id: str, after: int, limit: int) -> list[Known]:
    """Entities of a user that were met after one, in order."""
    rows = snapshot.execute(_SQL.entities, {"user_id": user_id, "after": after, "limit": limit})
    return [_known(row) for row in rows]


def until(snapshot: Snapshot, user_id: str, upto: int, limit: int) -> list[Known]:
    """Entities of a user up to one, the most mentioned first."""
    rows = snapshot.execute(_SQL.known, {"user_id": user_id, "upto": upto, "limit": limit})
    return [_known(row) for row in rows]


def names(snapshot: Snapshot) -> dict[int, str]:
    """Everybody's entities that are part of no other, and what they are called."""
    return {row["id"]: row["name"] for row in snapshot.execute(_SQL.names)}


def mere_names(snapshot: Snapshot, ids: Collection[int]) -> list[int]:
    """Those of some entities that are nothing but a name: they are no person that is known as one, nothing is known of
    them, they never spoke, and no other name or entity was joined with theirs.
    """
    return [row["id"] for row in snapshot.execute(_SQL.mere_names, {"ids": json.dumps(list(ids))})]


def remove(tx: Transaction, ids: Collection[int]) -> None:
    """Nobody is meant by some entities; what was linked with them stays."""
    tx.execute(_SQL.remove, {"ids": json.dumps(list(ids))})


def may_be_one(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether both stand and nothing says that they are two: what ``may_be_same`` looks at, and whether
    anything speaks of both.
    """
    pair = {"one": one, "other": other}
    if snapshot.execute(_SQL.standing, pair).fetchone()["count"] < 2:
        return False
    return may_be_same(snapshot, one, other) and not snapshot.execute(_SQL.together, pair).fetchone()[0]


def merge_known(tx: Transaction, one: Known, other: Known, actor: str) -> bool:
    """Make the one that was met less often part of the other, if they still may be one; whether that was done."""
    if not may_be_one(tx, one.id, other.id):
        return False
    into, part = sorted((one, other), key=lambda each: (-each.mentions, each.id))
    merge(tx, part.id, into.id, actor)
    return True


def tell_apart(tx: Transaction, one: str, other: str, scope: Scope) -> None:
    """Two names are of two, because somebody says so: where the last merge made them one it is undone, and they are not
    merged again unless a person says so. Names that nobody, or more than one, bears tell nothing.
    """
    found = entities.named(tx, scope, [name_key(one), name_key(other)])
    bearers = [found.get(name_key(name), []) for name in (one, other)]
    if [len(each) for each in bearers] != [1, 1]:
        return
    (first,), (second,) = bearers
    if not all(entities.is_at_home(tx, each, scope) for each in (first, second)):
        return
    if first != second:
        keep_apart(tx, first, second)
    elif brought_one_of(tx, first, {name_key(one), name_key(other)}):
        split(tx, first, scope.actor_id)


def _known(row: sqlite3.Row) -> Known:
    columns = ("id", "public_id", "user_id", "project_id", "session_id", "visibility", "name", "type")
    entity = EntityRow(**{column: row[column] for column in columns})
    return Known(entity, tuple(sorted(json.loads(row["names"]))), row["mention_count"], row["summary"])
