"""What every question needs to know of a turn: who stands beside it, in which session, who says it, who may see it.

Hardly any of it ever changes, so it is read once and remembered. The last turn of a session is looked up again once
there are new edges, and a node that something happened to, once that stands in the log of changes.
"""

import json
import sqlite3
import threading
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
    plain_user: str | None = None
    """Whose it is, where nothing but that decides who may see it: a turn that is believed, and neither private to a
    project or a session nor quarantined."""


class TurnCache:
    """Turns by node id. Safe to use from several reader threads."""

    def __init__(self) -> None:
        self._turns: dict[int, Turn] = {}
        self._last_as_of: dict[int, int] = {}  # of turns without a successor: how many edges there had been by then
        self._seq: int | None = None  # the last change that was taken into account
        self._lock = threading.Lock()

    def plain(self, connection: sqlite3.Connection, ids: Iterable[int], user_id: str) -> set[int]:
        """Those of some nodes that are known to be turns which their user, this one, may always see."""
        if not self._is_current(connection):
            return set()
        turns = self._turns
        return {node for node in ids if (turn := turns.get(node)) is not None and turn.plain_user == user_id}

    def get(self, connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Turn]:
        """Some nodes; those that do not exist are missing."""
        return self.around(connection, ids, 0)

    def around(
        self, connection: sqlite3.Connection, ids: Iterable[int], steps: int, others: Iterable[int] = ()
    ) -> dict[int, Turn]:
        """Some nodes and everything within ``steps`` temporal edges of them; and others by themselves."""
        edges: int = connection.execute(_SQL.edges).fetchone()[0]
        found = self._get(connection, ids, edges)
        frontier = list(found.values())
        for _ in range(steps):
            beside = {near for turn in frontier for near in (turn.before, turn.after) if near is not None}
            fresh = self._get(connection, beside - found.keys(), edges)
            found.update(fresh)
            frontier = list(fresh.values())
        alone = [node for node in others if node not in found]
        return {**found, **self._get(connection, alone, edges)} if alone else found

    def _get(self, connection: sqlite3.Connection, ids: Iterable[int], edges: int) -> dict[int, Turn]:
        """Some nodes; those that do not exist are missing."""
        known = {}
        for node in ids:
            turn = self._turns.get(node)
            if turn is not None and (turn.after is not None or self._last_as_of.get(node) == edges):
                known[node] = turn
        missing = [node for node in ids if node not in known]
        if missing:
            rows = connection.execute(_SQL.turns, {"ids": json.dumps(missing)})
            read = {row[0]: Turn(row[0], row[1], row[2], bool(row[3]), *row[4:8]) for row in rows}
            if self._is_current(connection):
                self._remember(read, edges)
            known.update(read)
        return known

    def _remember(self, turns: dict[int, Turn], edges: int) -> None:
        if len(self._turns) > _KEPT:
            self._turns.clear()
            self._last_as_of.clear()
        self._turns.update(turns)
        self._last_as_of.update((node, edges) for node, turn in turns.items() if turn.after is None)

    def _is_current(self, connection: sqlite3.Connection) -> bool:
        """Whether what is remembered is as this snapshot has it: what changed by then is dropped, and what an older
        snapshot sees is not remembered.
        """
        seq: int = connection.execute(_SQL.last_change).fetchone()[0]
        with self._lock:
            if self._seq is not None and seq > self._seq:
                for row in connection.execute(_SQL.changed, {"seq": self._seq}):
                    self._turns.pop(row[0], None)
            self._seq = max(seq, self._seq or 0)
            return seq == self._seq
