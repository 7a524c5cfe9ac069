"""Further operations for the inspector: reasons for a block, conversations turn by turn, days, relations."""

from asyncio import to_thread
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from sandbox.extensions.memory import listings
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import AsOf, EntityProfile, Scope
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.finding import Name
from sandbox.extensions.memory_web.memories import Id, Limit
from sandbox.extensions.memory_web.overview import Session
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import CALLED, NAME, Narrowed, Timestamp, Tokens
from sandbox.support.diagnosis import Check, Trouble

Place = Annotated[int, Query(ge=0, le=2**53)]


class ExplainContext(shapes.Request):
    """The prompt that the assistant is about to answer, and its time."""

    prompt: str = Field(max_length=100_000)
    budget: Tokens | None = Field(None, description="Tokens at most; if not given, by the prompt.")
    session: str | None = Field(None, pattern=NAME)
    now: Timestamp | None = Field(None, description="When it is asked; if not given, now.")
    as_of: Timestamp | None = Field(None, description="From what was believed and true then; if not given, now.")
    true_on: Timestamp | None = Field(None, description="From what was true then; if not given, as `as_of`.")
    known_on: Timestamp | None = Field(None, description="From what was believed then; if not given, as `as_of`.")

    def moments(self) -> AsOf:
        """A moment on each axis."""
        return AsOf(world=self.true_on or self.as_of, believed=self.known_on or self.as_of)


class Merge(shapes.Request):
    """The other entity."""

    into: str = Field(pattern=CALLED, description="A name or alias, in any case, or an id.")


@dataclass(frozen=True, slots=True)
class Agents:
    """Reports on coding agents with hooks in this home: ``checks``, and ``failures``, the latest first."""

    checks: Callable[[], Sequence[Check]] = tuple
    failures: Callable[[], Sequence[Trouble]] = tuple


