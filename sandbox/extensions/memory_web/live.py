"""Changes as they happen: Server-Sent Events from the log of changes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from pydantic import TypeAdapter
from starlette.responses import Response, StreamingResponse

from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Change, Scope
from sandbox.extensions.memory_web.problems import documented
from sandbox.extensions.memory_web.scopes import Scopes

_PAUSE = 1.0  # seconds between two reads of the log
_SILENCE = 15  # reads without changes, after which a line shows that the server is alive
_MOST = 200  # changes of one read

_line = TypeAdapter(Change).dump_json


def router(memory: Memory, scopes: Scopes, stop: asyncio.Event) -> APIRouter:
    """The operation over one memory; every stream ends when ``stop`` is set."""
    routes = APIRouter(prefix="/api", tags=["overview"], responses=documented())
    scope_of = Annotated[Scope, Depends(scopes)]

    async def follow(known: int | None, scope: Scope) -> AsyncIterator[bytes]:
        """Changes until the server stops, or the memory cannot be read; a new request gets the reason."""
        with suppress(MemoryExtensionError):
            async for part in events(known, scope):
                yield part

    async def events(known: int | None, scope: Scope) -> AsyncIterator[bytes]:
        after = await memory.last_change(scope=scope) if known is None else known
        yield b"retry: 2000\n\n"
        silent = 0
        while not stop.is_set():
            changes = await memory.changes(after=after, limit=_MOST, scope=scope)
            for change in changes:
                after = change.seq
                yield b"id: %d\ndata: %s\n\n" % (change.seq, _line(change))
            silent = 0 if changes else silent + 1
            if silent >= _SILENCE:
                silent = 0
                yield b": still here\n\n"
            if len(changes) < _MOST:
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), _PAUSE)

    @routes.get(
        "/events",
        response_class=Response,
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    )
    async def stream(
        scope: scope_of,
        after: Annotated[
            int | None,
            Query(ge=0, le=2**53, description="`seq` of the last change you know; if not given, from now on."),
        ] = None,
        last_event_id: Annotated[
            int | None, Header(ge=0, le=2**53, description="The same, as browsers say it.")
        ] = None,
    ) -> Response:
        """Changes of memories as they happen. Each event is a change in the form of `/api/changes`."""
        known = after if last_event_id is None else last_event_id
        headers = {"Cache-Control": "no-store"}
        return StreamingResponse(follow(known, scope), headers=headers, media_type="text/event-stream")

    return routes
