"""What only a person decides: what is kept whatever the time."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory_web.memories import Id
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes


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

    return routes
