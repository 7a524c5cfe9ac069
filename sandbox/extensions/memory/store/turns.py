"""What spreading needs to know of a node: who stands beside it, in which session, who says it.

None of it ever changes once a node is stored, except that the last turn of a session gets a successor; so it is read
once and remembered, and a turn without a successor is looked up again.
"""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from sandbox.extensions.memory.store.queries import load

_SQL = load("search")
_KEPT = 200_000  # nodes remembered: some 60 MB


@dataclass(frozen=True, slots=True)
class Turn:
    """A node and its place in its conversation."""

    id: int
    session_id: str | None
    who: str  # analysed speaker, or subject of a fact
    asks: bool
    term_count: int
    before: int | None
    after: int | None


class TurnCache:
    """Turns by node id. Safe to use from several reader threads."""

    def __init__(self) -> None:
        self._turns: dict[int, Turn] = {}

    def around(self, connection: sqlite3.Connection, ids: Iterable[int], steps: int) -> dict[int, Turn]:
        """Some nodes and everything within ``steps`` temporal edges of them."""
        found = self.get(connection, ids)
        frontier = list(found.values())
        for _ in range(steps):
            beside = {near for turn in frontier for near in (turn.before, turn.after) if near is not None}
            fresh = self.get(connection, beside - found.keys())
            found.update(fresh)
            frontier = list(fresh.values())
        return found

    def get(self, connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Turn]:
        """Some nodes; those that do not exist are missing."""
        known = {node: turn for node in ids if (turn := self._turns.get(node)) is not None and turn.after is not None}
        missing = [node for node in ids if node not in known]
        if missing:
            rows = connection.execute(_SQL.turns, {"ids": json.dumps(missing)})
            read = {row[0]: Turn(row[0], row[1], row[2], bool(row[3]), row[4], row[5], row[6]) for row in rows}
            self._remember(read)
            known.update(read)
        return known

    def _remember(self, turns: dict[int, Turn]) -> None:
        if len(self._turns) > _KEPT:
            self._turns.clear()
        self._turns.update(turns)
