"""A bus in a folder, events for it, and a handler that notes its events."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from sandbox.bus import Bus, Patience
from sandbox.database import Database
from sandbox.process_locks import Owner
from sandbox.support.times import Clock, system_clock

STATE = "kernel.db"
QUICK = Patience(backoff=(0.001, 0.001, 0.001, 0.001), handler=5, closing=5)


@dataclass(frozen=True, slots=True)
class Said:
    """An event with a text."""

    topic: ClassVar[str] = "said"

    key: str
    text: str = ""
    session: str = "s"


@dataclass(frozen=True, slots=True)
class Done:
    """An event without a session."""

    topic: ClassVar[str] = "done"

    key: str
    at: datetime | None = None


@dataclass(slots=True)
class Listener:
    """Notes its events; before, it fails as often as ``failures`` says for the key of an event."""

    heard: list[Any] = field(default_factory=list)
    failures: dict[str, int] = field(default_factory=dict)
    attempts: list[str] = field(default_factory=list)

    async def __call__(self, event: Any) -> None:
        """Handle an event."""
        self.attempts.append(event.key)
        if self.failures.get(event.key, 0) > 0:
            self.failures[event.key] -= 1
            raise RuntimeError("the secret words of a person")
        self.heard.append(event)

    @property
    def keys(self) -> list[str]:
        """The keys of the events that it handled, in order."""
        return [event.key for event in self.heard]


@asynccontextmanager
async def bus_in(
    home: Path, *listeners: tuple[type, str, Any], clock: Clock = system_clock, patience: Patience = QUICK
) -> AsyncIterator[Bus]:
    """A started bus with these subscriptions. At the end it is closed, and its kernel is gone."""
    async with idle_bus_in(home, *listeners, clock=clock, patience=patience) as (bus, _):
        await bus.start()
        yield bus


@asynccontextmanager
async def idle_bus_in(
    home: Path, *listeners: tuple[type, str, Any], clock: Clock = system_clock, patience: Patience = QUICK
) -> AsyncIterator[tuple[Bus, Database]]:
    """The same bus with its database, before its start."""
    database = await Database.open(home / STATE)
    owner = Owner(home)
    bus = Bus(database, owner, clock, patience)
    try:
        for event, name, handler in listeners:
            bus.subscribe(event, name, handler)
        yield bus, database
    finally:
        await bus.close()
        await database.close()
        owner.close()


async def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until a condition is true."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 (in another process, or a file)
            await asyncio.sleep(0.001)


def rows(home: Path, sql: str, file: str = STATE) -> Sequence[tuple[Any, ...]]:
    """The rows that a statement gives in a file of the home."""
    with closing(sqlite3.connect(home / file)) as connection:
        return [tuple(row) for row in connection.execute(sql)]
