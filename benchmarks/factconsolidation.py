"""FactConsolidation: numbered facts, of which a later one overrides an earlier one; remembered in order, then asked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.bootstrap import Mean, Row
from benchmarks.data import DataFolder
from benchmarks.quality import QuestionSet
from sandbox.extensions.memory import Hit, Memory

_HISTORY = 5  # places in which a superseded fact is looked for
_FOUND = f"history: superseded found in {_HISTORY}"


@dataclass(frozen=True, slots=True)
class _Facts:
    facts: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]
    name: str = "facts"

    async def fill(self, memory: Memory) -> None:
        """One after the other, in serial order."""
        for fact in sorted(self.facts, key=lambda row: row["serial"]):
            await memory.remember(fact["text"], key=fact["doc_id"])

    async def ask(self, memory: Memory, *, blocks: bool) -> list[Row]:  # noqa: ARG002 (nothing is asked of blocks)
        """What holds now, and where something was superseded, for the history."""
        return [await self._asked(memory, question) for question in self.questions]

    async def _asked(self, memory: Memory, question: Mapping[str, Any]) -> Row:
        best = await memory.search(question["query"], limit=1, reinforce=False)
        scores = {"current@1": self._says(best, question["current_doc_ids"])}
        if superseded := question["superseded_doc_ids"]:
            scores["stale@1"] = self._says(best, superseded)
            scores["current@1 where superseded"] = scores["current@1"]
            past = await memory.search(question["query"], limit=_HISTORY, history=True, reinforce=False)
            scores[_FOUND] = self._says(past, superseded)
        category = "superseded" if superseded else "never superseded"
        return Row(question["qid"], question["qid"], category, scores)

    def _says(self, hits: Sequence[Hit], facts: Collection[str]) -> float:
        """1 where a hit says what one of the facts says: a correction keeps the key of what it corrects."""
        texts = {row["text"] for row in self.facts if row["doc_id"] in facts}
        return float(any(hit.content in texts for hit in hits))


def _units(data: DataFolder) -> Sequence[_Facts]:
    facts, questions = (data.rows("factconsolidation", name) for name in ("docs.jsonl", "queries.jsonl"))
    return [_Facts(facts, questions)]


QUESTIONS = QuestionSet(
    "factconsolidation",
    _units,
    (Mean("current@1"), Mean("stale@1"), Mean("current@1 where superseded"), Mean(_FOUND)),
)
