"""What each part of recall is worth: every set of questions asked with parts switched off, over the same stores."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import command, factconsolidation, locomo, longmemeval, xquad
from benchmarks.bench import Bench
from benchmarks.bootstrap import Measure, Row, estimate, gain
from benchmarks.data import DataMissing
from benchmarks.quality import QuestionSet, answered
from benchmarks.report import Figure

Settings = Mapping[str, Any]

WITHOUT: Mapping[str, Settings] = {
    "vectors": {"score_weight_vector": 0},
    "spread": {"spread_neighbour": 0, "spread_answer": 0, "spread_second": 0},
    "session evidence": {"session_evidence": 0},
    "speaker and entity": {"named_evidence": 0, "score_weight_entity": 0},
    "intent": {"score_weight_graph": 0},
    "the time spoken of": {"period_evidence": 0},
    "what names a time": {"dated_evidence": 0},
    "newer first": {"newer_share": 9},
    "short turns and questions": {"short_factor": 1, "question_factor": 1},
}
"""The settings that switch each part off."""

_MEASURED = {
    locomo.QUESTIONS: ("recall@5", "recall@10", "recall@50", "multi_hop recall@10"),
    longmemeval.QUESTIONS: ("recall@5", "all@5", "updates: current before superseded"),
    factconsolidation.QUESTIONS: ("current@1", "stale@1"),
    xquad.QUESTIONS: ("recall@10 ru-ru", "recall@10 zh-zh", "recall@10 en-en", "recall@10 ru-en"),
}


def configurations() -> dict[str, Settings]:
    """Each part alone or added to those before it, everything, and everything but one part."""
    nothing = _off(*WITHOUT)
    rows: dict[str, Settings] = {
        "all": {},
        "words only": nothing,
        "vectors only": {**nothing, "score_weight_fts": 0, "score_weight_vector": 1},
        "words and vectors, RRF 1:1": {
            **nothing,
            "fusion": "ranks",
            "rrf_weight_fts": 1,
            "rrf_weight_vector": 1,
            "rrf_weight_graph": 0,
            "rrf_weight_entity": 0,
        },
        "all, fused by RRF": {"fusion": "ranks"},
    }
    parts = list(WITHOUT)
    rows["words and vectors"] = _off(*parts[1:])
    rows |= {f"+ {part}": _off(*parts[place + 1 :]) for place, part in enumerate(parts) if 0 < place < len(parts) - 1}
    return rows | {f"all but {part}": _off(part) for part in parts}


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
    return {key: value for part in parts for key, value in WITHOUT[part].items()}


if __name__ == "__main__":
    sys.exit(command.run({"ablation": measure}))
