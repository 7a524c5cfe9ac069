"""The index of words: bm25 over postings in memory, which are read from FTS5 term by term, on first use.

FTS5 needs ten times as long to score the nodes of a term as to list them, so it only lists them, once. Later nodes are
added as they come. Any other change, such as an erasure by this or another process, changes FTS5's counts of rows or
tokens; then everything is read again.
"""

import re
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.extensions.memory.store.columns import Scored, numbers
from sandbox.extensions.memory.store.sql import EVERYTHING, KNOWLEDGE, FullText, load
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

_SQL = load("word_index")


_NOBODY, _EVERYBODY = -1, 0  # users have numbers from 1
_NOT_MET = -2  # a user without stored nodes

_K1, _B = 1.2, 0.75  # the values of FTS5's bm25
_LEAST = 1e-6  # weight of a term in more than half of all rows
# Splits folded text like the tokenizer `ascii`, at ASCII that is neither digit nor small letter. As a class of what it
# keeps, up to U+10FFFF, it would take 3 ms to compile.
_TOKEN = re.compile(r"[^\x00-/:-`{-\x7f]+")

_KEPT = 16_000_000  # postings in memory: 96 MB
_MANY = 1_000  # nodes that are added one by one; after more, everything is read anew
_ROOM = 1.2  # factor for nodes to come
_MOST_TIMES = 0xFFFF
_COLUMNS = 2  # columns of a full text table
_NO_WORD = 1e-6  # tokens of a node without words

_SMALL = 2_000  # nodes; in a smaller memory every term is searched, at no cost
_COMMON = 0.1  # of the nodes; a term in more of them says little and costs the most
_FEWEST = 3  # terms that are searched at least, if there are so many


class Extent(NamedTuple):
    """How many rows a full text table has, and how many tokens they have together."""

    rows: int = 0
    tokens: int = 0


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


class _Posting(NamedTuple):
    """The nodes that contain a term, ascending, and how often each does."""

    ids: NDArray[np.int32]
    times: NDArray[np.uint16]
    upto: int  # the last node that was read

    def kept(self, those: NDArray[np.bool_]) -> "_Posting":
        """A part of it."""
        return _Posting(self.ids[those], self.times[those], self.upto)


