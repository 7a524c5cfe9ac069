"""Entities that may be one, or nobody: who was met since, whom they could be, and what says that they are two."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import entities, merges
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.summaries import Entity
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.extensions.memory.text.words import name_key

_SQL = load("identity")


@dataclass(frozen=True, slots=True)
class Known:
    """An entity, everything it is called, how often it was met, and what sums it up."""

    entity: Entity
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
    """Whether both stand and nothing says that they are two: what ``merges.may_be_same`` looks at, and whether
    anything speaks of both.
    """
    pair = {"one": one, "other": other}
    if snapshot.execute(_SQL.standing, pair).fetchone()["count"] < 2:
        return False
    return merges.may_be_same(snapshot, one, other) and not snapshot.execute(_SQL.together, pair).fetchone()[0]


def merge(tx: Transaction, one: Known, other: Known, actor: str) -> bool:
    """Make the one that was met less often part of the other, if they still may be one; whether that was done."""
    if not may_be_one(tx, one.id, other.id):
        return False
    into, part = sorted((one, other), key=lambda each: (-each.mentions, each.id))
    merges.merge(tx, part.id, into.id, actor)
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
        merges.keep_apart(tx, first, second)
    elif merges.brought_one_of(tx, first, {name_key(one), name_key(other)}):
        merges.split(tx, first, scope.actor_id)


def _known(row: sqlite3.Row) -> Known:
    columns = ("id", "public_id", "user_id", "project_id", "session_id", "visibility", "name", "type")
    entity = Entity(**{column: row[column] for column in columns})
    return Known(entity, tuple(sorted(json.loads(row["names"]))), row["mention_count"], row["summary"])
