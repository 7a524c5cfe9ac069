"""Conversations, changes, counts, and the health of the server."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response

from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Message, Scope, Statistics
from sandbox.extensions.memory.reports import ErasureReport, LearningReport
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.memories import Limit
from sandbox.extensions.memory_web.metrics import Metrics
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import NAME, ChangeList, Health, SayTurns, SessionList, StoredTurns

HEALTH = "/health"

_FOREVER = 2**62  # after every change

Cursor = Annotated[
    str | None, Query(pattern=r"^-?[0-9a-f]{1,12}\.([0-9a-f]{2})+$", description="`next` of the page before this one.")
]
Session = Annotated[str, Path(pattern=NAME, description="The conversation: any name of yours.")]


def router(memory: Memory, scopes: Scopes, metrics: Metrics) -> APIRouter:
    """The operations over one memory."""
    routes = APIRouter(responses=documented())
    scope_of = Annotated[Scope, Depends(scopes)]

    @routes.get("/api/sessions", tags=["sessions"])
    async def list_sessions(scope: scope_of, limit: Limit = 50, cursor: Cursor = None) -> SessionList:
        """Conversations, the latest first. If one continues, it moves to the front; the others are neither skipped nor
        repeated.
        """
        found = await memory.sessions(limit=limit + 1, cursor=cursor, scope=scope)
        return SessionList(found[:limit], found[limit - 1].cursor if len(found) > limit else None)

    @routes.post("/api/sessions/{session}/turns", tags=["sessions"], status_code=201)
    async def say(session: Session, said: SayTurns, scope: scope_of) -> StoredTurns:
        """Remember turns. Secrets are masked; a turn with a known `key` is remembered once."""
        turns = [Message(each.role, each.content, session, each.at, each.speaker, each.key) for each in said.turns]
        return shapes.StoredTurns(await memory.observe_many(turns, scope=scope))

    @routes.post("/api/sessions/{session}/learn", tags=["sessions"], responses=documented(404))
    async def learn(session: Session, scope: scope_of) -> LearningReport:
        """Learn from new turns of a conversation, even if it is not over."""
        return await memory.consolidate(session, scope=scope)

    @routes.delete("/api/sessions/{session}", tags=["sessions"])
    async def erase(
        session: Session,
        scope: scope_of,
        dry_run: Annotated[bool, Query(description="Only tell what would go.")] = False,
    ) -> ErasureReport:
        """Erase a conversation, and what was learnt from it alone. Nothing undoes this."""
        return shapes.without_folders(await memory.erase(session=session, dry_run=dry_run, scope=scope))

    @routes.get("/api/changes", tags=["overview"])
    async def list_changes(
        scope: scope_of,
        after: Annotated[int, Query(ge=0, le=_FOREVER, description="`seq` of the last change you know.")] = 0,
        limit: Limit = 100,
    ) -> ChangeList:
        """Changes of memories, oldest first: ids and reasons, never text."""
        return ChangeList(await memory.changes(after=after, limit=limit, scope=scope))

    @routes.get("/api/stats", tags=["overview"])
    async def get_statistics(scope: scope_of) -> Statistics:
        """Counts of what the memory holds now."""
        return await memory.statistics(scope=scope)

    @routes.get(HEALTH, tags=["server"])
    async def health() -> Health:
        """Whether the memory answers, and refuses changes. It takes no token."""
        await memory.changes(after=_FOREVER)
        return Health(read_only=memory.read_only)

    @routes.get(
        "/metrics",
        tags=["server"],
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    async def get_metrics() -> Response:
        """Counts of requests, and of the memories of the server's user, in the format of Prometheus."""
        return metrics.answer(await memory.statistics(scope=scopes()))

    return routes
