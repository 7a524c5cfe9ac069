"""How long an observed turn takes to be acknowledged, beside a bare commit by the same driver on the same disk."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.bench import Bench
from benchmarks.corpus import Turn
from benchmarks.floors import floor
from benchmarks.measure import percentile, spread
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.store.sqlite.connection import driver

_SLICES = 10  # of a repeat: bare commits and observed turns alternate, so that both meet the same moods of the disk


@dataclass(frozen=True, slots=True)
class Round:
    """Seconds of each bare commit and each acknowledged turn of one repeat."""

    bare: list[float] = field(default_factory=list)
    observed: list[float] = field(default_factory=list)

    def over_bare(self, percent: float) -> float:
        """How many milliseconds an acknowledgement takes beyond a bare commit."""
        return (percentile(self.observed, percent) - percentile(self.bare, percent)) * 1000


def measure(bench: Bench) -> list[Figure]:
    """Turns observed one after the other, the embedder on, over a store of the largest size."""
    with bench.copy(bench.store(bench.largest)) as folder:
        rounds = asyncio.run(_rounds(bench, folder))
    name, nodes = "observe p99 over bare", bench.largest
    detail = {"rounds": [{"bare": spread(each.bare), "observe": spread(each.observed)} for each in rounds]}
    note = "a bare synchronous=FULL commit's p99 is taken off, repeat by repeat"
    return [
        Figure(name, median(each.over_bare(99) for each in rounds), "ms", floor(name, nodes), nodes, note, detail),
        *(_figure(rounds, percent, nodes) for percent in (50, 99)),
    ]


def _figure(rounds: Sequence[Round], percent: int, nodes: int) -> Figure:
    observed, bare = (
        median(percentile(seconds, percent) for seconds in series) * 1000
        for series in ([each.observed for each in rounds], [each.bare for each in rounds])
    )
    return Figure(f"observe p{percent}", observed, "ms", nodes=nodes, note=f"a bare commit takes {bare:.2f} ms")


async def _rounds(bench: Bench, folder: Path) -> list[Round]:
    options = bench.options
    size = max(1, options.observes // _SLICES)
    turns = bench.corpus.made_up(bench.largest, size * (_SLICES * options.repeats + 1), options.seed)
    rounds = []
    with _bare(folder.with_suffix(".bare")) as commit:
        async with Memory.open(folder, config=options.config) as memory:
            await _observe(memory, [next(turns) for _ in range(size)])  # statements prepared, the model read
            for _ in bench.progress(range(options.repeats), "observing"):
                rounds.append(each := Round())
                for _ in range(_SLICES):
                    given = [next(turns) for _ in range(size)]
                    each.bare.extend(commit(turn) for turn in given)
                    each.observed.extend(await _observe(memory, given))
    return rounds


async def _observe(memory: Memory, turns: Sequence[Turn]) -> list[float]:
    """Seconds until each turn was acknowledged; returns once all are embedded, so that the disk is quiet again."""
    seconds = []
    for turn in turns:
        started = time.perf_counter()
        await memory.observe("user", turn.text, session=turn.session, at=turn.at, speaker=turn.speaker, key=turn.key)
        seconds.append(time.perf_counter() - started)
    await memory.wait_until_embedded()
    return seconds


@contextmanager
def _bare(path: Path) -> Iterator[Callable[[Turn], float]]:
    """A small insert, durable when it returns: seconds it took."""
    with closing(driver().module.connect(str(path), isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE turns (id INTEGER PRIMARY KEY, key TEXT, content TEXT)")

        def commit(turn: Turn) -> float:
            started = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO turns (key, content) VALUES (?, ?)", (turn.key, turn.text))
            connection.execute("COMMIT")
            return time.perf_counter() - started

        yield commit
