"""Full text of what was stored last: the terms of some nodes in memory, scored as FTS5 would.

FTS5 counts every match of a term in all nodes before it scores the first one. In a conversation, where the last turns
are newer than the postings in memory, that was most of what a search took.
"""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.fulltext import Extent, FullText
from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.scored import Ids, Scored, added
from sandbox.extensions.memory.store.snapshot import Snapshot

_SQL = load("search")

_K1, _B = 1.2, 0.75  # those of FTS5's bm25
_LEAST = 1e-6  # what a term adds that stands in more than half of all rows
_TOKEN = re.compile(r"[0-9a-z\u0080-\U0010ffff]+")  # as the tokenizer `ascii` splits what is folded


class Recent:
    """What stands in the nodes after one. Not safe to use from several threads at once."""

    def __init__(self, text: FullText, after: int = 0, older: Extent | None = None) -> None:
        self.upto = after
        self.rows = older.rows if older else 0  # of the table, older ones included
        self._tokens = older.tokens if older else 0
        self._said_since = text.sql(_SQL.said_since)
        self._first = after + 1
        self._nodes: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        self._times: defaultdict[str, array[float]] = defaultdict(lambda: array("f"))
        self._lengths = array("f")  # of each node from the first; 0 for those that are not there

    def read(self, snapshot: Snapshot, last: int) -> None:
        """Take in what was stored since, up to a node."""
        if last <= self.upto:
            return
        rows = snapshot.plain(self._said_since, {"after": self.upto, "last": last})
        for node, text in rows.fetchall():
            tokens = _TOKEN.findall(text)
            self.rows += 1
            self._tokens += len(tokens)
            self._lengths.extend([0.0] * (node - self._first - len(self._lengths)))
            self._lengths.append(len(tokens))
            for term, times in Counter(tokens).items():
                self._nodes[term].append(node)
                self._times[term].append(times)
        self.upto = last

    def matching(self, terms: Sequence[str], known: Sequence[int], last: int) -> Scored | None:
        """Nodes up to ``last`` with any of some terms by bm25, ids ascending; ``known`` tells how many older nodes have
        each. None where a term is several words for FTS5.
        """
        if not all(map(_TOKEN.fullmatch, terms)):
            return None
        return added([self._scored(term, older, last) for term, older in zip(terms, known, strict=True)])

    def _scored(self, term: str, older: int, last: int) -> Scored:
        if term not in self._nodes:
            return Scored.pairs(())
        nodes: Ids = np.array(self._nodes[term], np.int64)
        times: NDArray[np.float64] = np.array(self._times[term], float)
        having = min(older + len(nodes), self.rows)
        idf = max(log((self.rows - having + 0.5) / (having + 0.5)), _LEAST)
        lengths = np.frombuffer(self._lengths, np.float32)[nodes - self._first]
        values = idf * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * lengths * self.rows / self._tokens))
        return Scored(nodes, values)[nodes <= last]
