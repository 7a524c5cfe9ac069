"""Looking into a memory, as people do who want to know why it said something, and what it holds."""

from dataclasses import replace
from datetime import datetime, timedelta

from sandbox.extensions.memory.assemble import views
from sandbox.extensions.memory.assemble.weigh import Trace
from sandbox.extensions.memory.errors import InvalidArgument
from sandbox.extensions.memory.ingest import record
from sandbox.extensions.memory.model import AsOf, Scope
from sandbox.extensions.memory.opened import DEFAULT_SCOPE, OpenMemory
from sandbox.extensions.memory.reports import Confidence, Counts, Day, Happened, Neighbourhood, Turns, Weighed
from sandbox.extensions.memory.retrieve.narrow import narrow, positive
from sandbox.extensions.memory.store import browsing, looking
from sandbox.extensions.memory.text.words import terms
from sandbox.extensions.memory.times import to_ms

_MOST_HOPS = 3
_FARTHEST = timedelta(hours=14)  # from UTC that a time zone is


class Looking(OpenMemory):
    """The part of ``Memory`` that shows how it comes to what it says, and changes nothing: nothing is strengthened."""

    async def weigh(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        session: str | None = None,
        now: datetime | None = None,
        as_of: datetime | AsOf | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Weighed:
        """What ``context`` puts before the assistant for a prompt, and why: how each memory was found, and why others
        that were found are left out. With ``as_of`` from what was true and believed then.
        """
        budget = None if budget is None else positive("budget", budget)
        scope = replace(scope, session_id=scope.session_id or record.clean_name("session", session))
        moment = now or self._clock()
        filter_ = await self._read(lambda connection: narrow(connection, scope, moment, as_of=as_of))
        trace, asked = Trace(), terms(prompt)
        assembled = await self._assembler.assemble(
            prompt, replace(filter_, quarantined=False), budget, moment, trace=trace
        )
        block = None if assembled is None else assembled.block
        found = tuple(views.hit(each, filter_.now, asked) for each in trace.found)
        return Weighed(block, budget or trace.budget, found, trace.left_out(block))

    async def life(self, id: str, *, scope: Scope = DEFAULT_SCOPE) -> tuple[Confidence, ...]:
        """How sure a memory is over time: from when it was stored, used or confirmed last to when it fades; one moment
        where it does not. Raises ``UnknownMemory``.
        """
        return await self._read(lambda connection: views.life(connection, id, scope))

    async def turns(
        self,
        session: str,
        *,
        offset: int = 0,
        limit: int = 100,
        around: str | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Turns:
        """Turns of a conversation in order, after ``offset`` of them, or those ``around`` the turn with that id; each
        with what was learnt from it. A session that nobody knows has none.
        """
        name, limit = record.clean_name("session", session) or "", positive("limit", limit)
        return await self._read(
            lambda connection: looking.turns(connection, name, self._filter(scope), max(0, offset), limit, around)
        )

    async def counts(
        self,
        *,
        category: str | None = None,
        subject: str | None = None,
        history: bool = False,
        as_of: datetime | AsOf | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Counts:
        """How much is known of which kind, of what ``list`` would list."""
        return await self._read(
            lambda connection: looking.counts(
                connection,
                replace(narrow(connection, scope, self._clock(), as_of=as_of, history=history), category=category),
                subject,
            )
        )

    async def days(self, *, east: timedelta = timedelta(0), scope: Scope = DEFAULT_SCOPE) -> tuple[Day, ...]:
        """On which days something was said, learnt or retired, in order; ``east`` is how far the clocks are ahead of
        UTC where the days are meant.
        """
        if abs(east) > _FARTHEST:
            raise InvalidArgument(argument="east", value=east, expected="give at most 14 hours")
        milliseconds = int(east.total_seconds() * 1_000)
        return await self._read(lambda connection: looking.days(connection, scope, milliseconds))

    async def happened(
        self, since: datetime, until: datetime, *, after: int = 0, limit: int = 100, scope: Scope = DEFAULT_SCOPE
    ) -> tuple[Happened, ...]:
        """What happened to knowledge between two moments, in order: ``after`` is the ``seq`` of the last that is known
        already.
        """
        between, limit = (to_ms(since, "since"), to_ms(until, "until")), positive("limit", limit)
        return await self._read(
            lambda connection: looking.happened(connection, self._filter(scope), *between, after, limit)
        )

    async def last_change(self, *, scope: Scope = DEFAULT_SCOPE) -> int:
        """``seq`` of the last change there is: who follows from now on asks ``changes`` for those after it."""
        return await self._read(lambda connection: browsing.last_change(connection, scope))

    async def projects(self, *, scope: Scope = DEFAULT_SCOPE) -> tuple[str, ...]:
        """The projects that something of the scope's user belongs to."""
        return await self._read(lambda connection: looking.projects(connection, scope))

    async def around(
        self,
        name: str,
        *,
        hops: int = 1,
        limit: int = 200,
        as_of: datetime | AsOf | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Neighbourhood:
        """Whom and what an entity is joined with, by what is claimed of both or speaks of both, over at most ``hops``
        of these and at most ``limit`` entities. Raises ``UnknownEntity``.
        """
        hops, limit = min(positive("hops", hops), _MOST_HOPS), positive("limit", limit)
        return await self._read(
            lambda connection: looking.around(
                connection, name, narrow(connection, scope, self._clock(), as_of=as_of), hops, limit
            )
        )
