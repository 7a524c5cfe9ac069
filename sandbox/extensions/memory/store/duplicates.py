"""Two memories that say the same become one, and can be told apart again."""

import json
import sqlite3
from collections.abc import Iterable

from sandbox.extensions.memory.model import TRUST_ORDER
from sandbox.extensions.memory.store.graph import CONFLICT
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.writer import Transaction

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
    long as the longer lasting of the two. The log holds what ``undo`` needs.
    """
    parameters = {"keeper": kept.id, "other": gone.id, "now": tx.now, "conflict": CONFLICT}
    edges = [row["id"] for sql in (_SQL.adopt_outgoing, _SQL.adopt_incoming) for row in tx.execute(sql, parameters)]
    links = [[row["entity_id"], row["role"]] for row in tx.execute(_SQL.adopt_entities, parameters)]
    seq = tx.log(
        "merged",
        gone.id,
        gone.user_id,
        actor=actor,
        session_id=gone.session_id,
        into=kept.public_id,
        edges=edges,
        links=links,
        importance=kept.importance,
        pinned=kept.pinned,
    )
    tx.log("united", kept.id, kept.user_id, actor=actor, session_id=kept.session_id, other=gone.public_id)
    tx.execute(_SQL.retire, {"id": gone.id, "into": kept.id, "now": tx.now, "seq": seq})
    tx.execute(_SQL.strengthen, {**_strength(kept, gone), "id": kept.id, "now": tx.now})


def undo(tx: Transaction, node: Node) -> None:
    """What another memory took over from ``node`` when it became part of it goes again, but for tags and duration;
    ``node`` itself is for ``nodes.restore``.
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


def told_apart(connection: sqlite3.Connection, ids: Iterable[int]) -> set[int]:
    """Those of some memories that somebody brought back after another had taken their place."""
    return {row["node_id"] for row in connection.execute(_SQL.told_apart, {"ids": json.dumps(list(ids))})}


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
