"""XQuAD: the paragraph that answers a question, within a language and across two; one store a language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.bootstrap import Mean, Row
from benchmarks.data import DataFolder
from benchmarks.quality import QuestionSet, recall
from sandbox.extensions.memory import Memory, Message

_PAIRS = (("ru", "ru"), ("zh", "zh"), ("en", "en"), ("ru", "en"))  # of the question and of the paragraphs
_DEPTH = 10


@dataclass(frozen=True, slots=True)
class _Language:
    name: str
    paragraphs: Sequence[Mapping[str, Any]]
    questions: Mapping[str, Sequence[Mapping[str, Any]]]
    """By the language they are asked in."""

    async def fill(self, memory: Memory) -> None:
        """Each paragraph a turn of its own, of no conversation."""
        await memory.observe_many(Message("user", row["text"], key=row["doc_id"]) for row in self.paragraphs)

    async def ask(self, memory: Memory, *, blocks: bool) -> list[Row]:  # noqa: ARG002 (nothing is asked of blocks)
        """Every question of every language."""
        return [
            await self._asked(memory, language, question)
            for language, questions in self.questions.items()
            for question in questions
        ]

    async def _asked(self, memory: Memory, language: str, question: Mapping[str, Any]) -> Row:
        hits = await memory.search(question["query"], limit=_DEPTH, reinforce=False)
        pair, gold = f"{language}-{self.name}", question["gold_doc_ids"]
        score = recall(hits, gold, _DEPTH)[f"recall@{_DEPTH}"]
        return Row(f"{pair} {question['qid']}", gold[0], pair, {_name(pair): score})


def _name(pair: str) -> str:
    return f"recall@{_DEPTH} {pair}"


def _units(data: DataFolder) -> Sequence[_Language]:
    return [
        _Language(
            paragraphs,
            data.rows("xquad", f"docs.{paragraphs}.jsonl"),
            {asked: data.rows("xquad", f"queries.{asked}.jsonl") for asked, told in _PAIRS if told == paragraphs},
        )
        for paragraphs in dict.fromkeys(told for _, told in _PAIRS)
    ]


QUESTIONS = QuestionSet("xquad", _units, tuple(Mean(_name(f"{asked}-{told}")) for asked, told in _PAIRS))
