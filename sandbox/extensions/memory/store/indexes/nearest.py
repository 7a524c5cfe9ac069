"""The nearest vectors: a matrix in memory answers (``matrix.py``).

While the matrix is read after a cold start, ``vec0`` answers from one bit for each dimension, and the vectors
themselves score its candidates.
"""

import threading
from collections.abc import Sequence

import numpy as np

from sandbox.extensions.memory.store.indexes import vectors
from sandbox.extensions.memory.store.indexes.matrix import Matrix, Parts
from sandbox.extensions.memory.store.indexes.scored import Ids, Scored, numbers
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.reading.search import VisibilityFilter
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.embedder import Vector

_SQL = load("nearest")

_NOTHING = Scored.of({})
_READ_ROWS = 2048  # vectors read at a time
_BITS_CANDIDATES = 400  # nearest by bits, then rescored; keeps .97 of the exact top 20 on conversations


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
        return vectors.last(snapshot) > vectors.COLD_ROWS

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
        elif self.is_cold(visibility.snapshot, model_id) and vectors.has_bits(visibility.snapshot):
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
    last, removed = vectors.state(snapshot)
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
