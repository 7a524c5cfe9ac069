"""The input of every step of a night, and its part of the report."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Asked, Prompt, ask, prompt_tokens
from sandbox.extensions.memory.asking.budget import SPENT, Budget
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.consolidate.judging import Judged
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import BadAnswer, EmbedderUnavailable, ModelUnavailable
from sandbox.extensions.memory.ports import LanguageModel, Question
from sandbox.extensions.memory.reports import LearningReport, Spent
from sandbox.extensions.memory.store import maintenance, nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.support.embedder import Embedder

A = TypeVar("A", bound=BaseModel)
P = TypeVar("P", bound=Asked[Any] | Judged)

NIGHT = "night"
"""The actor of the night in the log of changes."""

PAIRS_A_DAY = 50
"""Pairs of a user's memories, and of names, about which a model is asked in a day; ``causality`` has a setting."""

_LONGEST_EMBEDDING = 600.0  # seconds that the night waits for vectors
_MOST_NIGHTS = 31  # missed nights that one night makes up for


Tell = Callable[[int, int], None]
"""Called with the number of items that are done and of all; 0 if that is not known."""


@dataclass(frozen=True, slots=True)
class Night:
    """One run, at ``now`` (milliseconds). ``learn`` learns from waiting sessions within the given budget;
    ``wait_until_embedded`` returns when everything is embedded; ``tell`` gets the progress of the current step.
    """

    store: Store
    config: Config
    now: int
    model: LanguageModel | None
    embedder: Embedder | None
    budget: Budget
    dry_run: bool
    learn: Callable[[Budget, Tell], Awaitable[LearningReport]]
    wait_until_embedded: Callable[[], Awaitable[None]]
    tell: Tell


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
            await night.wait_until_embedded()


async def ask_within_budget(
    night: Night,
    tally: Tally,
    user_id: str,
    prompt: Prompt[A],
    **material: Any,
) -> Asked[A] | None:
    """The model's answer to a prompt; None as in ``within_budget``. Raises ``ModelUnavailable``."""
    assert night.model is not None
    asking = partial(ask, night.model, prompt, **material)
    return await within_budget(night, tally, user_id, prompt.question(**material), asking)


async def within_budget(
    night: Night, tally: Tally, user_id: str, question: Question, asking: Callable[[], Awaitable[P]]
) -> P | None:
    """The answer to a question; the caller records its cost with ``pay``, in the transaction of its results. None if
    there is no usable answer, if the budget is spent (which stops the step), and in a dry run, which counts the highest
    possible cost. Raises ``ModelUnavailable``.
    """
    if night.dry_run:
        tally.spent += estimate(question)
        return None
    if not night.budget.allows(user_id):
        tally.stopped[user_id] = SPENT
        return None
    try:
        asked = await asking()
    except (BadAnswer, ModelUnavailable) as error:
        await _give_up(night, tally, user_id, error)
        return None
    _spend(night, tally, user_id, asked.spent)
    return asked


def estimate(question: Question) -> Spent:
    """The highest cost of a question, as far as it is known beforehand."""
    return Spent(1, prompt_tokens(question), question.max_tokens)


def _spend(night: Night, tally: Tally, user_id: str, spent: Spent) -> None:
    night.budget.spend(spent, user_id)
    tally.spent += spent


def pay(tx: Transaction, night: Night, tally: Tally, user_id: str, asked: Asked[Any] | Judged) -> None:
    """Record the cost of an answer, in the transaction of its results."""
    assert night.model is not None
    maintenance.record_spent(tx, user_id, tally.step, night.model.model_id, asked.spent, asked.refused)


async def _give_up(night: Night, tally: Tally, user_id: str, error: BadAnswer | ModelUnavailable) -> None:
    """Count the cost of a question without a usable answer. If the model is unavailable, the step ends."""
    assert night.model is not None
    spent, refused = error.details.get("spent", Spent()), error.details.get("refused", {})
    _spend(night, tally, user_id, spent)
    name = night.model.model_id
    await night.store.write(lambda tx: maintenance.record_spent(tx, user_id, tally.step, name, spent, refused))
    if isinstance(error, ModelUnavailable):
        raise error
    tally.counts["unusable answers"] += 1


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
