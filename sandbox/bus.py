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
from sandbox.foreign import Failed, attempt, ended
from sandbox.journal import Delivery, Parked, Route
from sandbox.owners import Owner
from sandbox.support.times import Clock, to_ms

E = TypeVar("E", bound=Event)
T = TypeVar("T")
logger = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # that the topic and key of an event stay taken
_Tell = Callable[[str], Awaitable[None]]  # of an event as it is kept
_UNUSABLE = (StateFull, StateUnusable, sqlite3.Error)


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds a bus waits: between attempts to deliver, of which there is one more than pauses; for a
    handler; for handlers when it closes.
    """

    backoff: tuple[float, ...] = (0.1, 0.4, 1.6, 6.4)
    handler: float = 30.0
    closing: float = 5.0


class Bus:
    """The events of one kernel. What it records it delivers itself, once it is started."""

    def __init__(self, database: Database, owner: Owner, clock: Clock, patience: Patience | None = None) -> None:
        self._database = database
        self._owner = owner
        self._clock = clock
        self._patience = patience or Patience()
        self._subscriptions: Mapping[Route, _Tell] = {}  # never changed, only replaced: `record` has a thread
        self._handlers: Sequence[str] | None = None  # before the start
        self._workers: dict[str, asyncio.Task[None]] = {}  # of handlers that may have something to be told
        self._woken: set[str] = set()  # there may be something again
        self._closing = asyncio.Event()

    def subscribe(self, event: type[E], handler_name: str, handler: Callable[[E], Awaitable[None]]) -> None:
        """Call ``handler`` with every event of the type. Raises ``SubscriptionRefused`` after the start, and where the
        name has a handler for the topic.
        """
        route = (handler_name, event.topic)
        problem = "it did so before" if route in self._subscriptions else "events are being delivered"
        if self._handlers is not None or route in self._subscriptions:
            raise SubscriptionRefused(handler=handler_name, topic=event.topic, problem=problem)
        journal.adapter(event)  # an event that cannot be kept is refused here, not when the first one happens

        async def tell(payload: str) -> None:
            await handler(journal.decode(event, payload))

        self._subscriptions = {**self._subscriptions, route: tell}

    def unsubscribe(self, handler_name: str) -> None:
        """Forget a handler that cannot be told anything, before the start."""
        self._subscriptions = {route: each for route, each in self._subscriptions.items() if route[0] != handler_name}

    async def publish(self, event: Event) -> bool:
        """Tell everybody who subscribed; returns once it is on the disk. False: topic and key were known, nobody is
        told again. Raises ``StateFull``, ``StateUnusable``.
        """
        return await self.write(lambda connection: self.record(connection, event))

    async def write(self, function: Callable[[sqlite3.Connection], T], *, durable: bool = True) -> T:
        """A transaction that may ``record`` events, of which everybody is told then."""
        try:
            return await self._database.write(function, durable=durable)
        finally:
            self.wake()  # also where the caller is cancelled: the write goes on, and the workers look after it

    def record(self, connection: sqlite3.Connection, event: Event) -> bool:
        """Publish within a transaction; the caller's own, if it is followed by ``wake``."""
        handlers = [handler for handler, topic in self._subscriptions if topic == event.topic]
        return journal.record(connection, event, handlers, self._owner.id, to_ms(self._clock()))

    def wake(self) -> None:
        """Something may have been recorded."""
        for handler in self._handlers or ():
            self._woken.add(handler)
            if handler not in self._workers:
                self._workers[handler] = asyncio.create_task(self._work(handler), name=f"bus-{handler}")

    async def start(self, *, retry: bool = False) -> None:
        """Begin to deliver, first of all what kernels left behind that are dead. What was parked is tried once more;
        what ended the process again and again only with ``retry``.
        """
        await self._database.write(lambda connection: self._start(connection, retry))
        self._handlers = list(dict.fromkeys(handler for handler, _ in self._subscriptions))
        self.wake()

    async def take_over(self) -> None:
        """Deliver what kernels left behind that died since; forget what everybody was told of long ago."""
        await self.write(self._take_over, durable=False)

    async def settled(self) -> None:
        """Returns once this kernel has nothing left to deliver but what is parked."""
        while self._workers:
            await asyncio.wait(self._workers.values())

    async def close(self) -> None:
        """Let handlers that run come to their end, for a while; what is left is delivered after the next start."""
        self._closing.set()
        await ended(self._workers.values(), self._patience.closing)
        self._workers = {}

    async def parked(self) -> tuple[Parked, ...]:
        """What was given up, by whichever kernel: the handler failed too often, or is not there any more."""
        return await self._database.read(journal.parked)

    async def pending(self) -> int:
        """How many deliveries are waiting or under way, in whichever kernel."""
        return await self._database.read(journal.pending)

    async def erase(self, session: str) -> None:
        """Every word of a session goes from the journal, and from the bytes of its file; nobody is told of it any
        more. An ``Erase`` itself is delivered all the same. Raises ``StateUnusable``, ``StateFull``.
        """
        await self._database.write(lambda connection: journal.erase(connection, session))
        await self._database.forget_bytes()

    async def let_go(self, user: str, session: str) -> None:
        """What a user said and was given up, and the name of an erased session that was none of this kernel's, go from
        the journal, and from the bytes of its file. Raises ``StateUnusable``, ``StateFull``.
        """

        def drop(connection: sqlite3.Connection) -> None:
            journal.erase_parked(connection, user)
            journal.forget_name(connection, session)

        await self._database.write(drop)
        await self._database.forget_bytes()

    # --- inside -------------------------------------------------------------------------------------------------------

    @property
    def _most(self) -> int:
        return len(self._patience.backoff) + 1

    def _start(self, connection: sqlite3.Connection, retry: bool) -> None:
        self._take_over(connection)
        problems = journal.reasons(connection) - (set() if retry else {journal.PROCESS_ENDED})
        journal.adopt(connection, self._subscriptions, self._owner.id, problems)

    def _take_over(self, connection: sqlite3.Connection) -> None:
        now = self._clock()
        journal.prune(connection, to_ms(now - KEPT))
        journal.leave(connection, self._owner.is_alive, to_ms(now), self._most)
        journal.adopt(connection, self._subscriptions, self._owner.id, [journal.NOT_SUBSCRIBED])

    async def _work(self, handler: str) -> None:
        """Tell a handler what it subscribed to, one event after the other, until nothing is left or the bus closes."""
        try:
            while not self._closing.is_set():
                self._woken.discard(handler)
                delivery = await self._note(lambda raw: journal.begin(raw, handler, self._owner.id, self._most))
                if delivery is not None:
                    await self._deliver(delivery)
                elif handler not in self._woken:
                    break
        except (KernelClosed, *_UNUSABLE):
            pass  # it is the end, and what could not be written down is delivered again
        finally:
            self._workers.pop(handler, None)

    async def _deliver(self, delivery: Delivery) -> None:
        tell = self._subscriptions[delivery.handler, delivery.topic]
        try:
            await attempt(tell(delivery.payload), self._patience.handler)
        except Failed as failed:
            await self._give_back(delivery, failed.kind)
        except asyncio.CancelledError:  # the bus closes
            await self._database.write(lambda connection: journal.put_back(connection, delivery), durable=False)
            raise
        else:
            await self._note(lambda connection: journal.finish(connection, delivery))

    async def _give_back(self, delivery: Delivery, problem: str) -> None:
        pauses = self._patience.backoff[delivery.attempts :]
        told = f"again in {pauses[0]} s" if pauses else "parked"
        logger.warning("%s for %s: %s, %s", delivery.topic, delivery.handler, problem, told)
        parked_at = None if pauses else to_ms(self._clock())
        await self._note(lambda connection: journal.fail(connection, delivery, problem, parked_at))
        if pauses:
            await self._closes_within(pauses[0])

    async def _note(self, function: Callable[[sqlite3.Connection], T]) -> T:
        return await self._insist(lambda: self._database.write(function, durable=False))

    async def _insist(self, call: Callable[[], Awaitable[T]]) -> T:
        """A full disk neither ends a worker nor has a handler called again. Raises where it lasts until the end."""
        while True:
            try:
                return await call()
            except _UNUSABLE as error:
                logger.warning("events have to wait: %s", error)
                if await self._closes_within(self._patience.backoff[-1]):
                    raise

    async def _closes_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)
        return self._closing.is_set()
