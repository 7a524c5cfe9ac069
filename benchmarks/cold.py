"""A fresh process over a large store: how soon its first block is there, and how much memory it comes to need."""

from functools import partial
from statistics import median

from benchmarks import child
from benchmarks.bench import Bench, Built
from benchmarks.floors import floor
from benchmarks.measure import MB
from benchmarks.report import Figure

_QUESTIONS = 50  # asked before the memory in use is looked at


def first_context(bench: Bench, built: Built) -> list[Figure]:
    """Seconds from opening to the first block, a process each, the package imported and the model not read."""
    questions = [question.text for question in bench.asked(bench.options.repeats)]
    with bench.copy(built) as folder:
        asked = partial(child.run, "first_context", folder, config=bench.options.config)
        asked(question=questions[0])  # the file is in the page cache from here on
        runs = [asked(question=question) for question in questions]
    if any(each["model_was_read"] for each in runs):
        raise RuntimeError("importing the package reads the embedding model; the first context no longer shows it")
    seconds, opened, items = (median(run[key] for run in runs) for key in ("seconds", "open_seconds", "items"))
    note, limit = f"page cache warm; open {opened:.2f} s, {items:.0f} items", floor("first context", built.nodes)
    return [Figure("first context", seconds, "s", limit, built.nodes, note, {"runs": runs})]


def memory_in_use(bench: Bench, built: Built) -> list[Figure]:
    """Megabytes (10^6) after questions enough, everything loaded."""
    questions = [question.text for question in bench.asked(_QUESTIONS)]
    with bench.copy(built) as folder:
        seen = child.run("memory_in_use", folder, questions=questions, config=bench.options.config)
    resident, most, imported = (seen[key] / MB for key in ("resident", "most", "imported"))
    note = f"at most {most:.0f} MB; {imported:.0f} MB of it were there before the memory was opened"
    limit = floor("resident memory", built.nodes)
    return [Figure("resident memory", resident, "MB", limit, built.nodes, note, {"most_mb": most})]