def router(memory: Memory, scopes: Scopes, agents: Agents) -> APIRouter:
    """The operations over one memory."""
    routes = APIRouter(prefix="/api", responses=documented())
    scope_of = Annotated[Scope, Depends(scopes)]

    @routes.post("/context/explain", tags=["find"])
    async def explain_context(asked: ExplainContext, scope: scope_of) -> listings.ExplainedBlock:
        """The block for a prompt, and the reasons: how each memory in it was found, and why others that were found are
        left out. No memory gains confidence.
        """
        found = await memory.explain_context(
            asked.prompt, budget=asked.budget, session=asked.session, now=asked.now, as_of=asked.moments(), scope=scope
        )
        return replace(found, block=shapes.block(found.block))

    @routes.post("/memory/{id}/confirm", tags=["memory"], status_code=204, responses=documented(404))
    async def confirm_memory(
        id: Id,
        scope: scope_of,
        by_person: Annotated[bool, Query(description="A person says so, and it is trusted the most.")] = False,
    ) -> None:
        """Confirm a memory: it gets full confidence, and does not fade."""
        await memory.confirm(id, by_person=by_person, scope=scope)

    @routes.get(
        "/memory/{id}/confidence_over_time",
        tags=["memory"],
        responses=documented(404),
    )
    async def get_confidence_over_time(id: Id, scope: scope_of) -> tuple[listings.Confidence, ...]:
        """The confidence of a memory over time, from when it was last used or confirmed until it fades."""
        return await memory.confidence_over_time(id, scope=scope)

    @routes.get("/counts", tags=["memory"])
    async def count_memories(scope: scope_of, wanted: Annotated[Narrowed, Depends()]) -> listings.Counts:
        """How many memories the list would show, by type, category, subject and trust."""
        return await memory.counts(scope=scope, **wanted.options)

    @routes.get("/sessions/{session:name}/turns", tags=["sessions"], responses=documented(404))
    async def list_turns(
        session: Session,
        scope: scope_of,
        limit: Limit = 50,
        offset: Annotated[Place, Query(description="Pass over so many.")] = 0,
        around: Annotated[
            str | None, Query(pattern="^[A-Za-z0-9]{1,64}$", description="Instead: those around the turn with this id.")
        ] = None,
    ) -> listings.Turns:
        """Turns of a conversation in order, each with what was learnt from it."""
        return await memory.turns(session, offset=offset, limit=limit, around=around, scope=scope)

    @routes.get(
        "/sessions/{session:name}/passed_over",
        tags=["sessions"],
        responses=documented(404),
    )
    async def list_passed_over(
        session: Session,
        scope: scope_of,
        limit: Limit = 50,
        offset: Annotated[Place, Query(description="Pass over so many turns.")] = 0,
    ) -> tuple[listings.PassedOver, ...]:
        """Turns of a conversation from which nothing, or less than they say, is learnt, with the reasons."""
        return await memory.passed_over(session, offset=offset, limit=limit, scope=scope)

    @routes.post("/entities/{name:name}/merge", tags=["find"], responses=documented(404))
    async def merge_entities(name: Name, same: Merge, scope: scope_of) -> EntityProfile:
        """Say that two entities are one: this one becomes part of the other, which is the answer."""
        await memory.merge_entities(name, same.into, scope=scope)
        return await memory.entity(same.into, scope=scope)

    @routes.post("/entities/{name:name}/split", tags=["find"], responses=documented(404))
    async def split_entity(name: Name, scope: scope_of) -> EntityProfile:
        """Undo the last merge into this entity."""
        await memory.split_entity(name, scope=scope)
        return await memory.entity(name, scope=scope)

    @routes.get("/days", tags=["overview"])
    async def list_days(
        scope: scope_of,
        zone: Annotated[
            ZoneInfo | None,
            Query(description="Whose days, as `Europe/Berlin`; by default this machine's."),
        ] = None,
    ) -> tuple[listings.Day, ...]:
        """The days on which something was said, learnt or retired."""
        return await memory.days(zone=zone, scope=scope)

    @routes.get("/knowledge_changes", tags=["overview"])
    async def list_knowledge_changes(
        scope: scope_of,
        since: Timestamp,
        until: Timestamp,
        after: Annotated[Place, Query(description="`seq` of the last that you know.")] = 0,
        limit: Limit = 100,
    ) -> tuple[listings.KnowledgeChange, ...]:
        """Changes of knowledge between two moments, in order, each with the content of the memory."""
        return await memory.knowledge_changes(since, until, after=after, limit=limit, scope=scope)

    @routes.get("/projects", tags=["overview"])
    async def list_projects(scope: scope_of) -> tuple[str, ...]:
        """The projects of the user with memories or turns that are found only there."""
        return await memory.projects(scope=scope)

    @routes.get("/checks", tags=["server"])
    async def list_checks() -> list[Check]:
        """Whether the file, its indexes, the providers and the hooks of coding agents are in order."""
        return [*await memory.check(), *await to_thread(agents.checks)]

    @routes.get("/troubles", tags=["server"])
    async def list_troubles(limit: Limit = 50) -> Sequence[Trouble]:
        """Problems of the hooks of coding agents, the latest first, without text of conversations."""
        return (await to_thread(agents.failures))[:limit]

    @routes.get("/failures", tags=["overview"])
    async def list_failures(scope: scope_of, limit: Limit = 50) -> tuple[listings.Failures, ...]:
        """What clients asked for and were answered with an error, by interface, operation and kind of error, the latest
        first; never what was asked.
        """
        return await memory.failures(limit=limit, scope=scope)

    @routes.get("/nights", tags=["overview"])
    async def list_nights(scope: scope_of, limit: Limit = 30) -> tuple[listings.NightRun, ...]:
        """The latest nights, the latest first: how their steps ended, and what they changed of the user's memories."""
        return await memory.nights(limit=limit, scope=scope)

    @routes.get("/spending", tags=["overview"])
    async def list_spending(
        scope: scope_of,
        days: Annotated[int, Query(ge=1, le=366, description="So many days at most on which models were asked.")] = 30,
    ) -> tuple[listings.Spending, ...]:
        """The cost of language models by day, step and model, the latest day first."""
        return await memory.spending(days=days, scope=scope)

    return routes
