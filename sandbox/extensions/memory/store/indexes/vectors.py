"""Vectors: a plain table is the truth; ``vec0`` and a matrix in memory (``nearest.py``) are derived from it.

Both follow the table by the sequence number of their last vector, so that they see the writes of other processes; a
count of removals makes them rebuild.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.rows import text_of
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Transaction
from sandbox.support.embedder import Vector

_SQL = load("vectors")

COLD_ROWS = 20_000  # more than this is not read while a question waits


@dataclass(frozen=True, slots=True)
class Waiting:
    """A node that has no vector yet, and the text to embed for it."""

    node_id: int
    text: str


def model_number(snapshot: Snapshot, name: str) -> int | None:
    """The number of a model that has vectors here."""
    row = snapshot.execute(_SQL.model, {"name": name}).fetchone()
    return None if row is None else row["id"]


def active_model(snapshot: Snapshot) -> str | None:
    """The model whose vectors answer questions."""
    row = snapshot.execute("SELECT value FROM meta WHERE key = 'embedding_model'").fetchone()
    return None if row is None else row["value"]


def answering_model(snapshot: Snapshot, name: str) -> int | None:
    """The number of a model, where it is the one whose vectors answer questions."""
    row = snapshot.execute(_SQL.answering_model, {"name": name}).fetchone()
    return None if row is None else row["id"]


def adopt_model(tx: Transaction, name: str, dimensions: int) -> int:
    """Make a model known; where it is another than the active one, everything waits to be embedded by it."""
    tx.execute(_SQL.insert_model, {"name": name, "dimensions": dimensions})
    number: int = tx.execute(_SQL.model, {"name": name}).fetchone()["id"]
    active = active_model(tx)
    if active is None:
        _activate(tx, name)
    elif active != name:
        requeue_missing(tx, number)
    return number


def requeue_missing(tx: Transaction, model_id: int) -> None:
    """Whatever has no vector of a model waits to be embedded, whoever took it off the backlog for another model."""
    tx.execute(_SQL.requeue, {"model_id": model_id})


def switch_model(tx: Transaction, name: str) -> bool:
    """Let a model answer once nothing waits for it any more; the vectors of others go. True where it switched."""
    if active_model(tx) == name or backlog_size(tx):
        return False
    number = model_number(tx, name)
    tx.execute("DELETE FROM vectors WHERE model_id <> ?", (number,))
    tx.execute("DELETE FROM embedding_models WHERE id <> ?", (number,))
    _count_removal(tx)
    _activate(tx, name)
    if driver().has_vec:
        _derive(tx, number or 0)
    return True


def backlog(snapshot: Snapshot, limit: int) -> list[Waiting]:
    """The next nodes to embed."""
    rows = snapshot.plain(_SQL.backlog, {"limit": limit})
    return [Waiting(node_id, text_of(speaker, content)) for node_id, content, speaker in rows]


def backlog_size(snapshot: Snapshot) -> int:
    """How many nodes wait to be embedded."""
    size: int = snapshot.execute("SELECT count(*) FROM embedding_backlog").fetchone()[0]
    return size


def store(tx: Transaction, model: str, vectors: Mapping[int, Vector], *, derives: bool = True) -> None:
    """Keep the vectors of some nodes and take them off the backlog. Nodes that are gone are left out. With ``derives``
    off, for a transaction others wait for, ``vec0`` is left to ``catch_up``.

    Another process may have let another model take over since these were asked for: then this one is made known again.
    """
    model_id = model_number(tx, model)
    if model_id is None:
        model_id = adopt_model(tx, model, len(next(iter(vectors.values()))))
    groups = _groups(tx, list(vectors))
    _insert(tx, model_id, ((node, groups[node], vector) for node, vector in vectors.items() if node in groups))
    tx.execute(_SQL.off_backlog, (json.dumps(list(vectors)),))
    if derives and driver().has_vec:
        _derive(tx, model_id)


def store_turns(tx: Transaction, model_id: int, node_ids: Sequence[int], vectors: Vector, scope: Scope) -> None:
    """Keep the vectors, a row each, of turns of one scope that never were in the backlog."""
    group = _group_number(tx, scope.user_id, scope.visibility, "episodic")
    _insert(tx, model_id, zip(node_ids, repeat(group), vectors, strict=False))
    if driver().has_vec:
        _derive(tx, model_id)


def remove(tx: Transaction, node_ids: Sequence[int]) -> None:
    """Take the vectors of some nodes out of the table and out of every index over it."""
    ids = {"ids": json.dumps(list(node_ids))}
    if tx.execute(_SQL.remove, ids).rowcount:
        _count_removal(tx)
        if driver().has_vec and tx.execute("SELECT 1 FROM sqlite_master WHERE name = 'vec_nodes'").fetchone():
            tx.execute(_SQL.vec_remove, ids)


def is_behind(snapshot: Snapshot) -> bool:
    """Whether ``vec0`` holds vectors of the model that answers, and not all of them."""
    meta = _derived(snapshot)
    held = driver().has_vec and meta.get("vec_model") == active_model(snapshot)
    return held and int(meta["vec_seq"]) < last(snapshot)


def catch_up(tx: Transaction) -> None:
    """Bring ``vec0`` up to date."""
    number = model_number(tx, active_model(tx) or "")
    if number is not None:
        _derive(tx, number)


def state(snapshot: Snapshot) -> tuple[int, str | None]:
    """What an index compares itself with: the last vector, and the count of removals."""
    row = snapshot.execute(_SQL.state).fetchone()
    return row["last"] or 0, row["removed"]


def last(snapshot: Snapshot) -> int:
    """The last vector."""
    return state(snapshot)[0]


def has_bits(snapshot: Snapshot) -> bool:
    """Whether ``vec0`` can be used and holds every vector."""
    if not driver().has_vec:
        return False
    meta = _derived(snapshot)
    return meta.get("vec_model") == active_model(snapshot) and int(meta.get("vec_seq", 0)) >= last(snapshot)


def _insert(tx: Transaction, model_id: int, found: Iterable[tuple[int, int, Vector]]) -> None:
    """Rows of nodes, each with its group and its vector."""
    tx.insert(_SQL.insert, ((node, model_id, group, _blob(vector)) for node, group, vector in found))


def _blob(vector: Vector) -> bytearray:
    """A vector as it is stored, in the type that is bound ten times as fast as ``bytes``."""
    return bytearray(vector.astype("<f4", copy=False))


def _groups(tx: Transaction, node_ids: Sequence[int]) -> dict[int, int]:
    """The group of each node that exists; groups are made as they are met."""
    found = {}
    for *kind, ids in tx.execute(_SQL.groups, {"ids": json.dumps(list(node_ids))}).fetchall():
        found.update(dict.fromkeys(json.loads(ids), _group_number(tx, *kind)))
    return found


def _group_number(tx: Transaction, user_id: str, visibility: str, type_: str) -> int:
    parameters = {"user_id": user_id, "visibility": visibility, "type": type_}
    tx.execute(_SQL.insert_group, parameters)
    number: int = tx.execute(_SQL.group, parameters).fetchone()["id"]
    return number


def _derive(tx: Transaction, model_id: int) -> None:
    """Bring ``vec0`` up to date with the table, whoever wrote to it. Only for the model that answers."""
    row = tx.execute("SELECT name, dimensions FROM embedding_models WHERE id = ?", (model_id,)).fetchone()
    if row["dimensions"] % 8 or active_model(tx) != row["name"]:
        return
    seq = _derived_upto(tx, row["name"])
    if seq is None and last(tx) <= COLD_ROWS:  # nobody would ask it
        return
    if seq is None:
        tx.execute("DROP TABLE IF EXISTS vec_nodes")
        tx.execute(_SQL.vec_create.format(dimensions=row["dimensions"]))
        _set_meta(tx, "vec_model", row["name"])
    tx.execute(_SQL.vec_insert, {"seq": seq or 0, "model_id": model_id})
    _set_meta(tx, "vec_seq", str(last(tx)))


def _derived(snapshot: Snapshot) -> dict[str, str]:
    """Whose vectors ``vec0`` holds, and up to which."""
    return dict(snapshot.execute("SELECT key, value FROM meta WHERE key IN ('vec_model', 'vec_seq')").fetchall())


def _derived_upto(tx: Transaction, model: str) -> int | None:
    """The last vector that ``vec0`` holds; None where it holds none of this model."""
    exists = tx.execute("SELECT 1 FROM sqlite_master WHERE name = 'vec_nodes'").fetchone()
    meta = _derived(tx)
    return int(meta["vec_seq"]) if exists and meta.get("vec_model") == model and "vec_seq" in meta else None


def _activate(tx: Transaction, name: str) -> None:
    _set_meta(tx, "embedding_model", name)


def _count_removal(tx: Transaction) -> None:
    _, removed = state(tx)
    _set_meta(tx, "vectors_removed", str(int(removed or 0) + 1))


def _set_meta(tx: Transaction, key: str, value: str) -> None:
    tx.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))
