"""Tasks at the times their crons name: one run for however many times were missed, never two at once, by any kernel.

What was last taken on is kept in the table `runs`. Every look at the clock compares it with the cron, so that nothing
depends on being awake at the right moment; APScheduler only sees to it that there is a look every minute.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

from sandbox.cron import Cron
from sandbox.database import Database, from_ms, to_ms
from sandbox.errors import SandboxError
from sandbox.owners import Owner
from sandbox.protocols import Clock

if TYPE_CHECKING:
    from apscheduler.schedulers.asyncio import AsyncIOScheduler

logger = logging.getLogger(__name__)

Outcome = Literal["ok", "failed"]

_MINUTE = timedelta(minutes=1)  # what a cron can tell apart
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # looks fall on whole minutes, as crons do


@dataclass(frozen=True, slots=True)
class Task:
    """What is run when its cron says so; ``run`` says in a line what was done. ``name`` is ``extension/task``."""

    name: str
    cron: str
    run: Callable[[], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Run:
    """A run that ended. ``said`` is the task's own line, or the kind of the error where it failed."""

    task: str
    due_at: datetime
    outcome: Outcome
    said: str
    seconds: float


@dataclass(frozen=True, slots=True)
class History:
    """The last run of a task, if there was one, and its next; times in the scheduler's zone. ``problem`` is the kind of
    the error, or that it was cut off. A ``next_at`` that has passed is made up for at the next look.
    """

    task: str
    due_at: datetime | None
    ended_at: datetime | None
    outcome: Outcome | None
    problem: str | None
    next_at: datetime | None

    def __str__(self) -> str:
        last = f"{_told(self.due_at)}: {self.problem or self.outcome or 'running'}" if self.due_at else "never run"
        return f"{last}; next {_told(self.next_at)}" if self.next_at else f"{last}; never due again"


