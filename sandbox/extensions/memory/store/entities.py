"""Entities: people and things in memories, under all their names, and their links with memories. The links are made in
the transaction that stores a memory: with those that its text names, those for which it matters (``relevant_to``),
those from which somebody concluded it (``derived_from``), and its contexts.

A context is a named group of memories: an entity of its own type, which no text can mean. Only an explicit call puts a
memory into it (``belongs_to``).

Entity resolution finds which entity a name means, and merges entities that are one. A merged entity keeps its names and
links, hidden; the other entity gets a copy of those that it lacks. Undoing removes the copies, so that both are as
before. Links that were made since then stay.
"""

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import nsmallest
from typing import Literal, NamedTuple

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.errors import ArgumentsDisagree, NotMerged, UnknownEntity
from sandbox.extensions.memory.listings import MemoryContext
from sandbox.extensions.memory.model import Scope, Visibility
from sandbox.extensions.memory.store.filters import Filter, visible, whose, wide_enough
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sql import load, quoted
from sandbox.extensions.memory.store.sqlite.snapshot import Condition, Snapshot, Transaction
from sandbox.extensions.memory.text.names import (
    UNKNOWN,
    Decision,
    KnownNames,
    Mention,
    compatible,
    decide,
    is_capital,
    is_description,
    is_short_for,
    other_names,
    short_words,
)
from sandbox.extensions.memory.text.sightings import WordRun, beginning, beginnings, names_it, runs
from sandbox.extensions.memory.text.variants import is_same_typed
from sandbox.extensions.memory.text.words import name_key, stemmed_name, terms
from sandbox.support.characters import storable
from sandbox.support.trust import FOREIGN

_SQL = load("entities")

_MOST_KNOWN = 50  # entities that a name is compared with
_SPEAKERS = ("person", "tool", UNKNOWN)

DERIVED_FROM = "derived_from"

_ByStem = Mapping[str, Sequence[tuple[int, str]]]
"""Entities with one of their names, by the stemmed name."""

_CONTEXT_ROLE = "belongs_to"
CONTEXT = "context"


class EntityRow(NamedTuple):
    """An entity as stored, with all its names. ``id`` is internal, ``public_id`` is shown."""

    id: int
    public_id: str
    user_id: str
    project_id: str | None
    session_id: str | None
    visibility: Visibility
    name: str
    type: str
    mentions: int
    summary: str | None
    names: tuple[str, ...]

    @classmethod
    def of(cls, row: sqlite3.Row) -> "EntityRow":
        """A row of ``{entity_columns}``."""
        *columns, names = row
        return cls._make((*columns, tuple(sorted(json.loads(names)))))


def named(snapshot: Snapshot, scope: Scope, keys: Iterable[str]) -> dict[str, list[int]]:
    """Entities by name key, the most mentioned first; unknown keys are left out."""
    found: dict[str, list[int]] = defaultdict(list)
    for row in snapshot.select(_SQL.named, visible(scope, "e"), names=keys):
        found[row["folded"]].append(row["id"])
    return dict(found)


def bearing(snapshot: Snapshot, scope: Scope, name: str) -> list[int]:
    """The entity with a public id; or those of this name, the most mentioned first; or the only one it can mean."""
    found = [row["id"] for row in snapshot.select(_SQL.by_public_id, visible(scope, "e"), id=storable(name))]
    found = found or named(snapshot, scope, [name_key(name)]).get(name_key(name), [])
    if found:
        return found
    wanted, anywhere = Mention(spelled(storable(name))), replace(scope, visibility="session")
    meant = decide(wanted, candidates(snapshot, wanted, anywhere)).entity
    return [] if meant is None else [meant]


def namesakes(snapshot: Snapshot, filter_: Filter, of: sqlite3.Row) -> dict[str, str]:
    """Other entities that a name could mean, by public id: of the same name, and persons with a longer one."""
    wanted, scope = Mention(of["name"], of["type"]), filter_.scope
    known = _having(snapshot, short_words(wanted.name), replace(scope, visibility="session"))
    others = dict.fromkeys(named(snapshot, scope, [name_key(wanted.name)]).get(name_key(wanted.name), ()))
    others |= dict.fromkeys(each.id for each in known if is_short_for(wanted, each))
    found = [entity(snapshot, each) for each in _known_of(snapshot, filter_, others) if each != of["id"]]
    return {row["public_id"]: row["name"] for row in found}


