"""The input of every step of a night, and its part of the report."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Asked, Prompt, ask, prompt_tokens
from sandbox.extensions.memory.asking.budget import SPENT, Budget
from sandbox.extensions.memory.consolidate.learner import Learner
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import BadAnswer, EmbedderUnavailable, ModelUnavailable
from sandbox.extensions.memory.ports import LanguageModel, Question
from sandbox.extensions.memory.reports import Spent
from sandbox.extensions.memory.runtime import Runtime
from sandbox.extensions.memory.store import maintenance, nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction

A = TypeVar("A", bound=BaseModel)

NIGHT = "night"
"""The actor of the night in the log of changes."""

PAIRS_A_DAY = 50
"""Pairs of a user's memories, and of names, about which a model is asked in a day; ``causality`` has a setting."""

_LONGEST_EMBEDDING = 600.0  # seconds that the night waits for vectors
_MOST_NIGHTS = 31  # missed nights that one night makes up for


@dataclass(frozen=True, slots=True)
class Night:
    """One run, at ``now`` (milliseconds). ``tell`` is called with the progress of the current step: the number of items
    that are done and of all; 0 if that is not known.
    """

    runtime: Runtime
    store: Store
    model: LanguageModel | None
    learner: Learner
    now: int
    budget: Budget
    dry_run: bool
    tell: Callable[[int, int], None] = lambda *_: None


@dataclass(slots=True)
class Tally:
    """What a step has done so far. It stays valid if the step fails."""

    step: str
    counts: Counter[str] = field(default_factory=Counter)
    spent: Spent = field(default_factory=Spent)
    skipped: str | None = None  # why the step has nothing to work with
    stopped: dict[str, str] = field(default_factory=dict)  # why it continues the next night, by user
    ids: list[str] = field(default_factory=list)


Step = Callable[[Night, Tally], Awaitable[None]]


async def each_user(night: Night) -> AsyncIterator[str]:
    """All users with knowledge; it reports progress."""
    users = await night.store.read(nodes.users)
    for done, user_id in enumerate(users):
        night.tell(done, len(users))
        yield user_id


async def wait_until_embedded(night: Night) -> None:
    """Return when everything has its vector, when the provider fails, or after a limit."""
    if night.dry_run:
        return
    with suppress(EmbedderUnavailable, TimeoutError):
        async with asyncio.timeout(_LONGEST_EMBEDDING):
            await night.runtime.wait_until_embedded()


async def ask_within_budget(
    night: Night, tally: Tally, user_id: str, prompt: Prompt[A], **material: Any
) -> Asked[A] | None:
    """The model's answer to a prompt; the caller records its cost with ``pay``, in the transaction of its results. None
    if there is no usable answer, if the budget is spent (which stops the step), and in a dry run, which counts the
    highest possible cost. Raises ``ModelUnavailable``, which ends the step.
    """
    assert night.model is not None
    if night.dry_run:
        tally.spent += estimate(prompt.question(**material))
        return None
    if not night.budget.allows(user_id):
        tally.stopped[user_id] = SPENT
        return None
    name, answer, problem = night.model.model_id, None, None
    try:
        answer = await ask(night.model, prompt, **material)
        spent = answer.spent
    except (BadAnswer, ModelUnavailable) as error:
        problem, spent, refused = error, error.details["spent"], error.details["refused"]
        await night.store.write(lambda tx: maintenance.record_spent(tx, user_id, tally.step, name, spent, refused))
        tally.counts["unusable answers"] += isinstance(error, BadAnswer)
    night.budget.spend(spent, user_id)
    tally.spent += spent
    if isinstance(problem, ModelUnavailable):
        raise problem
    return answer


def estimate(question: Question) -> Spent:
    """The highest cost of a question, as far as it is known beforehand."""
    return Spent(1, prompt_tokens(question), question.max_tokens)


def pay(tx: Transaction, night: Night, tally: Tally, user_id: str, asked: Asked[Any]) -> None:
    """Record the cost of an answer, in the transaction of its results."""
    assert night.model is not None
    maintenance.record_spent(tx, user_id, tally.step, night.model.model_id, asked.spent, asked.refused)


async def allowance(night: Night, user_id: str, step: str, limit: int) -> tuple[int, int]:
    """How many pairs ``step`` may examine now: ``limit`` for every night since it last ran, less today's; and when it
    last ran, or when the user's first memory was stored (milliseconds).
    """

    def read(snapshot: Snapshot) -> tuple[int, int]:
        ran_at, first_at = maintenance.mark(snapshot, user_id, step).at, nodes.first_at(snapshot, user_id)
        since = next((at for at in (ran_at, first_at) if at is not None), night.now)
        today = night.now // DAY
        nights = min(_MOST_NIGHTS, max(1, today - since // DAY))
        return max(0, limit * nights - maintenance.pairs_counted(snapshot, user_id, step, today * DAY)), since

    return await night.store.read(read)
