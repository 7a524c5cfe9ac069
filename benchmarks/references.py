"""What any store of vectors and words costs on the same rows: one exact scan of `vec0` and one bm25 search of FTS5.

`vec0` finds the 20 nearest of float32 vectors; FTS5 ranks by bm25 what matches any word of the question that is no stop
word, and gives the best 20. Questions are embedded beforehand.
"""

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import sqlite_vec

from benchmarks.bench import Bench
from benchmarks.corpus import Question
from benchmarks.measure import percentile
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.text.words import stop_words

_FILE = "references.db"
_BEST = 20
_CHUNK = 2_000  # rows in a transaction
_SCHEMA = """
CREATE VIRTUAL TABLE words USING fts5 (content, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE vectors USING vec0 (vector float[{dimensions}]);
"""
_NEAREST = f"SELECT rowid, distance FROM vectors WHERE vector MATCH ? AND k = {_BEST}"
_MATCHING = f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT {_BEST}"
_WORD = re.compile(r"(\w+)(?:'\w+)?")


@dataclass(frozen=True, slots=True)
class Legs:
    """Seconds of each question, by vectors and by words."""

    vectors: list[float]
    words: list[float]

    def sum_of(self, percent: float) -> float:
        """The two percentiles added."""
        return percentile(self.vectors, percent) + percentile(self.words, percent)


class References:
    """The two searches over as many made-up turns as a store has."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._embedder = WordLlamaEmbedder()

    async def asked(self, questions: Sequence[Question]) -> Legs:
        """Both searches for each question, one after the other."""
        vectors = await self._embedder.embed_batch([question.text for question in questions])
        legs = Legs([], [])
        for question, vector in zip(questions, vectors, strict=True):
            legs.vectors.append(self._seconds(_NEAREST, vector.tobytes()))
            legs.words.append(self._seconds(_MATCHING, any_of(question.text)))
        return legs

    def _seconds(self, sql: str, wanted: object) -> float:
        started = time.perf_counter()
        self._connection.execute(sql, (wanted,)).fetchall()
        return time.perf_counter() - started


@contextmanager
def references(bench: Bench, nodes: int) -> Iterator[References | None]:
    """The searches over the rows of the store of that size, built unless they were before; None without `vec0`."""
    if not driver().has_vec:
        yield None
        return
    folder = bench.root / f"{nodes}-references-{bench.made_of}"
    if not folder.exists():
        building = bench.fresh()
        asyncio.run(_build(bench, building / _FILE, nodes))
        building.rename(folder)
    with closing(_connect(folder / _FILE)) as connection:
        yield References(connection)


def any_of(question: str) -> str:
    """The full-text query for any of the words that are no stop words; for all words, where there are no others."""
    said = list(_WORD.finditer(question.lower().replace("’", "'")))
    telling = [word for word in said if word[0] not in stop_words()]
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(word[1] for word in telling or said))


async def _build(bench: Bench, file: Path, nodes: int) -> None:
    embedder, turns = WordLlamaEmbedder(), bench.corpus.made_up(0, nodes, bench.options.seed)
    with closing(_connect(file)) as connection:
        connection.executescript("PRAGMA journal_mode = OFF;" + _SCHEMA.format(dimensions=embedder.dimensions))
        for first in bench.progress(range(0, nodes, _CHUNK), f"building the references over {nodes:,} nodes"):
            chunk = list(islice(turns, _CHUNK))
            vectors = await embedder.embed_batch([f"{turn.speaker}: {turn.text}" for turn in chunk])
            ids = range(first + 1, first + 1 + len(chunk))
            rows = [(id, vector.tobytes()) for id, vector in zip(ids, vectors, strict=True)]
            connection.execute("BEGIN")
            said = [(id, turn.text) for id, turn in zip(ids, chunk, strict=True)]
            connection.executemany("INSERT INTO words (rowid, content) VALUES (?, ?)", said)
            connection.executemany("INSERT INTO vectors (rowid, vector) VALUES (?, ?)", rows)
            connection.execute("COMMIT")


def _connect(file: Path) -> Any:
    connection = driver().module.connect(str(file), isolation_level=None)
    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    return connection
