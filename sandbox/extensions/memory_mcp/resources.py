"""The resources of a client (profile, statistics, one memory, one entity) and notices of their changes.

While a client waits for changes, they are polled, because other processes change the memory, too.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote
from weakref import WeakKeyDictionary

import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated

from sandbox.extensions.memory.errors import InvalidArgument, MemoryExtensionError, UnknownMemory
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.model import Scope, to_plain
from sandbox.extensions.memory_mcp.profiles.graph import read_graph
from sandbox.extensions.memory_mcp.tooling import Call

PROFILE, STATISTICS = "memory://profile", "memory://stats"
WHOLE_GRAPH = "memory://knowledge-graph"  # the name in the official memory server
MEMORY, ENTITY = "memory://memory/", "memory://entity/"
_JSON = "application/json"
TEMPLATES = [
    types.ResourceTemplate(name=name, uri_template=f"{uri}{{{key}}}", description=about, mime_type=_JSON)
    for name, uri, key, about in (
        ("memory", MEMORY, "id", "One memory: its sources, its versions, and the memories it replaced."),
        ("entity", ENTITY, "name", "What is known about one person, project, place or thing."),
    )
]
FIXED = [
    types.Resource(uri=uri, name=name, description=about, mime_type=_JSON)
    for name, uri, about in (
        ("profile", PROFILE, "How to address the user, and the user's goals."),
        ("stats", STATISTICS, "Counts of memories, by kind."),
        (
            "knowledge-graph",
            WHOLE_GRAPH,
            "The full knowledge graph with all entities and relations, as the profile graph keeps it.",
        ),
    )
]

_LOOK = 1.0  # seconds between two polls; longer if one takes long:
_SHARE = 20  # times its duration
_MOST = 100  # values of one completion, the limit of the protocol
_LOOKED_THROUGH = 2_000  # names or ids that are searched for completions


class _Place:
    """Clients that wait for resources of one scope, in the two ways of the protocol, and the values that they last
    saw.
    """

    def __init__(self, call: Call) -> None:
        self.call = call
        self.known: dict[str, str | None] = {}
        self.connections: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
        self.bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self.bus)
        self.listened: Counter[str] = Counter()

    @property
    def wanted(self) -> set[str]:
        """The resources that somebody waits for."""
        return set(+self.listened).union(*self.connections.values())

    async def look(self) -> None:
        """Poll, and report changes."""
        for uri in self.wanted:
            text = await self.text(uri)
            if self.known.setdefault(uri, text) != text:
                self.known[uri] = text
                await self.bus.publish(ResourceUpdated(uri=uri))
                for connection, uris in list(self.connections.items()):
                    if uri in uris:
                        await connection.send_resource_updated(uri)

    async def text(self, uri: str) -> str | None:
        """The text of a resource; None if it does not exist."""
        try:
            return json.dumps(await values(uri, self.call))
        except MemoryExtensionError:
            return None


class Resources:
    """Reads, completes, and watches."""

    def __init__(self) -> None:
        self._places: dict[Scope, _Place] = {}
        self._looking: asyncio.Task[None] | None = None

    # --- watching -----------------------------------------------------------------------------------------------

    async def subscribe(self, ctx: Any, uri: str, call: Call) -> None:
        """Notify the client of a connection when a resource changes. Raises like ``values``."""
        await values(uri, call)
        place = self._place(call)
        place.known[uri] = await place.text(uri)
        place.connections.setdefault(ctx.session._connection, set()).add(uri)
        self._look()

    def unsubscribe(self, ctx: Any, uri: str) -> None:
        """Stop notifying it."""
        for place in self._places.values():
            place.connections.get(ctx.session._connection, set()).discard(uri)

    async def listen(self, ctx: Any, params: types.SubscriptionsListenRequestParams, call: Call) -> Any:
        """The same for clients from 2026-07-28 on, while they listen."""
        place, uris = self._place(call), params.notifications.resource_subscriptions or []
        for uri in uris:
            place.known[uri] = await place.text(uri)
        place.listened.update(uris)
        self._look()
        try:
            return await place.listen(ctx, params)
        finally:
            place.listened.subtract(uris)

    async def close(self) -> None:
        """Stop polling."""
        for place in self._places.values():
            place.listen.close()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    def _place(self, call: Call) -> _Place:
        return self._places.setdefault(call.scope, _Place(call))

    def _look(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._keep_looking(), name="memory-changes")

    async def _keep_looking(self) -> None:
        clock = asyncio.get_running_loop().time
        while any(place.wanted for place in self._places.values()):
            begun = clock()
            for place in self._places.values():
                await place.look()
            await asyncio.sleep(max(_LOOK, (clock() - begun) * _SHARE))


async def read(uri: str, call: Call) -> str:
    """A resource as JSON. Raises ``InvalidArgument`` for an unknown one, and the errors of the memory."""
    return json.dumps(await values(uri, call), ensure_ascii=False)


async def values(uri: str, call: Call) -> Mapping[str, Any]:
    """The values of a resource, if possible without those that change with time alone."""
    if uri == PROFILE:
        return to_plain(await call.memory.profile(scope=call.scope))  # type: ignore[no-any-return]
    if uri == STATISTICS:
        return wire.statistics(await call.memory.statistics(scope=call.scope), call.at)
    if uri == WHOLE_GRAPH:
        return await read_graph.run(call, None)
    if uri.startswith(MEMORY) and (id := unquote(uri.removeprefix(MEMORY))):
        found = await call.memory.explain(id, scope=call.scope)
        if found.memory.retired_by == "forgotten":  # the person did not want to see it again
            raise UnknownMemory(id=id)
        call.lower(found.memory.trust)
        return wire.explanation(found, call.at)
    if uri.startswith(ENTITY) and (name := unquote(uri.removeprefix(ENTITY))):
        profile = await call.memory.entity(name, scope=call.scope)
        call.brings_up(profile.facts)
        return wire.entity(profile, call.at)
    expected = f"there are {PROFILE}, {STATISTICS}, {WHOLE_GRAPH}, {MEMORY}ID and {ENTITY}NAME"
    raise InvalidArgument(argument="uri", value=uri, expected=expected)


async def complete(argument: str, typed: str, call: Call) -> tuple[list[str], int]:
    """Names or ids that begin with a text, and their number."""
    if argument == "name":
        names = [each.name for each in (await call.memory.entities(limit=_LOOKED_THROUGH, scope=call.scope)).items]
    elif argument == "id":
        names = [each.memory.id for each in (await call.memory.list(limit=_LOOKED_THROUGH, scope=call.scope)).items]
    else:
        names = []
    fold = str.casefold if argument == "name" else str
    found = list(dict.fromkeys(name for name in names if fold(name).startswith(fold(typed))))
    return found[:_MOST], len(found)
