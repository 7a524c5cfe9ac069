"""The resources of a client: profile, statistics, one memory, one entity."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import mcp_types as types

from sandbox.extensions.memory.errors import InvalidArgument, UnknownMemory
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.tooling import Call
from sandbox.extensions.memory.model import to_plain
from sandbox.extensions.memory_mcp.profiles.graph import read_graph

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

_MOST = 100  # values of one completion, the limit of the protocol
_LOOKED_THROUGH = 2_000  # names or ids that are searched for completions


async def read(uri: str, call: Call) -> str:
    """A resource as JSON. Raises ``InvalidArgument`` for an unknown one, and the errors of the memory."""
    return json.dumps(await _values(uri, call), ensure_ascii=False)


async def _values(uri: str, call: Call) -> Mapping[str, Any]:
    if uri == PROFILE:
        return to_plain(await call.memory.profile(scope=call.scope))  # type: ignore[no-any-return]
    if uri == STATISTICS:
        return wire.statistics(await call.memory.statistics(scope=call.scope), call.at)
    if uri == WHOLE_GRAPH:
        return await read_graph.run(call)
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
