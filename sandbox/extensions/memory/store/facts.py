"""Knowledge: valid facts, learnt facts, limits of their number, and merging two memories that say the same, or
separating them again.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import TooManyFacts
from sandbox.extensions.memory.store import vectors
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.graph import CONFLICT, remove_edges
from sandbox.extensions.memory.store.rows import INSIGHT, LEARNT, Node
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.embedder import Vector
from sandbox.support.trust import TRUST_ORDER

_SQL = load("facts")


_MOST = 20_000  # memories of a user that one night examines, the latest


class NodeVectors(NamedTuple):
    """Unit vectors of some nodes, shape (nodes, dimensions), in the order of ``ids``."""

    ids: tuple[int, ...]
    vectors: Vector


def users(snapshot: Snapshot) -> list[str]:
    """All users with knowledge, by name."""
    return [row["user_id"] for row in snapshot.execute(_SQL.users)]


def valid_knowledge(snapshot: Snapshot, user_id: str, now: int) -> list[Node]:
    """A user's knowledge that is valid at ``now``, without quarantined memories and insights, the oldest first."""
    rows = snapshot.execute(_SQL.valid_knowledge, user_id=user_id, now=now, left_out=INSIGHT, limit=_MOST)
    return [Node.from_row(row) for row in rows][::-1]


def own(snapshot: Snapshot, filter_: Filter) -> list[Node]:
    """The user's own knowledge that a filter allows and the user may change, without insights, the oldest first."""
    rows = snapshot.select(_SQL.own, filter_.condition(), left_out=INSIGHT, limit=_MOST)
    return [Node.from_row(row) for row in rows][::-1]


def still_valid(snapshot: Snapshot, ids: Iterable[int], now: int) -> set[int]:
    """Which nodes are valid knowledge."""
    return {row["id"] for row in snapshot.execute(_SQL.still_valid, ids=ids, now=now, left_out=INSIGHT)}


def changed(snapshot: Snapshot, ids: Iterable[int]) -> dict[int, int]:
    """When each node was last changed, in milliseconds."""
    return {row["id"]: row["updated_at"] for row in snapshot.execute(_SQL.changed, ids=ids)}


def embedded(snapshot: Snapshot, ids: Sequence[int]) -> NodeVectors | None:
    """The vectors of those nodes that have one by the active model; None if nothing is embedded."""
    name = vectors.active_model(snapshot)
    number = None if name is None else vectors.model_number(snapshot, name)
    rows = snapshot.execute(load("vectors").some, ids=ids, model_id=number).fetchall()
    if not rows:
        return None
    joined = np.frombuffer(b"".join([row["vector"] for row in rows]), "<f4").reshape(len(rows), -1)
    return NodeVectors(tuple(row["node_id"] for row in rows), joined)


def first_at(snapshot: Snapshot, user_id: str) -> int | None:
    """When the first memory of a user was stored, in milliseconds."""
    return snapshot.value(_SQL.first_at, user_id=user_id)


def insights(snapshot: Snapshot, ids: Iterable[int]) -> list[int]:
    """The nodes that are conclusions, not told."""
    if snapshot.execute(_SQL.concluded).fetchone() is None:
        return []
    return [row["id"] for row in snapshot.execute(_SQL.insights, ids=ids, category=INSIGHT)]


_NEVER = 1 << 62  # later than any time at which a memory fades


def order(one: Node, other: Node) -> tuple[Node, Node]:
    """Of two memories that say the same, the one to keep and the one to merge: the more trusted stays, then a confirmed
    one, then a pinned one, then the older.
    """
    kept, gone = sorted((one, other), key=_rank, reverse=True)
    return kept, gone


