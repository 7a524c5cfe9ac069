"""Full text in memory: for a term that was asked for, the nodes it stands in and what it adds to their bm25.

``bm25`` of any of some terms is the sum over the terms, so what FTS5 says of each alone is read once and added up for
every question after. Nodes stored later are looked up in ``recent.py``, until there are so many that everything is read
anew.
"""

import threading
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.frequencies import outgrown
from sandbox.extensions.memory.store.fulltext import EVERYTHING, KNOWLEDGE, Extent, FullText
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.recent import Recent
from sandbox.extensions.memory.store.scored import Scored, added
from sandbox.extensions.memory.store.snapshot import Snapshot

_SQL = load("search")

_KEPT = 16_000_000  # postings in memory: 128 MB
_MANY = 1_000  # nodes stored between two questions, after which everything is read anew

_Posting = tuple[NDArray[np.int32], NDArray[np.float32]]


class Postings:
    """What terms add to the bm25 of nodes in a full text table. Safe to use from several reader threads."""

    def __init__(self, text: FullText) -> None:
        self._text = text
        self._words_between = text.sql(_SQL.words_between)
        self._known: dict[str, _Posting] = {}
        self._size = 0  # rows of the table
        self._upto = 0  # the last node that is taken into account
        self._recent = Recent(text)  # what was stored after it
        self._kept = 0
        self._lock = threading.Lock()

    def matching(self, snapshot: Snapshot, terms: Sequence[str], last: int) -> Scored:
        """Everything with any of some terms by bm25 (higher is better), in a snapshot whose last node is ``last``."""
        with self._lock:
            self._catch_up(snapshot, last)
            if last < self._upto:
                return self._asked(snapshot, terms, 0)
            postings = [self._posting(snapshot, term) for term in terms]
            found = _summed(postings, self._upto)
            if last == self._upto:
                return found
            newer = self._recent.matching(terms, [len(ids) for ids, _ in postings], last)
        return added([found, self._asked(snapshot, terms, self._upto) if newer is None else newer])

    def forget(self) -> None:
        """Keep nothing of what was read."""
        with self._lock:
            self._known, self._kept, self._size, self._upto, self._recent = {}, 0, 0, 0, Recent(self._text)

    def _catch_up(self, snapshot: Snapshot, last: int) -> None:
        """Read what was stored since; where that is much, begin anew, since a term's weight depends on all nodes."""
        if last <= self._recent.upto + _MANY:
            self._recent.read(snapshot, last)
        if last > self._recent.upto or outgrown(self._size, self._recent.rows):
            extent = Extent.read(snapshot, self._text)
            self._known, self._kept, self._size = {}, 0, extent.rows
            self._upto, self._recent = last, Recent(self._text, last, extent)

    def _posting(self, snapshot: Snapshot, term: str) -> _Posting:
        """A term's nodes and what it adds to each; the terms asked for longest ago make room."""
        posting = self._known.pop(term, None)
        if posting is None:
            posting = self._read(snapshot, term)
            self._kept += len(posting[0])
        self._known[term] = posting
        while self._kept > _KEPT and len(self._known) > 1:
            self._kept -= len(self._known.pop(next(iter(self._known)))[0])
        return posting

    def _asked(self, snapshot: Snapshot, terms: Sequence[str], after: int) -> Scored:
        """What FTS5 says of nodes after one, ids ascending."""
        return Scored.pairs(self._rows(snapshot, terms, after + 1, 1 << 62))

    def _read(self, snapshot: Snapshot, term: str) -> _Posting:
        found = Scored.pairs(self._rows(snapshot, [term], 1, self._upto))
        return found.ids.astype(np.int32), found.values.astype(np.float32)

    def _rows(self, snapshot: Snapshot, terms: Sequence[str], first: int, last: int) -> list[tuple[int, float]]:
        parameters = {"match": _any_of(terms), "first": first, "last": last}
        rows: list[tuple[int, float]] = snapshot.plain(self._words_between, parameters).fetchall()
        return rows


class Words:
    """The postings of a store."""

    def __init__(self) -> None:
        self.everything = Postings(EVERYTHING)
        self.knowledge = Postings(KNOWLEDGE)

    def forget(self) -> None:
        """Keep no word in memory: some are to be erased."""
        self.everything.forget()
        self.knowledge.forget()


def _any_of(terms: Iterable[str]) -> str:
    """An FTS5 query for any of some terms; nothing in them is an operator."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _summed(postings: Sequence[_Posting], upto: int) -> Scored:
    """Every node with what the terms add to it, ids ascending."""
    sums = np.zeros(upto + 1, np.float32)
    for ids, values in postings:
        sums[ids] += values
    found = np.flatnonzero(sums)
    return Scored(found, sums[found].astype(float))
