"""Tasks at the times their crons name: one run for however many times were missed, never two at once, by any kernel.

What was last taken on is kept in the table `runs`. Every look at the clock compares it with the cron, so that nothing
depends on being awake at the right moment.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter
from typing import Literal
from zoneinfo import ZoneInfo

from sandbox.cron import Cron
from sandbox.database import Database, from_ms, to_ms
from sandbox.errors import SandboxError
from sandbox.foreign import Failed, attempt, ended
from sandbox.owners import Owner
from sandbox.protocols import Clock

logger = logging.getLogger(__name__)

Outcome = Literal["ok", "failed"]


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


@dataclass(frozen=True, slots=True)
class Record:
    """The last run of a task, if there was one, and its next; times in the scheduler's zone. ``problem`` is the kind of
    the error, or that it was cut off. A ``next_at`` that has passed is made up for at the next look.
    """

    task: str
    due_at: datetime | None
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
        self._looks: set[asyncio.Task[None]] = set()

    def look(self) -> None:
        """Run what is due, in the background."""
        look = asyncio.create_task(self._look())
        self._looks.add(look)
        look.add_done_callback(self._looks.discard)

    async def settled(self) -> None:
        """Returns once everything that was found due has ended."""
        while self._looks:
            await asyncio.wait(self._looks)

    async def close(self, seconds: float = 10) -> None:
        """Give what runs so long to end, then cancel it; the next kernel runs it again."""
        await ended(self._looks, seconds)

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

    async def history(self) -> list[Record]:
        """Every task, in the order they were given."""
        rows = await self._database.read(lambda connection: connection.execute("SELECT * FROM runs").fetchall())
        known = {row["task"]: row for row in rows}
        return [self._record(task.name, known.get(task.name)) for task in self._tasks]

    def _record(self, task: str, row: sqlite3.Row | None) -> Record:
        last = from_ms(row["due_at"]) if row else self._clock()
        next_at = self._crons[task].after(last)
        next_at = next_at and next_at.astimezone(self._zone)
        if row is None or row["owner"] is None:
            return Record(task, None, None, None, next_at)
        is_cut_off = row["outcome"] is None and not self._owner.is_alive(row["owner"])
        problem = "cut off" if is_cut_off else row["problem"]
        return Record(task, last.astimezone(self._zone), row["outcome"], problem, next_at)

    async def _look(self) -> None:
        try:
            await self.run_due()
        except Exception as error:
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
        is_open = row["owner"] is not None and row["outcome"] is None
        if is_open and row["owner"] != self._owner.id and self._owner.is_alive(row["owner"]):
            return None
        last = from_ms(row["due_at"])
        due_at = self._crons[task.name].last(last, now) or (last if is_open else None)
        if due_at is not None:
            connection.execute(
                "UPDATE runs SET due_at = ?, owner = ?, outcome = NULL, problem = NULL WHERE task = ?",
                (to_ms(due_at), self._owner.id, task.name),
            )
        return due_at

    async def _run(self, task: Task, due_at: datetime) -> Run:
        logger.info("%s, due %s, begins", task.name, _told(due_at.astimezone(self._zone)))
        began = perf_counter()
        try:
            run = Run(task.name, due_at, "ok", await attempt(task.run()))
        except Failed as failed:
            run = Run(task.name, due_at, "failed", failed.kind)
        problem = run.said if run.outcome == "failed" else None
        sql = "UPDATE runs SET outcome = ?, problem = ? WHERE task = ?"
        await self._database.write(lambda connection: connection.execute(sql, (run.outcome, problem, task.name)))
        logger.info("%s ended after %.1f s: %s", task.name, perf_counter() - began, problem or run.outcome)
        return run


def _told(moment: datetime) -> str:
    return moment.isoformat(" ", "minutes")
