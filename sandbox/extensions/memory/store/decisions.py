"""Everything that waits for a person: proposals, possible conflicts and news.

A proposal is a version that was never believed; it is kept for some days. News is what the memory did by itself; the
next conversation tells it once.
"""

from collections.abc import Iterable, Sequence

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import NoProposal
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store import claims, graph, nodes
from sandbox.extensions.memory.store.filters import Filter, visible
from sandbox.extensions.memory.store.graph import CONFLICT
from sandbox.extensions.memory.store.rows import Draft, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

_SQL = load("decisions")


def announce_later(tx: Transaction, node: Node) -> None:
    """Note that a block must announce a memory to its owner (the mark ``untold``)."""
    tx.execute(_SQL.announce_later, user_id=node.user_id, node=node.id, now=tx.now)


def unannounced(snapshot: Snapshot, scope: Scope) -> list[Node]:
    """Memories that no block has announced to the scope's user, as far as the scope sees them."""
    return [Node._make(row) for row in snapshot.select(_SQL.unannounced, visible(scope), owner=scope.user_id)]


def mark_announced(tx: Transaction, user_id: str, ids: Iterable[int]) -> None:
    """Note that a block announced some memories to the user."""
    tx.execute(_SQL.mark_announced, user_id=user_id, ids=ids)


PROPOSED, APPROVED, REJECTED = "proposed", "approved", "rejected"
"""``retired_by`` of a version that waits, of one that became a memory, and of one that a person rejected."""

EXPIRED = "expired"
"""``retired_by`` of an unused memory that was put away; ``restore`` brings it back until it is purged."""

WAITS = 7 * DAY  # so that a person who looks once a week sees it


def propose(tx: Transaction, draft: Draft, sources: Sequence[Node]) -> Node:
    """Store a proposal, and note that its user must be told. If an equal one waits or was rejected, return that one."""
    known = _alike(tx, draft)
    if known is not None:
        return known
    added = nodes.add_many(tx, [draft], waits=False)[0]
    tx.execute(_SQL.propose, id=added.id, now=tx.now, until=tx.now + WAITS)
    claims.fill_profile(tx, added.id, draft.scope.user_id, draft.fills)
    for source in sources:
        graph.add_edge(tx, added.id, source.id, "derived_from")
    node = nodes.by_ids(tx, [added.id])[added.id]
    tx.log("proposed", node.id, node.user_id, actor=draft.scope.actor_id, session_id=node.session_id)
    if draft.waits_for == "ask":
        announce_later(tx, node)
    return node


def _alike(tx: Transaction, draft: Draft) -> Node | None:
    """The version that waits, or was rejected, and says the same as a draft."""
    fills = [(each.field, each.value) for each in draft.fills]
    row = tx.execute(_SQL.alike, nodes.home(draft, tx.now), fingerprint=draft.fingerprint, fills=fills).fetchone()
    return None if row is None else Node._make(row)


def waiting(snapshot: Snapshot, filter_: Filter) -> list[Node]:
    """The proposals for the user of a filter's scope, the oldest first."""
    found = map(Node._make, snapshot.select(_SQL.waiting, visible(filter_.scope), now=filter_.now))
    return [node for node in found if filter_.may_use(node.category or node.type)]


def find(snapshot: Snapshot, public_id: str, filter_: Filter) -> Node:
    """One proposal. Raises ``NoProposal``."""
    for node in waiting(snapshot, filter_):
        if node.public_id == public_id:
            return node
    raise NoProposal(id=public_id)


def fields_of(snapshot: Snapshot, node: Node) -> tuple[str, ...]:
    """The fields of the profile that a proposal would fill."""
    return tuple(row[0] for row in snapshot.execute(_SQL.fields, id=node.id))


def decide(tx: Transaction, node: Node, by: str, actor: str | None) -> None:
    """Record that a proposal was approved or rejected."""
    tx.log(by, node.id, node.user_id, actor=actor)
    nodes.update(tx, node.id, retired_by=by, purge_at=None)


def possible_conflicts(snapshot: Snapshot, filter_: Filter, limit: int) -> list[tuple[Node, Node]]:
    """Pairs that the filter allows, the latest first; the first of a pair has more weight."""
    pairs = snapshot.select(_SQL.possible, filter_.condition(), conflict=CONFLICT, limit=limit).fetchall()
    found = nodes.by_ids(snapshot, {id for pair in pairs for id in pair})
    return [(found[one], found[other]) for one, other in pairs]


def keep_both(tx: Transaction, one: Node, other: Node) -> None:
    """Note that both memories are true: remove the edge of their possible conflict."""
    for source, target in ((one, other), (other, one)):
        graph.remove_edge(tx, source.id, target.id, "related_to", CONFLICT)
