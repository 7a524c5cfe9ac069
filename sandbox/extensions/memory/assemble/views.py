"""Convert stored memories to the values that people and programs see."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from sandbox.extensions.memory.authority import check_audience
from sandbox.extensions.memory.errors import NotCurrent, UnknownEntity, UnknownMemory
from sandbox.extensions.memory.listings import Confidence
from sandbox.extensions.memory.model import EntityProfile, Explanation, Hit, Record, Scope
from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.store import changes, claims, decisions, entities, graph, nodes, search
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.characters import storable
from sandbox.support.times import from_ms

_LIFE = 32  # steps of a curve of confidence
_UNFILED: Mapping[int, tuple[str, ...]] = MappingProxyType({})
_PROFILE_FACTS, _PROFILE_TURNS, _RELATIONS = 50, 20, 50


def hit(
    found: Recollection, now: int, asked: Collection[str] = (), filed: Mapping[int, tuple[str, ...]] = _UNFILED
) -> Hit:
    """A search result; ``asked`` are the search terms of the question, ``filed`` the contexts by node."""
    node = found.node
    said = node.said if asked else ()
    reasons = {
        "score": found.score,
        "legs": found.legs,
        "similarity": found.similarity,
        "terms": tuple(term for term in dict.fromkeys(asked) if term in said),
        "edges": found.edges,
        "contexts": filed.get(node.id, ()),
    }
    return Hit(**{**node.public(Hit, now), **reasons})


def versions(snapshot: Snapshot, public_id: str, scope: Scope) -> list[Node]:
    """Every version of a memory, newest first. Raises ``UnknownMemory``."""
    found = nodes.versions(snapshot, storable(public_id), scope)
    if not found:
        raise UnknownMemory(id=public_id)
    return found


def heads(snapshot: Snapshot, public_ids: Iterable[str], scope: Scope) -> list[Node]:
    """The latest versions of some memories. Raises ``UnknownMemory``."""
    return [versions(snapshot, public_id, scope)[0] for public_id in public_ids]


def owned(snapshot: Snapshot, public_id: str, scope: Scope) -> Node:
    """The head of a memory that the scope may change: the user's own; a global one only as an administrator. Raises
    ``UnknownMemory``, ``NotCurrent``, ``NotAdministrator``.
    """
    head = versions(snapshot, public_id, scope)[0]
    if head.user_id != scope.user_id:
        raise NotCurrent(id=public_id, state="another user's", advice="only they can change it")
    if head.retired_by in (decisions.PROPOSED, decisions.REJECTED):
        state = "waiting for the user's consent" if head.retired_by == decisions.PROPOSED else "rejected by the user"
        raise NotCurrent(id=public_id, state=state, advice="only a person approves it, among the proposals")
    check_audience(scope, head.visibility)
    return head


def current(snapshot: Snapshot, public_id: str, scope: Scope, now: int) -> Node:
    """The head of a memory that can be changed. Raises ``UnknownMemory`` or ``NotCurrent``."""
    head = owned(snapshot, public_id, scope)
    if head.has_faded(now):  # the night may not have recorded it yet
        raise NotCurrent(id=public_id, state="decayed", advice="restore it first")
    if head.retired_seq is not None:
        raise NotCurrent(id=public_id, state=head.retired_by, advice="restore it first")
    return head


def explanation(snapshot: Snapshot, public_id: str, filter_: Filter) -> Explanation:
    """How the memory knows something. Sources and replacements are shown if the scope sees them."""
    found = versions(snapshot, public_id, filter_.scope)
    ids = [node.id for node in found]
    everything = replace(filter_, history=True)

    def records(linked: Iterable[tuple[int, int]], shown: Filter = everything) -> tuple[Record, ...]:
        others = list(dict.fromkeys(there for _, there in linked if there not in ids))
        return _records(snapshot, others, shown)

    return Explanation(
        memory=found[0].record(filter_.now),
        versions=tuple(node.record(filter_.now) for node in found),
        sources=records(graph.targets(snapshot, ids, "derived_from")),
        supersedes=records(graph.targets(snapshot, ids, "supersedes")),
        superseded_by=records(graph.sources(snapshot, ids, "supersedes")),
        possible_conflicts=records(graph.conflicting(snapshot, ids[:1]), filter_),
        entities=tuple(entities.entities_of(snapshot, found[0].id, filter_.scope)),
        changes=changes.changes_of(snapshot, ids),
        claims=tuple(kept.claim for kept in claims.of_nodes(snapshot, ids[:1]).get(ids[0], ())),
        contexts=entities.contexts_of(snapshot, ids[:1], filter_.scope).get(ids[0], ()),
        derived_from=tuple(entities.entities_of(snapshot, found[0].id, filter_.scope, entities.DERIVED_FROM)),
    )


def confidence_over_time(head: Node) -> tuple[Confidence, ...]:
    """The confidence of a memory from the moment when it was last set until it fades."""
    if head.fades_at is None:
        return (Confidence(from_ms(head.anchored_at), head.confidence),)
    step = (head.fades_at - head.anchored_at) / _LIFE
    moments = [head.anchored_at + round(place * step) for place in range(_LIFE + 1)]
    return tuple(Confidence(from_ms(at), head.confidence_at(at)) for at in moments)


def profile(snapshot: Snapshot, name: str, filter_: Filter) -> EntityProfile:
    """What is known about an entity, or was known at the filter's moment: its facts, and the latest turns that it says
    or that mention it. Raises ``UnknownEntity``.
    """
    entity_id = changes.apart(snapshot, entities.called(snapshot, filter_, name), name, filter_)
    entity = entities.entity(snapshot, entity_id)
    stood = changes.entity(snapshot, entity, filter_)
    if stood is None:
        raise UnknownEntity(name=name)
    known, entity_ids = replace(filter_, types=("semantic", "opinion", "procedural")), [entity_id]
    facts = search.of_entities(snapshot, entity_ids, known, _PROFILE_FACTS, search.SPOKEN_OF)
    turns = search.of_entities(snapshot, entity_ids, replace(filter_, types=("episodic",)), _PROFILE_TURNS)
    facts, turns = ([each for each in ids if each not in stood.gained] for ids in (facts, turns))
    later = {node.public_id for node in nodes.by_ids(snapshot, stood.gained).values()}
    is_user = entity_id in claims.users_entities(snapshot, filter_)
    related = [each.relation for each in claims.related(snapshot, entity_ids, known, _RELATIONS, of_user=is_user)]
    return EntityProfile(
        name=entity["name"],
        type=entity["type"],
        aliases=tuple(alias for alias in stood.aliases if alias != entity["name"]),
        summary=stood.summary,
        mentions=stood.mentions,
        first_seen=from_ms(stood.first),
        last_seen=from_ms(stood.last),
        facts=_records(snapshot, facts, known),
        timeline=tuple(sorted(_records(snapshot, turns, filter_), key=lambda turn: turn.event_time, reverse=True)),
        id=entity["public_id"],
        relations=tuple(each for each in related if each.id not in later),
        merged=stood.merged,
        namesakes=entities.namesakes(snapshot, filter_, entity),
    )


def weak(snapshot: Snapshot, filter_: Filter, window: int, limit: int) -> tuple[Record, ...]:
    """Knowledge that fades within a window of milliseconds, the first to fade first."""
    return _records(snapshot, search.weak(snapshot, filter_, window, limit), filter_)


def _records(snapshot: Snapshot, ids: Sequence[int], filter_: Filter) -> tuple[Record, ...]:
    """The public values of the nodes that the filter allows, in the order given."""
    allowed = search.allowed(snapshot, ids, filter_)
    found = nodes.by_ids(snapshot, allowed)
    return tuple(changes.records(snapshot, [found[node] for node in ids if node in allowed], filter_))
