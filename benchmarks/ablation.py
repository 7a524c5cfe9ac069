"""What each part of recall is worth: every set of questions asked with parts switched off, over the same stores."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import factconsolidation, locomo, longmemeval, xquad
from benchmarks.bench import Bench
from benchmarks.bootstrap import Measure, Row, estimate, gain
from benchmarks.data import DataMissing
from benchmarks.quality import QuestionSet, answered
from benchmarks.report import Figure
from sandbox.extensions.memory.retrieve.recall import PARTS

Settings = Mapping[str, Any]

_FIRST = ("vector", "fts")

_MEASURED = {
    locomo.QUESTIONS: ("recall@5", "recall@10", "recall@50", "multi_hop recall@10"),
    longmemeval.QUESTIONS: ("recall@5", "all@5", "updates: current before superseded"),
    longmemeval.AMONG_ANSWERS: ("recall@5", "recall@10", "updates: current before superseded"),
    factconsolidation.QUESTIONS: ("current@1", "stale@1"),
    xquad.QUESTIONS: ("recall@10 ru-ru", "recall@10 zh-zh", "recall@10 en-en", "recall@10 ru-en"),
}


def configurations() -> dict[str, Settings]:
    """Each part alone or added to those before it, everything, and everything but one part."""
    added = [name for name in PARTS if name not in _FIRST]
    rows: dict[str, Settings] = {
        "all": {},
        "words only": _off("vector", *added),
        "vectors only": _off("fts", *added),
        "words and vectors": _off(*added),
    }
    rows |= {f"+ {part}": _off(*added[place:]) for place, part in enumerate(added[:-1], start=1)}
    return rows | {f"all but {part}": _off(part) for part in PARTS}


@dataclass(frozen=True, slots=True)
class _Table:
    """The measures of a set, in any configuration beside the whole."""

    name: str
    measures: Sequence[Measure]
    whole: Sequence[Row]
    seed: int

    def figure(self, configuration: str, settings: Settings, rows: Sequence[Row]) -> Figure:
        """The first measure; all of them in the note, with a star where one differs from the whole beyond chance."""
        shown, detail = [], {}
        for measure in self.measures:
            value, change = estimate(measure, rows, self.seed), gain(measure, rows, self.whole, self.seed)
            if value and change:
                differs = change.low > 0 or change.high < 0
                shown.append(f"{measure.name} {value.value:.3f}{'*' if differs else ''}")
                detail[measure.name] = {"value": value.value, "gain": asdict(change)}
        if rows is self.whole:
            shown.append("* in the others: differs from this beyond chance")
        first = estimate(self.measures[0], rows, self.seed)
        of = {"settings": dict(settings), "measures": detail}
        return Figure(f"{self.name}: {configuration}", first.value if first else None, note=", ".join(shown), detail=of)


def measure(bench: Bench) -> list[Figure]:
    """A figure for every configuration of every set the folder has."""
    figures: list[Figure] = []
    missing: list[DataMissing] = []
    for questions, names in _MEASURED.items():
        try:
            figures += _figures(bench, questions, [each for each in questions.measures if each.name in names])
        except DataMissing as error:
            missing.append(error)
    if not figures:
        raise missing[0]
    return figures


def _figures(bench: Bench, questions: QuestionSet, measures: Sequence[Measure]) -> list[Figure]:
    configs = {name: {**bench.options.config, **settings} for name, settings in configurations().items()}
    rows = asyncio.run(answered(bench, questions.units(bench.data), list(configs.values()), blocks=False))
    table = _Table(questions.name, measures, rows[0], bench.options.seed)
    return [table.figure(*each, found) for each, found in zip(configs.items(), rows, strict=True)]


def _off(*parts: str) -> dict[str, Any]:
    """The settings without some parts."""
    return {"without": list(parts)}
