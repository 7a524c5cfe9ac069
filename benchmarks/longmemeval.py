"""LongMemEval: what one person said in the past, among turns about other things; one store a question.

Of the turns of a store one in eight is an assistant's, where in a real conversation every other one is. So each
question is also asked among all answers of assistants that the data has.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from benchmarks.bootstrap import Auroc, Mean, Measure, Row
from benchmarks.data import DataFolder, moment
from benchmarks.quality import QuestionSet, confidence_of, recall
from sandbox.extensions.memory import Hit, Memory, Message
from sandbox.extensions.memory.text.words import terms

_DEPTHS = (5, 10)
_DEEPEST = 50  # places in which the turns of an update are looked for
_BUDGETS = (300, 500, 1000)
_IN_BLOCK = "words of the answer in a block of {:,} tokens"
_CURRENT, _FOUND = "updates: current before superseded", f"updates: superseded found in {_DEEPEST}"


@dataclass(frozen=True, slots=True)
class _Question:
    name: str
    turns: Sequence[Message]
    row: Mapping[str, Any]

    async def fill(self, memory: Memory) -> None:
        """The turns of the haystack, in their order in time."""
        await memory.observe_many(self.turns)

    async def ask(self, memory: Memory, *, blocks: bool) -> list[Row]:
        """The question, at its time."""
        text, now = self.row["query"], moment(self.row["now"])
        hits = await memory.search(text, limit=_DEEPEST, now=now, reinforce=False)
        scores = recall(hits, self.row["gold_doc_ids"], *_DEPTHS) if self.row["gold_doc_ids"] else {}
        if self.row.get("superseded_doc_ids"):
            scores |= _update(hits, self.row["current_doc_ids"], self.row["superseded_doc_ids"])
        if blocks:
            block = await memory.context(text, now=now, reinforce=False)
            scores |= {"confidence": confidence_of(block), "answerable": float(not self.row["abstention"])}
            scores |= await self._answer_shown(memory, now)
        return [Row(self.name, self.name, self.row["category"], scores)]

    async def _answer_shown(self, memory: Memory, now: datetime | None) -> dict[str, float]:
        """Whether what a block shows of the gold turns has all words of the answer, at each budget; where they do."""
        gold, answer = self.row["gold_doc_ids"], set(terms(str(self.row.get("answer", ""))))
        if not answer or not answer <= _terms(turn.content for turn in self.turns if turn.key in gold):
            return {}
        scores = {}
        for budget in _BUDGETS:
            block = await memory.context(self.row["query"], now=now, budget=budget, reinforce=False)
            items = block.items if block is not None else ()
            shown = _terms(item.content for item in items if item.key in gold)
            scores[_IN_BLOCK.format(budget)] = float(answer <= shown)
        return scores


def _terms(texts: Iterable[str]) -> set[str]:
    return {term for text in texts for term in terms(text)}


def _update(hits: Sequence[Hit], current: Sequence[str], superseded: Sequence[str]) -> dict[str, float]:
    """Whether a current turn ranks before every superseded one, and how many of those are still found."""
    keys = [hit.key for hit in hits]
    new, old = ([keys.index(key) for key in which if key in keys] for which in (current, superseded))
    is_first = bool(new) and min(new) < min(old, default=len(keys))
    return {_CURRENT: float(is_first), _FOUND: len(old) / len(superseded)}


def _units(data: DataFolder) -> Sequence[_Question]:
    said = {row["doc_id"]: row for name in ("docs.jsonl", "filler.jsonl") for row in data.rows("longmemeval", name)}
    return [
        _Question(row["qid"], [_message(each) for each in _in_time(said, row["haystack_doc_ids"])], row)
        for row in data.rows("longmemeval", "queries.jsonl")
    ]


def _among_answers(data: DataFolder) -> Sequence[_Question]:
    """The same questions, their stores with all answers of assistants to other people."""
    answers = [_message(row) for row in data.rows("longmemeval", "filler.jsonl") if row["speaker"] == "assistant"]
    return [replace(each, turns=_once([*each.turns, *answers])) for each in _units(data)]


def _once(turns: Iterable[Message]) -> list[Message]:
    return list({turn.key: turn for turn in turns}.values())


def _in_time(said: Mapping[str, Mapping[str, Any]], ids: Sequence[str]) -> list[Mapping[str, Any]]:
    """The turns by time; those of one moment as they are listed."""
    return sorted((said[id] for id in ids), key=lambda row: str(row["ts"]))


def _message(row: Mapping[str, Any]) -> Message:
    session = f"{row.get('conv_id', 'filler')}/{row['session']}"
    return Message(row["speaker"], row["text"], session, moment(row["ts"]), key=row["doc_id"])


_MEASURES: tuple[Measure, ...] = (
    *(Mean(f"{measure}@{depth}") for depth in _DEPTHS for measure in ("recall", "all")),
    Mean(_CURRENT),
    Mean(_FOUND),
    *(Mean(_IN_BLOCK.format(budget)) for budget in _BUDGETS),
    Auroc("confidence, abstention: AUROC", "confidence", "answerable"),
)

QUESTIONS = QuestionSet("longmemeval", _units, _MEASURES)
AMONG_ANSWERS = QuestionSet("longmemeval among answers", _among_answers, _MEASURES)
