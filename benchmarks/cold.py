"""A fresh process over a large store: how soon its first block is there, and how much memory it comes to need."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import child, command
from benchmarks.bench import Bench, Built
from benchmarks.floors import floor
from benchmarks.measure import MB
from benchmarks.report import Figure

_QUESTIONS = 50  # asked before the memory in use is looked at


def measure(bench: Bench) -> list[Figure]:
    """At every size asked for."""
    stores = [bench.store(nodes) for nodes in bench.options.nodes]
    return [figure for built in stores for figure in (*first_context(bench, built), *memory_in_use(bench, built))]


def first_context(bench: Bench, built: Built) -> list[Figure]:
    """Seconds from opening to the first block, a process each, the package imported and the model not read."""
    questions = [question.text for question in bench.asked(bench.options.repeats)]
    with bench.copy(built) as folder:
        child.run(
            "first_context", folder, question=questions[0], config=bench.options.config
        )  # the file is in the page cache from here on
        warm = [
            child.run("first_context", folder, question=question, config=bench.options.config) for question in questions
        ]
        cold = [_uncached(bench, folder, question) for question in questions]
    if any(each["model_was_read"] for each in warm):
        raise RuntimeError("importing the package reads the embedding model; the first context no longer shows it")
    seconds = _median(warm, "seconds")
    note = f"page cache warm; open {_median(warm, 'open_seconds'):.2f} s, {_median(warm, 'items'):.0f} items"
    from_start, nodes = _median(warm, "process_seconds"), built.nodes
    figures = [
        Figure("first context", seconds, "s", floor("first context", nodes), nodes, note, {"runs": warm}),
        Figure("first context, from process start", from_start, "s", nodes=nodes, note="page cache warm"),
    ]
    if hasattr(os, "posix_fadvise"):
        note, detail = "the file dropped from the page cache", {"runs": cold}
        uncached = _median(cold, "seconds")
        figures.append(Figure("first context, page cache cold", uncached, "s", nodes=nodes, note=note, detail=detail))
    return figures


def memory_in_use(bench: Bench, built: Built) -> list[Figure]:
    """Megabytes (10^6) after questions enough, everything loaded."""
    questions = [question.text for question in bench.asked(_QUESTIONS)]
    with bench.copy(built) as folder:
        seen = child.run("memory_in_use", folder, questions=questions, config=bench.options.config)
    resident, most, imported = (seen[key] / MB for key in ("resident", "most", "imported"))
    note = f"at most {most:.0f} MB; {imported:.0f} MB of it were there before the memory was opened"
    limit = floor("resident memory", built.nodes)
    return [Figure("resident memory", resident, "MB", limit, built.nodes, note, {"most_mb": most})]


def _uncached(bench: Bench, folder: Path, question: str) -> dict[str, Any]:
    """A first context whose file has to be read from the disk."""
    for path in folder.iterdir():
        _drop_from_cache(path)
    return child.run("first_context", folder, question=question, config=bench.options.config)


def _drop_from_cache(path: Path) -> None:
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as file:
            os.fsync(file.fileno())  # only what is on the disk can be dropped
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _median(runs: Sequence[dict[str, Any]], key: str) -> float:
    return median(float(run[key]) for run in runs)


if __name__ == "__main__":
    sys.exit(command.run({"cold": measure}))