class Scheduler:
    """Runs tasks. Kernels that share a home share its table of runs."""

    def __init__(
        self, database: Database, owner: Owner, clock: Clock, timezone: str | None, tasks: Sequence[Task]
    ) -> None:
        self._database = database
        self._owner = owner
        self._clock = clock
        self._tasks = tasks
        self._zone = ZoneInfo(timezone) if timezone else None
        self._crons = {task.name: Cron(task.cron, self._zone) for task in tasks}
        self._running: set[str] = set()
        self._looks: set[asyncio.Task[list[Run]]] = set()
        self._ticker: AsyncIOScheduler | None = None

    async def start(self, every: timedelta = _MINUTE) -> None:
        """Run what was missed, in the background, and from now on whatever is due, looking so often."""
        from apscheduler.schedulers.asyncio import AsyncIOScheduler
        from apscheduler.triggers.interval import IntervalTrigger

        self._look()
        logging.getLogger("apscheduler").setLevel(logging.WARNING)  # it would tell of every look
        self._ticker = AsyncIOScheduler(timezone=UTC)
        trigger = IntervalTrigger(seconds=every.total_seconds(), start_date=_EPOCH)
        self._ticker.add_job(self._tick, trigger, coalesce=True, max_instances=1, misfire_grace_time=None)
        self._ticker.start()

    async def close(self, seconds: float = 10) -> None:
        """Start nothing more, give what runs that long to end, then cancel it; the next kernel runs it again."""
        if self._ticker is not None:
            self._ticker.shutdown(wait=False)
            self._ticker = None
            await asyncio.sleep(0)  # it stops in the next round of the loop
        if self._looks:
            _, late = await asyncio.wait(self._looks, timeout=seconds)
            for look in late:
                look.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def settled(self) -> None:
        """Returns once everything that was found due has ended."""
        while self._looks:
            await asyncio.wait(self._looks)

    async def run_due(self) -> list[Run]:
        """Run every task that is due, side by side, each once however many times were missed; returns when they have
        ended. A task that is seen for the first time is due at its next time. What runs already, here or in another
        kernel, is left alone; what a dead one left behind is run again. Raises ``StateFull``, ``StateUnusable``.
        """
        found = await asyncio.gather(*map(self._run_if_due, self._tasks), return_exceptions=True)
        for each in found:
            if isinstance(each, BaseException):
                raise each
        return [each for each in found if isinstance(each, Run)]

    async def history(self) -> list[History]:
        """Every task, in the order they were given."""
        rows = await self._database.read(lambda connection: connection.execute("SELECT * FROM runs").fetchall())
        known = {row["task"]: row for row in rows}
        return [self._history(task.name, known.get(task.name)) for task in self._tasks]

    def _history(self, task: str, row: sqlite3.Row | None) -> History:
        last = from_ms(row["due_at"]) if row else self._clock()
        fires_at = self._crons[task].after(last)
        next_at = fires_at and fires_at.astimezone(self._zone)
        if row is None or row["started_at"] is None:
            return History(task, None, None, None, None, next_at)
        due_at = last.astimezone(self._zone)
        if row["ended_at"] is None:
            problem = None if self._owner.is_alive(row["owner"]) else "cut off"
            return History(task, due_at, None, None, problem, next_at)
        ended_at = from_ms(row["ended_at"]).astimezone(self._zone)
        return History(task, due_at, ended_at, row["outcome"], row["problem"], next_at)

    async def _tick(self) -> None:
        self._look()

    def _look(self) -> None:
        look = asyncio.create_task(self.run_due())
        self._looks.add(look)
        look.add_done_callback(self._looked)

    def _looked(self, look: "asyncio.Task[list[Run]]") -> None:
        self._looks.discard(look)
        if not look.cancelled() and (error := look.exception()):
            reason = error if isinstance(error, SandboxError) else type(error).__name__
            logger.error("tasks that are due cannot be run: %s", reason)

    async def _run_if_due(self, task: Task) -> Run | None:
        if task.name in self._running:
            return None
        self._running.add(task.name)
        try:
            now = self._clock()
            due_at = await self._database.write(lambda connection: self._claim(connection, task, now))
            return None if due_at is None else await self._run(task, due_at)
        finally:
            self._running.discard(task.name)

    def _claim(self, connection: sqlite3.Connection, task: Task, now: datetime) -> datetime | None:
        """The due time that this kernel has taken on, if there is one."""
        row = connection.execute("SELECT * FROM runs WHERE task = ?", (task.name,)).fetchone()
        if row is None:
            connection.execute("INSERT INTO runs (task, due_at) VALUES (?, ?)", (task.name, to_ms(now)))
            return None
        is_open = row["started_at"] is not None and row["ended_at"] is None
        if is_open and row["owner"] != self._owner.id and self._owner.is_alive(row["owner"]):
            return None
        last = from_ms(row["due_at"])
        due_at = self._crons[task.name].last(last, now) or (last if is_open else None)
        if due_at is not None:
            connection.execute(
                "UPDATE runs SET due_at = ?, started_at = ?, owner = ?, ended_at = NULL, outcome = NULL, problem = NULL"
                " WHERE task = ?",
                (to_ms(due_at), to_ms(now), self._owner.id, task.name),
            )
        return due_at

    async def _run(self, task: Task, due_at: datetime) -> Run:
        logger.info("%s, due %s, begins", task.name, _told(due_at.astimezone(self._zone)))
        began = perf_counter()
        outcome, said = await _outcome(task)
        run = Run(task.name, due_at, outcome, said, perf_counter() - began)
        problem = said if outcome == "failed" else None
        ended_at = to_ms(self._clock())
        await self._database.write(
            lambda connection: connection.execute(
                "UPDATE runs SET ended_at = ?, outcome = ?, problem = ? WHERE task = ?",
                (ended_at, outcome, problem, task.name),
            )
        )
        logger.info("%s ended after %.1f s: %s", task.name, run.seconds, problem or outcome)
        return run


async def _outcome(task: Task) -> tuple[Outcome, str]:
    try:
        return "ok", await task.run()
    except asyncio.CancelledError as error:
        if (this := asyncio.current_task()) and this.cancelling():
            raise  # by `close`; else something inside the task was cancelled, which is its failure
        return "failed", type(error).__name__
    except Exception as error:
        return "failed", type(error).__name__


def _told(moment: datetime) -> str:
    return moment.isoformat(" ", "minutes")
