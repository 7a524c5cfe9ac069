"""Links of memories with entities, made in the transaction that stores a memory: those that its text names, those for
which it matters (``relevant_to``), those from which somebody concluded it (``derived_from``), and its contexts.

A context is a named group of memories: an entity of its own type, which no text can mean. Only an explicit call puts a
memory into it (``belongs_to``).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.extensions.memory.listings import MemoryContext
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import entities
from sandbox.extensions.memory.store.filters import Filter, visible
from sandbox.extensions.memory.store.nodes import quoted
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.names import Mention
from sandbox.extensions.memory.text.sightings import WordRun, beginning, beginnings, names_it, runs
from sandbox.extensions.memory.text.words import name_key, terms
from sandbox.support.trust import FOREIGN

_SQL = load("linking")


DERIVED_FROM = "derived_from"

_Called = Mapping[str, Sequence[tuple[int, str]]]
"""Entities with one of their names, by the stemmed name."""

_CONTEXT_ROLE = "belongs_to"
CONTEXT = "context"


def link_named(tx: Transaction, texts: Mapping[int, tuple[str, int]], scope: Scope) -> None:
    """Link nodes (id -> text, event time) with the known entities whose names they contain. A name of two entities
    links with neither.
    """
    begun = {node_id: beginnings(text) for node_id, (text, _) in texts.items()}
    words = {word: beginning(word) for word in set().union(*begun.values())}
    called = _called(tx, set(words.values()), scope)
    firsts = {stemmed.partition(" ")[0] for stemmed in called}
    naming = {word for word, first in words.items() if first in firsts}
    _link(tx, {id: texts[id] for id, found in begun.items() if not naming.isdisjoint(found)}, called)


def taught(snapshot: Snapshot, nodes: Sequence[int]) -> list[str]:
    """The names that some nodes were the first to tell."""
    return [name for (name,) in snapshot.plain(_SQL.taught, nodes=nodes)]


def link_earlier(tx: Transaction, name: str, scope: Scope) -> None:
    """Link the latest turns of a home that say a name, because they were stored before it was known."""
    if match := " AND ".join(map(quoted, terms(name))):
        turns = {id: (text, at) for id, text, at in tx.plain(_SQL.saying, entities.whose(scope), match=match)}
        _link(tx, turns, _called(tx, [beginning(name)], scope))


def _link(tx: Transaction, texts: Mapping[int, tuple[str, int]], called: _Called) -> None:
    longest: dict[str, int] = {}
    for stemmed in called:
        first, _, more = stemmed.partition(" ")
        longest[first] = max(longest.get(first, 0), len(more.split()) + 1)
    linked: dict[int, dict[int, int]] = defaultdict(dict)
    for node_id, (text, at) in texts.items():
        for entity_id in _meant(runs(text, longest), called):
            linked[entity_id][node_id] = at
    entities.link_all(tx, linked, "mentions")


def _meant(found: Sequence[WordRun], called: _Called) -> list[int]:
    """The entities that runs of words in a text name: longer names first, and no word in two names."""
    taken: list[WordRun] = []
    meant: dict[int, None] = {}
    for run in sorted(found, key=lambda run: -run.words):
        bearers = {entity_id for entity_id, name in called.get(run.stemmed, ()) if names_it(run, name)}
        if bearers and not any(run.start < other.end and other.start < run.end for other in taken):
            taken.append(run)
            meant.update(dict.fromkeys(bearers) if len(bearers) == 1 else {})
    return list(meant)


def _called(snapshot: Snapshot, firsts: Iterable[str], scope: Scope) -> _Called:
    """Entities by stemmed name, for names that begin with one of the words."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in snapshot.select(_SQL.called, entities.home(scope), firsts=firsts):
        found[row["stemmed"]].append((row["id"], row["name"]))
    return found


def link_relevant(tx: Transaction, node_id: int, draft: Draft, previous: Node | None) -> None:
    """Link a memory with the entities in its draft, and with those of its ``previous`` version. Only entities of the
    user count, because nobody may change how often a global one is mentioned. Raises ``UnknownEntity``.
    """
    for role, names in (("relevant_to", draft.relevant_to), (DERIVED_FROM, draft.derived_from)):
        entities.link_with(tx, node_id, draft, [_own(tx, draft, name) for name in names], role, previous)


def _own(tx: Transaction, draft: Draft, name: str) -> int:
    found = entities.bearing(tx, draft.scope, name)
    own = [id for id in found if entities.entity(tx, id)["user_id"] == draft.scope.user_id]
    if not own:
        raise UnknownEntity(name=name)
    return own[0]


def link_contexts(tx: Transaction, node_id: int, draft: Draft, previous: Node | None) -> None:
    """Link a memory with the contexts of its draft and of its ``previous`` version; a new name makes a new context."""
    into = [_own_context(tx, name, draft.event_time, draft.scope) for name in draft.contexts]
    entities.link_with(tx, node_id, draft, into, _CONTEXT_ROLE, previous)


def change_context(tx: Transaction, name: str, priority: float | None, description: str | None, scope: Scope) -> None:
    """Set the priority or description of a context, or create the context; None changes nothing."""
    id = _own_context(tx, name, tx.now, scope)
    set_priority(tx, id, priority, scope.actor_id)
    tx.execute(_SQL.describe, id=id, description=description)


def set_priority(tx: Transaction, id: int, priority: float | None, actor: str | None) -> None:
    """Set the priority of a context; with None it stays, and the log still tells of a change of the context."""
    context = entities.entity(tx, id)
    detail = {"context": context["public_id"], "was": context["priority"], "priority": priority}
    tx.log("context_changed", None, context["user_id"], actor=actor, **detail)
    tx.execute(_SQL.set_priority, id=id, priority=priority)


def known_contexts(snapshot: Snapshot, filter_: Filter) -> tuple[MemoryContext, ...]:
    """The visible contexts, those of the highest priority first, each with the number of memories in it that the filter
    allows. An agent with restricted categories knows only of contexts with memories it may use.
    """
    wanted, parameters = filter_.condition()
    rows = snapshot.select(_SQL.known.replace("{wanted}", wanted), visible(filter_.scope, "e"), **parameters)
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
    for row in snapshot.select(_SQL.of_nodes, visible(scope, "e"), nodes=node_ids):
        found[row["node_id"]].append(row["name"])
    return {node: tuple(names) for node, names in found.items()}


def priorities(snapshot: Snapshot, node_ids: Sequence[int]) -> dict[int, float]:
    """The highest priority of each node in a context with one. Memories of tools and pages do not count, because they
    could put themselves into any context.
    """
    return dict(map(tuple, snapshot.execute(_SQL.priorities, nodes=node_ids, trusts=FOREIGN)))


def _own_context(tx: Transaction, name: str, at: int, scope: Scope) -> int:
    """The context of this name that has exactly the scope's audience."""
    known_contexts = tx.number(_SQL.own, entities.whose(scope), folded=name_key(name))
    return known_contexts or entities.add(tx, Mention(name, CONTEXT), at, scope)