class WordIndex:
    """The words of nodes, in one full text table. Safe to use from several reader threads."""

    def __init__(self, text: FullText) -> None:
        self._state, self._sizes = text.sql(_SQL.state), text.sql(_SQL.sizes)
        self._places, self._said_since = text.sql(_SQL.places), text.sql(_SQL.said_since)
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self._first = self._upto = 0  # nodes up to the first number were read; those after it were added
        self._block: bytes | None = None
        self._extent = Extent()
        self._lengths = np.zeros(1, np.float32)  # tokens by node; 0 if it is not in the table
        self._owners: Owners | None = None  # read if there are several users
        self._known: dict[str, _Posting] = {}
        self._kept = 0
        # by term, for nodes after the first number
        self._new: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)

    def matching(self, snapshot: Snapshot, terms: Sequence[str], user_id: str) -> Scored:
        """The nodes of a user, and global ones, with one of the terms, by bm25 (higher is better), ids ascending."""
        extent, lengths, postings = self._read(snapshot, terms, user_id)
        sums = np.zeros(len(lengths), np.float32)
        slope = _K1 * _B * extent.rows / max(extent.tokens, 1)
        for ids, times, _ in postings:
            without = max(extent.rows - len(ids), 0)
            idf = max(log((without + 0.5) / (len(ids) + 0.5)), _LEAST)
            sums[ids] += idf * (_K1 + 1) * times / (times + (_K1 * (1 - _B) + slope * lengths[ids]))
        matching = np.flatnonzero(sums)
        return Scored(matching, sums[matching].astype(float))

    def plan(self, snapshot: Snapshot, terms: Sequence[str], user_id: str) -> tuple[str, ...]:
        """The terms to search: common ones are left out if there are enough others.

        On conversations this changes recall by less than .002, and bm25 takes a third of the time.
        """
        rows, count = self._counted(snapshot, terms, user_id)
        if rows < _SMALL:
            return tuple(terms)
        present = tuple(sorted((term for term in terms if count[term]), key=count.__getitem__))
        rare = tuple(term for term in present if count[term] <= _COMMON * rows)
        return rare if len(rare) >= _FEWEST else present[:_FEWEST]

    def rarity(self, snapshot: Snapshot, terms: Iterable[str], user_id: str) -> dict[str, float]:
        """How rare terms are: log((N + 1) / (df + 1)), their inverse document frequency."""
        rows, count = self._counted(snapshot, terms, user_id)
        return {term: log((rows + 1) / (min(rows, df) + 1)) for term, df in count.items()}

    def distinctness(self, snapshot: Snapshot, terms: Iterable[str], user_id: str) -> dict[str, float]:
        """How well each term tells a node from others: 1 if it is in one node alone, 0 if in all."""
        rows, count = self._counted(snapshot, terms, user_id)
        most = log((rows + 1) / 2) if rows > 1 else 1.0
        return {term: (log((rows + 1) / (min(rows, max(df, 1)) + 1)) / most) ** 2 for term, df in count.items()}

    def unknown(self, snapshot: Snapshot, terms: Iterable[str], user_id: str) -> frozenset[str]:
        """The terms that occur in no node of a user."""
        return frozenset(term for term, df in self._counted(snapshot, terms, user_id)[1].items() if not df)

    def forget(self) -> None:
        """Drop all words from memory, because some are to be erased."""
        with self._lock:
            self._forget()

    def _counted(self, snapshot: Snapshot, terms: Iterable[str], user_id: str) -> tuple[int, dict[str, int]]:
        """How many nodes a user has, and how many of them contain each term."""
        asked = list(dict.fromkeys(terms))
        extent, _, postings = self._read(snapshot, asked, user_id)
        return extent.rows, {term: len(posting.ids) for term, posting in zip(asked, postings, strict=True)}

    def _read(
        self, snapshot: Snapshot, terms: Sequence[str], user_id: str
    ) -> tuple[Extent, NDArray[np.float32], list[_Posting]]:
        """How much a user sees, the tokens of each node, and the user's part of the postings of some terms, in the
        state of a snapshot. Only those of the latest snapshot are kept.
        """
        last, block = snapshot.execute(self._state).fetchone()
        with self._lock:
            if last < self._upto:
                extent, postings = _extent(block), [self._asked(snapshot, term, last) for term in terms]
            else:
                if (last, block) != (self._upto, self._block):
                    self._catch_up(snapshot, last, block)
                extent, postings = self._extent, [self._posting(snapshot, term) for term in terms]
            if snapshot.value(_SQL.of_others, user_id=user_id):  # otherwise users need not be separated
                owners = self._owners or Owners(snapshot, last)
                if last == self._upto:
                    self._owners = owners
                extent = owners.extent(user_id, self._lengths)
                postings = [each.kept(owners.seen_by(user_id, each.ids)) for each in postings]
            return extent, self._lengths, postings

    def _catch_up(self, snapshot: Snapshot, last: int, block: bytes | None) -> None:
        """Add the nodes stored since; read all anew if they are many, or do not explain FTS5's counts."""
        if self._upto < last <= self._first + _MANY:
            self._add(snapshot, last)
        extent, self._block = _extent(block), block
        if last > self._upto or extent != self._extent:
            self._forget()
            self._first, self._upto, self._extent = last, last, extent
            ids, sizes = snapshot.execute(self._sizes).fetchone()
            self._lengths = np.zeros(int(last * _ROOM) + 1, np.float32)
            if ids:
                tokens = _varints(bytes.fromhex(sizes)).reshape(-1, _COLUMNS).sum(axis=1)
                self._lengths[numbers(ids)] = np.maximum(tokens, _NO_WORD)

    def _add(self, snapshot: Snapshot, last: int) -> None:
        """Add the nodes stored since, up to a node."""
        if last >= len(self._lengths):
            self._lengths = np.append(self._lengths, np.zeros(int(last * _ROOM) + 1 - len(self._lengths), np.float32))
        rows, tokens = self._extent
        parameters = {"after": self._upto, "last": last}
        for node, text, user_id, is_global in snapshot.execute(self._said_since, parameters).fetchall():
            said = _TOKEN.findall(text)
            rows, tokens = rows + 1, tokens + len(said)
            self._lengths[node] = max(len(said), _NO_WORD)
            if self._owners is not None:
                self._owners.add(node, user_id, is_global, len(said))
            for term, times in Counter(said).items():
                self._new[term].append((node, times))
        self._upto, self._extent = last, Extent(rows, tokens)

    def _posting(self, snapshot: Snapshot, term: str) -> _Posting:
        """The postings of a term, up to date; those used longest ago are dropped."""
        posting = self._known.pop(term, None)
        if posting is None:
            posting = self._asked(snapshot, term, self._upto)
            self._kept += len(posting.ids)
        elif posting.upto < self._upto:
            newer = [each for each in self._new.get(term, ()) if each[0] > posting.upto]
            ids, times = np.array(newer, np.int32).reshape(-1, 2).T
            posting = _Posting(np.append(posting.ids, ids), np.append(posting.times, _counts(times)), self._upto)
            self._kept += len(newer)
        self._known[term] = posting
        while self._kept > _KEPT and len(self._known) > 1:
            self._kept -= len(self._known.pop(next(iter(self._known))).ids)
        return posting

    def _asked(self, snapshot: Snapshot, term: str, last: int) -> _Posting:
        """The postings of a term from FTS5."""
        places = numbers(snapshot.execute(self._places, term=term).fetchone()[0] or "")
        first = np.flatnonzero(np.diff(places, prepend=0))
        times = np.diff(first, append=len(places))
        return _Posting(places[first], _counts(times), last)


class WordIndexes:
    """The indexes of a store: of all nodes, and of knowledge alone, whose few facts are found faster."""

    def __init__(self) -> None:
        self.everything = WordIndex(EVERYTHING)
        self.knowledge = WordIndex(KNOWLEDGE)

    def forget(self) -> None:
        """Drop all words from memory, because some are to be erased."""
        self.everything.forget()
        self.knowledge.forget()


def _counts(times: NDArray[Any]) -> NDArray[np.uint16]:
    counts: NDArray[np.uint16] = np.minimum(times, _MOST_TIMES).astype(np.uint16)
    return counts


def _extent(block: bytes | None) -> Extent:
    """FTS5's counts: the rows, then the tokens of each column (fts5_index.c)."""
    rows, *tokens = _varints(block or b"\0").tolist()
    return Extent(rows, sum(tokens))


def _varints(block: bytes) -> NDArray[np.int64]:
    """Numbers of seven bits a byte, the highest first; a byte below 128 ends one (SQLite's file format)."""
    digits = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(digits < 0x80)
    lengths = np.diff(ends, prepend=-1)
    places = np.repeat(ends, lengths) - np.arange(len(digits))
    numbers: NDArray[np.int64] = np.add.reduceat((digits & 0x7F).astype(np.int64) << 7 * places, ends - lengths + 1)
    return numbers