def in_sentence(snapshot: Snapshot, scope: Scope, runs: Sequence[str]) -> dict[int, frozenset[str]]:
    """The entities that a sentence names, given its stemmed runs of words, with all their names, stemmed."""
    found: dict[int, set[str]] = defaultdict(set)
    for row in snapshot.select(_SQL.in_sentence, visible(scope, "e"), runs=runs):
        found[row["id"]].add(row["stemmed"])
    return {entity_id: frozenset(names) for entity_id, names in found.items()}


def roles(snapshot: Snapshot, node_ids: Sequence[int], entity_ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """For each node that is linked with one of the entities, the roles and the names."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for node, role, name in snapshot.execute(_SQL.roles, nodes=node_ids, entities=entity_ids) if entity_ids else ():
        found[node].append((role, name))
    return found


def entity(snapshot: Snapshot, entity_id: int) -> sqlite3.Row:
    """The row of one entity."""
    row: sqlite3.Row = snapshot.execute(_SQL.entity, id=entity_id).fetchone()
    return row


def called(snapshot: Snapshot, filter_: Filter, name: str) -> int:
    """The entity with a name or public id that the filter's scope may know of; else the only one whose name differs
    in accents or the script alone. Raises ``UnknownEntity``.
    """
    if found := _known_of(snapshot, filter_, bearing(snapshot, filter_.scope, name)):
        return found[0]
    names = snapshot.select(_SQL.every_name, visible(filter_.scope, "e"))
    alike = _known_of(snapshot, filter_, {row["id"] for row in names if is_same_typed(row["name"], name)})
    if len(alike) != 1:
        raise UnknownEntity(name=name)
    return alike[0]


def aliases(snapshot: Snapshot, entity_id: int) -> list[str]:
    """All names of an entity."""
    return [row["name"] for row in snapshot.execute(_SQL.aliases, id=entity_id)]


def entities_of(snapshot: Snapshot, node_id: int, scope: Scope, role: str | None = None) -> list[str]:
    """Names of the entities linked with a node, in one role or any, as far as a scope sees them."""
    return [row["name"] for row in snapshot.select(_SQL.entities_of, visible(scope, "e"), id=node_id, role=role)]


def is_at_home(snapshot: Snapshot, entity_id: int, scope: Scope) -> bool:
    """Whether everybody who sees an entity also sees what the scope stores."""
    return snapshot.execute(_SQL.at_home, whose(scope), id=entity_id).fetchone() is not None


def _known_of(snapshot: Snapshot, filter_: Filter, ids: Iterable[int]) -> list[int]:
    """The entities among some that the filter's scope may know of, in their order."""
    return [row[0] for row in snapshot.select(_SQL.known_of, filter_.known_entities(), ids=ids)]


def candidates(snapshot: Snapshot, wanted: Mention, scope: Scope) -> list[KnownNames]:
    """Entities that a name could mean: as name or alias in any form; or persons whose name it begins or ends."""
    keys = [name_key(wanted.name), *other_names(wanted)]
    found = with_names(snapshot, keys, [stemmed_name(wanted.name)], scope)
    borne = any(keys[0] in each.names and compatible(wanted.type, each.type) for each in found)
    if borne or not (compatible(wanted.type, "person") and is_capital(wanted.name)):
        return found
    fuller = _having(snapshot, short_words(wanted.name), scope)
    return list({each.id: each for each in (*found, *fuller)}.values())


def with_names(snapshot: Snapshot, keys: Sequence[str], stems: Sequence[str], scope: Scope) -> list[KnownNames]:
    """The most mentioned entities with one of some names (as keys), or of their stems, that the scope sees."""
    return _entities(snapshot, _SQL.with_names, scope, names=keys, stems=stems)


def _having(snapshot: Snapshot, words: Sequence[str], scope: Scope) -> list[KnownNames]:
    return _entities(snapshot, _SQL.having_words, scope, words=words)


def _entities(snapshot: Snapshot, sql: str, scope: Scope, **wanted: Sequence[str]) -> list[KnownNames]:
    """The most mentioned of the found entities."""
    rows = snapshot.select(sql, home(scope), **wanted)
    best = nsmallest(_MOST_KNOWN, rows, key=lambda row: (-row["mention_count"], row["id"]))
    return [_as_known(row, json.loads(row["names"])) for row in best]


def _as_known(row: sqlite3.Row, names: Sequence[str]) -> KnownNames:
    keys, described = frozenset(map(name_key, names)), all(map(is_description, names))
    return KnownNames(row["id"], row["type"], name_key(row["name"]), keys, row["mention_count"], described)


def home(scope: Scope) -> Condition:
    """A SQL condition for entities ``e`` that the scope sees, as does everybody who sees its memories."""
    condition, parameters = visible(scope, "e")
    wide = f"{condition} AND e.visibility IN (SELECT value FROM json_each(:wide))"
    return wide, {**parameters, "wide": wide_enough(scope)}


def add(tx: Transaction, wanted: Mention, at: int, scope: Scope, said_in: int | None = None) -> int:
    """Store a new entity under its name; return its id."""
    entity_id, (public_id,) = tx.reserve("entities"), tx.free_ids("entities", scope.user_id, 1)
    named = {"public_id": public_id, "name": wanted.name, "type": wanted.type}
    tx.execute(_SQL.insert_entity, {**whose(scope), **named}, id=entity_id, at=at)
    add_name(tx, entity_id, wanted.name, scope, said_in)
    return entity_id


def add_name(tx: Transaction, entity_id: int, name: str, scope: Scope, said_in: int | None) -> None:
    """Store a name of an entity on the word of the node ``said_in``, unless others see the entity, too."""
    forms = {"name": name, "folded": name_key(name), "stemmed": stemmed_name(name)}
    tx.execute(_SQL.insert_name, {**whose(scope), **forms}, id=entity_id, node=said_in)


def spelled(name: str) -> str:
    """A name with single spaces."""
    return " ".join(name.split())


def _link_with(
    tx: Transaction, node_id: int, draft: Draft, entity_ids: Iterable[int], role: str, previous: Node | None
) -> None:
    """Link a node with entities, and with those of its ``previous`` version in the role; log new links."""
    kept = {id for id, _ in linked_in(tx, [previous.id], role)} if previous else set()
    met = dict.fromkeys([*entity_ids, *kept])
    if not met:
        return
    known = kept | {id for id, _ in linked_in(tx, [node_id], role)}
    link_all(tx, {id: {node_id: draft.event_time} for id in met}, role)
    for id in met:
        if id not in known:
            log_link(tx, "linked", node_id, draft.scope, id, role)


def unlink(tx: Transaction, entity_id: int, node_id: int, role: str) -> None:
    """Remove the link between a node and an entity."""
    if tx.execute(_SQL.unlink, entity=entity_id, node=node_id, role=role).rowcount:
        tx.execute(_SQL.met_less, entity=entity_id)


def drop_links(tx: Transaction, links: Iterable[tuple[int, int, str]]) -> None:
    """Remove links (entity, node, role), and leave the counts of mentions as they are."""
    tx.executemany(_SQL.unlink, ({"entity": entity, "node": node, "role": role} for entity, node, role in links))


def log_link(
    tx: Transaction, event: Literal["linked", "unlinked"], node_id: int, scope: Scope, entity_id: int, role: str
) -> None:
    """Log a new or removed link between a node and an entity, by the entity's public id."""
    named = tx.execute(_SQL.entity, id=entity_id).fetchone()["public_id"]
    tx.log(event, node_id, scope.user_id, actor=scope.actor_id, relation=role, to=named)


def link_all(tx: Transaction, linked: Mapping[int, Mapping[int, int]], role: str) -> None:
    """Link entities with nodes (id -> node id -> event time); count the new mentions."""
    known = linked_in(tx, set().union(*linked.values()), role)
    new = {entity_id: [node for node in nodes if (entity_id, node) not in known] for entity_id, nodes in linked.items()}
    tx.insert(_SQL.link, ((entity_id, node, role) for entity_id, nodes in new.items() for node in nodes))
    times = {entity_id: nodes.values() for entity_id, nodes in linked.items() if new[entity_id]}
    met = [(entity_id, len(new[entity_id]), min(at), max(at)) for entity_id, at in times.items()]
    if met:
        tx.execute(_SQL.mentioned, met=met)


def linked_in(snapshot: Snapshot, nodes: Iterable[int], role: str) -> set[tuple[int, int]]:
    """The pairs (entity, node) that are linked in a role. They are read before, because the rows of INSERT ...
    RETURNING come one by one, and each releases the interpreter's lock.
    """
    return set(map(tuple, snapshot.execute(_SQL.linked, nodes=nodes, role=role)))


def link_named(tx: Transaction, texts: Mapping[int, tuple[str, int]], scope: Scope) -> None:
    """Link nodes (id -> text, event time) with the entities they name. A name of two links with neither."""
    begun = {node_id: beginnings(text) for node_id, (text, _) in texts.items()}
    words = {word: beginning(word) for word in set().union(*begun.values())}
    called = _by_stem(tx, set(words.values()), scope)
    firsts = {stemmed.partition(" ")[0] for stemmed in called}
    naming = {word for word, first in words.items() if first in firsts}
    _link(tx, {id: texts[id] for id, found in begun.items() if not naming.isdisjoint(found)}, called)


def taught(snapshot: Snapshot, nodes: Sequence[int]) -> list[str]:
    """The names that some nodes were the first to tell."""
    return [name for (name,) in snapshot.plain(_SQL.taught, nodes=nodes)]


def link_earlier(tx: Transaction, name: str, scope: Scope) -> None:
    """Link the latest turns of a home that say a name, because they were stored before it was known."""
    if match := " AND ".join(map(quoted, terms(name))):
        turns = {id: (text, at) for id, text, at in tx.plain(_SQL.saying, whose(scope), match=match)}
        _link(tx, turns, _by_stem(tx, [beginning(name)], scope))


def _link(tx: Transaction, texts: Mapping[int, tuple[str, int]], called: _ByStem) -> None:
    longest: dict[str, int] = {}
    for stemmed in called:
        first, _, more = stemmed.partition(" ")
        longest[first] = max(longest.get(first, 0), len(more.split()) + 1)
    linked: dict[int, dict[int, int]] = defaultdict(dict)
    for node_id, (text, at) in texts.items():
        if found := runs(text, longest):
            for entity_id in _meant(found, called):
                linked[entity_id][node_id] = at
    link_all(tx, linked, "mentions")


def _meant(found: Sequence[WordRun], called: _ByStem) -> list[int]:
    """The entities that runs of words in a text name: longer names first, and no word in two names."""
    taken: list[WordRun] = []
    meant: dict[int, None] = {}
    for run in sorted(found, key=lambda run: -run.words):
        bearers = {entity_id for entity_id, name in called.get(run.stemmed, ()) if names_it(run, name)}
        if bearers and not any(run.start < other.end and other.start < run.end for other in taken):
            taken.append(run)
            meant.update(dict.fromkeys(bearers) if len(bearers) == 1 else {})
    return list(meant)


def _by_stem(snapshot: Snapshot, firsts: Iterable[str], scope: Scope) -> _ByStem:
    """Entities by stemmed name, for names that begin with one of the words."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in snapshot.select(_SQL.beginning_with, home(scope), firsts=firsts):
        found[row["stemmed"]].append((row["id"], row["name"]))
    return found


def link_stated(tx: Transaction, node_id: int, draft: Draft, previous: Node | None = None) -> None:
    """Link a memory with the entities and contexts in its draft, and with those of its ``previous`` version. Only
    entities of the user count, because nobody may change how often a global one is mentioned. The name of a context
    that is new makes one. Raises ``UnknownEntity``.
    """
    for role, names in (("relevant_to", draft.relevant_to), (DERIVED_FROM, draft.derived_from)):
        _link_with(tx, node_id, draft, [_own(tx, draft, name) for name in names], role, previous)
    into = [_own_context(tx, name, draft.event_time, draft.scope) for name in draft.contexts]
    _link_with(tx, node_id, draft, into, _CONTEXT_ROLE, previous)


def _own(tx: Transaction, draft: Draft, name: str) -> int:
    found = bearing(tx, draft.scope, name)
    own = [id for id in found if entity(tx, id)["user_id"] == draft.scope.user_id]
    if not own:
        raise UnknownEntity(name=name)
    return own[0]


def change_context(tx: Transaction, name: str, priority: float | None, description: str | None, scope: Scope) -> None:
    """Set the priority or description of a context, or create the context; None changes nothing."""
    id = _own_context(tx, name, tx.now, scope)
    set_priority(tx, id, priority, scope.actor_id)
    tx.execute(_SQL.describe, id=id, description=description)


def set_priority(tx: Transaction, id: int, priority: float | None, actor: str | None) -> None:
    """Set the priority of a context; with None it stays, and the log still tells of a change of the context."""
    context = entity(tx, id)
    detail = {"context": context["public_id"], "was": context["priority"], "priority": priority}
    tx.log("context_changed", None, context["user_id"], actor=actor, **detail)
    tx.execute(_SQL.set_priority, id=id, priority=priority)


def known_contexts(snapshot: Snapshot, filter_: Filter) -> tuple[MemoryContext, ...]:
    """The visible contexts, those of the highest priority first, each with the number of memories in it that the filter
    allows. An agent with restricted categories knows only of contexts with memories it may use.
    """
    wanted, parameters = filter_.condition()
    rows = snapshot.select(_SQL.known_contexts.replace("{wanted}", wanted), visible(filter_.scope, "e"), **parameters)
    found = (MemoryContext(*row) for row in rows)
    return tuple(each for each in found if each.memories or filter_.allowed is None)


def contexts_called(snapshot: Snapshot, scope: Scope, names: Iterable[str]) -> list[int]:
    """The contexts with some names or public ids; an unknown one is left out."""
    given = list(names)
    rows = snapshot.select(_SQL.contexts_called, visible(scope, "e"), ids=given, names=map(name_key, given))
    return [row["id"] for row in rows]


def contexts_of(snapshot: Snapshot, node_ids: Sequence[int], scope: Scope) -> dict[int, tuple[str, ...]]:
    """The names of the contexts of some nodes, those of the highest priority first."""
    found = defaultdict[int, list[str]](list)
    for row in snapshot.select(_SQL.contexts_of, visible(scope, "e"), nodes=node_ids):
        found[row["node_id"]].append(row["name"])
    return {node: tuple(names) for node, names in found.items()}


def priorities(snapshot: Snapshot, node_ids: Sequence[int]) -> dict[int, float]:
    """The highest priority of each node in a context with one. Memories of tools and pages do not count, because they
    could put themselves into any context.
    """
    return dict(map(tuple, snapshot.execute(_SQL.priorities, nodes=node_ids, trusts=FOREIGN)))


def _own_context(tx: Transaction, name: str, at: int, scope: Scope) -> int:
    """The context of this name that has exactly the scope's audience."""
    known_contexts = tx.number(_SQL.own_context, whose(scope), folded=name_key(name))
    return known_contexts or add(tx, Mention(name, CONTEXT), at, scope)


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
    wanted = Mention(spelled(name), type_, tuple(map(spelled, aliases)))
    decision = decide(wanted, candidates(tx, wanted, scope))
    if decision.entity is None:
        entity_id = add(tx, wanted, at, scope, said_in)
    else:
        entity_id = decision.entity
        if type_ != UNKNOWN:
            tx.execute(_SQL.better_type, whose(scope), id=entity_id, type=type_, unknown=UNKNOWN)
    _add_names(tx, entity_id, wanted, decision, scope, said_in)
    for same in decision.same:
        if is_at_home(tx, entity_id, scope) and _may_be_same(tx, same, entity_id):
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
        add_name(tx, entity_id, name, scope, said_in)


def speaker(tx: Transaction, name: str, at: int, scope: Scope, said_in: int | None = None) -> int:
    """The entity that speaks under a name. Only the exact name counts, because a speaker is known by it."""
    known = [each for each in with_names(tx, [name_key(name)], [], scope) if each.type in _SPEAKERS]
    if not known:
        return add(tx, Mention(spelled(name), "person"), at, scope, said_in)
    entity_id = max(known, key=lambda each: (each.type == "person", each.mentions, -each.id)).id
    tx.execute(_SQL.better_type, whose(scope), id=entity_id, type="person", unknown=UNKNOWN)
    return entity_id


def mention(tx: Transaction, mentions: Iterable[Mention], node_id: int, at: int, scope: Scope) -> list[int]:
    """Resolve all names that a node mentions, in order, and link them with it."""
    named_ = [each for each in mentions if each.name.strip()]
    found = [resolve(tx, each.name, each.type, at, scope, each.aliases, node_id) for each in named_]
    link_all(tx, {entity_id: {node_id: at} for entity_id in found}, "mentions")
    return found


def merge(tx: Transaction, part: int, into: int, actor: str | None = None, said_in: int | None = None) -> None:
    """Merge one entity into another, which gets all its names and links. The node ``said_in`` says that they are one;
    None if a person decided it or a night concluded it.
    """
    pair = {"entity": part, "into": into}
    source, target = entity(tx, part), entity(tx, into)
    names = [row["folded"] for row in tx.execute(_SQL.add_names, pair)]
    links = [(row["node_id"], row["role"]) for row in tx.execute(_SQL.add_links, pair)]
    tx.execute(_SQL.hide, pair)
    type_ = source["type"] if target["type"] == UNKNOWN else target["type"]
    times = {"first": source["first_seen"], "last": source["last_seen"]}
    tx.execute(_SQL.grow, times, into=into, type=type_, count=len(links))
    was = json.dumps(_was(target))
    tx.execute(_SQL.note, pair, names=names, links=links, was=was, node=said_in, now=tx.now, split=None)
    tx.log("entity_merged", None, target["user_id"], actor=actor, entity=source["public_id"], into=target["public_id"])


def merge_named(tx: Transaction, name: str, into: str, filter_: Filter) -> None:
    """Merge one entity, by name or public id, into another on a person's word. Raises ``UnknownEntity``, or
    ``ArgumentsDisagree`` if they are already one, or have different audiences.
    """
    one, other = (entity(tx, called(tx, filter_, each)) for each in (name, into))
    if one["id"] == other["id"]:
        expected = f"it is {name!r} already; ids tell namesakes apart"
        raise ArgumentsDisagree(argument="into", value=into, expected=expected)
    for each in (one, other):
        check_audience(filter_.scope, each["visibility"])
    if not _same_home(one, other):
        expected = f"it and {name!r} do not belong to the same user, project and visibility, so they stay two"
        raise ArgumentsDisagree(argument="into", value=into, expected=expected)
    if (one["type"] == CONTEXT) != (other["type"] == CONTEXT):
        expected = "a context cannot be joined with a person or thing"
        raise ArgumentsDisagree(argument="into", value=into, expected=expected)
    merge(tx, one["id"], other["id"], filter_.scope.actor_id)


def split(tx: Transaction, into: int, actor: str | None = None) -> bool:
    """Undo the latest merge into an entity; False if there is none. Only a person can merge the two again. A summary
    that was written after the merge is removed, because it may be about both.
    """
    row = tx.execute(_SQL.last, into=into).fetchone()
    if row is None:
        return False
    _unmerge(tx, row)
    tx.execute(_SQL.mark_split, id=row["id"], now=tx.now)
    source, target = entity(tx, row["entity_id"]), entity(tx, into)
    tx.log("entity_split", None, target["user_id"], actor=actor, entity=source["public_id"], into=target["public_id"])
    return True


def split_last(tx: Transaction, name: str, filter_: Filter) -> None:
    """Undo the last merge into an entity, by name or public id. Raises ``UnknownEntity`` or ``NotMerged``."""
    whole, scope = called(tx, filter_, name), filter_.scope
    check_audience(scope, entity(tx, whole)["visibility"])
    if not split(tx, whole, scope.actor_id):
        raise NotMerged(name=name)


def take_back_merges(tx: Transaction, said_in: Sequence[int]) -> None:
    """Undo merges that rest only on removed nodes, and make later merges on top of them again."""
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
    drop_links(tx, ((into, node_id, role) for node_id, role in links))
    was = json.loads(row["was"])
    keeps_summary = _was(entity(tx, into))["summary"] == was["summary"]
    tx.execute(_SQL.shrink, into=into, type=was["type"], count=len(links), keeps_summary=keeps_summary)
    tx.execute(_SQL.hide, entity=row["entity_id"], into=None)


def _was(entity: sqlite3.Row) -> dict[str, str | None]:
    """The fields of an entity that a merge changes and its links do not tell; of the summary a hash."""
    summary = entity["summary"]
    return {
        "type": entity["type"],
        "summary": None if summary is None else hashlib.blake2b(summary.encode(), digest_size=8).hexdigest(),
    }


def tell_apart(tx: Transaction, one: str, other: str, scope: Scope) -> None:
    """Note, on somebody's word, that two names mean different entities. If the last merge made them one, it is undone,
    and only a person can merge them again. A name of no entity, or of several, is ignored.
    """
    found = named(tx, scope, [name_key(one), name_key(other)])
    bearers = [found.get(name_key(name), []) for name in (one, other)]
    if [len(each) for each in bearers] != [1, 1]:
        return
    (first,), (second,) = bearers
    if not all(is_at_home(tx, each, scope) for each in (first, second)):
        return
    if first != second and _may_be_same(tx, first, second):
        nothing = {"names": "[]", "links": "[]", "was": "{}", "node": None}
        tx.execute(_SQL.note, {"entity": first, "into": second, **nothing}, now=tx.now, split=tx.now)
    elif first == second and _brought_one_of(tx, first, {name_key(one), name_key(other)}):
        split(tx, first, scope.actor_id)


def _brought_one_of(snapshot: Snapshot, into: int, names: Collection[str]) -> bool:
    """Whether the latest merge into an entity added exactly one of two names (given as keys)."""
    row = snapshot.execute(_SQL.last, into=into).fetchone()
    return row is not None and len(set(names).intersection(json.loads(row["names"]))) == 1


def may_be_one(snapshot: Snapshot, one: int, other: int) -> bool:
    """Whether two entities exist and nothing says that they are different (``_may_be_same``), nor mentions both."""
    pair = {"one": one, "other": other}
    are_there = snapshot.number(_SQL.standing, pair) == 2
    return are_there and _may_be_same(snapshot, one, other) and not snapshot.value(_SQL.together, pair)


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
    have_one_home = _same_home(entity(snapshot, one), entity(snapshot, other))
    return have_one_home and not snapshot.value(_SQL.kept_apart, one=one, other=other)


def _same_home(one: sqlite3.Row, other: sqlite3.Row) -> bool:
    """Whether two entities have the same audience."""
    shared = ["user_id", "visibility"]
    shared += {"project": ["project_id"], "session": ["session_id"]}.get(one["visibility"], [])
    return all(one[column] == other[column] for column in shared)


def since(snapshot: Snapshot, user_id: str, after: int, limit: int) -> list[EntityRow]:
    """Entities of a user that are newer than one, in order."""
    return [EntityRow.of(row) for row in snapshot.execute(_SQL.since, user_id=user_id, after=after, limit=limit)]


def until(snapshot: Snapshot, user_id: str, upto: int, limit: int) -> list[EntityRow]:
    """Entities of a user up to one, the most mentioned first."""
    return [EntityRow.of(row) for row in snapshot.execute(_SQL.until, user_id=user_id, upto=upto, limit=limit)]
