"""What a person meets who asks a question once: each in a process that has not met its words before.

Processes are fresh and import everything first. One asks all the questions, once each; others ask ten each. Beside
them, on the same rows and the same questions, the two searches that any store needs (``references.py``).
"""

import asyncio
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import child
from benchmarks.bench import Bench, Built
from benchmarks.cold import memory_in_use
from benchmarks.floors import floor
from benchmarks.measure import percentile
from benchmarks.references import references
from benchmarks.report import Figure

_FIRST = 10  # questions after opening
_PERCENTS = (50, 95)


def measure(bench: Bench) -> list[Figure]:
    """At every size asked for."""
    stores = [bench.store(nodes) for nodes in bench.options.nodes]
    return [
        figure
        for built in stores
        for figure in (*once_each(bench, built), *after_opening(bench, built), *memory_in_use(bench, built))
    ]


def once_each(bench: Bench, built: Built) -> list[Figure]:
    """Percentiles of a process that asks every question once, and as multiples of the references'."""
    questions = bench.asked()
    with bench.copy(built) as folder, references(bench, built.nodes) as bare:
        texts = [question.text for question in questions]
        runs = [_asked(bench, folder, texts) for _ in bench.progress(range(bench.options.repeats), "asking once")]
        legs = None if bare is None else asyncio.run(bare.asked(questions))
    figures, cost = [], median(run["processor_seconds"] for run in runs) / len(questions) * 1000
    for percent in _PERCENTS:
        value = median(percentile(run["seconds"], percent) for run in runs) * 1000
        note = f"{cost:.1f} ms of processor time each"
        figures.append(Figure(f"context asked once p{percent}", value, "ms", None, built.nodes, note))
        if legs is not None:
            name, whole = f"context asked once p{percent} over the references", legs.sum_of(percent) * 1000
            note = f"p{percent} of the references {whole:.1f} ms"
            figures.append(Figure(name, value / whole, "x", floor(name, built.nodes), built.nodes, note))
    return figures


def after_opening(bench: Bench, built: Built) -> list[Figure]:
    """The first ten questions of a process, other ones in each; and from the start of a process to its first hits."""
    asked = [question.text for question in bench.asked(_FIRST * bench.options.repeats)]
    with bench.copy(built) as folder:
        _asked(bench, folder, asked[:1])  # the file is in the page cache from here on
        runs = [
            _asked(bench, folder, asked[start : start + _FIRST])
            for start in bench.progress(range(0, len(asked), _FIRST), "asking ten")
        ]
        hits = [
            child.run("first_search", folder, started=time.time(), question=question, config=bench.options.config)
            for question in asked[: bench.options.repeats]
        ]
    first = [seconds for run in runs for seconds in run["seconds"]]
    name, whole = "first ten questions, median", median(median(run["seconds"]) for run in runs) * 1000
    note = (
        f"the first {median(run['seconds'][0] for run in runs) * 1000:.0f} ms, p95 {percentile(first, 95) * 1000:.0f}"
    )
    start = "first search, from process start"
    seconds = median(run["process_seconds"] for run in hits)
    return [
        Figure(name, whole, "ms", floor(name, built.nodes), built.nodes, note),
        Figure(start, seconds, "s", floor(start, built.nodes), built.nodes, "imports included, page cache warm"),
    ]


def _asked(bench: Bench, folder: Path, questions: list[str]) -> dict[str, Any]:
    return child.run("questions_once", folder, questions=questions, config=bench.options.config)
