"""Sets of questions with known answers: stores are filled, questions asked, and every answer is scored."""

import asyncio
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from benchmarks.bench import Bench
from benchmarks.bootstrap import Measure, Row, estimate
from benchmarks.data import DataFolder
from benchmarks.floors import floor
from benchmarks.report import Figure
from sandbox.extensions.memory import Block, Hit, Memory
from sandbox.extensions.memory.config import Config as Settings

Config = Mapping[str, Any]


class Unit(Protocol):
    """One store, and what it is asked."""

    @property
    def name(self) -> str:
        """What it is called while it runs."""
        ...

    async def fill(self, memory: Memory) -> None:
        """Give an empty memory everything it is to know."""
        ...

    async def ask(self, memory: Memory, *, blocks: bool) -> list[Row]:
        """Ask every question and score the answers; ``blocks``: also what is put before an assistant."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A set of evaluation data: its stores, and what is measured of the answers."""

    name: str
    units: Callable[[DataFolder], Sequence[Unit]]
    measures: Sequence[Measure]

    def measure(self, bench: Bench) -> list[Figure]:
        """Every measure."""
        (rows,) = asyncio.run(answered(bench, self.units(bench.data), [bench.options.config], blocks=True))
        return self.figures(rows, bench.options.seed)

    def figures(self, rows: Sequence[Row], seed: int) -> list[Figure]:
        """What the answers come to."""
        return [_figure(self.name, measure, rows, seed) for measure in self.measures]


def settings(config: Config) -> Settings:
    """The settings of a configuration; its key ``without`` names parts of a search to leave out."""
    given = {key: value for key, value in config.items() if key != "without"}
    return Settings.load(given, without=config.get("without", ()))


async def answered(bench: Bench, units: Sequence[Unit], configs: Sequence[Config], *, blocks: bool) -> list[list[Row]]:
    """The rows of each configuration. The first one fills the stores, so the others may differ in how they read."""
    rows: list[list[Row]] = [[] for _ in configs]
    for unit in bench.progress(units, "asking"):
        folder = bench.fresh()
        async with Memory.open(folder, config=configs[0]) as memory:
            await unit.fill(memory)
            await memory.wait_until_embedded()
            rows[0] += await unit.ask(memory, blocks=blocks)
        for config, found in zip(configs[1:], rows[1:], strict=True):
            async with Memory.open(folder, config=settings(config)) as memory:
                found += await unit.ask(memory, blocks=blocks)
        shutil.rmtree(folder)
    return rows


def recall(hits: Sequence[Hit], gold: Collection[str], *depths: int) -> dict[str, float]:
    """The share of the gold keys among the first so many hits, and whether all of them are there."""
    found = [hit.key for hit in hits]
    return {
        name: value
        for depth in depths
        for name, value in (
            (f"recall@{depth}", len(set(found[:depth]) & set(gold)) / len(gold)),
            (f"all@{depth}", float(set(gold) <= set(found[:depth]))),
        )
    }


def keys_of(block: Block | None) -> set[str]:
    """The turns a block shows as whole items; a learnt fact counts for the turns it was derived from."""
    items = block.items if block is not None else ()
    return {key for item in items if item.whole for key in (item.key, *item.sources) if key is not None}


def confidence_of(block: Block | None) -> float:
    """A block's own confidence; nothing to show is no confidence."""
    return block.confidence if block is not None else 0.0


def _figure(of: str, measure: Measure, rows: Sequence[Row], seed: int) -> Figure:
    limit, whole = floor(f"{of} {measure.name}"), estimate(measure, rows, seed)
    if whole is None:
        return Figure(measure.name, None, floor=limit, note="no question of this kind")
    categories = sorted({row.category for row in rows})
    parts = {name: estimate(measure, [row for row in rows if row.category == name], seed) for name in categories}
    by_category = {name: part for name, part in parts.items() if part is not None}
    detail = {**asdict(whole), "by_category": {name: asdict(part) for name, part in by_category.items()}}
    note = f"95% from {whole.low:.3f} to {whole.high:.3f}, {whole.questions} questions"
    if len(by_category) > 1:
        note += "; " + ", ".join(f"{name} {part.value:.3f}" for name, part in by_category.items())
    return Figure(measure.name, whole.value, floor=limit, note=note, detail=detail)
