"""Errors as problem documents (RFC 9457): one error of the memory is one status, decided here."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match

from sandbox.extensions.memory import errors

PROBLEM = "application/problem+json"

_SAID = {  # by kinds of pydantic's errors, what they say to people
    "json_invalid": "from this character on it is no JSON",
    "model_attributes_type": "it is no JSON object; send one, with the header Content-Type: application/json",
    "string_pattern_mismatch": "it is blank, or not in the form that it must have",
    "zoneinfo_str": "it is no name of a time zone",
}

Note = Callable[[Request, str], Awaitable[None]]
"""Told of a request and of the kind of error that it is answered with."""

_STATUSES: Mapping[type[errors.MemoryExtensionError], int] = {  # the first that fits
    errors.SecretRefused: 403,
    errors.LessTrusted: 403,
    errors.TooManyFacts: 429,
    errors.NotAdministrator: 403,
    errors.ExportNotAllowed: 403,
    errors.ArgumentsDisagree: 409,
    errors.InvalidArgument: 422,
    errors.InvalidContent: 422,
    errors.UnknownMemory: 404,
    errors.UnknownChange: 404,
    errors.NoProposal: 404,
    errors.UnknownEntity: 404,
    errors.UnknownSession: 404,
    errors.NotCurrent: 409,
    errors.NotMerged: 409,
    errors.SimilarMemory: 409,
    errors.ChangedMeanwhile: 412,
    errors.DiskFull: 507,
    errors.DatabaseReadOnly: 403,
    errors.StoreError: 503,
    errors.EmbedderUnavailable: 503,
    errors.ModelUnavailable: 503,
}

# What a program can do over HTTP, in place of the commands that end the message of an error.
_ADVICE: Mapping[type[errors.MemoryExtensionError], str] = {
    errors.UnknownMemory: "POST /api/search and GET /api/memory/ find ids, and ids of a project need `project`",
    errors.UnknownEntity: "GET /api/entities lists the names, and POST /api/search searches all memories",
    errors.UnknownChange: "GET /api/changes lists the changes",
    errors.UnknownSession: "GET /api/sessions lists the sessions",
    errors.NoProposal: "GET /api/proposals lists those that do",
}


class Problem(BaseModel):
    """What went wrong, and what to do. ``error`` names the kind, ``ids`` are memories that prevent the request,
    ``fields`` are the wrong fields of the request.
    """

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    error: str | None = None
    ids: list[str] | None = None
    fields: list[str] | None = None


class RequestRefused(Exception):
    """A request that the interface itself refuses."""

    def __init__(self, status: int, error: str, detail: str) -> None:
        self.status, self.error, self.detail = status, error, detail
        super().__init__(detail)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Problems of an operation for its OpenAPI document, beside those that all operations share."""
    everywhere = (400, 401, 403, 409, 413, 421, 422, 429, 503, 507)
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in sorted({*everywhere, *statuses})
    }


def problem(status: int, error: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    """The document, as an answer."""
    body = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, error=error, **more)
    return JSONResponse(body.model_dump(exclude_none=True), status, headers, PROBLEM)


def handle(app: FastAPI, routes: Sequence[BaseRoute], note: Note) -> None:
    """Answer every error of an application with these routes by a problem document, and note it."""

    async def answered(request: Request, status: int, error: str, *rest: Any, **more: Any) -> Response:
        await note(request, error)
        return problem(status, error, *rest, **more)

    @app.exception_handler(RequestRefused)
    async def refused(request: Request, error: RequestRefused) -> Response:
        return await answered(request, error.status, error.error, error.detail)

    @app.exception_handler(errors.MemoryExtensionError)
    async def of_the_memory(request: Request, error: errors.MemoryExtensionError) -> Response:
        status = next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 500)
        ids = str(error.details["ids"]).split(", ") if isinstance(error, errors.SimilarMemory) else None
        detail = str(error)
        if advice := _ADVICE.get(type(error)):
            detail = f"{detail.rpartition('; ')[0]}; {advice}."
        return await answered(request, status, type(error).__name__, detail, ids=ids)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, error: RequestValidationError) -> Response:
        """The problem names the fields, but shows no values, because these may be content."""
        wrong = [
            f"{'.'.join(map(str, each['loc']))}: {_SAID.get(each['type'], each['msg'])}" for each in error.errors()
        ]
        detail = f"The request does not fit: {'; '.join(wrong[:3])}. What fits is in /openapi.json."
        return await answered(request, 422, "InvalidRequest", detail, fields=wrong[:20])

    @app.exception_handler(HTTPException)
    async def of_http(request: Request, error: HTTPException) -> Response:
        headers = dict(error.headers or {})
        detail = error.detail
        if error.status_code == 400:
            detail = "The body cannot be read: send all of it, as JSON in UTF-8, not compressed."
        if error.status_code == 404:
            detail = "There is nothing here; see /openapi.json for what is."
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_methods(routes, request))
            detail = f"This path takes {headers['Allow']}, not {request.method}."
        kind = HTTPStatus(error.status_code).name.title().replace("_", "")
        return await answered(request, error.status_code, kind, detail, headers)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        detail = f"This is a mistake of the server ({type(error).__name__}); its log says more."
        return await answered(request, 500, "InternalServerError", detail)


def method_of_path(routes: Sequence[BaseRoute]) -> Callable[[Request], None]:
    """A check that a request has a method of its own path: of `/api/entities/{name}/neighbourhood`, which could also be
    the path of an entity with a slash in its name.
    """

    def check(request: Request) -> None:
        ends_in_name = request.scope["route"].path.endswith(":name}")
        if ends_in_name and request.method not in _methods(routes, request):
            raise HTTPException(405)

    return check


def _methods(routes: Sequence[BaseRoute], request: Request) -> list[str]:
    """Every method of a path; each has a route of its own. A name may hold slashes, so that a longer path is also one
    with a name; the longest counts.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for route in routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            found[getattr(route, "path", "")] |= getattr(route, "methods", None) or set()
    return sorted(found[max(found, key=lambda path: path.count("/"), default="")])
