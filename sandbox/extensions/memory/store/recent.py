"""Full text of what was stored last: the terms of some nodes in memory, scored as FTS5 would.

FTS5 counts every match of a term in all nodes before it scores the first one. In a conversation, where the last turns
are newer than the postings in memory, that was most of what a search took.
"""

import re
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.queries import load
from sandbox.extensions.memory.store.scored import Ids, Scored, added

_SQL = load("search")

_K1, _B = 1.2, 0.75  # those of FTS5's bm25
_LEAST = 1e-6  # what a term adds that stands in more than half of all rows
_TOKEN = re.compile(r"[0-9a-z\u0080-\U0010ffff]+")  # as the tokenizer `ascii` splits what is folded


@dataclass(frozen=True, slots=True)
class Averages:
    """How many rows there are, and how many terms one has."""

    rows: int
    length: float

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> "Averages":
        """Those of ``nodes_fts``: its record 1 tells the rows, and the tokens of each column (fts5_index.c)."""
        row = connection.execute(_SQL.averages).fetchone()
        rows, *tokens = _varints(row[0]) if row and row[0] else (0,)
        return cls(rows, sum(tokens) / max(rows, 1))


class Recent:
    """What stands in the nodes after one. Not safe to use from several threads at once."""

    def __init__(self, after: int, averages: Averages) -> None:
        self.upto = after
        self._averages = averages
        self._first = after + 1
        self._nodes: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
        self._times: defaultdict[str, array[float]] = defaultdict(lambda: array("f"))
        self._lengths = array("f")  # of each node from the first, those that are gone included

    def read(self, connection: sqlite3.Connection, last: int) -> None:
        """Take in what was stored since, up to a node."""
        if last <= self.upto:
            return
        rows = connection.execute(_SQL.said_since, {"after": self.upto, "last": last})
        rows.row_factory = None
        for node, text in rows.fetchall():
            tokens = _TOKEN.findall(text)
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
        rows, having = self._averages.rows + len(self._lengths), older + len(nodes)
        idf = max(log((rows - having + 0.5) / (having + 0.5)) if having <= rows else 0.0, _LEAST)
        lengths = np.frombuffer(self._lengths, np.float32)[nodes - self._first]
        values = idf * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * lengths / self._averages.length))
        return Scored(nodes, values)[nodes <= last]


def _varints(block: bytes) -> Iterator[int]:
    """Numbers of seven bits a byte, the highest first; what is below 128 is the last of one (SQLite's file format)."""
    value = 0
    for byte in block:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            yield value
            value = 0
