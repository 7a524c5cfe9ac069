"""Search, context, entities and the profile."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field

from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.extensions.memory.listings import Entity, MemoryContext, Neighbourhood, Page
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Block, EntityProfile, Scope
from sandbox.extensions.memory.profile import UserProfile
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.memories import Cursor, DryRun, Limit
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import CALLED, NAME, VISIBLE, AskContext, Search, SearchResults, Timestamp

Ago = Annotated[Timestamp | None, Query(description="What was believed and true then; if not given, now.")]
Name = Annotated[str, Path(pattern=CALLED, description="A name or alias, in any case, or an id.")]
ContextName = Annotated[str, Path(min_length=1, max_length=200, pattern=VISIBLE, description="What it is called.")]


class SetContext(shapes.Request):
    """The new values of a group."""

    priority: Annotated[float | None, Field(ge=0, le=1, description="The higher, the sooner it is found.")] = None
    description: Annotated[str | None, Field(max_length=500, pattern=VISIBLE, description="What it is for.")] = None


def router(memory: Memory, scopes: Scopes) -> APIRouter:
    """The operations over one memory."""
    routes = APIRouter(prefix="/api", tags=["find"], responses=documented())
    scope_of = Annotated[Scope, Depends(scopes)]

    @routes.post("/search")
    async def search(asked: Search, scope: scope_of) -> SearchResults:
        """The best memories for a question, best first."""
        return SearchResults(await memory.search(**asked.arguments, scope=scope))

    @routes.post("/context")
    async def context(asked: AskContext, scope: scope_of) -> Block:
        """The block to put before an assistant for a prompt."""
        return shapes.block(await memory.context(**asked.arguments, scope=scope))

    @routes.get("/context/fixed")
    async def get_fixed_block(
        scope: scope_of, session: Annotated[str | None, Query(pattern=NAME, description="The conversation.")] = None
    ) -> Block:
        """The block for the beginning of every prompt of a conversation: the same bytes each time, for caches of
        prompts.
        """
        return shapes.block(await memory.fixed_block(session=session, scope=scope))

    @routes.get("/entities")
    async def list_entities(scope: scope_of, limit: Limit = 50, cursor: Cursor = None) -> Page[Entity]:
        """The known people, projects, places and things, the most mentioned first."""
        return await memory.entities(limit=limit, cursor=cursor, scope=scope)

    # before the next one, whose names would take this path
    @routes.get("/entities/{name:name}/neighbourhood", responses=documented(404))
    async def get_neighbourhood(
        name: Name,
        scope: scope_of,
        hops: Annotated[int, Query(ge=1, le=3)] = 1,
        limit: Annotated[int, Query(ge=1, le=5_000, description="At most so many.")] = 200,
        as_of: Ago = None,
    ) -> Neighbourhood:
        """The entities that this one is joined with, by claims about both or memories that mention both."""
        return await memory.neighbourhood(name, hops=hops, limit=limit, as_of=as_of, scope=scope)

    @routes.get("/entities/{name:name}", responses=documented(404))
    async def get_entity(name: Name, scope: scope_of, as_of: Ago = None) -> EntityProfile:
        """What is known about a person, project, place or thing."""
        return await memory.entity(name, as_of=as_of, scope=scope)

    @routes.delete("/entities/{name:name}", responses=documented(404))
    async def erase_entity(name: Name, scope: scope_of, dry_run: DryRun = False) -> ErasureReport:
        """Erase all memories and turns that are about a person, project, place or thing, or name it. Nothing undoes
        this.
        """
        erased = await memory.erase(subject=name, dry_run=dry_run, scope=scope)
        if not erased.in_words and not erased.in_doubt:
            raise UnknownEntity(name=name)
        return shapes.without_folders(erased)

    @routes.get("/contexts")
    async def list_contexts(scope: scope_of) -> tuple[MemoryContext, ...]:
        """The groups that memories belong to, those of the highest priority first."""
        return await memory.contexts(scope=scope)

    @routes.put("/contexts/{name:name}", status_code=204)
    async def set_context(name: ContextName, wanted: SetContext, scope: scope_of) -> None:
        """Give a group a priority or a description; a new name makes a new group. Fields that you leave out do not
        change.
        """
        await memory.set_context(name, priority=wanted.priority, description=wanted.description, scope=scope)

    @routes.get("/profile")
    async def get_profile(scope: scope_of) -> UserProfile:
        """How to address the user, and the user's goals, each value with its memory."""
        return await memory.profile(scope=scope)

    return routes
