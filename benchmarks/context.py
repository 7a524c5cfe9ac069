"""How long a context block takes in a memory that is open and warm: real questions, the default budget."""

import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import command
from benchmarks.bench import Bench, Built
from benchmarks.corpus import Question
from benchmarks.floors import floor
from benchmarks.measure import percentile, settled, spread
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory

_WARMING = 20  # questions asked first, none of them measured
_PROMPTS = 20  # of a session: being shown strengthens a memory once a session


@dataclass(frozen=True, slots=True)
class Round:
    """Seconds of each question, and what they cost all threads together, which a busy machine does not change."""

    seconds: list[float]
    processor_seconds: float

    def each_ms(self) -> float:
        """Processor time a question, in milliseconds."""
        return self.processor_seconds / len(self.seconds) * 1000


def measure(bench: Bench) -> list[Figure]:
    """At every size asked for."""
    return [figure for nodes in bench.options.nodes for figure in latency(bench, bench.store(nodes))]


def latency(bench: Bench, built: Built) -> list[Figure]:
    """Percentiles at one size, with and without reinforcement; without, nothing is written beside the reading."""
    with bench.copy(built) as folder:
        quiet, alive = asyncio.run(_rounds(bench, folder))
    return [
        *_figures("context", alive, built.nodes, "reinforcing, as in life; "),
        *_figures("context, not reinforcing,", quiet, built.nodes, ""),
    ]


async def _rounds(bench: Bench, folder: Path) -> tuple[list[Round], list[Round]]:
    """Every repeat: not reinforcing, and reinforcing."""
    warming, questions = _split(bench.asked(bench.options.questions + _WARMING))
    quiet, alive = [], []
    async with Memory.open(folder) as memory:
        await _asked(memory, warming, None)
        await settled()
        await _asked(memory, warming, None)
        for repeat in bench.progress(range(bench.options.repeats), "asking for context"):
            quiet.append(await _asked(memory, questions, None))
            alive.append(await _asked(memory, questions, f"repeat-{repeat}"))
    return quiet, alive


def _split(questions: Sequence[Question]) -> tuple[Sequence[Question], Sequence[Question]]:
    """Those to warm up with and those to measure; the same where there are too few."""
    return questions[:_WARMING], questions[_WARMING:] or questions


async def _asked(memory: Memory, questions: Sequence[Question], session: str | None) -> Round:
    """The questions one after the other; reinforcing where there is a session to do it in."""
    seconds, processor = [], time.process_time()
    for place, question in enumerate(questions):
        part = session and f"{session}-{place // _PROMPTS}"
        started = time.perf_counter()
        await memory.context(question.text, session=part, reinforce=session is not None)
        seconds.append(time.perf_counter() - started)
    await memory.statistics()  # returns after every queued write
    return Round(seconds, time.process_time() - processor)


def _figures(name: str, rounds: Sequence[Round], nodes: int, note: str) -> list[Figure]:
    processor = median(each.each_ms() for each in rounds)
    detail = {"rounds": [spread(each.seconds) for each in rounds], "processor_ms": processor}
    note = f"{note}{processor:.1f} ms of processor time each"
    return [
        Figure(
            f"{name} p{percent}",
            median(percentile(each.seconds, percent) for each in rounds) * 1000,
            "ms",
            floor(f"{name} p{percent}", nodes),
            nodes,
            note,
            detail,
        )
        for percent in (50, 95)
    ]


if __name__ == "__main__":
    sys.exit(command.run({"context": measure}))
