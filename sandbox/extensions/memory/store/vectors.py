"""Vectors, and the nearest ones: a table is the truth; a matrix in memory (``matrix.py``) and ``vec0`` follow from it.

Both follow the table by the sequence number of their last vector, so that they see the writes of other processes; a
count of removals makes them rebuild. The matrix answers. While it is read after a cold start, ``vec0`` answers from one
bit for each dimension, and the vectors themselves score its candidates.
"""

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.matrix import Matrix, Parts
from sandbox.extensions.memory.store.rows import text_of
from sandbox.extensions.memory.store.scored import Ids, Scored, numbers
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.embedder import Vector

_SQL = load("vectors")


COLD_ROWS = 20_000  # more vectors are not read while a question waits

_NOTHING = Scored.of({})
_READ_ROWS = 2048  # vectors read at a time
_BITS_CANDIDATES = 400  # nearest by bits, then rescored; keeps .97 of the exact top 20 on conversations


def model_number(snapshot: Snapshot, name: str) -> int | None:
    """The number of a model with vectors here."""
    return snapshot.value(_SQL.model, name=name)


def active_model(snapshot: Snapshot) -> str | None:
    """The model whose vectors answer questions."""
    return snapshot.meta("embedding_model")


def answering_model(snapshot: Snapshot, name: str) -> int | None:
    """The number of a model, if it is the active one."""
    return snapshot.value(_SQL.answering_model, name=name)


def has_several_models(snapshot: Snapshot) -> bool:
    """Whether one model is taking the place of another, or processes use different ones. Only then may a node that is
    not in the backlog have no vector of the active model.
    """
    return snapshot.number("SELECT count(*) FROM embedding_models") > 1


def adopt_model(tx: Transaction, name: str, dimensions: int) -> int:
    """Register a model. If it is not the active one, every node goes to the backlog."""
    tx.execute(_SQL.insert_model, name=name, dimensions=dimensions)
    number = tx.number(_SQL.model, name=name)
    active = active_model(tx)
    if active is None:
        tx.set_meta("embedding_model", name)
    elif active != name:
        requeue_missing(tx, number)
    return number


def requeue_missing(tx: Transaction, model_id: int) -> None:
    """Put every node without a vector of this model into the backlog."""
    tx.execute(_SQL.requeue, model_id=model_id)


def switch_model(tx: Transaction, name: str) -> bool:
    """Make a model the active one when it has a vector of every node, and delete the vectors of others. False if the
    backlog is not empty; it gets the nodes of which another process stored a vector of its own model alone.
    """
    if active_model(tx) == name:
        return True
    number = model_number(tx, name)
    if number is not None:
        requeue_missing(tx, number)
    if number is None or backlog_size(tx):
        return False
    tx.execute("DELETE FROM vectors WHERE model_id <> ?", (number,))
    tx.execute("DELETE FROM embedding_models WHERE id <> ?", (number,))
    _count_removal(tx)
    tx.set_meta("embedding_model", name)
    _derive(tx, number)
    return True


def backlog(snapshot: Snapshot, limit: int) -> dict[int, str]:
    """The next nodes to embed, with their texts."""
    rows = snapshot.plain(_SQL.backlog, limit=limit)
    return {node_id: text_of(speaker, content) for node_id, content, speaker in rows}


def backlog_size(snapshot: Snapshot) -> int:
    """How many nodes wait to be embedded."""
    return snapshot.number("SELECT count(*) FROM embedding_backlog")


class NodeVectors(NamedTuple):
    """Unit vectors of some nodes, shape (nodes, dimensions), in the order of ``ids``."""

    ids: tuple[int, ...]
    vectors: Vector


def embedded(snapshot: Snapshot, ids: Sequence[int]) -> NodeVectors | None:
    """The vectors of those nodes that have one by the active model; None if nothing is embedded."""
    name = active_model(snapshot)
    number = None if name is None else model_number(snapshot, name)
    rows = snapshot.execute(_SQL.some, ids=ids, model_id=number).fetchall()
    if not rows:
        return None
    joined = np.frombuffer(b"".join([row["vector"] for row in rows]), "<f4").reshape(len(rows), -1)
    return NodeVectors(tuple(row["node_id"] for row in rows), joined)


def store(tx: Transaction, model: str, vectors: Mapping[int, Vector]) -> None:
    """Store the vectors of nodes and take the nodes out of the backlog; nodes that were deleted are left out. If
    another process has made another model active meanwhile, this one is registered again.
    """
    model_id = model_number(tx, model)
    if model_id is None:
        model_id = adopt_model(tx, model, len(next(iter(vectors.values()))))
    groups = _groups(tx, list(vectors))
    _insert(tx, model_id, ((node, groups[node], vector) for node, vector in vectors.items() if node in groups))
    tx.execute(_SQL.off_backlog, ids=vectors)
    _derive(tx, model_id)


