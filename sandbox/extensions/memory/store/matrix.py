"""The vectors of one model in memory, and the nearest rows to another vector. Pure.

Few rows are all multiplied. Of many, only those are multiplied that agree with the question in the signs of most
components; this is nearly as good (adr/0019) and reads a thirty-second of the memory. Very many are kept with one byte
for each component: their cosines are exact to .003.
"""

import threading
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.scored import Ids, Scored, Values
from sandbox.support.embedder import Vector

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
        return Matrix(
            self.model_id,
            last_seq,
            self.removed,
            size,
            grown.nodes,
            grown.groups,
            grown.vectors,
            grown.scales,
            grown.signs,
            Counter(self.counts) + Counter(groups.tolist()),
            self.is_ascending and bool((np.diff(added) > 0).all()),
        )

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
    """Parts of a matrix in memory, within ``room`` bytes; the part used longest ago is dropped. Safe to use from
    several reader threads.
    """

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
