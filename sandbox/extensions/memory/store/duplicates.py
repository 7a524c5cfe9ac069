"""Two memories that say the same become one, and can be told apart again."""

import json
from collections.abc import Iterable

from sandbox.extensions.memory.authority import may_change
from sandbox.extensions.memory.store.graph import CONFLICT
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.snapshot import Snapshot
from sandbox.extensions.memory.store.writer import Transaction
from sandbox.support.trust import TRUST_ORDER

_SQL = load("duplicates")

_NEVER = 1 << 62  # later than any moment a memory fades at


def order(one: Node, other: Node) -> tuple[Node, Node]:
    """Which of two memories that say the same is kept, and which goes: the more trusted stays, then what was confirmed,
    then what is pinned, then the older.
    """
    kept, gone = sorted((one, other), key=_standing, reverse=True)
    return kept, gone


def merge(tx: Transaction, kept: Node, gone: Node, actor: str) -> None:
    """``gone`` becomes part of ``kept``, which takes over what it rests on, its entities and its tags, and lasts as
    long as the longer lasting of the two. From what is trusted less it takes only the turns that are trusted as much.
    The log holds what ``undo`` needs.
    """
    trusts = json.dumps([trust for trust in TRUST_ORDER if may_change(trust, kept.trust)])
    parameters = {"keeper": kept.id, "other": gone.id, "now": tx.now, "conflict": CONFLICT, "trusts": trusts}
    edges = [row["id"] for sql in (_SQL.adopt_outgoing, _SQL.adopt_incoming) for row in tx.execute(sql, parameters)]
    is_equal = may_change(gone.trust, kept.trust)
    links = [[row["entity_id"], row["role"]] for row in tx.execute(_SQL.adopt_entities, parameters)] if is_equal else []
    seq = tx.log(
        "merged",
        gone.id,
        gone.user_id,
        actor=actor,
        session_id=gone.session_id,
        into=kept.public_id,
        edges=edges,
        links=links,
        tags=len(json.loads(kept.tags)),
        importance=kept.importance,
        pinned=kept.pinned,
    )
    tx.log("united", kept.id, kept.user_id, actor=actor, session_id=kept.session_id, other=gone.public_id)
    tx.execute(_SQL.retire, {"id": gone.id, "into": kept.id, "now": tx.now, "seq": seq})
    if is_equal:
        tx.execute(_SQL.strengthen, {**_strength(kept, gone), "id": kept.id, "now": tx.now})


def undo(tx: Transaction, node: Node) -> None:
    """What another memory took over from ``node`` when it became part of it goes again, but for the duration; ``node``
    itself is for ``nodes.restore``.
    """
    row = tx.execute(_SQL.merged, {"id": node.id}).fetchone()
    detail, keeper = json.loads(row["detail"]), row["merged_into"]
    tx.execute(_SQL.leave_edges, {"edges": json.dumps(detail["edges"])})
    tx.executemany(
        _SQL.leave_entity, ({"keeper": keeper, "entity": entity, "role": role} for entity, role in detail["links"])
    )
    before = {name: detail[name] for name in ("importance", "pinned")}
    tx.execute(_SQL.weigh_as_before, {**before, "keeper": keeper, "now": tx.now})
    tx.execute(_SQL.part, {"id": node.id})
    _leave_tags(tx, keeper, node)


def _leave_tags(tx: Transaction, keeper: int, node: Node) -> None:
    """A memory keeps its own tags, which come first, and those of what is still part of it."""
    tags = json.loads(tx.execute(_SQL.tags, {"id": keeper}).fetchone()["tags"])
    own = tx.execute(_SQL.own_tags, {"id": keeper, "part": node.id}).fetchone()["count"]
    left = [tag for row in tx.execute(_SQL.tags_of_parts, {"id": keeper}) for tag in json.loads(row["tags"])]
    mine = tags[:own] if own is not None else [tag for tag in tags if tag not in json.loads(node.tags)]
    tx.execute(_SQL.set_tags, {"id": keeper, "tags": json.dumps(list(dict.fromkeys([*mine, *left]))), "now": tx.now})


def told_apart(snapshot: Snapshot, ids: Iterable[int]) -> set[int]:
    """Those of some memories that somebody brought back after another had taken their place."""
    return {row["node_id"] for row in snapshot.execute(_SQL.told_apart, {"ids": json.dumps(list(ids))})}


def _standing(node: Node) -> tuple[int, bool, int, int]:
    return TRUST_ORDER.index(node.trust), node.decay_rate == 0, node.pinned, -node.id


def _strength(kept: Node, gone: Node) -> dict[str, object]:
    lasting = max(kept, gone, key=lambda node: _NEVER if node.fades_at is None else node.fades_at)
    return {
        "tags": json.dumps(list(dict.fromkeys([*json.loads(kept.tags), *json.loads(gone.tags)]))),
        "importance": max(kept.importance, gone.importance),
        "pinned": max(kept.pinned, gone.pinned),
        "confidence": lasting.confidence,
        "anchored_at": lasting.anchored_at,
        "decay_rate": lasting.decay_rate,
        "fades_at": lasting.fades_at,
    }
