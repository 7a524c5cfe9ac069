"""LoCoMo: questions about very long conversations of two people; one store a conversation, turn level."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.bootstrap import Auroc, Mean, Row
from benchmarks.corpus import ANSWERABLE, Corpus, Question, Turn
from benchmarks.data import DataFolder
from benchmarks.measure import tokens
from benchmarks.quality import QuestionSet, confidence_of, keys_of, recall
from sandbox.extensions.memory import Memory

_DEPTHS = (5, 10, 50)
_BUDGETS = (500, 1000, 2000)
_OVER = "share of blocks over their budget"
_SEVERAL = "questions for several turns: {} in {:,} tokens"


@dataclass(frozen=True, slots=True)
class Conversation:
    """Its turns in order, and what is asked of it."""

    name: str
    turns: Sequence[Turn]
    questions: Sequence[Question]

    async def fill(self, memory: Memory) -> None:
        """Turn by turn, with speaker and time."""
        await memory.observe_many(turn.message() for turn in self.turns)

    async def ask(self, memory: Memory, *, blocks: bool) -> list[Row]:
        """Each question when the conversation was over."""
        return [await _asked(memory, question, blocks) for question in self.questions]


async def _asked(memory: Memory, question: Question, blocks: bool) -> Row:
    hits = await memory.search(question.text, limit=max(_DEPTHS), now=question.now, reinforce=False)
    found = recall(hits, question.gold, *_DEPTHS)
    shown = await _shown(memory, question) if blocks else {}
    if question.category in ANSWERABLE:
        scores = {**found, **shown, f"{question.category} recall@10": found["recall@10"]}
    else:
        apart = ("confidence", "answerable", _OVER)
        scores = {"recall@10, adversarial": found["recall@10"], **{name: shown[name] for name in apart if shown}}
    return Row(question.id, question.conversation, question.category, scores)


async def _shown(memory: Memory, question: Question) -> dict[str, float]:
    """The share of the gold turns inside the block at each budget, its confidence, and whether it is too long."""
    scores, over = {"answerable": float(question.category in ANSWERABLE)}, 0
    for budget in _BUDGETS:
        block = await memory.context(question.text, budget=budget, now=question.now, reinforce=False)
        share = len(question.gold & keys_of(block)) / len(question.gold)
        scores[f"recall in {budget:,} tokens"] = share
        if len(question.gold) > 1:
            scores |= {_SEVERAL.format("recall", budget): share, _SEVERAL.format("all", budget): float(share == 1)}
        scores["confidence"] = confidence_of(block)
        over += block is not None and tokens(block.text) > budget
    return {**scores, _OVER: over / len(_BUDGETS)}


def conversations(data: DataFolder) -> Sequence[Conversation]:
    """Each conversation of the set."""
    corpus = Corpus.load(data)
    return [
        Conversation(
            name,
            [turn for turn in corpus.turns if turn.conversation == name],
            [question for question in corpus.questions if question.conversation == name and question.gold],
        )
        for name in corpus.conversations
    ]


QUESTIONS = QuestionSet(
    "locomo",
    conversations,
    (
        *(Mean(f"recall@{depth}") for depth in _DEPTHS),
        Mean("all@10"),
        Mean("multi_hop recall@10"),
        *(Mean(f"recall in {budget:,} tokens") for budget in _BUDGETS),
        *(Mean(_SEVERAL.format(measure, budget)) for budget in _BUDGETS for measure in ("recall", "all")),
        Mean(_OVER),
        Mean("recall@10, adversarial"),
        Auroc("confidence, adversarial questions: AUROC", "confidence", "answerable"),
    ),
)
