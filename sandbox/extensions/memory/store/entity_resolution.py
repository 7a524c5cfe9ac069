"""Entity resolution: which entity a name means, and which entities are one: merging them, and splitting them again.

A merged entity keeps its names and links, hidden; the other entity gets a copy of those that it lacks. Undoing removes
the copies, so that both are as before. Links that were made since then stay.
"""

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.errors import ArgumentsDisagree, NotMerged
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import entities
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import EntityRow
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.names import UNKNOWN, Decision, Mention, decide, other_names
from sandbox.extensions.memory.text.words import name_key

_SQL = load("entity_resolution")

_SPEAKERS = ("person", "tool", UNKNOWN)


def resolve(
    tx: Transaction,
    name: str,
    type_: str,
    at: int,
    scope: Scope,
    aliases: Sequence[str] = (),
    said_in: int | None = None,
) -> int:
    """The entity that a name means among those known to the scope; if there is none, a new one (see ``names.decide``).
    Its aliases are added, and an entity known only under one of them is merged into it, on the word of the node
    ``said_in``. Nothing is added to an entity that others see, too.
    """
    wanted = Mention(entities.spelled(name), type_, tuple(map(entities.spelled, aliases)))
    decision = decide(wanted, entities.candidates(tx, wanted, scope))
    if decision.entity is None:
        entity_id = entities.add(tx, wanted, at, scope, said_in)
    else:
        entity_id = decision.entity
        if type_ != UNKNOWN:
            tx.execute(_SQL.better_type, entities.whose(scope), id=entity_id, type=type_, unknown=UNKNOWN)
    _add_names(tx, entity_id, wanted, decision, scope, said_in)
    for same in decision.same:
        if entities.is_at_home(tx, entity_id, scope) and _may_be_same(tx, same, entity_id):
            merge(tx, same, entity_id, scope.actor_id, said_in)
    return entity_id


def _add_names(
    tx: Transaction, entity_id: int, wanted: Mention, decision: Decision, scope: Scope, said_in: int | None
) -> None:
    """Add the given aliases, and the name, if such an alias led to the entity. A name that was resolved by its form or
    a part is not added, because it is right only while nobody else could be meant.
    """
    also = other_names(wanted)
    new = [alias for alias in wanted.aliases if name_key(alias) in also]
    if decision.by_alias:
        new.append(wanted.name)
    for name in new:
        entities.add_name(tx, entity_id, name, scope, said_in)


def speaker(tx: Transaction, name: str, at: int, scope: Scope, said_in: int | None = None) -> int:
    """The entity that speaks under a name. Only the exact name counts, because a speaker is known by it."""
    known = [each for each in entities.with_names(tx, [name_key(name)], [], scope) if each.type in _SPEAKERS]
    if not known:
        return entities.add(tx, Mention(entities.spelled(name), "person"), at, scope, said_in)
    entity_id = max(known, key=lambda each: (each.type == "person", each.mentions, -each.id)).id
    tx.execute(_SQL.better_type, entities.whose(scope), id=entity_id, type="person", unknown=UNKNOWN)
    return entity_id


def mention(tx: Transaction, mentions: Iterable[Mention], node_id: int, at: int, scope: Scope) -> list[int]:
    """Resolve all names that a node mentions, in order, and link them with it."""
    named_ = [each for each in mentions if each.name.strip()]
    found = [resolve(tx, each.name, each.type, at, scope, each.aliases, node_id) for each in named_]
    entities.link_all(tx, {entity_id: {node_id: at} for entity_id in found}, "mentions")
    return found


def merge(tx: Transaction, part: int, into: int, actor: str | None = None, said_in: int | None = None) -> None:
    """Merge one entity into another, which gets all its names and links. The node ``said_in`` says that they are one;
    None if a person decided it or a night concluded it.
    """
    pair = {"entity": part, "into": into}
    source, target = entities.entity(tx, part), entities.entity(tx, into)
    names = [row["folded"] for row in tx.execute(_SQL.gained_names, pair)]
    links = [(row["node_id"], row["role"]) for row in tx.execute(_SQL.gained_links, pair)]
    for sql in (_SQL.add_names, _SQL.add_links, _SQL.hide):
        tx.execute(sql, pair)
    tx.execute(
        _SQL.grow,
        into=into,
        type=source["type"] if target["type"] == UNKNOWN else target["type"],
        count=len(links),
        first=source["first_seen"],
        last=source["last_seen"],
    )
    was = json.dumps(_was(target))
    tx.execute(_SQL.note, pair, names=names, links=links, was=was, node=said_in, now=tx.now, split=None)
    tx.log("entity_merged", None, target["user_id"], actor=actor, entity=source["public_id"], into=target["public_id"])


