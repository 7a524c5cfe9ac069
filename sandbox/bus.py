"""Deliver events to all subscribers: from the disk, in order, at least once."""

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from sandbox import journal
from sandbox.database import Database
from sandbox.errors import KernelClosed, StateFull, StateUnusable, SubscriptionRefused
from sandbox.events import Event
from sandbox.guarded_calls import Failed, attempt, ended
from sandbox.journal import Delivery, Parked, Route
from sandbox.process_locks import Owner
from sandbox.support.times import Clock, to_ms

E = TypeVar("E", bound=Event)
T = TypeVar("T")
logger = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # for which topic and key of an event are remembered
_Tell = Callable[[str], Awaitable[None]]  # called with an event in its stored form
_UNUSABLE = (StateFull, StateUnusable, sqlite3.Error)
_LOOKS = 0.1  # seconds between looks whether something could not be stored


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits in seconds: the pauses between attempts to deliver (there is one more attempt than pauses), the time of a
    handler, and the time of all handlers when the bus closes.
    """

    backoff: tuple[float, ...] = (0.1, 0.4, 1.6, 6.4)
    handler: float = 30.0
    closing: float = 5.0


class Bus:
    """The events of one kernel. Once started, it delivers the events it records."""

    def __init__(self, database: Database, owner: Owner, clock: Clock, patience: Patience | None = None) -> None:
        self._database = database
        self._owner = owner
        self._clock = clock
        self._patience = patience or Patience()
        # never changed, only replaced, because `record` runs in a thread
        self._subscriptions: Mapping[Route, _Tell] = {}
        self._handlers: Sequence[str] | None = None  # None before the start
        self._workers: dict[str, asyncio.Task[None]] = {}  # of handlers that may have deliveries
        self._woken: set[str] = set()  # handlers that may have new deliveries
        self._closing = asyncio.Event()
        self._unstored: Exception | None = None  # why the state of a delivery could not be stored just now

    def subscribe(self, event: type[E], handler_name: str, handler: Callable[[E], Awaitable[None]]) -> None:
        """Call ``handler`` with every event of the type. Raises ``SubscriptionRefused`` after the start, and if the
        name already has a handler for the topic.
        """
        route = (handler_name, event.topic)
        problem = "it did so before" if route in self._subscriptions else "events are being delivered"
        if self._handlers is not None or route in self._subscriptions:
            raise SubscriptionRefused(handler=handler_name, topic=event.topic, problem=problem)
        journal.adapter(event)  # an event type that cannot be stored is refused here, not at the first event

        async def tell(payload: str) -> None:
            await handler(journal.decode(event, payload))

        self._subscriptions = {**self._subscriptions, route: tell}

    def unsubscribe(self, handler_name: str) -> None:
        """Remove a handler before the start."""
        self._subscriptions = {route: each for route, each in self._subscriptions.items() if route[0] != handler_name}

    async def publish(self, event: Event) -> bool:
        """Publish an event; return when it is on the disk. False if its topic and key are known; then nobody gets it
        again. Raises ``StateFull``, ``StateUnusable``.
        """
        return await self.write(lambda connection: self.record(connection, event))

    async def write(self, function: Callable[[sqlite3.Connection], T], *, durable: bool = True) -> T:
        """Run a transaction that may ``record`` events, and deliver these."""
        try:
            written, self._unstored = await self._database.write(function, durable=durable), None
            return written
        finally:
            self._wake()  # also if the caller is cancelled, because the write continues, and the workers handle it

    def record(self, connection: sqlite3.Connection, event: Event) -> bool:
        """Publish within a transaction of ``write``."""
        handlers = [handler for handler, topic in self._subscriptions if topic == event.topic]
        return journal.record(connection, event, handlers, self._owner.id, to_ms(self._clock()))

    async def start(self, *, retry: bool = False) -> None:
        """Start to deliver, first the events of dead kernels. A parked delivery is tried once more; one that repeatedly
        ended the process only with ``retry``.
        """
        await self._database.write(lambda connection: self._start(connection, retry))
        self._handlers = list(dict.fromkeys(handler for handler, _ in self._subscriptions))
        self._wake()

    async def take_over(self) -> None:
        """Deliver the events of kernels that died since, and delete old events that were delivered."""
        await self.write(self._take_over, durable=False)

    async def settled(self) -> None:
        """Return when this kernel has no deliveries left except parked ones. Raises ``StateFull`` or ``StateUnusable``
        while it cannot be stored what was delivered.
        """
        while self._workers:
            if self._unstored is not None:
                raise self._unstored
            await asyncio.wait(self._workers.values(), timeout=_LOOKS)

    async def close(self) -> None:
        """Wait a limited time for running handlers; the next start delivers the rest."""
        self._closing.set()
        await ended(self._workers.values(), self._patience.closing)
        self._workers = {}

    async def parked(self) -> tuple[Parked, ...]:
        """Deliveries that any kernel gave up: the handler failed too often, or is not there."""
        return await self._database.read(journal.parked)

    async def pending(self) -> int:
        """The number of deliveries that wait or run, in all kernels."""
        return await self._database.read(journal.pending)

    async def erase(self, session: str, user: str) -> None:
        """Erase the text of a user's session from the journal, and its bytes from the file; its events are not
        delivered. An ``Erase`` event itself is delivered. Raises ``StateUnusable``, ``StateFull``.
        """
        await self._database.write(lambda connection: journal.erase(connection, session, user))
        await self._database.forget_bytes()

    async def erase_parked(self, user: str, session: str) -> None:
        """Erase the parked events of a user, and the name of an erased session that this kernel did not have, with
        their bytes. Raises ``StateUnusable``, ``StateFull``.
        """

        def drop(connection: sqlite3.Connection) -> None:
            journal.erase_parked(connection, user)
            journal.forget_name(connection, session)

        await self._database.write(drop)
        await self._database.forget_bytes()

    # --- helpers ------------------------------------------------------------------------------------------------------

    @property
    def _most_attempts(self) -> int:
        return len(self._patience.backoff) + 1

    def _start(self, connection: sqlite3.Connection, retry: bool) -> None:
        self._take_over(connection)
        problems = journal.reasons(connection) - (set() if retry else {journal.PROCESS_ENDED})
        journal.adopt(connection, self._subscriptions, self._owner.id, problems)

    def _take_over(self, connection: sqlite3.Connection) -> None:
        now = self._clock()
        journal.prune(connection, to_ms(now - KEPT))
        journal.park_orphaned(connection, self._owner.is_alive, to_ms(now), self._most_attempts)
        journal.adopt(connection, self._subscriptions, self._owner.id, [journal.NOT_SUBSCRIBED])

    def _wake(self) -> None:
        """Deliver newly recorded events."""
        for handler in self._handlers or ():
            self._woken.add(handler)
            if handler not in self._workers:
                self._workers[handler] = asyncio.create_task(self._work(handler), name=f"bus-{handler}")

    async def _work(self, handler: str) -> None:
        """Deliver to one handler, one event after the other, until none is left or the bus closes."""
        try:
            while not self._closing.is_set():
                self._woken.discard(handler)
                delivery = await self._persist(
                    lambda raw: journal.begin(raw, handler, self._owner.id, self._most_attempts)
                )
                if delivery is not None:
                    await self._deliver(delivery)
                elif handler not in self._woken:
                    break
        except (KernelClosed, *_UNUSABLE):
            pass  # the bus closes; deliveries that could not be recorded are repeated
        finally:
            self._workers.pop(handler, None)

    async def _deliver(self, delivery: Delivery) -> None:
        tell = self._subscriptions[delivery.handler, delivery.topic]
        try:
            await attempt(tell(delivery.payload), self._patience.handler)
        except Failed as failed:
            await self._retry_or_park(delivery, failed.kind)
        except asyncio.CancelledError:  # the bus closes
            await self._database.write(lambda connection: journal.put_back(connection, delivery), durable=False)
            raise
        else:
            await self._persist(lambda connection: journal.finish(connection, delivery))

    async def _retry_or_park(self, delivery: Delivery, problem: str) -> None:
        pauses = self._patience.backoff[delivery.attempts :]
        outcome = f"it is asked again in {pauses[0]} s" if pauses else "`memory doctor --retry` asks it again"
        logger.warning("the event %s: %s failed (%s); %s", delivery.topic, delivery.handler, problem, outcome)
        parked_at = None if pauses else to_ms(self._clock())
        await self._persist(lambda connection: journal.fail(connection, delivery, problem, parked_at))
        if pauses:
            await self._closes_within(pauses[0])

    async def _persist(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Write, again and again while the disk is full, so that neither the worker ends nor a handler is called twice.
        Raises if the disk stays full until the bus closes.
        """
        while True:
            try:
                written, self._unstored = await self._database.write(function, durable=False), None
                return written
            except _UNUSABLE as error:
                self._unstored = error
                logger.warning("events wait until their state can be stored: %s", error)
                if await self._closes_within(self._patience.backoff[-1]):
                    raise

    async def _closes_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
        return self._closing.is_set()
