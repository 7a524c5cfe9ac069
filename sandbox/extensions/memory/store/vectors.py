"""Vectors, and the nearest ones: a table is the truth; a matrix in memory and ``vec0`` follow from it.

Both follow the table by the sequence number of their last vector, so that they see the writes of other processes; a
count of removals makes them rebuild. The matrix answers. While it is read after a cold start, ``vec0`` answers from one
bit for each dimension, and the vectors themselves score its candidates.

Few rows of the matrix are all multiplied. Of many, only those are multiplied that agree with the question in the signs
of most components; this is nearly as good (adr/0019) and reads a thirty-second of the memory. Very many are kept with
one byte for each component: their cosines are exact to .003.
"""

import json
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.store.columns import Ids, Scored, Values, numbers
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import text_of
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

EXHAUSTIVE_ROWS = 5_000  # up to so many rows, all are multiplied
_MANY_ROWS = 20_000  # up to so many, all are multiplied if a selection by signs is not enough
# Above that, as many rows as are needed to find .995 of the exact best 150, for synthetic turns, 10,000 and a million.
_LEAST, _OF, _MOST = 1_000, 20, 6_000
_SURE = 10  # the best tenth of the selected rows misses hardly any
_EXACT_ROWS = 20_000  # above that, each component has one byte
_SIGNS = 256  # components of a vector; shorter vectors need more selected rows
_WORD = 64  # bits
_LARGEST, _TINY = 127, 1e-20  # largest component of a row of bytes; least length of a vector that is not zero

