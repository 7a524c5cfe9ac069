"""Conversations, changes, also as they happen, counts, and the health of the server."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from pydantic import TypeAdapter
from starlette.responses import FileResponse, StreamingResponse
from starlette.types import Receive, Scope as ASGIScope, Send

from sandbox.extensions.memory.errors import MemoryExtensionError, UnknownSession, UnwritableExport
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Change, Message, Scope
from sandbox.extensions.memory.reports import ErasureReport, LearningReport, Statistics
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.memories import DryRun, Limit
from sandbox.extensions.memory_web.metrics import Metrics
from sandbox.extensions.memory_web.problems import RequestRefused, documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import NAME, ChangeList, Health, SayTurns, SessionList, StoredTurns

HEALTH = "/health"

_FOREVER = 2**62  # after every change
_PAUSE = 1.0  # seconds between two reads of the log
_SILENCE = 15  # reads without changes, after which a line shows that the server is alive
_MOST = 200  # changes of one read

Form = Literal["jsonl", "markdown"]
_KINDS: Mapping[Form, str] = {"jsonl": "application/jsonl", "markdown": "text/markdown"}
_ENDINGS: Mapping[Form, str] = {"jsonl": "jsonl", "markdown": "md"}

_FILE = {"schema": {"type": "string", "format": "binary"}}  # clients that read other strings know no JSON Lines

_line = TypeAdapter(Change).dump_json

Cursor = Annotated[
    str | None, Query(pattern=r"^-?[0-9a-f]{1,12}\.([0-9a-f]{2})+$", description="`next` of the page before this one.")
]
Session = Annotated[str, Path(pattern=NAME, description="The conversation: any name of yours.")]


async def _folder() -> AsyncIterator[str]:
    """A folder until the answer has been sent, or the server stops before."""
    try:
        made = TemporaryDirectory(prefix="memory-export-")
    except OSError as error:
        detail = f"There is no folder for temporary files ({error.strerror}); set TMPDIR where the server starts."
        raise RequestRefused(507, "UnwritableExport", detail) from error
    with made as folder:
        yield folder


class _MadeAnew(FileResponse):
    """A file that every request makes anew, so that parts of two of them do not fit together: there are no ranges."""

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        headers = [header for header in scope["headers"] if header[0] != b"range"]
        await super().__call__({**scope, "headers": headers}, receive, send)


def router(memory: Memory, scopes: Scopes, metrics: Metrics, stop: asyncio.Event) -> APIRouter:
    """The operations over one memory; every stream ends when ``stop`` is set."""
    routes = APIRouter(responses=documented())
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

    @routes.get("/api/sessions", tags=["sessions"])
    async def list_sessions(scope: scope_of, limit: Limit = 50, cursor: Cursor = None) -> SessionList:
        """Conversations, the latest first. If one continues, it moves to the front; the others are neither skipped nor
        repeated.
        """
        found = await memory.sessions(limit=limit + 1, cursor=cursor, scope=scope)
        return SessionList(found[:limit], found[limit - 1].cursor if len(found) > limit else None)

    @routes.post("/api/sessions/{session:name}/turns", tags=["sessions"], status_code=201)
    async def add_turns(session: Session, said: SayTurns, scope: scope_of) -> StoredTurns:
        """Remember turns. Secrets are masked. A turn with a known `key` is remembered once; another one is refused."""
        turns = [
            Message(each.role, each.content, session, each.at, each.speaker, each.key, trust=each.trust)
            for each in said.turns
        ]
        return shapes.StoredTurns(await memory.observe_many(turns, scope=scope))

    @routes.post("/api/sessions/{session:name}/learn", tags=["sessions"], responses=documented(404))
    async def learn_from_session(session: Session, scope: scope_of) -> LearningReport:
        """Learn from new turns of a conversation, even if it is not over."""
        return await memory.consolidate(session, scope=scope)

    @routes.delete("/api/sessions/{session:name}", tags=["sessions"], responses=documented(404))
    async def erase_session(session: Session, scope: scope_of, dry_run: DryRun = False) -> ErasureReport:
        """Erase a conversation, and what was learnt from it alone. Nothing undoes this."""
        erased = await memory.erase(session=session, dry_run=dry_run, scope=scope)
        if not erased.in_words:
            raise UnknownSession(session=session)
        return shapes.without_folders(erased)

    @routes.delete("/api/user", tags=["overview"])
    async def erase_user(
        user: Annotated[str, Query(pattern=NAME, description="Whose memory.")],
        request: Request,
        dry_run: DryRun = False,
    ) -> ErasureReport:
        """Erase everything of a user, in all projects. Nothing undoes this."""
        if "project" in request.query_params:
            raise RequestRefused(422, "InvalidRequest", "A user is erased in all projects; leave out `project`.")
        return shapes.without_folders(await memory.erase(user=user, dry_run=dry_run, scope=Scope(user)))

    @routes.get(
        "/api/export",
        tags=["overview"],
        response_class=Response,
        responses={200: {"content": {_KINDS["jsonl"]: _FILE, _KINDS["markdown"]: {"schema": {"type": "string"}}}}},
    )
    async def export_memory(
        scope: scope_of,
        folder: Annotated[str, Depends(_folder)],
        format: Annotated[Form, Query(description="JSON Lines, to be imported; or a page for people.")] = "jsonl",
    ) -> Response:
        """The whole memory as JSON Lines, which is refused if it holds several users; or a page of what is known of one
        user now, and said by them.
        """
        try:
            done = await memory.export(f"{folder}/memory", format=format, scope=scope)
        except UnwritableExport as error:
            raise RequestRefused(507, "UnwritableExport", str(error)) from error
        name, headers = f"memory.{_ENDINGS[format]}", {"Accept-Ranges": "none"}
        return _MadeAnew(done.file, headers=headers, media_type=_KINDS[format], filename=name)

    @routes.get("/api/changes", tags=["overview"])
    async def list_changes(
        scope: scope_of,
        after: Annotated[int, Query(ge=0, le=_FOREVER, description="`seq` of the last change you know.")] = 0,
        limit: Limit = 100,
    ) -> ChangeList:
        """Changes of memories, oldest first: ids and reasons, never text."""
        return ChangeList(await memory.changes(after=after, limit=limit, scope=scope))

    @routes.get(
        "/api/events",
        tags=["overview"],
        response_class=Response,
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    )
    async def stream_changes(
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
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx would keep events back
        return StreamingResponse(follow(known, scope), headers=headers, media_type="text/event-stream")

    @routes.get("/api/stats", tags=["overview"])
    async def get_statistics(scope: scope_of) -> Statistics:
        """Counts of what the memory holds now."""
        return await memory.statistics(scope=scope)

    @routes.head(HEALTH, include_in_schema=False)  # monitors and load balancers ask so
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
