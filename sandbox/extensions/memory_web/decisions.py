"""A person's decisions: on proposals, possible conflicts and duplicates, on what will soon fade, on changes to undo."""

from itertools import combinations
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import ConfigDict, Field

from sandbox.extensions.memory.call_context import Interface
from sandbox.extensions.memory.listings import Conflict, Duplicate, Proposal
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Record, Scope
from sandbox.extensions.memory.reports import UndoReport
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.memories import Id, Limit
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import NAME, WHOLE, Content, Importance, MemoryDetail, Timestamp


class Approve(shapes.Request):
    """The right statement, if it differs from the proposal."""

    content: Content | None = None


class Rate(shapes.Request):
    """How important the memory is."""

    importance: Importance


class MergeInto(shapes.Request):
    """The other memory that says the same."""

    into: str = Field(pattern="^[A-Za-z0-9]{1,64}$", description="The id of the memory that stays.")


_FOREVER = 2**53 - 1  # larger numbers are not exact in JSON
_KINDS = ("change", "night", "session", "source", "interface")

_APART = [*combinations(_KINDS, 2), *((kind, "since") for kind in ("change", "night", "session"))]
_ONE_KIND: dict[str, Any] = {  # from `oneOf`, generators of clients make types that do not compile
    "minProperties": 1,
    "not": {"anyOf": [*({"required": pair} for pair in _APART), {"required": ["since"], "maxProperties": 1}]},
}


def _none() -> Any:
    """What a field has that is not given; null is refused."""
    return None


class Undo(shapes.Request):
    """Just one of `change`, `night`, `session`, `source` and `interface`: everything that it changed."""

    model_config = ConfigDict(json_schema_extra=_ONE_KIND)

    change: Annotated[int, WHOLE] = Field(
        default_factory=_none, ge=1, le=_FOREVER, description="Its `seq` in `/api/changes`, or in a memory's history."
    )
    night: Literal[True] = Field(default_factory=_none, description="Everything that the last night changed.")
    session: str = Field(
        default_factory=_none, pattern=NAME, description="Everything that was learnt from this conversation."
    )
    source: str = Field(
        default_factory=_none, pattern=NAME, description="Everything that came from it, such as `rules` or `chatgpt`."
    )
    interface: Interface = Field(default_factory=_none, description="Everything that came through it.")
    since: Timestamp = Field(
        default_factory=_none, description="With `source` or `interface`: only what came since then."
    )


def router(memory: Memory, scopes: Scopes) -> APIRouter:
    """The operations over one memory."""
    routes = APIRouter(prefix="/api", tags=["memory"], responses=documented())
    scope_of = Annotated[Scope, Depends(scopes)]

    @routes.put("/memory/{id}/pin", status_code=204, responses=documented(404))
    async def pin_memory(id: Id, scope: scope_of) -> None:
        """Pin a memory: it never fades, and every context block shows it."""
        await memory.pin(id, scope=scope)

    @routes.delete("/memory/{id}/pin", status_code=204, responses=documented(404))
    async def unpin_memory(id: Id, scope: scope_of) -> None:
        """Unpin a memory: from now on it fades, and blocks show it where it is relevant."""
        await memory.unpin(id, scope=scope)

    @routes.put("/memory/{id}/importance", status_code=204, responses=documented(404))
    async def rate_memory(id: Id, rated: Rate, scope: scope_of) -> None:
        """Say how important a memory is. Where room is short, a more important memory comes first."""
        await memory.set_importance(id, rated.importance, scope=scope)

    @routes.get("/proposals")
    async def list_proposals(scope: scope_of) -> tuple[Proposal, ...]:
        """Proposals that wait for the user's consent, the oldest first. The memory does not believe them."""
        return await memory.proposals(scope=scope)

    @routes.post("/proposals/{id}/approve", responses=documented(404))
    async def approve_proposal(id: Id, scope: scope_of, decision: Approve | None = None) -> MemoryDetail:
        """Approve a proposal, or your own wording of it: the memory believes it from now on. Only a person decides."""
        await memory.approve(id, content=decision.content if decision else None, scope=scope)
        return shapes.detail(await memory.explain(id, scope=scope))

    @routes.post("/proposals/{id}/reject", status_code=204, responses=documented(404))
    async def reject_proposal(id: Id, scope: scope_of) -> None:
        """Reject a proposal: it is not proposed again. Only a person decides."""
        await memory.reject(id, scope=scope)

    @routes.get("/conflicts")
    async def list_conflicts(scope: scope_of, limit: Limit = 50) -> tuple[Conflict, ...]:
        """Pairs of memories of which perhaps only one is true, the latest first. The first of a pair has more
        weight.
        """
        return await memory.conflicts(limit=limit, scope=scope)

    @routes.delete("/memory/{id}/conflicts/{other}", status_code=204, responses=documented(404))
    async def keep_both(id: Id, other: Id, scope: scope_of) -> None:
        """Say that both memories of a possible conflict are true. Only a person decides."""
        await memory.keep_both(id, other, scope=scope)

    @routes.get("/duplicates")
    async def list_duplicates(scope: scope_of, limit: Limit = 50) -> tuple[Duplicate, ...]:
        """Pairs of memories that likely say the same, the most similar first. The first of a pair has more weight."""
        return await memory.duplicates(limit=limit, scope=scope)

    @routes.post("/memory/{id}/merge", responses=documented(403, 404))
    async def merge_memories(id: Id, same: MergeInto, scope: scope_of) -> MemoryDetail:
        """Say that a memory says the same as another. It becomes part of the other one, which is the answer. `restore`
        separates them again.
        """
        await memory.merge(id, same.into, scope=scope)
        return shapes.detail(await memory.explain(same.into, scope=scope))

    @routes.delete("/memory/{id}/duplicates/{other}", status_code=204, responses=documented(404))
    async def keep_apart(id: Id, other: Id, scope: scope_of) -> None:
        """Say that two memories are different. Only a person decides."""
        await memory.keep_apart(id, other, scope=scope)

    @routes.get("/fading")
    async def list_fading(scope: scope_of, limit: Limit = 50) -> tuple[Record, ...]:
        """Knowledge that fades within four weeks unless it is used or confirmed, the first to fade first."""
        return await memory.weak(limit=limit, scope=scope)

    @routes.post("/undo", responses=documented(404))
    async def undo(
        wanted: Undo,
        scope: scope_of,
        dry_run: Annotated[bool, Query(description="Only tell what would happen.")] = False,
    ) -> UndoReport:
        """Undo changes. Memories that these added are retired, memories that they ended are believed again, and what
        rests on them alone is retired, too. To undo this, undo `change` of the answer. Try `dry_run=true` first.
        """
        given: dict[str, Any] = {name: getattr(wanted, name) for name in wanted.model_fields_set}
        return await memory.undo(**given, dry_run=dry_run, scope=scope)

    return routes