def merge_named(tx: Transaction, name: str, into: str, filter_: Filter) -> None:
    """Merge one entity, by name or public id, into another on a person's word. Raises ``UnknownEntity``, or
    ``ArgumentsDisagree`` if they are already one, or have different audiences.
    """
    one, other, scope = entities.called(tx, filter_, name), entities.called(tx, filter_, into), filter_.scope
    if one == other:
        raise ArgumentsDisagree(
            argument="into", value=into, expected=f"it is {name!r} already; ids tell namesakes apart"
        )
    for each in (one, other):
        check_audience(scope, entities.entity(tx, each)["visibility"])
    if not _same_home(tx, one, other):
        expected = f"it and {name!r} do not belong to the same user, project and visibility, so they stay two"
        raise ArgumentsDisagree(argument="into", value=into, expected=expected)
    if (entities.entity(tx, one)["type"] == "context") != (entities.entity(tx, other)["type"] == "context"):
        raise ArgumentsDisagree(
            argument="into", value=into, expected="a context cannot be joined with a person or thing"
        )
    merge(tx, one, other, scope.actor_id)


def split(tx: Transaction, into: int, actor: str | None = None) -> bool:
    """Undo the latest merge into an entity; False if there is none. Only a person can merge the two again. A summary
    that was written after the merge is removed, because it may be about both.
    """
    row = tx.execute(_SQL.last, into=into).fetchone()
    if row is None:
        return False
    _unmerge(tx, row)
    tx.execute(_SQL.mark_split, id=row["id"], now=tx.now)
    source, target = entities.entity(tx, row["entity_id"]), entities.entity(tx, into)
    tx.log("entity_split", None, target["user_id"], actor=actor, entity=source["public_id"], into=target["public_id"])
    return True


def split_last(tx: Transaction, name: str, filter_: Filter) -> None:
    """Undo the last merge into an entity, by name or public id. Raises ``UnknownEntity`` or ``NotMerged``."""
    whole, scope = entities.called(tx, filter_, name), filter_.scope
    check_audience(scope, entities.entity(tx, whole)["visibility"])
    if not split(tx, whole, scope.actor_id):
        raise NotMerged(name=name)


def take_back_merges(tx: Transaction, said_in: Sequence[int]) -> None:
    """Undo merges that rest only on removed nodes, as if they had never been made. Later merges on top of them are made
    again.
    """
    nodes = {"nodes": said_in}
    while (row := tx.execute(_SQL.said_in, nodes).fetchone()) is not None:
        undone, reached = [row], {row["into_id"]}
        for later in tx.execute(_SQL.standing_after, id=row["id"]).fetchall():
            if not reached.isdisjoint((later["into_id"], later["entity_id"])):
                undone.append(later)
                reached.add(later["into_id"])
        for each in reversed(undone):
            _unmerge(tx, each)
            tx.execute(_SQL.drop_merge, id=each["id"])
        for each in undone[1:]:
            merge(tx, each["entity_id"], each["into_id"], None, each["node_id"])


def _unmerge(tx: Transaction, row: sqlite3.Row) -> None:
    """Remove the copies that a merge made."""
    into, names, links = row["into_id"], json.loads(row["names"]), json.loads(row["links"])
    tx.executemany(_SQL.drop_name, ((into, folded) for folded in names))
    entities.drop_links(tx, ((into, node_id, role) for node_id, role in links))
    _shrink(tx, into, len(links), json.loads(row["was"]))
    tx.execute(_SQL.hide, entity=row["entity_id"], into=None)


def _shrink(tx: Transaction, into: int, count: int, was: dict[str, str | None]) -> None:
    """Restore an entity's state before a merge, with the links made since."""
    keeps_summary = _was(entities.entity(tx, into))["summary"] == was["summary"]
    tx.execute(_SQL.shrink, into=into, type=was["type"], count=count, keeps_summary=keeps_summary)


