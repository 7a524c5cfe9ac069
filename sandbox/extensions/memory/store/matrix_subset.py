"""Those vectors that a question may look at, each such part together: the next question asks for the same."""

import threading
from collections.abc import Collection

from sandbox.extensions.memory.store.matrix import Matrix

_ROWS = 20_000  # of a part at most: the signs of a large whole take longer to read than it does
_ROOM = 100_000_000  # bytes: of 256 dimensions, four of the largest parts or those of a thousand small users


class Parts:
    """Parts of a matrix in memory, in ``room`` bytes those used last. Safe to use from several reader threads."""

    def __init__(self, room: int = _ROOM) -> None:
        self._room = room
        self._taken = 0
        self._kept: dict[frozenset[int], tuple[Matrix, int]] = {}  # and how many rows of the whole were looked at
        self._lock = threading.Lock()

    def of(self, matrix: Matrix, groups: Collection[int]) -> Matrix:
        """Those in some groups alone, where these are few; else the whole."""
        wanted = frozenset(matrix.counts.keys() & groups)
        if len(wanted) == len(matrix.counts) or sum(map(matrix.counts.__getitem__, wanted)) > _ROWS:
            return matrix
        with self._lock:
            part, read = self._take(wanted, matrix)
            if part is None or read < matrix.size:
                part, read = matrix.only(wanted, part, read), matrix.size
            self._kept[wanted] = part, read
            self._taken += part.nbytes
            while self._taken > self._room and len(self._kept) > 1:  # one that is larger is made once all the same
                self._drop(next(iter(self._kept)))
        return part

    def _take(self, wanted: frozenset[int], matrix: Matrix) -> tuple[Matrix | None, int]:
        """What is kept of the same matrix, and is put back last."""
        if wanted not in self._kept:
            return None, 0
        part, read = self._drop(wanted)
        is_same = (part.model_id, part.removed) == (matrix.model_id, matrix.removed)
        return (part, read) if is_same else (None, 0)

    def _drop(self, wanted: frozenset[int]) -> tuple[Matrix, int]:
        part, read = self._kept.pop(wanted)
        self._taken -= part.nbytes
        return part, read
