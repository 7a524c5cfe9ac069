"""What only a person decides: what is kept whatever the time, and what waits for consent."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import Proposal
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.memories import Id
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import Content, MemoryDetail


class Approve(shapes.Request):
    """What is right, where it is not as it was proposed."""

    content: Content | None = None


def router(memory: Memory, scopes: Scopes) -> APIRouter:
    """The operations over one memory."""
    routes = APIRouter(prefix="/api", tags=["memory"])
    scope_of = Annotated[Scope, Depends(scopes)]

    @routes.put("/memory/{id}/pin", status_code=204, responses=documented(404, 409))
    async def pin_memory(id: Id, scope: scope_of) -> Response:
        """Pin a memory: it never fades, and stands in every context block."""
        await memory.pin(id, scope=scope)
        return Response(status_code=204)

    @routes.delete("/memory/{id}/pin", status_code=204, responses=documented(404, 409))
    async def unpin_memory(id: Id, scope: scope_of) -> Response:
        """Unpin a memory: it fades like others, from now on, and is shown where it is relevant."""
        await memory.unpin(id, scope=scope)
        return Response(status_code=204)

    @routes.get("/proposals", response_model=tuple[Proposal, ...], responses=documented())
    async def list_proposals(scope: scope_of) -> Response:
        """What waits for the user's consent, the oldest first. It is believed nowhere yet."""
        return proposed(await memory.proposals(scope=scope))

    @routes.post("/proposals/{id}/approve", response_model=MemoryDetail, responses=documented(404))
    async def approve_proposal(id: Id, scope: scope_of, decision: Approve | None = None) -> Response:
        """Approve a proposal, or what you make of it: it is believed from now on. Only a person decides."""
        await memory.approve(id, content=decision.content if decision else None, scope=scope)
        return shown(shapes.detail(await memory.explain(id, scope=scope)))

    @routes.post("/proposals/{id}/reject", status_code=204, responses=documented(404))
    async def reject_proposal(id: Id, scope: scope_of) -> Response:
        """Reject a proposal: it is not proposed again. Only a person decides."""
        await memory.reject(id, scope=scope)
        return Response(status_code=204)

    proposed, shown = shapes.answering(tuple[Proposal, ...]), shapes.answering(MemoryDetail)
    return routes
