"""What happens is told to everybody who subscribed: from the disk, in order, at least once."""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from sandbox import journal
from sandbox.database import Database, to_ms
from sandbox.errors import KernelClosed, StateFull, StateUnusable, SubscriptionRefused
from sandbox.events import Event
from sandbox.journal import Delivery, Parked, Route
from sandbox.owners import Owner
from sandbox.protocols import Clock

E = TypeVar("E", bound=Event)
T = TypeVar("T")
logger = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # that the topic and key of an event stay taken
_LAST = 1.0  # seconds for what was cancelled to end
_UNUSABLE = (StateFull, StateUnusable, sqlite3.Error)


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds a bus waits: between attempts to deliver, of which there is one more than pauses; for a
    handler; for handlers when it closes; between looks for what kernels left behind that died.
    """

    backoff: tuple[float, ...] = (0.1, 0.4, 1.6, 6.4)
    handler: float = 30.0
    closing: float = 5.0
    takeover: float = 60.0


@dataclass(frozen=True, slots=True)
class _Subscription:
    event: type[Event]
    handle: Callable[[Any], Awaitable[None]]


class Bus:
    """The events of one kernel. What it records it delivers itself, once it is started."""

    def __init__(self, database: Database, owner: Owner, clock: Clock, patience: Patience | None = None) -> None:
        self._database = database
        self._owner = owner
        self._clock = clock
        self._patience = patience or Patience()
        self._subscriptions: Mapping[Route, _Subscription] = {}  # never changed, only replaced: `record` has a thread
        self._workers: list[_Worker] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = asyncio.Event()

    def subscribe(self, event: type[E], handler_name: str, handler: Callable[[E], Awaitable[None]]) -> None:
        """Call ``handler`` with every event of the type. Raises ``SubscriptionRefused`` after the start, and where the
        name has a handler for the topic.
        """
        route = (handler_name, event.topic)
        problem = "it did so before" if route in self._subscriptions else "events are being delivered"
        if self._tasks or route in self._subscriptions:
            raise SubscriptionRefused(handler=handler_name, topic=event.topic, problem=problem)
        journal.adapter(event)  # an event that cannot be kept is refused here, not when the first one happens
        self._subscriptions = {**self._subscriptions, route: _Subscription(event, handler)}

    def unsubscribe(self, handler_name: str) -> None:
        """Forget a handler that cannot be told anything, before the start."""
        self._subscriptions = {route: each for route, each in self._subscriptions.items() if route[0] != handler_name}

    async def publish(self, event: Event) -> bool:
        """Tell everybody who subscribed; returns once it is on the disk. False: topic and key were known, nobody is
        told again. Raises ``StateFull``, ``StateUnusable``.
        """
        try:
            return await self._database.write(lambda connection: self.record(connection, event))
        finally:
            self.wake()  # also where the caller is cancelled: the write goes on, and the workers look after it

    def record(self, connection: sqlite3.Connection, event: Event) -> bool:
        """Publish within a transaction of the caller's, who calls ``wake`` after it."""
        handlers = [handler for handler, topic in self._subscriptions if topic == event.topic]
        return journal.record(connection, event, handlers, self._owner.id, to_ms(self._clock()))

    def wake(self) -> None:
        """Something was recorded."""
        for worker in self._workers:
            worker.wake()

    async def start(self) -> None:
        """Begin to deliver, first of all what kernels left behind that are dead. What was parked is tried once more."""

        def begin(connection: sqlite3.Connection) -> None:
            journal.prune(connection, to_ms(self._clock() - KEPT))
            self._take_over(connection)
            journal.unpark(connection, self._subscriptions, self._owner.id)

        await self._database.write(begin)
        for name in dict.fromkeys(handler for handler, _ in self._subscriptions):
            worker = _Worker(
                name, self._subscriptions, self._database, self._owner.id, self._clock, self._patience, self._closing
            )
            self._workers.append(worker)
            self._tasks.append(asyncio.create_task(worker.run(), name=f"bus-{name}"))
        self._tasks.append(asyncio.create_task(self._watch(), name="bus-watch"))

    async def settled(self) -> None:
        """Returns once this kernel has nothing left to deliver but what is parked."""
        while busy := [worker for worker in self._workers if not worker.idle.is_set()]:
            await busy[0].idle.wait()

    async def close(self) -> None:
        """Let handlers that run come to their end, for a while; what is left is delivered after the next start."""
        self._closing.set()
        self.wake()
        self._workers = []
        await _ended(self._tasks, self._patience.closing)
        for task in self._tasks:
            task.cancel()
        await _ended(self._tasks, _LAST)

    async def parked(self) -> tuple[Parked, ...]:
        """What was given up, by whichever kernel: the handler failed too often, or is not there any more."""
        return await self._database.read(journal.parked)

    async def retry_parked(self) -> int:
        """Try each once more that is parked and subscribed to here; how many those are."""
        count = await self._database.write(lambda raw: journal.unpark(raw, self._subscriptions, self._owner.id))
        self.wake()
        return count

    async def pending(self) -> int:
        """How many deliveries are waiting or under way, in whichever kernel."""
        return await self._database.read(journal.pending)

    async def erase(self, session: str) -> None:
        """Every word of a session goes from the journal, and from the bytes of its file; nobody is told of it any
        more. An ``Erase`` itself is delivered all the same. Raises ``StateUnusable``, ``StateFull``.
        """
        await self._database.write(lambda connection: journal.erase(connection, session))
        await self._database.forget_log()

    def _take_over(self, connection: sqlite3.Connection) -> None:
        now = to_ms(self._clock())
        journal.take_over(connection, self._subscriptions, self._owner.id, self._owner.is_alive, now)

    async def _watch(self) -> None:
        """Kernels may die while this one runs."""
        while not await _happens(self._closing, self._patience.takeover):
            try:
                await self._database.write(self._take_over, durable=False)
            except _UNUSABLE as error:
                logger.warning("what other kernels left behind was not looked for: %s", error)
            self.wake()


