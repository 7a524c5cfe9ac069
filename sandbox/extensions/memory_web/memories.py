"""`/api/memory/`: memories by id."""

from hashlib import blake2b
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from pydantic import TypeAdapter

from sandbox.extensions.memory.errors import ArgumentsDisagree, ChangedMeanwhile
from sandbox.extensions.memory.memory import Memory
from sandbox.extensions.memory.model import Explanation, ListOrder, Scope
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.extensions.memory_web import shapes
from sandbox.extensions.memory_web.problems import RequestRefused, documented
from sandbox.extensions.memory_web.scopes import Scopes
from sandbox.extensions.memory_web.shapes import CreateMemory, MemoryDetail, MemoryList, Narrowed, UpdateMemory

_FORGOTTEN = "forgotten"

_KEY = "^[A-Za-z0-9._:@-]{1,200}$"  # a header can hold it

Id = Annotated[str, Path(pattern="^[A-Za-z0-9]{1,64}$", description="The id of a memory.")]
IfMatch = Annotated[str | None, Header(description="The `ETag` of the version you saw; after a change, 412.")]
IfNoneMatch = Annotated[str | None, Header(description="The `ETag` of what you have; if nothing changed, 304.")]
Limit = Annotated[int, Query(ge=1, le=200, description="At most so many.")]
_PLACE = r"(0|[1-9a-f][0-9a-f]{0,14})"
DryRun = Annotated[bool, Query(description="Only tell what would go.")]
Cursor = Annotated[
    str | None, Query(pattern=rf"^({_PLACE}\.)?{_PLACE}$", description="`next` of the page before this one.")
]

_detail, _erasure = TypeAdapter(MemoryDetail).dump_json, TypeAdapter(ErasureReport).dump_json
_etag = {"ETag": {"description": "Names this state of the memory.", "required": True, "schema": {"type": "string"}}}


