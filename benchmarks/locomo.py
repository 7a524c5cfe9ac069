"""How much of what answers a question is found, over LoCoMo: one store a conversation, turn level."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import command
from benchmarks.bench import Bench
from benchmarks.corpus import ANSWERABLE, UNANSWERABLE, Question
from benchmarks.floors import floor
from benchmarks.measure import all_at, mean, recall_at
from benchmarks.report import Figure
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory import Memory

DEPTHS = (5, 10, 50)
BUDGETS = (500, 1000, 2000)


@dataclass(frozen=True, slots=True)
class Shown:
    """A context block: what is in it and how long it really is."""

    keys: frozenset[str]
    tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question found, and what its context showed, by budget."""

    question: Question
    found: tuple[str | None, ...]
    shown: dict[int, Shown]

    def share_shown(self, budget: int) -> float:
        """The share of the gold turns that are in the block."""
        gold = self.question.gold
        return len(gold & self.shown[budget].keys) / len(gold)


def measure(bench: Bench) -> list[Figure]:
    """Recall by depth, category and budget."""
    answers = asyncio.run(_answers(bench))
    return figures(answers)


def figures(answers: Sequence[Answer]) -> list[Figure]:
    """What the answers come to."""
    asked = [each for each in answers if each.question.category in ANSWERABLE]
    adversarial = [each for each in answers if each.question.category == UNANSWERABLE]
    return [
        *(_by_depth(asked, depth) for depth in DEPTHS),
        *(_by_budget(asked, budget) for budget in BUDGETS),
        Figure("recall@10, adversarial", _recall(adversarial, 10), note=f"{len(adversarial)} questions, apart"),
        _over_budget(answers),
    ]


async def _answers(bench: Bench) -> list[Answer]:
    tokens = WordLlamaEmbedder()
    answers = []
    for conversation in bench.corpus.conversations:
        questions = [each for each in bench.corpus.questions if each.conversation == conversation and each.gold]
        async with Memory.open(bench.fresh()) as memory:
            turns = (turn.message() for turn in bench.corpus.turns if turn.conversation == conversation)
            await memory.observe_many(turns)
            await memory.wait_until_embedded()
            for question in bench.progress(questions, conversation):
                answers.append(await _answer(memory, question, tokens))
    return answers


async def _answer(memory: Memory, question: Question, tokens: WordLlamaEmbedder) -> Answer:
    hits = await memory.search(question.text, limit=max(DEPTHS), reinforce=False)
    shown = {budget: await _shown(memory, question, budget, tokens) for budget in BUDGETS}
    return Answer(question, tuple(hit.key for hit in hits), shown)


async def _shown(memory: Memory, question: Question, budget: int, tokens: WordLlamaEmbedder) -> Shown:
    """A learnt fact counts for the turns it was derived from."""
    block = await memory.context(question.text, budget=budget, reinforce=False)
    if block is None:
        return Shown(frozenset(), 0)
    keys = {key for item in block.items for key in (item.key, *item.sources) if key is not None}
    return Shown(frozenset(keys), tokens.count_tokens([block.text])[0])


def _recall(answers: Iterable[Answer], depth: int) -> float | None:
    return mean(recall_at(each.found, each.question.gold, depth) for each in answers)


def _by_depth(answers: Sequence[Answer], depth: int) -> Figure:
    name = f"recall@{depth}"
    by_category = _grouped(answers, lambda question: question.category, depth)
    detail = {
        "questions": len(answers),
        "all": mean(all_at(each.found, each.question.gold, depth) for each in answers),
        "by_category": by_category,
        "by_conversation": _grouped(answers, lambda question: question.conversation, depth),
    }
    note = ", ".join(f"{category} {value:.3f}" for category, value in by_category.items())
    return Figure(name, _recall(answers, depth), floor=floor(name), note=note, detail=detail)


def _grouped(answers: Sequence[Answer], of: Callable[[Question], str], depth: int) -> dict[str, float]:
    names = sorted({of(each.question) for each in answers})
    recalls = {name: _recall((each for each in answers if of(each.question) == name), depth) for name in names}
    return {name: round(value, 4) for name, value in recalls.items() if value is not None}


def _by_budget(answers: Sequence[Answer], budget: int) -> Figure:
    tokens = mean(each.shown[budget].tokens for each in answers)
    detail: dict[str, Any] = {"mean_tokens": tokens, "empty": sum(not each.shown[budget].keys for each in answers)}
    value = mean(each.share_shown(budget) for each in answers)
    return Figure(f"recall in {budget:,} tokens", value, note=f"{tokens or 0:.0f} tokens used", detail=detail)


def _over_budget(answers: Sequence[Answer]) -> Figure:
    over = sum(shown.tokens > budget for each in answers for budget, shown in each.shown.items())
    return Figure("blocks over their budget", over, note="counted by WordLlama's tokenizer over the whole text")


if __name__ == "__main__":
    sys.exit(command.run({"locomo": measure}))
