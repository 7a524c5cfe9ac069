"""`/api/undo`: undo changes."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Query
from pydantic import Discriminator, Field, Tag

from sandbox.extensions.memory.call_context import Interface
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Scope
from sandbox.extensions.memory.reports import UndoReport
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import NAME, WHOLE, Timestamp

_FOREVER = 2**53 - 1  # larger numbers are not exact in JSON


class UndoChange(shapes.Request):
    """One change."""

    change: Annotated[
        int, Field(ge=1, le=_FOREVER, description="Its `seq` in `/api/changes`, or in a memory's history."), WHOLE
    ]


class UndoNight(shapes.Request):
    """Everything that the last night changed."""

    night: Literal[True]


class UndoLearning(shapes.Request):
    """Everything that was learnt from a conversation."""

    session: str = Field(pattern=NAME)


class UndoSource(shapes.Request):
    """Everything that came from a source."""

    source: str = Field(pattern=NAME, description="Such as `rules` or `chatgpt`.")
    since: Timestamp | None = Field(None, description="Only what came since then.")


class UndoInterface(shapes.Request):
    """Everything that came through an interface."""

    interface: Interface
    since: Timestamp | None = Field(None, description="Only what came since then.")


_KINDS = ("change", "night", "session", "source", "interface")


def _kind(wanted: Any) -> str | None:
    """By the field that is given."""
    return next((kind for kind in _KINDS if kind in wanted), None) if isinstance(wanted, dict) else None


Undo = Annotated[
    Annotated[UndoChange, Tag("change")]
    | Annotated[UndoNight, Tag("night")]
    | Annotated[UndoLearning, Tag("session")]
    | Annotated[UndoSource, Tag("source")]
    | Annotated[UndoInterface, Tag("interface")],
    Discriminator(
        _kind,
        custom_error_type="undo",
        custom_error_message="Give just one of change, night, session, source and interface",
    ),
]


def router(memory: Memory, scopes: Scopes) -> APIRouter:
    """The operation over one memory."""
    routes = APIRouter(prefix="/api", tags=["memory"], responses=documented())
    scope_of = Annotated[Scope, Depends(scopes)]

    @routes.post("/undo", responses=documented(404))
    async def undo(
        wanted: Annotated[Undo, Body()],
        scope: scope_of,
        dry_run: Annotated[bool, Query(description="Only tell what would happen.")] = False,
    ) -> UndoReport:
        """Undo changes. Memories that these added are retired, memories that they ended are believed again, and what
        rests on them alone is retired, too. To undo this, undo `change` of the answer. Try `dry_run=true` first.
        """
        given: dict[str, Any] = {name: getattr(wanted, name) for name in type(wanted).model_fields}
        return await memory.undo(**given, dry_run=dry_run, scope=scope)

    return routes