def router(memory: Memory, scopes: Scopes) -> APIRouter:
    """The operations over one memory."""
    routes = APIRouter(prefix="/api/memory", tags=["memory"], responses=documented())
    scope_of = Annotated[Scope, Depends(scopes)]

    def answer(known: Explanation, status: int = 200, **headers: str) -> Response:
        body = _detail(shapes.detail(known))
        tag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
        return Response(body, status, {"ETag": tag, **headers}, "application/json")

    async def find(id: str, scope: Scope) -> Explanation:
        known = await memory.explain(id, scope=scope)
        if known.memory.retired_by == _FORGOTTEN:
            raise RequestRefused(404, "Forgotten", f"The memory {id!r} is forgotten; a POST to it restores it.")
        return known

    async def meant(id: str, scope: Scope, if_match: str | None) -> int | None:
        """The version that a conditional request names; None without a condition (RFC 9110, *If-Match*)."""
        known = await find(id, scope)
        if if_match is None:
            return None
        if if_match.strip() != "*" and answer(known).headers["ETag"] not in map(str.strip, if_match.split(",")):
            raise ChangedMeanwhile(id=id, found=known.memory.version, meant=if_match)
        return known.memory.version

    @routes.get("", include_in_schema=False)
    @routes.get("/")
    async def list_memories(
        scope: scope_of,
        wanted: Annotated[Narrowed, Depends()],
        limit: Limit = 50,
        cursor: Cursor = None,
        order: Annotated[ListOrder, Query(description="`newest`: what was stored last comes first.")] = "newest",
    ) -> MemoryList:
        """Memories that are believed and true now, the one that was stored last first. Turns of conversations are
        listed only with the type `episodic`.
        """
        page = await memory.list(limit=limit, cursor=cursor, order=order, scope=scope, **wanted.options)
        return MemoryList(tuple(map(shapes.item, page.items)), page.total, page.next)

    @routes.post("", status_code=201, include_in_schema=False)
    @routes.post(
        "/",
        status_code=201,
        response_model=MemoryDetail,
        responses={
            201: {
                "headers": {
                    **_etag,
                    "Location": {"description": "Where it is.", "required": True, "schema": {"type": "string"}},
                }
            },
            **documented(404),
        },
    )
    async def create_memory(
        new: CreateMemory,
        scope: scope_of,
        idempotency_key: Annotated[
            str | None,
            Header(pattern=_KEY, description="Yours: sent again with the same request, it answers as at first."),
        ] = None,
    ) -> Response:
        """Remember a statement. The same statement is stored once, and the answer is the same. If a similar memory is
        known, the answer is 409, with its ids in `ids`: update that memory, or say in `on_similar` what to do. A
        statement that waits for the user's consent has been `retired_by` `proposed`.
        """
        key = None if idempotency_key is None else f"http:{idempotency_key}"
        used = RequestRefused(409, "KeyInUse", "This Idempotency-Key came with another request before; use a new one.")
        try:
            id = await memory.remember(**new.arguments, key=key, scope=scope)
        except ArgumentsDisagree:
            raise used from None
        known = await memory.explain(id, scope=scope)
        if known.memory.retired_by == _FORGOTTEN:
            raise RequestRefused(409, "Forgotten", f"What this made is forgotten: restore {id!r}, or send a new key.")
        if idempotency_key is not None and not _is_of(known, new):
            raise used
        return answer(known, 201, Location=f"/api/memory/{id}")

    @routes.get(
        "/{id}",
        response_model=MemoryDetail,
        responses={
            200: {"headers": _etag},
            304: {"description": "It is as `If-None-Match` says.", "headers": _etag},
            **documented(404),
        },
    )
    async def get_memory(id: Id, scope: scope_of, if_none_match: IfNoneMatch = None) -> Response:
        """A memory with all its earlier versions. With `If-None-Match` the answer is 304 if nothing has changed."""
        made = answer(await find(id, scope))
        if if_none_match and made.headers["ETag"] in map(str.strip, if_none_match.replace("W/", "").split(",")):
            return Response(status_code=304, headers={"ETag": made.headers["ETag"]})
        return made

    @routes.put("/{id}", response_model=MemoryDetail, responses={200: {"headers": _etag}, **documented(404, 412)})
    async def update_memory(id: Id, right: UpdateMemory, scope: scope_of, if_match: IfMatch = None) -> Response:
        """Correct a memory. Its id stays; its old content becomes a version, and is `previous` in the answer. Send
        `If-Match` with the `ETag` of the version you saw, so that no other change is lost: after one, the answer is
        412.
        """
        version = await meant(id, scope, if_match)
        await memory.correct(id, right.content, trust=right.trust, version=version, scope=scope)
        return answer(await find(id, scope))

    @routes.delete(
        "/{id}",
        status_code=204,
        responses={
            200: {"model": ErasureReport, "description": "What was erased, or would be."},
            **documented(403, 404, 412),
        },
    )
    async def forget_memory(
        id: Id,
        scope: scope_of,
        if_match: IfMatch = None,
        erase: Annotated[bool, Query(description="Erase it for good, with what was learnt from it alone.")] = False,
        dry_run: Annotated[bool, Query(description="With `erase`: only tell what would go.")] = False,
    ) -> Response:
        """Forget a memory: nothing finds it until it is restored. `If-Match` works as for an update. With `erase`,
        every version and its bytes are removed, and nothing restores it.
        """
        if erase:
            report = shapes.without_folders(await memory.erase(id, dry_run=dry_run, scope=scope))
            return Response(_erasure(report), media_type="application/json")
        await memory.forget(id, version=await meant(id, scope, if_match), scope=scope)
        return Response(status_code=204)

    @routes.post("/{id}", response_model=MemoryDetail, responses={200: {"headers": _etag}, **documented(404)})
    async def restore_memory(id: Id, scope: scope_of) -> Response:
        """Restore a memory: a forgotten or faded memory is believed again, and a replaced one is valid again."""
        await memory.restore(id, scope=scope)
        return answer(await find(id, scope))

    @routes.get("/{id}/history", responses=documented(404))
    async def explain_memory(id: Id, scope: scope_of) -> Explanation:
        """How a memory is known: its versions, the turns it rests on, the memories it replaced, and its changes."""
        return await find(id, scope)

    return routes


def _is_of(known: Explanation, new: CreateMemory) -> bool:
    """Whether a memory was stored by the same request."""
    first = known.versions[-1]
    return (first.content, first.type, first.category) == (new.content, new.type, new.category)
