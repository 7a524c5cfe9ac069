"""The input of every step of a night, and its part of the report."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from sandbox.extensions.memory.asking.ask import Asked, Prompt, ask
from sandbox.extensions.memory.asking.budget import Budget
from sandbox.extensions.memory.asking.question import prompt_tokens
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.errors import BadAnswer, EmbedderUnavailable, ModelUnavailable
from sandbox.extensions.memory.model import Spent
from sandbox.extensions.memory.ports import LanguageModel, Question
from sandbox.extensions.memory.reports import LearningReport
from sandbox.extensions.memory.store import maintenance
from sandbox.extensions.memory.store.memories import facts
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.sqlite.writer import Transaction
from sandbox.support.embedder import Embedder

A = TypeVar("A", bound=BaseModel)

NIGHT = "night"
"""Who did it, in the log of changes."""

BUDGET_SPENT = "the token budget is spent"

_LONGEST_EMBEDDING = 600.0  # seconds that the night waits for vectors
_MOST_NIGHTS = 31  # that one makes up for


Tell = Callable[[int, int], None]
"""Called with how much is done, and of how many; of 0 where that is not known."""


def _unheard(done: int, of: int) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Night:
    """One run, at ``now`` (milliseconds). ``learn`` learns from the sessions that wait and spends of the budget it is
    given; ``wait_until_embedded`` returns once everything is embedded; ``tell`` hears of the current step.
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
    tell: Tell = _unheard


@dataclass(slots=True)
class Tally:
    """What a step has done so far: what is here when it fails was done all the same."""

    step: str
    counts: Counter[str] = field(default_factory=Counter)
    spent: Spent = field(default_factory=Spent)
    skipped: str | None = None
    stopped: str | None = None
    ids: list[str] = field(default_factory=list)

    def skip(self, why: str) -> None:
        """There is nothing this step could work with."""
        self.skipped = why

    def stop(self, why: str) -> None:
        """It goes on next night."""
        self.stopped = why


Step = Callable[[Night, Tally], Awaitable[None]]


async def each_user(night: Night) -> AsyncIterator[str]:
    """Everybody who knows something; who is done is told meanwhile."""
    users = await night.store.read(facts.users)
    for done, user_id in enumerate(users):
        night.tell(done, len(users))
        yield user_id


async def wait_until_embedded(night: Night) -> None:
    """Returns once everything has its vector, or the provider fails, or this takes too long."""
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
    check: Callable[[A], Sequence[str]],
    *,
    lenient: bool = False,
    **material: Any,
) -> Asked[A] | None:
    """The model's answer, yet to be paid for by ``pay`` with what it brings. None where there is no usable one, where
    the budget is spent, which stops the step, and on a dry run, which counts what asking would cost at most. Raises
    ``ModelUnavailable``.
    """
    assert night.model is not None
    if night.dry_run:
        tally.spent += estimate(prompt.question(**material))
        return None
    if not night.budget.allows(user_id):
        tally.stop(BUDGET_SPENT)
        return None
    try:
        asked = await ask(night.model, prompt, check=check, lenient=lenient, **material)
    except (BadAnswer, ModelUnavailable) as error:
        await give_up(night, tally, user_id, error)
        return None
    spend(night, tally, user_id, asked.spent)
    return asked


def estimate(question: Question) -> Spent:
    """What asking costs at most, as far as is known beforehand."""
    return Spent(1, prompt_tokens(question), question.max_tokens)


def spend(night: Night, tally: Tally, user_id: str, spent: Spent) -> None:
    """Count what was asked on behalf of a user."""
    night.budget.spend(spent, user_id)
    tally.spent += spent


class Paid(Protocol):
    """An answer, as far as its cost goes."""

    @property
    def spent(self) -> Spent:
        """What it cost."""
        ...

    @property
    def refused(self) -> Mapping[str, int]:
        """How many answers went back on the way, by kind."""
        ...


def pay(tx: Transaction, night: Night, tally: Tally, user_id: str, asked: Paid) -> None:
    """Note what an answer cost, in the transaction of what it brought."""
    assert night.model is not None
    maintenance.record_spent(tx, user_id, tally.step, night.model.model_id, asked.spent, asked.refused)


async def give_up(night: Night, tally: Tally, user_id: str, error: BadAnswer | ModelUnavailable) -> None:
    """A question got no usable answer: it is paid for, and asked again another night. A model that cannot be reached
    ends the step.
    """
    assert night.model is not None
    spent, refused = error.details.get("spent", Spent()), error.details.get("refused", {})
    spend(night, tally, user_id, spent)
    name = night.model.model_id
    await night.store.write(lambda tx: maintenance.record_spent(tx, user_id, tally.step, name, spent, refused))
    if isinstance(error, ModelUnavailable):
        raise error
    tally.counts["unusable answers"] += 1


async def allowance(night: Night, user_id: str, step: str, limit: int) -> tuple[int, int]:
    """How many pairs ``step`` may look at now: ``limit`` for every night since it was last done, less today's; and when
    that was, or the first thing was remembered (milliseconds).
    """

    def read(snapshot: Snapshot) -> tuple[int, int]:
        mark = maintenance.mark(snapshot, user_id, step)
        first_at = facts.first_at(snapshot)
        since = mark.at if mark is not None else night.now if first_at is None else first_at
        today = night.now // DAY
        nights = min(_MOST_NIGHTS, max(1, today - since // DAY))
        return max(0, limit * nights - maintenance.pairs_counted(snapshot, user_id, step, today * DAY)), since

    return await night.store.read(read)
