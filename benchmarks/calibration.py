"""Whether a block's confidence means what it says: how often the answer is there, by how sure the block was of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import locomo, longmemeval
from benchmarks.bench import Bench
from benchmarks.bootstrap import Auroc, Row
from benchmarks.data import DataFolder, DataMissing
from benchmarks.quality import QuestionSet, answered, confidence_of, keys_of
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory, Message

_BANDS = 5  # of confidence, equally wide
_SHOWN = (
    "recall in 2,000 tokens",
    "recall@10",
    "shown",
)  # the score that says whether the answer was there, where a row has it


@dataclass(frozen=True, slots=True)
class _Half:
    """Every other paragraph of a language: the questions to those left out have no answer."""

    name: str
    paragraphs: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]

    async def fill(self, memory: Memory) -> None:
        """Each paragraph a turn of its own, of no conversation."""
        await memory.observe_many(Message("user", row["text"], key=row["doc_id"]) for row in self.paragraphs)

    async def ask(self, memory: Memory, *, blocks: bool) -> list[Row]:  # noqa: ARG002 (nothing is asked but blocks)
        """The block for every question."""
        kept = {row["doc_id"] for row in self.paragraphs}
        return [await self._asked(memory, question, kept) for question in self.questions]

    async def _asked(self, memory: Memory, question: Mapping[str, Any], kept: set[str]) -> Row:
        block, gold = await memory.context(question["query"], reinforce=False), set(question["gold_doc_ids"])
        scores = {
            "confidence": confidence_of(block),
            "answerable": float(gold <= kept),
            "shown": len(gold & keys_of(block)),
        }
        return Row(question["qid"], question["gold_doc_ids"][0], self.name, scores)


def _halves(data: DataFolder) -> Sequence[_Half]:
    return [
        _Half(each, data.rows("xquad", f"docs.{each}.jsonl")[::2], data.rows("xquad", f"queries.{each}.jsonl"))
        for each in ("en", "ru", "zh")
    ]


_SETS = (
    locomo.QUESTIONS,
    longmemeval.QUESTIONS,
    QuestionSet("xquad, half left out", _halves, (Auroc("AUROC", "confidence", "answerable"),)),
)


def measure(bench: Bench) -> list[Figure]:
    """For every set the folder has: AUROC, the share of answers that were there by bands of confidence, and how far
    that is from what was said.
    """
    figures: list[Figure] = []
    missing: list[DataMissing] = []
    for questions in _SETS:
        try:
            rows = asyncio.run(answered(bench, questions.units(bench.data), [bench.options.config], blocks=True))[0]
        except DataMissing as error:
            missing.append(error)
            continue
        measures = [each for each in questions.measures if isinstance(each, Auroc)]
        ranked = QuestionSet(questions.name, questions.units, measures)
        figures += [
            *_named(questions.name, ranked.figures(rows, bench.options.seed)),
            *reliability(questions.name, rows),
        ]
    if not figures:
        raise missing[0]
    return figures


def reliability(of: str, rows: Sequence[Row]) -> list[Figure]:
    """A figure for every band of confidence that has questions, and the expected calibration error (Naeini 2015)."""
    sure = np.array([row.scores["confidence"] for row in rows])
    there = np.array([_is_there(row) for row in rows])
    band = np.minimum((sure * _BANDS).astype(int), _BANDS - 1)
    figures, error = [], 0.0
    for each in np.unique(band).tolist():
        inside = band == each
        said, was = float(sure[inside].mean()), float(there[inside].mean())
        error += abs(said - was) * float(inside.mean())
        note = f"{inside.sum()} questions, confidence {said:.3f} on average"
        name = f"{of}: the answer was there, at confidence {each / _BANDS:.1f} to {(each + 1) / _BANDS:.1f}"
        figures.append(Figure(name, was, note=note, detail={"confidence": said, "questions": int(inside.sum())}))
    return [*figures, Figure(f"{of}: expected calibration error", error)]


def _is_there(row: Row) -> bool:
    """Whether there was an answer, and a turn it stands in was brought."""
    brought = next((row.scores[name] for name in _SHOWN if name in row.scores), 0.0)
    return row.scores["answerable"] == 1 and brought > 0


def _named(of: str, figures: Sequence[Figure]) -> list[Figure]:
    return [Figure(f"{of}: {each.name}", each.value, note=each.note, detail=each.detail) for each in figures]
