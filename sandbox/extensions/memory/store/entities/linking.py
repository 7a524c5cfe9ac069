"""Link a memory with entities in the transaction that stores it: those that its text names, those for which it matters
(``relevant_to``), and those from which somebody concluded it (``derived_from``).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.entities import entities
from sandbox.extensions.memory.store.memories.nodes import quoted
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.text.sightings import WordRun, beginning, beginnings, names_it, runs
from sandbox.extensions.memory.text.words import terms

_SQL = load("entities")

DERIVED_FROM = "derived_from"

_Called = Mapping[str, Sequence[tuple[int, str]]]
"""Entities with one of their names, by the stemmed name."""


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


def link_relevant(tx: Transaction, node_id: int, draft: Draft, previous: Node | None = None) -> None:
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
