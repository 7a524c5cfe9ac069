"""Run tasks at the times of their crons: once for any number of missed times, and never twice at the same time, in any
kernel.

The table `runs` stores the last scheduled time that a kernel handled. Every look at the clock compares it with the
cron, so that no kernel has to be awake at the right moment.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import perf_counter
from typing import Literal
from zoneinfo import ZoneInfo

from sandbox.cron import Cron
from sandbox.database import Database
from sandbox.guarded_calls import Failed, attempt
from sandbox.process_locks import Owner
from sandbox.secrets import mask
from sandbox.support.characters import storable
from sandbox.support.times import Clock, from_ms, to_ms

logger = logging.getLogger(__name__)

TaskOutcome = Literal["ok", "failed"]

CUT_OFF = "cut off"
_CLOCK_WAS_WRONG = timedelta(days=1)  # a run that is further in the future has a wrong time, and is not waited for
_LONGEST = 300  # characters of a task's line


@dataclass(frozen=True, slots=True)
class Task:
    """A task and its cron; ``run`` returns a line about what was done. ``name`` is ``extension/task``."""

    name: str
    cron: str
    run: Callable[[], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Run:
    """The last run of a task, if there was one, and the time of the next; times in the scheduler's zone. ``said`` is
    the task's own line, or the kind of its error, or that it was cut off. A ``next_at`` in the past runs at the next
    look.
    """

    task: str
    at: datetime | None
    outcome: TaskOutcome | None
    said: str
    next_at: datetime | None


@dataclass(frozen=True, slots=True, eq=False)
class Scheduler:
    """Runs tasks. Kernels that share a home share its table of runs. Crons use the zone; None is this machine's."""

    _database: Database
    _owner: Owner
    _clock: Clock
    _zone: ZoneInfo | None
    _tasks: Sequence[Task]
    _running: set[str] = field(default_factory=set)

    async def run_due(self) -> list[Run]:
        """Run every due task side by side, each once for all its missed times; return when they have ended. A new task
        is first due at its next time. A task that runs, here or in another kernel, is not started; one that was cut off
        or cancelled is repeated once. Raises ``StateFull``, ``StateUnusable``.
        """
        found = await asyncio.gather(*map(self._run_if_due, self._tasks), return_exceptions=True)
        for each in found:
            if isinstance(each, BaseException):
                raise each
        return [each for each in found if isinstance(each, Run)]

    async def last_runs(self) -> list[Run]:
        """The last run of every task, in the order of the tasks."""
        rows = await self._database.read(lambda connection: connection.execute("SELECT * FROM runs").fetchall())
        known = {row["task"]: row for row in rows}
        return [self._last_run(task, known.get(task.name)) for task in self._tasks]

    def _last_run(self, task: Task, row: sqlite3.Row | None) -> Run:
        last = from_ms(row["at"]) if row else self._clock()
        next_at = Cron(task.cron, self._zone).after(last)
        next_at = next_at and next_at.astimezone(self._zone)
        if row is None or row["owner"] is None:
            return Run(task.name, None, None, "", next_at)
        said = "running" if self._owner.is_alive(row["owner"]) else CUT_OFF
        said = (row["said"] or "") if row["outcome"] else said
        return Run(task.name, last.astimezone(self._zone), row["outcome"], said, next_at)

    async def _run_if_due(self, task: Task) -> Run | None:
        if task.name in self._running:
            return None
        self._running.add(task.name)
        try:
            now = self._clock()
            is_due = await self._database.write(lambda connection: self._claim(connection, task, now))
            return await self._run(task) if is_due else None
        finally:
            self._running.discard(task.name)

    def _claim(self, connection: sqlite3.Connection, task: Task, now: datetime) -> bool:
        """Whether this kernel has claimed a run."""
        row = connection.execute("SELECT * FROM runs WHERE task = ?", (task.name,)).fetchone()
        if row is None or from_ms(row["at"]) - now > _CLOCK_WAS_WRONG:
            connection.execute("INSERT OR REPLACE INTO runs (task, at) VALUES (?, ?)", (task.name, to_ms(now)))
            return False
        is_open = row["owner"] is not None and row["outcome"] is None
        if is_open and not self._owner.may_take_up(row["owner"]):
            return False
        next_at = Cron(task.cron, self._zone).after(from_ms(row["at"]))
        is_due = next_at is not None and next_at <= now
        if is_open and not is_due and row["said"] == CUT_OFF:  # a second time; the task may be what kills its kernels
            connection.execute("UPDATE runs SET outcome = 'failed' WHERE task = ?", (task.name,))
            return False
        if not is_open and not is_due:
            return False
        connection.execute(
            "UPDATE runs SET at = ?, owner = ?, outcome = NULL, said = ? WHERE task = ?",
            (to_ms(now), self._owner.id, None if is_due else CUT_OFF, task.name),
        )
        return True

    async def _run(self, task: Task) -> Run:
        logger.info("%s begins", task.name)
        began = perf_counter()
        try:
            line = str(await attempt(task.run()))
            outcome, said = "ok", mask(storable(" ".join(line.split()))).text[:_LONGEST]
        except Failed as failed:
            outcome, said = "failed", failed.kind

        def write(connection: sqlite3.Connection) -> Run:
            sql = "UPDATE runs SET outcome = ?, said = ? WHERE task = ? RETURNING *"
            (row,) = connection.execute(sql, (outcome, said, task.name))
            return self._last_run(task, row)

        logger.info("%s ended after %.1f s, %s: %s", task.name, perf_counter() - began, outcome, said)
        return await self._database.write(write)
