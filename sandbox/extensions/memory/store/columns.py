"""Columns of numbers by node, with which a search computes: scores, and the data of a node that every question needs:
neighbours, session, speaker, visibility.

These data seldom change, so they are read once and kept. The log of changes and new edges show which nodes to read
again.
"""

import itertools
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.sql import load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

Ids: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[np.float64]

_GROWTH = 4  # of the chunks in which a ranking is read


@dataclass(frozen=True, slots=True)
class Scored:
    """``values[i]`` is the score of node ``ids[i]``; both of shape ``(n,)``, no id twice."""

    ids: Ids
    values: Values

    @classmethod
    def of(cls, scores: Mapping[int, float]) -> "Scored":
        """A mapping as columns."""
        return cls(np.fromiter(scores.keys(), np.int64, len(scores)), np.fromiter(scores.values(), float, len(scores)))

    @classmethod
    def pairs(cls, rows: Sequence[tuple[int, float]]) -> "Scored":
        """The rows of a query, in their order."""
        ids, values = zip(*rows, strict=True) if rows else ((), ())
        return cls(np.array(ids, np.int64), np.array(values, float))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, which: "NDArray[np.bool_] | Ids | slice") -> "Scored":
        return Scored(self.ids[which], self.values[which])

    def plain(self) -> dict[int, float]:
        """The columns as a mapping."""
        return dict(zip(self.ids.tolist(), self.values.tolist(), strict=True))

    def valued(self, values: Values) -> "Scored":
        """The same nodes with other scores."""
        return Scored(self.ids, values)

    def at(self, ids: Ids, otherwise: float) -> Values:
        """The scores of some nodes; ``otherwise`` for those without one."""
        if not len(self):
            return np.full(len(ids), otherwise)
        order = np.argsort(self.ids)
        places = order[np.minimum(np.searchsorted(self.ids, ids, sorter=order), len(self) - 1)]
        return np.where(self.ids[places] == ids, self.values[places], otherwise)

    def best_first(self) -> "Scored":
        """The same, best first; of equal ones, the younger node first."""
        return self[np.lexsort((-self.ids, -self.values))]

    def chunks(self, size: int) -> Iterator["Scored"]:
        """All rows in chunks, best first, equal ones in their order: first the best ``size``, then larger and larger
        chunks. Only chunks that are read are sorted.
        """
        done = 0
        while done < len(self):
            upto = min(len(self), done + size)
            best = _best(self.values, upto)
            yield self[best[np.argsort(-self.values[best], kind="stable")][done:]]
            done, size = upto, size * _GROWTH


def _best(values: Values, count: int) -> NDArray[np.intp]:
    """The indexes of the best ``count``, in their order; of equal ones at the limit, the first."""
    if count == len(values):
        return np.arange(count)
    least = np.partition(values, len(values) - count)[len(values) - count]
    better = np.flatnonzero(values > least)
    return np.sort(np.concatenate([better, np.flatnonzero(values == least)[: count - len(better)]]))


def numbers(text: str) -> NDArray[np.int32]:
    """Numbers separated by commas. As one value of a query they take a third of the time of rows."""
    return np.fromstring(text, np.int32, sep=",")


def among(ids: Ids, others: Ids) -> NDArray[np.bool_]:
    """Which ids are among others; for few, in a third of the time of ``numpy.isin``."""
    if not len(others):
        return np.zeros(len(ids), bool)
    known = np.sort(others)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, ids), len(known) - 1)] == ids
    return found


def normalised(scored: Scored) -> Scored:
    """Scores as shares of the best; empty if none is above zero."""
    best = scored.values.max(initial=0.0)
    return scored.valued(scored.values / best) if best > 0 else scored[:0]


def added(parts: Iterable[Scored]) -> Scored:
    """The sum over all parts for each node, ids ascending."""
    ids, values, first = _sorted(parts)
    sums: Values = np.add.reduceat(values, first) if len(first) else values
    return Scored(ids[first], sums)


def either(*parts: Scored) -> Scored:
    """Each node with the score of the first part that has it, ids ascending."""
    ids, values, first = _sorted(parts)
    return Scored(ids[first], values[first])


def joined(parts: Iterable[Scored]) -> Scored:
    """The parts one after the other; no node may be in two of them."""
    return Scored(*_columns(parts))


def _columns(parts: Iterable[Scored]) -> tuple[Ids, Values]:
    given = list(parts)
    return np.concatenate([part.ids for part in given]), np.concatenate([part.values for part in given])


def _sorted(parts: Iterable[Scored]) -> tuple[Ids, Values, NDArray[np.intp]]:
    """All parts sorted by id, equal ones in their order, and the index of the first row of each id."""
    ids, values = _columns(parts)
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    is_first = np.empty(len(ids), bool)
    is_first[:1] = True
    np.not_equal(ids[1:], ids[:-1], out=is_first[1:])
    return ids, values[order], np.flatnonzero(is_first)


_SQL = load("columns")

NODE_ROW = np.dtype(
    [
        ("before", "i8"),  # the turn before it; 0 for none
        ("after", "i8"),
        ("session", "i8"),  # hash of its name; 0 for none
        ("who", "i8"),  # hash of the analysed speaker, or of the subject of a fact
        ("event_time", "i8"),  # milliseconds
        ("plain_user", "i4"),  # its owner, if only the owner decides who sees it; otherwise 0
        ("term_count", "i4"),
        ("is_turn", "?"),
        ("asks", "?"),
        ("by_user", "?"),  # the user's own words, or confirmed by them
        ("outdone", "?"),  # a memory replaced it, or has more weight in a possible conflict
        ("exists", "?"),
        ("known", "?"),  # whether the row was read
    ],
    align=True,
)
"""A node and its place in its conversation."""