@dataclass(frozen=True, slots=True, eq=False)
class _Worker:
    """Tells one handler what it subscribed to, one event after the other."""

    name: str
    subscriptions: Mapping[Route, _Subscription]
    database: Database
    owner: str
    clock: Clock
    patience: Patience
    closing: asyncio.Event
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """There may be something to deliver, or it is time to end."""
        self.idle.clear()
        self.woken.set()

    async def run(self) -> None:
        """Until the bus closes."""
        try:
            while not self.closing.is_set():
                self.woken.clear()
                delivery = await self._insist(lambda: self.database.read(self._following))
                if delivery is not None:
                    await self._deliver(delivery)
                elif not self.woken.is_set():
                    self.idle.set()
                    await self.woken.wait()
        except (KernelClosed, *_UNUSABLE):
            pass  # it is the end, and what could not be written down is delivered again
        finally:
            self.idle.set()

    def _following(self, connection: sqlite3.Connection) -> Delivery | None:
        return journal.following(connection, self.name, self.owner, len(self.patience.backoff) + 1)

    async def _deliver(self, delivery: Delivery) -> None:
        problem = await self._attempt(delivery)
        if problem is None:
            await self._write(lambda connection: journal.finish(connection, delivery))
            return
        pauses = self.patience.backoff[delivery.attempts :]
        parked_at = None if pauses else to_ms(self.clock())
        told = f"again in {pauses[0]} s" if pauses else "parked"
        logger.warning("%s for %s: %s, %s", delivery.topic, self.name, problem, told)
        await self._write(lambda connection: journal.fail(connection, delivery, problem, parked_at))
        if pauses:
            await _happens(self.closing, pauses[0])

    async def _attempt(self, delivery: Delivery) -> str | None:
        """The kind of the error; None where the handler is done."""
        subscription = self.subscriptions[self.name, delivery.topic]
        try:
            event = journal.adapter(subscription.event).validate_json(delivery.payload)
            async with asyncio.timeout(self.patience.handler):
                await subscription.handle(event)
        except Exception as error:
            return type(error).__name__
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return type(error).__name__  # something within the handler was cancelled, not this worker
        return None

    async def _write(self, function: Callable[[sqlite3.Connection], None]) -> None:
        await self._insist(lambda: self.database.write(function, durable=False))

    async def _insist(self, call: Callable[[], Awaitable[T]]) -> T:
        """A full disk neither ends a worker nor has a handler called again. Raises where it lasts until the end."""
        while True:
            try:
                return await call()
            except _UNUSABLE as error:
                logger.warning("events for %s have to wait: %s", self.name, error)
                if await _happens(self.closing, self.patience.backoff[-1]):
                    raise


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Whether it does so within the time."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


async def _ended(tasks: list[asyncio.Task[None]], seconds: float) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