_ROWS = 20_000  # rows of a part at most; a larger part takes longer to copy than it saves
_ROOM = 100_000_000  # bytes; with 256 dimensions, four of the largest parts, or those of a thousand small users


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
    number = model_number(snapshot, active_model(snapshot) or "")
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
    """Store rows of nodes, each with its group and its vector; ``bytes`` would be bound a tenth as fast."""
    stored = ((node, model_id, group, bytearray(vector.astype("<f4", copy=False))) for node, group, vector in found)
    tx.insert(_SQL.insert, stored)


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


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of ``vectors``, shape (capacity, dimensions), of which the first ``size`` are in use. Rows in use are never
    written again, so older views of them stay valid.
    """

    model_id: int
    last_seq: int
    removed: str | None
    size: int
    nodes: Ids
    groups: NDArray[np.int32]
    vectors: NDArray[Any]  # float32, or int8
    scales: NDArray[np.float32]  # factor of each row
    signs: NDArray[np.uint64]  # shape (words, capacity): one bit per component, 1 if it is positive
    counts: Mapping[int, int] = field(default_factory=dict)  # rows of each group
    is_ascending: bool = True  # false once a node was embedded late

    @classmethod
    def empty(cls, model_id: int, removed: str | None, capacity: int, dimensions: int) -> "Matrix":
        """A matrix with room for ``capacity`` vectors."""
        return cls(
            model_id,
            0,
            removed,
            0,
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int32),
            np.empty((capacity, dimensions), np.float32 if capacity <= _EXACT_ROWS else np.int8),
            np.empty(capacity, np.float32),
            np.empty((-(-dimensions // _WORD), capacity), np.uint64),
        )

    def only(self, groups: Collection[int], known: "Matrix | None" = None, read: int = 0) -> "Matrix":
        """The rows of some groups alone; ``known`` are those among the first ``read`` rows."""
        rows = np.flatnonzero(np.isin(self.groups[read : self.size], list(groups))) + read
        part = known or Matrix.empty(self.model_id, self.removed, max(len(rows), 1), self.vectors.shape[1])
        vectors = self.vectors[rows] * self.scales[rows, None]
        return part.extended(self.last_seq, self.nodes[rows], self.groups[rows], vectors)

    def extended(
        self, last_seq: int, nodes: NDArray[np.integer], groups: NDArray[np.int32], vectors: Vector
    ) -> "Matrix":
        """The matrix with more rows, up to a sequence number."""
        size = self.size + len(nodes)
        grown = self._with_room(size)
        new = slice(self.size, size)
        grown.nodes[new], grown.groups[new] = nodes, groups
        grown.vectors[new], grown.scales[new] = grown._encoded(vectors)
        grown.signs[:, new] = _signs(vectors)
        added = grown.nodes[max(self.size - 1, 0) : size]
        counts = Counter(self.counts) + Counter(groups.tolist())
        is_ascending = self.is_ascending and bool((np.diff(added) > 0).all())
        return replace(grown, last_seq=last_seq, size=size, counts=counts, is_ascending=is_ascending)

    @property
    def nbytes(self) -> int:
        """Bytes in memory, including unused room."""
        columns = (self.nodes, self.groups, self.vectors, self.scales, self.signs)
        return sum(column.nbytes for column in columns)

    @property
    def is_large(self) -> bool:
        """Whether it has too many rows to multiply all for every question."""
        return self.size > EXHAUSTIVE_ROWS

    def nearest(self, query: Vector, groups: Collection[int]) -> Iterator[tuple[Scored, int]]:
        """Cosines of a unit vector with rows of some groups, and how many of the best are almost certainly complete.
        Few rows are all multiplied at once; of many, first the nearest by their signs, then more and more, at last all.
        """
        if self.is_large:
            differing = self._differing(query, self._in(groups))
            for multiplied in self._multiplied():
                sure = self.size if multiplied >= _MOST else multiplied // _SURE
                yield self._near(query, self._agreeing(differing, multiplied)), sure
        yield self.every(query, groups), self.size

    def every(self, query: Vector, groups: Collection[int]) -> Scored:
        """Cosines with all rows of some groups."""
        wanted = self._in(groups)
        return self._near(query, None if wanted is None else np.flatnonzero(wanted))

    def cosines(self, query: Vector, nodes: Ids) -> Scored:
        """Cosines of a unit vector with some nodes, as far as they are in the matrix."""
        known = self.nodes[: self.size]
        order = None if self.is_ascending else np.argsort(known, kind="stable")
        at = np.minimum(np.searchsorted(known, nodes, sorter=order), max(self.size - 1, 0))
        at = at if order is None else order[at]
        there = known[at] == nodes if self.size else np.zeros(len(nodes), bool)
        return Scored(nodes[there], self._product(query, at[there]))

    def _in(self, groups: Collection[int]) -> NDArray[np.bool_] | None:
        """Which rows are in some groups; None if all are."""
        return None if self.counts.keys() <= set(groups) else np.isin(self.groups[: self.size], list(groups))

    def _near(self, query: Vector, rows: NDArray[np.intp] | None) -> Scored:
        return Scored(self.nodes[: self.size] if rows is None else self.nodes[rows], self._product(query, rows))

    def _product(self, query: Vector, rows: NDArray[np.intp] | None) -> Values:
        if rows is None:
            vectors, scales = self.vectors[: self.size], self.scales[: self.size]
        else:  # takes three quarters of the time of an index
            vectors, scales = self.vectors.take(rows, axis=0, mode="clip"), self.scales.take(rows, mode="clip")
        # einsum, not @: as fast on one core, and a threaded BLAS waits up to 8 ms for a busy machine's second core
        cosines: Values = (np.einsum("ij,j->i", vectors, query) * scales).astype(float)
        return cosines

    def _encoded(self, vectors: Vector) -> tuple[Vector, NDArray[np.float32] | float]:
        """Vectors in the form of the matrix, and the factor of each."""
        if self.vectors.dtype == np.float32:
            return vectors, 1.0
        scales = np.maximum(np.abs(vectors).max(axis=1, initial=0.0), _TINY) / _LARGEST
        return np.rint(vectors / scales[:, None]), scales

    def _multiplied(self) -> list[int]:
        """How many rows are multiplied in each step before all."""
        factor = max(1, _SIGNS / self.vectors.shape[1])
        few, many = (int(rows * factor) for rows in (min(_MOST, _LEAST + self.size // _OF), _MOST))
        return [few, many] if self.size > _MANY_ROWS and few < many else [few]

    def _differing(self, query: Vector, wanted: NDArray[np.bool_] | None) -> NDArray[np.uint16]:
        """In how many signs each row differs from the question; a row that is not wanted gets more than all."""
        differing = np.zeros(self.size, np.uint16)
        for signs, word in zip(self.signs, _signs(query[None, :])[:, 0], strict=True):
            differing += np.bitwise_count(signs[: self.size] ^ word)
        if wanted is not None:
            differing[~wanted] = len(self.signs) * _WORD + 1
        return differing

    def _agreeing(self, differing: NDArray[np.uint16], multiplied: int) -> NDArray[np.intp]:
        """The rows that differ in the fewest signs: as many as given, and those that equal the last."""
        most = int(np.searchsorted(np.cumsum(np.bincount(differing)), multiplied))
        return np.flatnonzero(differing <= min(most, len(self.signs) * _WORD))

    def _with_room(self, size: int) -> "Matrix":
        if size <= len(self.nodes):
            return self
        capacity = max(size, len(self.nodes) + len(self.nodes) // 2)
        grown = Matrix.empty(self.model_id, self.removed, capacity, self.vectors.shape[1])
        grown.nodes[: self.size] = self.nodes[: self.size]
        grown.groups[: self.size] = self.groups[: self.size]
        is_same = grown.vectors.dtype == self.vectors.dtype
        kept = self.vectors[: self.size], self.scales[: self.size]
        grown.vectors[: self.size], grown.scales[: self.size] = kept if is_same else grown._encoded(kept[0])
        grown.signs[:, : self.size] = self.signs[:, : self.size]
        return grown


def _signs(vectors: Vector) -> NDArray[np.uint64]:
    """The signs of vectors, shape (n, d), each as a column of words."""
    bits = np.packbits(vectors > 0, axis=1)
    words = np.zeros((len(bits), -(-vectors.shape[1] // _WORD) * _WORD // 8), np.uint8)
    words[:, : bits.shape[1]] = bits
    return words.view(np.uint64).T


class Parts:
    """Parts of a matrix, within ``room`` bytes, the latest used. Safe in several reader threads."""

    def __init__(self, room: int = _ROOM) -> None:
        self._room = room
        self._taken = 0
        self._kept: dict[frozenset[int], tuple[Matrix, int]] = {}  # and the number of rows of the whole that were read
        self._lock = threading.Lock()

    def of(self, matrix: Matrix, groups: Collection[int]) -> Matrix:
        """The rows of some groups alone, if these are few; else the whole matrix."""
        wanted = frozenset(matrix.counts.keys() & groups)
        if len(wanted) == len(matrix.counts) or sum(map(matrix.counts.__getitem__, wanted)) > _ROWS:
            return matrix
        with self._lock:
            part, read = self._take(wanted, matrix)
            if part is None or read < matrix.size:
                part, read = matrix.only(wanted, part, read), matrix.size
            self._kept[wanted] = part, read
            self._taken += part.nbytes
            while self._taken > self._room and len(self._kept) > 1:  # a part larger than the room is made all the same
                self._drop(next(iter(self._kept)))
        return part

    def _take(self, wanted: frozenset[int], matrix: Matrix) -> tuple[Matrix | None, int]:
        """Take the kept part of the same matrix out; the caller stores it as the last used."""
        if wanted not in self._kept:
            return None, 0
        part, read = self._drop(wanted)
        is_same = (part.model_id, part.removed) == (matrix.model_id, matrix.removed)
        return (part, read) if is_same else (None, 0)

    def _drop(self, wanted: frozenset[int]) -> tuple[Matrix, int]:
        part, read = self._kept.pop(wanted)
        self._taken -= part.nbytes
        return part, read


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
        """The nodes most similar to a unit vector, by cosine, that the filter lets through, best first."""
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
