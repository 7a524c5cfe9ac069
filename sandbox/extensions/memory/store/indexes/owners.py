"""The owners of nodes. The weight of a word is counted over one user's visible nodes, so that it reveals nothing of
other users' words.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.indexes.scored import numbers
from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_SQL = load("words")
_NOBODY, _EVERYBODY = -1, 0  # users have numbers from 1
_NOT_MET = -2  # a user without stored nodes


class Extent(NamedTuple):
    """How many rows a full text table has, and how many tokens they have together."""

    rows: int = 0
    tokens: int = 0


def is_sole(snapshot: Snapshot, user_id: str) -> bool:
    """Whether all nodes belong to this user, so that users need not be separated."""
    return not snapshot.execute(_SQL.of_others, {"user_id": user_id}).fetchone()[0]


class Owners:
    """The owner of each node up to the last of a snapshot, and how much each user sees."""

    def __init__(self, snapshot: Snapshot, last: int) -> None:
        self._users: dict[str, int] = {}
        self._of = np.full(last + 1, _NOBODY, np.int32)
        self._extents: dict[str, Extent] = {}
        for user_id, is_global, ids in snapshot.execute(_SQL.owners):
            self._of[numbers(ids)] = self._number(user_id, is_global)

    def _number(self, user_id: str, is_global: int) -> int:
        return _EVERYBODY if is_global else self._users.setdefault(user_id, len(self._users) + 1)

    def add(self, node: int, user_id: str, is_global: int, tokens: int) -> None:
        """Add a node with its number of tokens."""
        if node >= len(self._of):
            self._of = np.append(self._of, np.full(node, _NOBODY, np.int32))
        self._of[node] = self._number(user_id, is_global)
        if is_global:
            self._extents.clear()
        elif (known := self._extents.get(user_id)) is not None:
            self._extents[user_id] = Extent(known.rows + 1, known.tokens + tokens)

    def seen_by(self, user_id: str, ids: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Which nodes belong to a user or are global."""
        of = self._of[ids]
        seen: NDArray[np.bool_] = (of == self._users.get(user_id, _NOT_MET)) | (of == _EVERYBODY)
        return seen

    def extent(self, user_id: str, lengths: NDArray[np.float32]) -> Extent:
        """The part of a full text table that a user sees; ``lengths`` are the tokens of each node."""
        if user_id not in self._extents:
            there = np.flatnonzero(lengths[: len(self._of)]).astype(np.int32)
            seen = there[self.seen_by(user_id, there)]
            self._extents[user_id] = Extent(len(seen), round(lengths[seen].sum(dtype=np.float64)))
        return self._extents[user_id]