NodeRows = NDArray[np.void]
"""Rows of ``NODE_ROW``."""

_MOST_NEWS = 20_000  # edges or changes that are handled one by one; after more, everything is read anew
_ROOM = 1.2  # factor for nodes to come


class NodeCache:
    """Turns by node id. Safe to use from several reader threads."""

    def __init__(self) -> None:
        self._rows: NodeRows = np.zeros(0, NODE_ROW)
        self._users: dict[str, int] = {}
        self._numbers = itertools.count(1)
        self._seen: tuple[int, int] | None = None  # the last change and the last edge that were handled
        self._lock = threading.Lock()

    def seen_by(self, snapshot: Snapshot) -> "NodeView":
        """The turns in the state of a snapshot."""
        nodes, change, edge = snapshot.execute(_SQL.sequences).fetchone()
        with self._lock:
            if self._seen is None or (change >= self._seen[0] and edge >= self._seen[1]):
                self._drop(snapshot, change, edge)
                self._seen = change, edge
                self._make_room(nodes + 1)
        return NodeView(self, snapshot, (change, edge))

    def number(self, user_id: str) -> int:
        """The number of a user in ``plain_user``."""
        return self._users.setdefault(user_id, next(self._numbers))

    def rows(self, snapshot: Snapshot, seen: tuple[int, int], ids: Ids) -> NodeRows:
        """A row for each node, for a snapshot that has ``seen`` so many changes; only the latest are kept."""
        with self._lock:
            if seen == self._seen and ids.max(initial=0) < len(self._rows):
                rows = self._rows.take(ids)
                if not rows["known"].all():
                    found, read = self._read(snapshot, ids[~rows["known"]])
                    self._rows[found] = read
                    rows = self._rows.take(ids)
                return rows
        return self._uncached(snapshot, ids)

    def _uncached(self, snapshot: Snapshot, ids: Ids) -> NodeRows:
        wanted, places = np.unique(ids, return_inverse=True)
        found, read = self._read(snapshot, wanted)
        unique = np.zeros(len(wanted), NODE_ROW)
        unique[np.searchsorted(wanted, found)] = read
        return unique[places]

    def _read(self, snapshot: Snapshot, ids: Ids) -> tuple[Ids, NodeRows]:
        """The nodes that exist, with their rows, from the database."""
        found = snapshot.plain(_SQL.turns, ids=ids.tolist()).fetchall()
        rows = np.fromiter((self._row(row) for row in found), NODE_ROW, len(found))
        return np.fromiter((row[0] for row in found), np.int64, len(found)), rows

    def _row(self, row: Sequence[Any]) -> tuple[int | bool, ...]:
        _, before, after, session, who, event_time, user, *rest = row
        return (
            before or 0,
            after or 0,
            0 if session is None else hash(session),
            hash(who),
            event_time,
            0 if user is None else self.number(user),
            *rest,
            True,
            True,
        )

    def _drop(self, snapshot: Snapshot, change: int, edge: int) -> None:
        """Drop the rows of nodes that changed or got an edge, up to a line of the log and an edge."""
        seen = self._seen or (change, edge)
        if change - seen[0] > _MOST_NEWS or edge - seen[1] > _MOST_NEWS:
            self._rows = np.zeros(0, NODE_ROW)
        if (change, edge) == seen or not len(self._rows):
            return
        rows = snapshot.execute(_SQL.news, change=seen[0], edge=seen[1])
        news = np.fromiter((row[0] for row in rows), np.int64)
        self._rows["known"][news[news < len(self._rows)]] = False

    def _make_room(self, size: int) -> None:
        if size > len(self._rows):
            grown = np.zeros(int(size * _ROOM), NODE_ROW)
            grown[: len(self._rows)] = self._rows
            grown[0]["known"] = True  # the row for "no node"
            self._rows = grown


class NodeView:
    """Turns in the state of one snapshot."""

    def __init__(self, cache: NodeCache, snapshot: Snapshot, seen: tuple[int, int]) -> None:
        self._cache = cache
        self._snapshot = snapshot
        self._seen = seen

    def rows(self, ids: Ids) -> NodeRows:
        """A row of ``NODE_ROW`` for each node, in order; zeros for a node that does not exist."""
        return self._cache.rows(self._snapshot, self._seen, ids)

    def plain(self, ids: Ids, user_id: str) -> NDArray[np.bool_]:
        """Which nodes are the user's turns that every scope of the user may see: believed, not quarantined, and not
        private to a project or session.
        """
        of_user: NDArray[np.bool_] = self.rows(ids)["plain_user"] == self._cache.number(user_id)
        return of_user

    def of_session(self, ids: Ids, session: str | None, since: int) -> NDArray[np.bool_]:
        """Which nodes belong to a session, from a moment on; none if it is None."""
        if session is None:
            return np.zeros(len(ids), bool)
        rows = self.rows(ids)
        of_session: NDArray[np.bool_] = (rows["session"] == hash(session)) & (rows["event_time"] >= since)
        return of_session