def _was(entity: sqlite3.Row) -> dict[str, str | None]:
    """The fields of an entity that a merge changes and its links do not tell. Of the summary only a hash, which shows
    whether it changed.
    """
    summary = entity["summary"]
    return {
        "type": entity["type"],
        "summary": None if summary is None else hashlib.blake2b(summary.encode(), digest_size=8).hexdigest(),
    }


def tell_apart(tx: Transaction, one: str, other: str, scope: Scope) -> None:
    """Note, on somebody's word, that two names mean different entities. If the last merge made them one, it is undone,
    and only a person can merge them again. A name of no entity, or of several, is ignored.
    """
    found = entities.named(tx, scope, [name_key(one), name_key(other)])
    bearers = [found.get(name_key(name), []) for name in (one, other)]
    if [len(each) for each in bearers] != [1, 1]:
        return
    (first,), (second,) = bearers
    if not all(entities.is_at_home(tx, each, scope) for each in (first, second)):
        return
    if first != second:
        _keep_apart(tx, first, second)
    elif _brought_one_of(tx, first, {name_key(one), name_key(other)}):
        split(tx, first, scope.actor_id)


def _keep_apart(tx: Transaction, one: int, other: int) -> None:
    """Note that two entities are different."""
    if _may_be_same(tx, one, other):
        nothing = {"names": "[]", "links": "[]", "was": "{}", "node": None}
        tx.execute(_SQL.note, {"entity": one, "into": other, **nothing}, now=tx.now, split=tx.now)


def _brought_one_of(snapshot: Snapshot, into: int, names: Collection[str]) -> bool:
    """Whether the latest merge into an entity added exactly one of two names (given as keys)."""
    row = snapshot.execute(_SQL.last, into=into).fetchone()
    return row is not None and len(set(names).intersection(json.loads(row["names"]))) == 1


def may_be_one(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether two entities exist and nothing says that they are different (``_may_be_same``), nor mentions both."""
    pair = {"one": one, "other": other}
    if snapshot.execute(_SQL.standing, pair).fetchone()["count"] < 2:
        return False
    return _may_be_same(snapshot, one, other) and not snapshot.execute(_SQL.together, pair).fetchone()[0]


def merge_known(tx: Transaction, one: EntityRow, other: EntityRow, actor: str) -> bool:
    """Merge the less mentioned entity into the other if they still may be one; return whether they were merged."""
    if not may_be_one(tx, one.id, other.id):
        return False
    into, part = sorted((one, other), key=lambda each: (-each.mentions, each.id))
    merge(tx, part.id, into.id, actor)
    return True


def _may_be_same(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether nothing says that two entities are different: different homes, a merge that was undone, or a conversation
    in which both spoke.
    """
    if not _same_home(snapshot, one, other):
        return False
    return not snapshot.execute(_SQL.kept_apart, one=one, other=other).fetchone()["apart"]


def _same_home(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether two entities have the same audience."""
    first, second = entities.entity(snapshot, one), entities.entity(snapshot, other)
    shared = ["user_id", "visibility"]
    shared += {"project": ["project_id"], "session": ["session_id"]}.get(first["visibility"], [])
    return all(first[column] == second[column] for column in shared)


def merged(snapshot: Snapshot, into: int) -> list[str]:
    """Names of the entities merged into an entity, in the order of the merges."""
    return [row["name"] for row in snapshot.execute(_SQL.merged, into=into)]


def users(snapshot: Snapshot) -> list[str]:
    """All users with entities, by name."""
    return [row["user_id"] for row in snapshot.execute(_SQL.users)]


def since(snapshot: Snapshot, user_id: str, after: int, limit: int) -> list[EntityRow]:
    """Entities of a user that are newer than one, in order."""
    return [_entity_row(row) for row in snapshot.execute(_SQL.entities, user_id=user_id, after=after, limit=limit)]


def until(snapshot: Snapshot, user_id: str, upto: int, limit: int) -> list[EntityRow]:
    """Entities of a user up to one, the most mentioned first."""
    return [_entity_row(row) for row in snapshot.execute(_SQL.known, user_id=user_id, upto=upto, limit=limit)]


def _entity_row(row: sqlite3.Row) -> EntityRow:
    return EntityRow(**{**dict(row), "names": tuple(sorted(json.loads(row["names"])))})
