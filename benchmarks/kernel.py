"""What a message costs on its way through the kernel, over a store of the largest size: no model, the embedder on.

A message is *acknowledged* when its first part is there and *remembered* when the memory has been told. Both are taken
with the memory's context off; what a first part takes that comes with a context is measured apart.
"""

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median
from typing import cast

from benchmarks import child
from benchmarks.bench import Bench
from benchmarks.corpus import Turn
from benchmarks.floors import floor
from benchmarks.measure import load, percentile, spread
from benchmarks.report import Figure
from sandbox import checkpoints
from sandbox.checkpoints import SessionMessage
from sandbox.extensions.memory.main import MemoryExtension
from sandbox.kernel import Kernel
from sandbox.settings import CONFIG

_MESSAGES = 500  # of a repeat at most: each waits for the disk twice, and for nothing else to be under way
_LONG = 1_000  # messages of a long session
_SAVES = 10  # of it in a repeat


@dataclass(frozen=True, slots=True)
class Round:
    """Seconds from saying each message of one repeat."""

    acknowledged: list[float] = field(default_factory=list)
    remembered: list[float] = field(default_factory=list)


def measure(bench: Bench) -> list[Figure]:
    """Messages one after the other, a start in a process of its own, and the checkpoint of a long session."""
    nodes = bench.largest
    with bench.copy(bench.store(nodes)) as folder:
        plain = asyncio.run(_rounds(bench, folder, "off"))
        asking = asyncio.run(_rounds(bench, folder, "relevant"))
        starts = [child.run("kernel_start", folder, started=time.time()) for _ in range(bench.options.repeats)]
    return [
        *_figures("message acknowledged", [each.acknowledged for each in plain], nodes, ""),
        *_figures("message remembered", [each.remembered for each in plain], nodes, "journaled, delivered, stored"),
        *_figures("message and its context", [each.acknowledged for each in asking], nodes, "remembered meanwhile"),
        _start(starts, nodes),
        *asyncio.run(_checkpoint(bench)),
    ]


def _figures(name: str, rounds: Sequence[Sequence[float]], nodes: int, note: str) -> list[Figure]:
    detail = {"rounds": [spread(seconds) for seconds in rounds]}
    return [
        Figure(
            f"{name} p{percent}",
            median(percentile(seconds, percent) for seconds in rounds) * 1000,
            "ms",
            floor(f"{name} p{percent}", nodes),
            nodes,
            note,
            detail,
        )
        for percent in (50, 99)
    ]


def _start(starts: Sequence[dict[str, float]], nodes: int) -> Figure:
    seconds, opened, process = (
        median(each[key] for each in starts) for key in ("seconds", "open_seconds", "process_seconds")
    )
    note = f"page cache warm; open {opened:.2f} s; {process:.2f} s from the start of the process"
    return Figure("kernel start", seconds, "s", floor("kernel start", nodes), nodes, note, {"runs": starts})


async def _rounds(bench: Bench, home: Path, context_mode: str) -> list[Round]:
    options = bench.options
    count = min(options.observes, _MESSAGES)
    turns = bench.corpus.made_up(bench.largest, count * (options.repeats + 1), options.seed)
    (home / CONFIG).write_text(json.dumps({"memory": {**options.config, "context_mode": context_mode}}))  # JSON is YAML
    rounds = []
    async with Kernel.open(home) as kernel:
        await kernel.work()
        await kernel.settled()
        for repeat in range(options.repeats + 1):
            what = f"context {context_mode}: {count} messages, {repeat} of {options.repeats}"
            rounds.append(await _said(kernel, bench.progress(list(islice(turns, count)), what)))
            bench.say(f"{what}: {sum(rounds[-1].remembered):.1f} s, load {load()[0]}")
    return rounds[1:]  # first statements are prepared and the model is read


async def _said(kernel: Kernel, turns: Iterable[Turn]) -> Round:
    """Say each; returns once all are embedded, so that the disk is quiet again."""
    said, session = Round(), None
    for turn in turns:
        conversation = kernel.conversation("benchmark", speaker=turn.speaker)
        if turn.session != session:
            await conversation.begin()
            await kernel.bus.settled()
        parts, session, started = conversation.say(turn.text), turn.session, time.perf_counter()
        await anext(parts)
        said.acknowledged.append(time.perf_counter() - started)
        async for _ in parts:
            pass
        await kernel.bus.settled()
        said.remembered.append(time.perf_counter() - started)
    await cast(MemoryExtension, kernel.extension("memory")).memory.wait_until_embedded()
    return said


async def _checkpoint(bench: Bench) -> list[Figure]:
    """Milliseconds to save and to load where a long session stands."""
    turns = bench.corpus.made_up(0, _LONG, bench.options.seed)
    said = tuple(
        SessionMessage(turn.key, "assistant" if place % 2 else "user", turn.text) for place, turn in enumerate(turns)
    )
    saved, loaded = [], []

    def say(raw: sqlite3.Connection) -> None:
        for each in said:
            checkpoints.add(raw, "long", each, {})

    async with Kernel.open(bench.fresh()) as kernel:
        await kernel.bus.write(say)
        for _ in range(bench.options.repeats * _SAVES):
            started = time.perf_counter()
            await kernel.bus.write(lambda raw: checkpoints.add(raw, "long", said[0], {}), durable=False)
            written = time.perf_counter()
            if (await kernel.router.checkpoint("long")).conversation[:_LONG] != said:
                raise RuntimeError("a checkpoint came back as another")
            saved.append(written - started)
            loaded.append(time.perf_counter() - written)
    return [
        Figure(name, median(seconds) * 1000, "ms", floor(name), note=f"{_LONG:,} messages", detail=spread(seconds))
        for name, seconds in (("checkpoint saved", saved), ("checkpoint loaded", loaded))
    ]
