"""The command line that every part, and all of them together, has."""

import traceback
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.bench import Bench, Options, opened
from benchmarks.corpus import Corpus
from benchmarks.measure import load, machine, versions
from benchmarks.report import Figure, Problem, Report
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory.config import Config

Part = Callable[[Bench], Sequence[Figure]]

_WIDTH = 140  # of a table that goes to a file


def run(parts: Mapping[str, Part], arguments: Sequence[str] | None = None) -> int:
    """Measure the parts and print what they found; 1 where a part failed to run."""
    parser = _parser(parts)
    given = parser.parse_args(arguments)
    try:
        corpus = Corpus.load(given.data)
    except OSError as error:
        parser.error(f"{error.filename} cannot be read ({error.strerror}); --data is the folder with locomo/ in it")
    options = Options(given.seed, tuple(given.nodes), given.repeats, given.questions, given.observes, given.turns)
    if given.cache:
        given.cache.mkdir(parents=True, exist_ok=True)
    with opened(corpus, options, given.cache) as bench:
        report = _measured(bench, {name: parts[name] for name in given.only or parts})
    _print(report, given.json)
    return 1 if report.problems else 0


def _measured(bench: Bench, parts: Mapping[str, Part]) -> Report:
    conditions, figures, problems = _conditions(bench), {}, []
    for name, part in parts.items():
        bench.say(f"{name} ...")
        try:
            figures[name] = part(bench)
        except Exception as error:  # the other parts still run; the exit code says that one did not
            bench.console.print(traceback.format_exc(), style="red", markup=False, highlight=False)
            problems.append(Problem(name, f"{type(error).__name__}: {error}"))
    conditions["machine"]["load_after"] = load()
    return Report(conditions, figures, problems)


def _conditions(bench: Bench) -> dict[str, Any]:
    """Everything a figure depends on."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(bench.work),
        "versions": versions(),
        "data": {"folder": str(bench.corpus.folder), "sha256": bench.corpus.sha256},
        "configuration": asdict(Config.load()),
        "embedder": WordLlamaEmbedder().model_id,
        "seed": bench.options.seed,
        "options": asdict(bench.options),
    }


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        print(report.as_json())
        return
    console = Console()
    report.show(console if console.is_terminal else Console(width=_WIDTH))


def _parser(parts: Mapping[str, Part]) -> ArgumentParser:
    defaults = Options()
    parser = ArgumentParser("benchmarks", description="Measures the memory on real conversations.")
    parser.add_argument("--data", type=Path, required=True, help="the folder with locomo/ in it")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--only", action="append", choices=list(parts), help="this part only; may be repeated")
    parser.add_argument("--cache", type=Path, help="keeps the stores that are built, for the next run")
    parser.add_argument("--nodes", type=_whole, nargs="+", default=defaults.nodes, help="sizes of stores")
    parser.add_argument("--repeats", type=_whole, default=defaults.repeats, help="figures are medians of so many")
    parser.add_argument("--questions", type=_whole, default=defaults.questions, help="asked in a repeat")
    parser.add_argument("--observes", type=_whole, default=defaults.observes, help="turns observed in a repeat")
    parser.add_argument("--turns", type=_whole, default=defaults.turns, help="turns of the larger import")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    return parser


def _whole(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError("give a whole number from 1")
    return int(text)
