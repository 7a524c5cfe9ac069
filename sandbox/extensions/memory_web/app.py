"""The application: its operations, access, limits, counters, and the document that describes it."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI
from fastapi.dependencies.models import Dependant
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.extensions.memory.call_context import through
from sandbox.extensions.memory.errors import MemoryExtensionError
from sandbox.extensions.memory.interfaces.access import LOOPBACK, Access, is_loopback
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory_web import decisions, finding, inspecting, memories, overview, page
from sandbox.extensions.memory_web.inspecting import Agents
from sandbox.extensions.memory_web.metrics import ELSEWHERE, Metrics
from sandbox.extensions.memory_web.problems import Problem, RequestRefused, handle, method_of_path
from sandbox.extensions.memory_web.scopes import Scopes

_ABOUT = """A long-term memory for assistants.

What is wrong is said in problem documents (RFC 9457). Lists come in pages: `next` of one is `cursor` of the page after.
A memory has an `ETag`: send it as `If-Match` with an update, and nobody's change is lost. `Idempotency-Key` makes it
safe to send a new memory again. Whoever has the token acts for every user of the memory.
"""

_MOST_BODY = 8 * 2**20  # bytes of a request


@dataclass(frozen=True, slots=True)
class Door:
    """Who may connect to a server at ``host``: beyond loopback, or with ``ask_for_token``, every request needs the
    token. ``names`` are other names of the machine, ``origins`` are web pages that may send requests.
    """

    host: str = LOOPBACK
    names: Sequence[str] = ()
    ask_for_token: bool = False
    origins: Sequence[str] = ()

    @property
    def needs_token(self) -> bool:
        """Whether a request without the token is refused."""
        return self.ask_for_token or not is_loopback(self.host)


def create_app(
    memory: Memory,
    token: str,
    door: Door | None = None,
    *,
    scopes: Scopes | None = None,
    mounts: Mapping[str, ASGIApp] | None = None,
    agents: Agents | None = None,
    stop: asyncio.Event | None = None,
) -> ASGIApp:
    """An ASGI application over an open memory. ``mounts`` are other applications by path, with the same access rules;
    ``agents`` reports on coding agents that use the same home. Streams end when ``stop`` is set.
    """
    metrics, scopes, door = Metrics(), scopes or Scopes(), door or Door()
    app = FastAPI(
        title="assistant-memory",
        version=version("assistant-memory"),
        description=_ABOUT,
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # the address would be that behind a proxy, and a client leaves out the token there
        generate_unique_id_function=lambda route: route.name,  # the name of a function in a generated client
    )
    routers = [
        memories.router(memory, scopes),
        finding.router(memory, scopes),
        overview.router(memory, scopes, metrics, stop or asyncio.Event()),
        inspecting.router(memory, scopes, agents or Agents()),
        decisions.router(memory, scopes),
    ]
    routes = [route for router in routers for route in router.routes]
    for router in routers:
        app.include_router(router, dependencies=[Depends(method_of_path(routes)), Depends(_only_known_parameters)])
    handle(app, routes, partial(_note, memory, scopes))
    # FastAPI says to assign it; mypy calls that a method
    app.openapi = cache(lambda: _document(app, memory.config.categories, door.needs_token))  # type: ignore[method-assign]
    shown = page.Page()
    answering = _dispatched(_body_limited(app), {**(mounts or {}), "/": shown, page.PATH: shown})
    return metrics.measured(_behind(door, token, answering, shown.paths))


def _only_known_parameters(request: Request) -> None:
    """Refuse a parameter that the operation does not have: a misspelt `dry_run` would not keep it from erasing."""
    known = {"user", "project", "all_projects", *_parameters(request.scope["route"].dependant)}
    unknown = sorted(request.query_params.keys() - known)
    if unknown and request.url.path.startswith("/api/"):
        detail = f"There is no parameter `{unknown[0]}` here; there are {', '.join(sorted(known))}."
        raise RequestRefused(422, "InvalidRequest", detail)


def _parameters(dependant: Dependant) -> Iterator[str]:
    yield from (each.alias for each in dependant.query_params)
    for each in dependant.dependencies:
        yield from _parameters(each)


async def _note(memory: Memory, scopes: Scopes, request: Request, error: str) -> None:
    """Count a request that is answered with an error, by the pattern of its path: ids and names in it are content. To
    read what is forgotten is no failure: a page that shows it does so once more.
    """
    if (request.method, error) == ("GET", "Forgotten"):
        return
    route = getattr(request.scope.get("route"), "path_format", ELSEWHERE)
    with suppress(MemoryExtensionError):  # that it could not be used is what is told already
        await memory.note_failure(f"{request.method} {route}", error, scope=scopes.of(request.query_params))


def _body_limited(app: ASGIApp) -> ASGIApp:
    """The application; a request with a body that is too large gets the status 413."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        size = 0

        async def read() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > _MOST_BODY:
                raise HTTPException(413, f"The body is larger than the {_MOST_BODY:,} bytes that are read.")
            return message

        await app(scope, read, send)

    return limited


def _dispatched(app: ASGIApp, mounts: Mapping[str, ASGIApp]) -> ASGIApp:
    """The application, with others at their paths. No request is redirected, which would lose its body."""

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        first = f"/{scope['path'].split('/')[1]}" if "/" in scope.get("path", "") else ""
        with through("rest"):
            await mounts.get(first, app)(scope, receive, send)

    return dispatch


def _behind(door: Door, token: str, app: ASGIApp, shown: Collection[str]) -> ASGIApp:
    """The application behind its access checks; the paths ``shown`` need no token."""
    hosts = [urlsplit(origin).hostname or origin for origin in door.origins]
    names, is_open = (*door.names, *hosts), (overview.HEALTH, *shown)
    checked: ASGIApp = Access(app, token, door.host, names, always=door.ask_for_token, open_paths=is_open)
    if not door.origins:
        return checked
    shown = ("ETag", "Location")
    return CORSMiddleware(checked, door.origins, allow_methods=["*"], allow_headers=["*"], expose_headers=shown)


def _document(app: FastAPI, categories: Sequence[str], asks_for_token: bool) -> dict[str, Any]:
    """The OpenAPI document of FastAPI, with the categories of this memory and the rules for the token."""
    document = FastAPI.openapi(app)
    shapes = document["components"]["schemas"]
    shapes["Problem"] = Problem.model_json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    shapes["CreateMemory"]["properties"]["category"]["enum"] = list(categories)
    filters = [shapes["Where"]["properties"]["category"]]
    for operation in (operation for path in document["paths"].values() for operation in path.values()):
        filters += [each["schema"] for each in operation.get("parameters", ()) if each["name"] == "category"]
    for shape in filters:
        shape.get("anyOf", [shape])[0]["items"]["enum"] = [*categories, "episodic"]
    for unused in ("HTTPValidationError", "ValidationError"):
        shapes.pop(unused, None)
    document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}] if asks_for_token else [{}, {"token": []}]
    document["paths"][overview.HEALTH]["get"]["security"] = []
    return document
