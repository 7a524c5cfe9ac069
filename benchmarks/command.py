"""The command line: which parts to measure, and how much."""

import compileall
import traceback
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console

from benchmarks.bench import Bench, Options, opened
from benchmarks.data import DataFolder, DataMissing
from benchmarks.measure import load, machine, versions
from benchmarks.report import Figure, Problem, Report
from sandbox.extensions import embedding
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.errors import ConfigurationError

Part = Callable[[Bench], Sequence[Figure]]

_PACKAGE = Path(embedding.__file__).parents[2]
_WIDTH = 140  # of a table that goes to a file


def run(
    parts: Mapping[str, Part], arguments: Sequence[str] | None = None, *, single: Mapping[str, Part] | None = None
) -> int:
    """Measure the parts, or those that ``--only`` names, also of ``single``, and print what they found; 1 where a part
    failed to run. A part whose data the folder does not have is left out and named; where no other is left, that is a
    wrong folder.
    """
    every = {**parts, **(single or {})}
    parser = _parser(every)
    given = parser.parse_args(arguments)
    fields = (name for name in Options.__dataclass_fields__ if name != "nodes")
    options = Options(nodes=tuple(given.nodes), **{name: getattr(given, name) for name in fields})
    if given.cache:
        given.cache.mkdir(parents=True, exist_ok=True)
    compileall.compile_dir(_PACKAGE, quiet=2)  # as an installer does: processes that are measured need not
    with opened(DataFolder(given.data), options, given.cache) as bench:
        report = _measured(bench, {name: every[name] for name in given.only or parts})
    if report.left_out and not report.parts and not report.problems:
        parser.error(f"{report.left_out[0].problem}; --data is the folder with the sets of evaluation data")
    _print(report, given.json)
    return 1 if report.problems else 0


def _measured(bench: Bench, parts: Mapping[str, Part]) -> Report:
    conditions, figures = _conditions(bench), {}
    left_out, problems = [], []
    for name, part in parts.items():
        bench.say(f"{name} ...")
        try:
            figures[name] = part(bench)
        except DataMissing as error:
            left_out.append(Problem(name, str(error)))
        except Exception as error:  # the other parts still run; the exit code says that one did not
            bench.console.print(traceback.format_exc(), style="red", markup=False, highlight=False)
            problems.append(Problem(name, f"{type(error).__name__}: {error}"))
    conditions["machine"]["load_after"] = load()
    return Report(conditions, figures, problems, left_out)


def _conditions(bench: Bench) -> dict[str, Any]:
    """Everything a figure depends on. The digests of the data are there once they were read."""
    options = bench.options
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(bench.work),
        "versions": versions(),
        "data": {"folder": str(bench.data.root), "sha256": bench.data.sha256},
        "configuration": asdict(Config.load(options.config)),
        "embedder": WordLlamaEmbedder().model_id,
        "seed": options.seed,
        "options": asdict(options),
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
    parser.add_argument("--data", type=Path, required=True, help="the folder with the sets, or with the one wanted")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--only", action="append", choices=list(parts), help="this part only; may be repeated")
    parser.add_argument("--cache", type=Path, help="keeps the stores that are built, for the next run")
    parser.add_argument("--nodes", type=_whole, nargs="+", default=defaults.nodes, help="sizes of stores")
    parser.add_argument("--repeats", type=_whole, default=defaults.repeats, help="figures are medians of so many")
    parser.add_argument("--questions", type=_whole, default=defaults.questions, help="asked in a repeat")
    parser.add_argument("--observes", type=_whole, default=defaults.observes, help="turns observed in a repeat")
    turns = "turns of the larger import, and learnt from at once"
    parser.add_argument("--turns", type=_whole, default=defaults.turns, help=turns)
    parser.add_argument("--kills", type=_whole, default=defaults.kills, help="of a process that learns")
    parser.add_argument("--minutes", type=float, default=defaults.minutes, help="that clients call at once")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    settings = "settings of the memory: key=value,key=value"
    parser.add_argument("--config", type=_settings, default={}, help=settings)
    return parser


def _whole(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError("give a whole number from 1")
    return int(text)


def _settings(text: str) -> dict[str, Any]:
    """Overrides of the manifest's settings; none of them for an empty text."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    settings = {key.strip(): yaml.safe_load(value) for key, _, value in pairs}
    try:
        Config.load(settings, file="the command line")
    except ConfigurationError as error:
        raise ArgumentTypeError(str(error)) from error
    if gone := settings.keys() - {
        field.name for field in fields(Config)
    }:  # ignored elsewhere; here it measures nothing
        raise ArgumentTypeError(f"{', '.join(sorted(gone))}: no setting any more")
    return settings
