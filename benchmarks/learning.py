"""Learning by rules: whether it helps or hurts recall, whether it repeats itself, how fast it is, who waits for it."""

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.bench import Bench
from benchmarks.corpus import ANSWERABLE, Question
from benchmarks.floors import floor
from benchmarks.locomo import Conversation, conversations
from benchmarks.measure import percentile
from benchmarks.quality import keys_of
from benchmarks.report import Figure
from sandbox import secrets
from sandbox.extensions.memory import Hit, Memory
from sandbox.extensions.memory.model import CognitiveType
from sandbox.extensions.memory.text.words import terms

_KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "opinion", "procedural")
_PAUSE = 0.02  # seconds between what is said while others are learnt from
_EVERYTHING = 1_000_000


@dataclass(frozen=True, slots=True)
class _Found:
    """The share of a question's evidence among the first ten, and inside a block of 1,000 tokens."""

    in_ten: float
    in_block: float


def measure(bench: Bench) -> list[Figure]:
    """Recall of LoCoMo before and after, what was learnt there, and a thousand sessions at once."""
    before, after, learnt = asyncio.run(_learnt(bench, conversations(bench.data)))
    return [*_recalls(before, after), *_quality(learnt), *asyncio.run(_speed(bench))]


async def _learnt(bench: Bench, units: Sequence[Conversation]) -> tuple[list[_Found], list[_Found], list[Hit]]:
    """How each question is answered before and after, and everything that was learnt."""
    before: list[_Found] = []
    after: list[_Found] = []
    learnt: list[Hit] = []
    for conversation in bench.progress(units, "learning"):
        folder = bench.fresh()
        async with Memory.open(folder, config=bench.options.config) as memory:
            await conversation.fill(memory)
            await memory.wait_until_embedded()
            before += await _asked(memory, conversation.questions)
            await memory.consolidate()
            await memory.wait_until_embedded()
            after += await _asked(memory, conversation.questions)
            learnt += await memory.search("", types=_KNOWLEDGE, limit=_EVERYTHING, reinforce=False)
        shutil.rmtree(folder)
    return before, after, learnt


async def _asked(memory: Memory, questions: Sequence[Question]) -> list[_Found]:
    return [await _found(memory, each) for each in questions if each.category in ANSWERABLE]


async def _found(memory: Memory, question: Question) -> _Found:
    """What is learnt counts for the turns it came from."""
    hits = await memory.search(question.text, limit=10, now=question.now, reinforce=False)
    block = await memory.context(question.text, budget=1000, now=question.now, reinforce=False)
    keys = {key for hit in hits for key in await _sources(memory, hit)}
    return _Found(*(len(question.gold & found) / len(question.gold) for found in (keys, keys_of(block))))


async def _sources(memory: Memory, hit: Hit) -> list[str]:
    if hit.type == "episodic":
        return [hit.key] if hit.key else []
    return [turn.key for turn in (await memory.explain(hit.id)).sources if turn.key]


def _recalls(before: Sequence[_Found], after: Sequence[_Found]) -> list[Figure]:
    """Floors are what there was before."""
    return [
        Figure(
            f"{name}, gained by learning",
            fmean(getattr(each, field) for each in after) - (was := fmean(getattr(each, field) for each in before)),
            floor=floor("gained by learning"),
            note=f"{was:.3f} before",
        )
        for name, field in (("recall@10", "in_ten"), ("recall in 1,000 tokens", "in_block"))
    ]


def _quality(learnt: Sequence[Hit]) -> list[Figure]:
    said = Counter(tuple(sorted(terms(each.content))) for each in learnt)
    twice = sum(count - 1 for count in said.values())
    asking = sum("?" in each.content for each in learnt)
    secret = sum(bool(secrets.find(each.content)) for each in learnt)
    return [
        Figure("learnt", len(learnt), note="facts, opinions and how-tos"),
        Figure(
            "duplicates", twice / max(1, len(learnt)), floor=floor("duplicates"), note="the same words, in any order"
        ),
        Figure("questions and secrets among them", asking + secret, floor=floor("questions and secrets")),
    ]


async def _speed(bench: Bench) -> list[Figure]:
    """A thousand sessions of twenty turns learnt from, while somebody talks."""
    turns = bench.corpus.made_up(0, bench.options.turns, bench.options.seed)
    folder, waited = bench.fresh(), list[float]()
    async with Memory.open(folder, config=bench.options.config) as memory:
        await memory.observe_many(turn.message() for turn in turns)
        await memory.wait_until_embedded()
        talking = asyncio.create_task(_talk(memory, waited))
        started = time.perf_counter()
        report = await memory.consolidate()
        seconds = time.perf_counter() - started
        talking.cancel()
    shutil.rmtree(folder)
    rate, count = len(report.sessions) / seconds, len(waited)
    return [
        Figure("sessions a second", rate, "/s", floor("sessions a second"), note=f"{len(report.learnt):,} learnt"),
        Figure(
            "acknowledged meanwhile p99",
            percentile(waited, 99) * 1000,
            "ms",
            floor("acknowledged meanwhile p99"),
            note=f"{count:,} turns, p50 {percentile(waited, 50) * 1000:.1f} ms",
        ),
    ]


async def _talk(memory: Memory, waited: list[float]) -> None:
    """Say something every moment; how long each took to be acknowledged."""
    while True:
        started = time.perf_counter()
        await memory.observe("user", f"This is said meanwhile, number {len(waited)}.", session="meanwhile")
        waited.append(time.perf_counter() - started)
        await asyncio.sleep(_PAUSE)
