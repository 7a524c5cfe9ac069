"""Open decisions for a person, and their answers."""

import asyncio
from dataclasses import replace

from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.profile import profile
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.ingest import drafts, knowledge
from sandbox.extensions.memory.listings import Conflict, Duplicate, Proposal
from sandbox.extensions.memory.maintain import candidates
from sandbox.extensions.memory.model import Scope, Statement
from sandbox.extensions.memory.profile import SINGLE, UserProfile
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import decisions, graph, nodes, vectors
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import EVENT, Draft, Node
from sandbox.extensions.memory.store.sqlite.database import off_loop
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.vectors import NodeVectors
from sandbox.support.times import from_ms


def proposals(snapshot: Snapshot, filter_: Filter) -> tuple[Proposal, ...]:
    """Proposals that wait for the user, the oldest first."""
    waiting = decisions.waiting(snapshot, filter_)
    known = profile(snapshot, filter_) if waiting else UserProfile()
    return tuple(_proposal(snapshot, node, known, filter_) for node in waiting)


async def approve(runtime: Runtime, id: str, content: str | None, scope: Scope) -> str:
    """Believe a proposal, or the wording that a person gives it; return its id."""

    def read(snapshot: Snapshot) -> tuple[Node, list[Node]]:
        node = decisions.find(snapshot, id, runtime.filter(scope))
        sources = [there for _, there in graph.targets(snapshot, [node.id], "derived_from")]
        return node, list(nodes.by_ids(snapshot, sources).values())

    node, turns = await runtime.read(read)
    draft = await off_loop(len(content or ""), lambda: _draft(runtime, node, content, turns, scope))

    def apply(tx: Transaction) -> str:
        decisions.find(tx, id, runtime.filter(scope))
        knowledge.approve(tx, node, draft, turns, scope.actor_id)
        return node.public_id

    return await runtime.write(apply)


def reject(tx: Transaction, id: str, filter_: Filter) -> None:
    """Reject a proposal for good."""
    decisions.decide(tx, decisions.find(tx, id, filter_), decisions.REJECTED, filter_.scope.actor_id)


def conflicts(snapshot: Snapshot, filter_: Filter, limit: int) -> tuple[Conflict, ...]:
    """Pairs of memories of which perhaps only one is true, the latest first."""
    pairs = decisions.possible_conflicts(snapshot, filter_, limit)
    return tuple(Conflict(one.record(filter_.now), other.record(filter_.now)) for one, other in pairs)


def keep_both(tx: Transaction, id: str, other: str, scope: Scope) -> None:
    """Note that both memories are true."""
    decisions.keep_both(tx, *(views.current(tx, each, scope, tx.now) for each in (id, other)))


async def duplicates(runtime: Runtime, limit: int, scope: Scope) -> tuple[Duplicate, ...]:
    """Pairs that likely say the same, the most similar first."""
    filter_ = replace(runtime.filter(scope), quarantined=False)

    def read(snapshot: Snapshot) -> tuple[list[Node], NodeVectors | None, set[graph.NodePair]]:
        known = nodes.own_knowledge(snapshot, filter_)
        ids = [node.id for node in known]
        return known, vectors.embedded(snapshot, ids), graph.apart(snapshot, ids, graph.DIFFERENT, graph.CONFLICT)

    known, embedded, apart = await runtime.read(read)
    near = await asyncio.to_thread(candidates.duplicates, known, embedded, apart, limit)
    by_id = {node.id: node for node in known}
    pairs = ((nodes.keeper_first(by_id[each.first], by_id[each.second]), each.score) for each in near)
    now = filter_.now
    return tuple(Duplicate(one.record(now), other.record(now), round(score, 2)) for (one, other), score in pairs)


def keep_apart(tx: Transaction, id: str, other: str, scope: Scope) -> None:
    """Note that the two memories are different."""
    one, another = (views.current(tx, each, scope, tx.now) for each in (id, other))
    if one.id == another.id:
        raise InvalidArgument(argument="other", value=other, expected="give the id of another memory")
    graph.add_edge(tx, one.id, another.id, "related_to", predicate=graph.DIFFERENT)


def _draft(runtime: Runtime, node: Node, content: str | None, turns: list[Node], scope: Scope) -> Draft:
    """A draft of a memory that is valid from now on and confirmed by a person."""
    config, now = runtime.config, runtime.now_ms()
    is_event = node.category == EVENT
    statement = Statement(
        node.content if content is None else content,
        node.type,
        node.category or config.usual_category,
        node.subject,
        at=from_ms(node.event_time) if is_event else None,
        trust="confirmed",
        importance=node.importance,
    )
    home = replace(
        scope,
        project_id=node.project_id,
        session_id=node.session_id or scope.session_id,
        visibility=node.visibility,
    )
    draft = drafts.knowledge(statement, home, now, config)._replace(told=node.told if is_event else None)
    return drafts.about_user(draft, turns)


def _proposal(snapshot: Snapshot, node: Node, known: UserProfile, filter_: Filter) -> Proposal:
    fields = decisions.fields_of(snapshot, node)
    instead = tuple(value for field in fields if field in SINGLE and (value := getattr(known, field)) is not None)
    return Proposal(node.record(filter_.now), fields, instead, from_ms(node.purge_at or filter_.now))