def store_turns(tx: Transaction, model_id: int, node_ids: Sequence[int], vectors: Vector, scope: Scope) -> None:
    """Store the vectors, one row each, of turns of one scope that were never in the backlog."""
    group = _group_number(tx, scope.user_id, scope.visibility, "episodic")
    _insert(tx, model_id, zip(node_ids, repeat(group), vectors, strict=False))
    _derive(tx, model_id)


def remove(tx: Transaction, node_ids: Sequence[int]) -> None:
    """Delete the vectors of nodes from the table and from every index over it."""
    ids = {"ids": node_ids}
    if tx.execute(_SQL.remove, ids).rowcount:
        _count_removal(tx)
        if driver().has_vec and _derived(tx)[0] is not None:
            tx.execute(_SQL.vec_remove, ids)


def state(snapshot: Snapshot) -> tuple[int, str | None]:
    """The state that an index compares itself with: the last vector, and the count of removals."""
    row = snapshot.execute(_SQL.state).fetchone()
    return row["last"] or 0, row["removed"]


def last(snapshot: Snapshot) -> int:
    """The sequence number of the last vector."""
    return state(snapshot)[0]


def _has_bits(snapshot: Snapshot) -> bool:
    """Whether ``vec0`` is available and complete."""
    model, upto = _derived(snapshot)
    return driver().has_vec and model == active_model(snapshot) and upto >= last(snapshot)


def _insert(tx: Transaction, model_id: int, found: Iterable[tuple[int, int, Vector]]) -> None:
    """Store rows of nodes, each with its group and its vector."""
    tx.insert(_SQL.insert, ((node, model_id, group, _blob(vector)) for node, group, vector in found))


def _blob(vector: Vector) -> bytearray:
    """A vector in the form that is stored, in a type that is bound ten times as fast as ``bytes``."""
    return bytearray(vector.astype("<f4", copy=False))


def _groups(tx: Transaction, node_ids: Sequence[int]) -> dict[int, int]:
    """The group of each node that exists; new groups are created."""
    found = {}
    for *kind, ids in tx.execute(_SQL.groups, ids=node_ids).fetchall():
        found.update(dict.fromkeys(json.loads(ids), _group_number(tx, *kind)))
    return found


def _group_number(tx: Transaction, user_id: str, visibility: str, type_: str) -> int:
    parameters = {"user_id": user_id, "visibility": visibility, "type": type_}
    tx.execute(_SQL.insert_group, parameters)
    return tx.number(_SQL.group, parameters)


def _derive(tx: Transaction, model_id: int) -> None:
    """Update ``vec0`` from the table, after writes of any process. Only for the active model."""
    row = tx.execute("SELECT name, dimensions FROM embedding_models WHERE id = ?", (model_id,)).fetchone()
    if not driver().has_vec or row["dimensions"] % 8 or active_model(tx) != row["name"]:
        return
    model, upto = _derived(tx)
    if model != row["name"]:
        if last(tx) <= COLD_ROWS:  # no question would use it
            return
        tx.execute("DROP TABLE IF EXISTS vec_nodes")
        tx.execute(_SQL.vec_create.format(dimensions=row["dimensions"]))
        tx.set_meta("vec_model", row["name"])
        upto = 0
    tx.execute(_SQL.vec_insert, seq=upto, model_id=model_id)
    tx.set_meta("vec_seq", last(tx))


def _derived(snapshot: Snapshot) -> tuple[str | None, int]:
    """The model whose vectors ``vec0`` holds, and the last of them; None if there is no ``vec0``."""
    return snapshot.meta("vec_model"), int(snapshot.meta("vec_seq") or 0)


def _count_removal(tx: Transaction) -> None:
    _, removed = state(tx)
    tx.set_meta("vectors_removed", int(removed or 0) + 1)


