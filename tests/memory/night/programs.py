"""A memory with much work for a night, and nights in processes of their own."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.ports import Answer, LanguageModel, Question
from sandbox.testing import NOON, FakeClock
from tests.memory.night.conftest import answering

CONFIG: Mapping[str, Any] = {"causal_inference_batch_size": 3}
EVENING = NOON + timedelta(hours=6)

_FACTS = (
    "Ann waters the plants at the Acme office.",
    "Ann brews green tea a lot.",
    "Ann drinks green tea every day.",
    "Ann pours green tea very much.",
    "Ann plays the cello.",
    "The server listens on port 5432.",
)
_SAME = ("Ann waters the plants at Acme office.",)
_TURNS = (
    "The rent in Lisbon got too high.",
    "That's why I moved to Porto.",
    "I always drink coffee in the morning.",
    "I lost my keys.",
    "Because I was in a hurry.",
    "It rained all day.",
    "That's why I stayed in.",
    "The cat was ill.",
    "That's why I called the vet.",
)


def same_tea(known: str, new: str) -> str:
    """Two statements about tea say the same."""
    return "same" if "green tea" in known and "green tea" in new else "different"


def model_for(by: str) -> LanguageModel | None:
    """The model of a name; None for rules."""
    return answering(same_tea, ("Ann seems relieved by the move to Porto.",)) if by == "model" else None


@asynccontextmanager
async def lived(folder: Path, model: LanguageModel | None, **config: Any) -> AsyncIterator[tuple[Memory, FakeClock]]:
    """That memory, on the evening after."""
    clock = FakeClock(EVENING)
    async with Memory.open(folder, model=model, clock=clock, config={**CONFIG, **config}) as memory:
        yield memory, clock


async def tell(memory: Memory, scope: Scope, mark: str = "") -> None:
    """Store statements and turns."""
    for fact in (*_FACTS, *_SAME):
        category = "person" if fact in _SAME else "fact"
        await memory.remember(f"{fact} {mark}".strip(), subject="Ann", category=category, scope=scope)
    for number, turn in enumerate(_TURNS):
        await memory.observe("user", f"{turn} {mark}".strip(), session=f"s{number // 5}", speaker="Ann", scope=scope)


def live(folder: Path, days: int = 100) -> None:
    """Build that memory."""
    asyncio.run(alive(folder, days))


async def alive(folder: Path, days: int) -> None:
    """The statements of some days ago, and one day of turns."""
    clock = FakeClock(NOON - timedelta(days=days))
    async with Memory.open(folder, clock=clock, config=CONFIG) as memory:
        for number in range(3):
            await memory.remember(f"It is the spring number {number}.", key=str(number), source="inferred")
    clock.moment = NOON
    async with Memory.open(folder, clock=clock, config=CONFIG) as memory:
        await tell(memory, Scope())
        await memory.wait_until_embedded()


def night(folder: Path) -> None:
    """An undisturbed night."""
    asyncio.run(_night(folder, "nowhere", 0))


def night_killed_at(folder: Path, where: str, call: int) -> None:
    """A night that is killed at its ``call``-th report of a step, or at a question to its model."""
    asyncio.run(_night(folder, where, call))


class _Deadly:
    """A model whose ``call``-th question kills."""

    def __init__(self, model: LanguageModel, call: int) -> None:
        self._model = model
        self._left = call

    @property
    def model_id(self) -> str:
        return self._model.model_id

    async def ask(self, question: Question) -> Answer:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return await self._model.ask(question)


async def _night(folder: Path, where: str, call: int) -> None:
    told = 0

    def tell_or_die(step: str, _done: int, _of: int) -> None:
        nonlocal told
        told += step == where
        if told == call and step == where:
            os.kill(os.getpid(), signal.SIGKILL)

    model = model_for("model")
    assert model is not None
    async with lived(folder, _Deadly(model, call) if where == "answer" else model) as (memory, _):
        await memory.maintain(progress=tell_or_die)
