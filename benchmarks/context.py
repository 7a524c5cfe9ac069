"""How long a context block takes in a memory that is open and warm: real questions, the default budget.

Beside it, on the same rows and by turns, the two searches that any store needs (``references.py``).
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.bench import Bench, Built
from benchmarks.corpus import Question
from benchmarks.floors import floor
from benchmarks.measure import percentile, settled, spread
from benchmarks.references import Legs, References, references
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory

_WARMING = 20  # questions asked first, none of them measured
_PROMPTS = 20  # of a session: being shown strengthens a memory once a session
_PERCENTS = (50, 95)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Seconds of each question, and what they cost all threads together, which a busy machine does not change; and the
    references where there are any.
    """

    seconds: list[float]
    processor_seconds: float
    legs: Legs | None

    def over_references(self, percent: float) -> float:
        """The percentile of a context as a multiple of the references' percentiles together."""
        return percentile(self.seconds, percent) / self.legs.sum_of(percent) if self.legs else 0.0


def measure(bench: Bench) -> list[Figure]:
    """At every size asked for."""
    return [figure for nodes in bench.options.nodes for figure in latency(bench, bench.store(nodes))]


def latency(bench: Bench, built: Built) -> list[Figure]:
    """Percentiles at one size."""
    with bench.copy(built) as folder, references(bench, built.nodes) as bare:
        repeats = asyncio.run(_repeats(bench, folder, bare))
    return [*_figures(repeats, built.nodes), *_compared(repeats, built.nodes)]


async def _repeats(bench: Bench, folder: Path, bare: References | None) -> list[Repeat]:
    asked = bench.asked(bench.options.questions + _WARMING)
    warming, questions = asked[:_WARMING], asked[_WARMING:] or asked  # the same where there are too few
    repeats = []
    async with Memory.open(folder, config=bench.options.config) as memory:
        await _asked(memory, warming, None)
        await settled()
        await _asked(memory, warming, None)
        if bare is not None:
            await bare.asked(warming)
        for repeat in bench.progress(range(bench.options.repeats), "asking for context"):
            legs = await bare.asked(questions) if bare is not None else None
            repeats.append(Repeat(*await _asked(memory, questions, f"repeat-{repeat}"), legs))
    return repeats


async def _asked(memory: Memory, questions: Sequence[Question], session: str | None) -> tuple[list[float], float]:
    """Seconds of each question, one after the other, and of the processor for all; reinforcing where there is a session
    to do it in.
    """
    seconds, processor = [], time.process_time()
    for place, question in enumerate(questions):
        part = session and f"{session}-{place // _PROMPTS}"
        started = time.perf_counter()
        await memory.context(question.text, session=part, reinforce=session is not None)
        seconds.append(time.perf_counter() - started)
    await memory.weak(limit=1)  # returns after every queued write
    return seconds, time.process_time() - processor


def _figures(repeats: Sequence[Repeat], nodes: int) -> list[Figure]:
    processor = median(each.processor_seconds / len(each.seconds) for each in repeats) * 1000
    detail = {"rounds": [spread(each.seconds) for each in repeats], "processor_ms": processor}
    figures = []
    for percent in _PERCENTS:
        name, value = f"context p{percent}", median(percentile(each.seconds, percent) for each in repeats) * 1000
        note = f"{processor:.1f} ms of processor time each"
        figures.append(Figure(name, value, "ms", floor(name, nodes), nodes, note, detail))
    return figures


def _compared(repeats: Sequence[Repeat], nodes: int) -> list[Figure]:
    """The references, and how much of their time a context takes."""
    names = [f"context p{percent} over the references" for percent in _PERCENTS]
    legs = [each.legs for each in repeats if each.legs is not None]
    if not legs:
        return [Figure(name, None, "x", floor(name, nodes), nodes, "there is no vec0 here") for name in names]
    figures = []
    for name, percent in zip(names, _PERCENTS, strict=True):
        vectors = median(percentile(each.vectors, percent) for each in legs) * 1000
        words = median(percentile(each.words, percent) for each in legs) * 1000
        note = f"p{percent} of vec0 {vectors:.1f} ms, of FTS5 {words:.1f} ms"
        detail = {"vec0_ms": vectors, "fts5_ms": words}
        value = median(each.over_references(percent) for each in repeats)
        figures.append(Figure(name, value, "x", floor(name, nodes), nodes, note, detail))
    return figures
