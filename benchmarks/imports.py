"""Turns a second of a durable import, embeddings included, beside the bare legs it cannot do without.

The bare legs are the embedder over all turns, the analysis of all turns, and the least SQL that keeps the same rows
with full text and vectors, in transactions of the same size.
"""

import asyncio
import gc
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.bench import Bench
from benchmarks.corpus import Turn
from benchmarks.floors import floor
from benchmarks.report import Figure
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.text.words import terms
from sandbox.support.embedder import Vector

_PER_TRANSACTION = 500  # what an import stores in one
_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE turns (id INTEGER PRIMARY KEY, key TEXT UNIQUE, session TEXT, speaker TEXT, at TEXT, content TEXT,
                    terms TEXT, who TEXT);
CREATE VIRTUAL TABLE turns_fts USING fts5 (terms, who, content = 'turns', content_rowid = 'id', tokenize = 'ascii');
CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Legs:
    """Seconds of each bare leg."""

    embed: float
    analyse: float
    sql: float

    @property
    def total(self) -> float:
        """One leg after the other."""
        return self.embed + self.analyse + self.sql


def measure(bench: Bench) -> list[Figure]:
    """A file of LoCoMo's turns, and a larger one of made-up turns."""
    return asyncio.run(_measure(bench))


async def _measure(bench: Bench) -> list[Figure]:
    embedder = WordLlamaEmbedder()
    await embedder.warm()
    made_up = list(bench.corpus.made_up(0, bench.options.turns, bench.options.seed))
    with _own_data_frozen():
        return [
            *await _compared(bench, embedder, "import of LoCoMo", bench.corpus.turns),
            *await _compared(bench, embedder, f"import of {len(made_up):,} lines", made_up),
        ]


@contextmanager
def _own_data_frozen() -> Iterator[None]:
    """What the benchmark itself holds, turns and questions, is left out when an import has cycles looked for."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def _compared(bench: Bench, embedder: WordLlamaEmbedder, name: str, turns: Sequence[Turn]) -> list[Figure]:
    """A file of turns imported and its bare legs, by turns, so that both meet the same moods of the machine."""
    imports, legs, file = [], [], bench.work / "turns.jsonl"
    file.write_text("".join(f"{_line(turn)}\n" for turn in turns), encoding="utf-8")
    for _ in bench.progress(range(bench.options.repeats), name):
        imports.append(await _import(bench, embedder, file, len(turns)))
        legs.append(await _bare(bench, embedder, turns))
    seconds, bare = median(imports), median(leg.total for leg in legs)
    ratio = median(whole / leg.total for whole, leg in zip(imports, legs, strict=True))
    each = {part: round(median(getattr(leg, part) for leg in legs), 4) for part in ("embed", "analyse", "sql")}
    detail = {"turns": len(turns), "seconds": [round(whole, 4) for whole in imports], "bare_seconds": each}
    note = f"{len(turns):,} turns; bare: " + ", ".join(f"{part} {leg:.3f} s" for part, leg in each.items())
    return [
        Figure(name, len(turns) / seconds, "turns/s", floor(name), detail=detail, note=note),
        Figure(
            f"{name}, over its bare legs",
            ratio,
            "x",
            floor("import over its bare legs"),
            note=f"bare legs {len(turns) / bare:,.0f} turns/s",
        ),
    ]


async def _import(bench: Bench, embedder: WordLlamaEmbedder, file: Path, turns: int) -> float:
    """Seconds until everything in the file is on the disk with its vector, in a new store."""
    async with Memory.open(bench.fresh(), embedder=embedder, config=bench.options.config) as memory:
        started = time.perf_counter()
        report = await memory.import_file(file)
        await memory.wait_until_embedded()
        seconds = time.perf_counter() - started
    if report.new != turns or report.broken:
        raise RuntimeError(f"{file.name}: {report.new} of {turns} turns came in, {len(report.broken)} broken")
    return seconds


async def _bare(bench: Bench, embedder: WordLlamaEmbedder, turns: Sequence[Turn]) -> Legs:
    """Seconds of each thing an import cannot do without, done plainly."""
    started = time.perf_counter()
    vectors = await embedder.embed_batch([f"{turn.speaker}: {turn.text}" for turn in turns])
    embedded = time.perf_counter()
    analysed = [(" ".join(terms(turn.text)), " ".join(terms(turn.speaker))) for turn in turns]
    analysed_all = time.perf_counter()
    connection = driver().module.connect(str(bench.fresh() / "bare.db"), isolation_level=None)
    connection.executescript(_SCHEMA)
    ready = time.perf_counter()
    _insert(connection, turns, analysed, vectors)
    done = time.perf_counter()
    connection.close()
    return Legs(embedded - started, analysed_all - embedded, done - ready)


def _insert(connection: Any, turns: Sequence[Turn], analysed: Sequence[tuple[str, str]], vectors: Vector) -> None:
    for first in range(0, len(turns), _PER_TRANSACTION):
        places = range(first, min(first + _PER_TRANSACTION, len(turns)))
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (_row(i, turns[i], *analysed[i]) for i in places)
        )
        connection.executemany(
            "INSERT INTO turns_fts (rowid, terms, who) VALUES (?, ?, ?)", ((i, *analysed[i]) for i in places)
        )
        connection.executemany("INSERT INTO vectors VALUES (?, ?)", ((i, vectors[i].tobytes()) for i in places))
        connection.execute("COMMIT")


def _row(place: int, turn: Turn, said: str, who: str) -> tuple[int | str, ...]:
    return place, turn.key, turn.session, turn.speaker, turn.at.isoformat(), turn.text, said, who


def _line(turn: Turn) -> str:
    """A line of the format that most chat programs write."""
    return json.dumps(
        {
            "role": "user",
            "content": turn.text,
            "timestamp": turn.at.isoformat(),
            "session": turn.session,
            "speaker": turn.speaker,
            "key": turn.key,
        },
        ensure_ascii=False,
    )