class VectorIndex:
    """Nearest nodes by cosine. Safe to use from several reader threads."""

    def __init__(self) -> None:
        self._matrix: Matrix | None = None
        self._parts = Parts()
        self._lock = threading.Lock()

    def is_cold(self, snapshot: Snapshot, model_id: int) -> bool:
        """Whether the matrix still has to read more vectors than a question can wait for."""
        matrix = self._matrix
        if matrix is not None and matrix.model_id == model_id:
            return False
        return last(snapshot) > COLD_ROWS

    def warm(self, snapshot: Snapshot, model_id: int) -> None:
        """Read every vector that is not in memory yet."""
        self._current(snapshot, model_id)

    def nearest(self, visibility: VisibilityFilter, model_id: int, query: Vector, limit: int) -> Scored:
        """The nodes that are most similar to a unit vector, by cosine, among those that the filter lets through, best
        first.
        """
        groups = _visible_groups(visibility.snapshot, visibility.filter)
        if not groups or not query.any():
            return Scored.of({})
        if visibility.selected is not None:
            found = next(self._of(visibility.snapshot, model_id, query, visibility.selected).chunks(limit), _NOTHING)
        elif self.is_cold(visibility.snapshot, model_id) and _has_bits(visibility.snapshot):
            found = visibility.first(_by_bits(visibility.snapshot, model_id, query), limit)
        else:
            matrix = self._parts.of(self._current(visibility.snapshot, model_id), groups)
            for near, sure in matrix.nearest(query, groups):
                found = visibility.first(near, limit)
                if len(found) == limit and np.count_nonzero(near.values >= found.values[-1]) <= sure:
                    break  # otherwise the filter lets few through, and nearer ones may be missing
        return found[found.values > 0]

    def alike(
        self, snapshot: Snapshot, filter_: Filter, model_id: int, queries: Vector, minimum: float
    ) -> list[Scored]:
        """For each unit vector, the nodes with at least a cosine to it, filtered only by type and owner; in a large
        matrix, only those near by their signs. Reads every vector that is not in memory yet.
        """
        groups = _visible_groups(snapshot, filter_)
        matrix = self._parts.of(self._current(snapshot, model_id), groups)
        found = (next(matrix.nearest(query, groups)) for query in queries)
        return [near[near.values >= minimum] for near, _ in found]

    def cosines(self, snapshot: Snapshot, model_id: int, query: Vector, nodes: Ids) -> Scored:
        """The cosines of a unit vector with some nodes, for those that have a vector."""
        matrix = self._matrix
        if matrix is not None and matrix.model_id == model_id:
            return matrix.cosines(query, nodes)
        return _by_rows(snapshot, model_id, query, nodes.tolist())

    def _of(self, snapshot: Snapshot, model_id: int, query: Vector, nodes: Ids) -> Scored:
        """The same for all stored vectors, without reading all of them for a few."""
        if self.is_cold(snapshot, model_id):
            return _by_rows(snapshot, model_id, query, nodes.tolist())
        return self._current(snapshot, model_id).cosines(query, nodes)

    def _current(self, snapshot: Snapshot, model_id: int) -> Matrix:
        with self._lock:
            self._matrix = _caught_up(snapshot, self._matrix, model_id)
            return self._matrix


def _caught_up(snapshot: Snapshot, matrix: Matrix | None, model_id: int) -> Matrix:
    """The matrix with all vectors: unchanged, extended, or read anew."""
    last, removed = state(snapshot)
    if matrix is None or matrix.model_id != model_id or matrix.removed != removed:
        count, dimensions = snapshot.execute(_SQL.extent, model_id=model_id).fetchone()
        matrix = Matrix.empty(model_id, removed, max(count, 1), dimensions)
    if last <= matrix.last_seq:
        return matrix
    asked = {"model_id": model_id, "limit": _READ_ROWS}
    while True:
        seq, nodes, groups, found = snapshot.plain(_SQL.since, {"seq": matrix.last_seq, **asked}).fetchone()
        if seq is None:
            return matrix
        rows = np.frombuffer(found, "<f4").reshape(-1, matrix.vectors.shape[1])
        matrix = matrix.extended(seq, numbers(nodes), numbers(groups), rows)


def _by_bits(snapshot: Snapshot, model_id: int, query: Vector) -> Scored:
    """The nearest by the bits in ``vec0``, scored by their full vectors. The search of ``vec0`` itself takes eight
    times as long.
    """
    ids, valid, bits = map(b"".join, zip(*snapshot.plain(_SQL.bits), strict=True))
    asked = np.packbits(query > 0, bitorder="little")
    word = np.dtype("u8" if len(asked) % 8 == 0 else "u1")
    signs = np.frombuffer(bits, word).reshape(len(ids) // 8, -1)
    differing = np.bitwise_count(signs ^ asked.view(word)).sum(axis=1, dtype=np.int64)
    there = np.flatnonzero(np.unpackbits(np.frombuffer(valid, np.uint8), bitorder="little"))
    count = min(_BITS_CANDIDATES, len(there))
    nearest = there[np.argpartition(differing[there], count - 1)[:count]]
    return _by_rows(snapshot, model_id, query, np.sort(np.frombuffer(ids, "<i8")[nearest]).tolist())


def _by_rows(snapshot: Snapshot, model_id: int, query: Vector, ids: Sequence[int]) -> Scored:
    """Cosines with some nodes, from the table."""
    rows = snapshot.execute(_SQL.some, ids=ids, model_id=model_id)
    return Scored.pairs([(row[0], float(np.frombuffer(row[1], "<f4") @ query)) for row in rows])


def _visible_groups(snapshot: Snapshot, filter_: Filter) -> list[int]:
    home = filter_.scope.visibility if filter_.in_home else None
    rows = snapshot.execute(_SQL.visible_groups, user_id=filter_.scope.user_id, types=filter_.types, home=home)
    return [row[0] for row in rows]