def merge(tx: Transaction, kept: Node, gone: Node, actor: str | None) -> None:
    """Merge ``gone`` into ``kept``, which takes over its sources, entities and tags, and lasts as long as the
    longer-lasting one. From a less trusted memory it takes only turns with enough trust. The log holds what ``undo``
    needs.
    """
    trusts = [trust for trust in TRUST_ORDER if may_change(trust, kept.trust)]
    parameters = {"keeper": kept.id, "other": gone.id, "now": tx.now, "conflict": CONFLICT, "trusts": trusts}
    edges = [row["id"] for sql in (_SQL.adopt_outgoing, _SQL.adopt_incoming) for row in tx.execute(sql, parameters)]
    is_equal = may_change(gone.trust, kept.trust)
    links = [[row["entity_id"], row["role"]] for row in tx.execute(_SQL.adopt_entities, parameters)] if is_equal else []
    seq = tx.log(
        "merged",
        gone.id,
        gone.user_id,
        actor=actor,
        into=kept.public_id,
        edges=edges,
        links=links,
        tags=len(json.loads(kept.tags)),
        importance=kept.importance,
        pinned=kept.pinned,
    )
    tx.log("united", kept.id, kept.user_id, actor=actor, other=gone.public_id)
    tx.execute(_SQL.retire, id=gone.id, into=kept.id, now=tx.now, seq=seq)
    if is_equal:
        tx.execute(_SQL.strengthen, _strength(kept, gone), id=kept.id, now=tx.now)


def unmerge(tx: Transaction, node: Node) -> None:
    """Undo what another memory took over when ``node`` was merged into it, except the duration; ``nodes.restore``
    restores ``node`` itself.
    """
    row = tx.execute(_SQL.merged, id=node.id).fetchone()
    detail, keeper = json.loads(row["detail"]), row["merged_into"]
    tx.log("parted", keeper, node.user_id, other=node.public_id)
    remove_edges(tx, detail["edges"])
    tx.executemany(
        _SQL.leave_entity, ({"keeper": keeper, "entity": entity, "role": role} for entity, role in detail["links"])
    )
    before = {name: detail[name] for name in ("importance", "pinned")}
    tx.execute(_SQL.weigh_as_before, before, keeper=keeper, part=node.id, now=tx.now)
    tx.execute(_SQL.part, id=node.id)
    _leave_tags(tx, keeper, node)


def _leave_tags(tx: Transaction, keeper: int, node: Node) -> None:
    """Reduce a memory's tags to its own, which come first, and those of memories still merged into it."""
    tags = json.loads(tx.execute(_SQL.tags, id=keeper).fetchone()["tags"])
    own = tx.execute(_SQL.own_tags, id=keeper, part=node.id).fetchone()["count"]
    left = [tag for row in tx.execute(_SQL.tags_of_parts, id=keeper) for tag in json.loads(row["tags"])]
    mine = tags[:own] if own is not None else [tag for tag in tags if tag not in json.loads(node.tags)]
    tx.execute(_SQL.set_tags, id=keeper, tags=dict.fromkeys([*mine, *left]), now=tx.now)


def kept_apart(snapshot: Snapshot, ids: Iterable[int]) -> set[int]:
    """The memories that somebody restored after another had replaced them."""
    return {row["node_id"] for row in snapshot.execute(_SQL.kept_apart, ids=ids)}


def _rank(node: Node) -> tuple[int, bool, int, int]:
    return TRUST_ORDER.index(node.trust), node.decay_rate == 0, node.pinned, -node.id


def _strength(kept: Node, gone: Node) -> dict[str, object]:
    lasting = max(kept, gone, key=lambda node: _NEVER if node.fades_at is None else node.fades_at)
    return {
        "tags": dict.fromkeys([*json.loads(kept.tags), *json.loads(gone.tags)]),
        "importance": max(kept.importance, gone.importance),
        "pinned": max(kept.pinned, gone.pinned),
        "confidence": lasting.confidence,
        "anchored_at": lasting.anchored_at,
        "decay_rate": lasting.decay_rate,
        "fades_at": lasting.fades_at,
    }


def check_facts(tx: Transaction, user_id: str, limit: int) -> None:
    """Raise ``TooManyFacts`` if assistants have stored more than ``limit`` facts of a user today (UTC)."""
    stored = tx.number(_SQL.stored_today, user_id=user_id, since=tx.now // DAY * DAY, learnt=LEARNT)
    if stored > limit:  # including the one that is being stored
        raise TooManyFacts(stored=stored - 1, limit=limit)
