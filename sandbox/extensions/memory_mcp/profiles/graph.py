"""The nine tools of the official MCP memory server, over this memory: a drop-in for it.

``graph_form.py`` says how an entity and a relation are memories; an observation is any knowledge with the entity as its
subject, from any source. A statement that another one ended stays in the graph until it is deleted, as in the official
server.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic import Field

from sandbox.extensions.memory import graph_form
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.interfaces.tooling import Call, Refusal, tool
from sandbox.extensions.memory.model import Record, Statement
from sandbox.extensions.memory_mcp import graph_shapes as shapes
from sandbox.extensions.memory_mcp.profiles.guidelines import GRAPH
from sandbox.extensions.memory_mcp.tooling import Profile
from sandbox.support.trust import least

_NAMES = {
    "search": "search_nodes",
    "remember": "create_entities or add_observations",
    "correct": "delete_observations and add_observations",
    "command": "memory",
}


# --- the graph --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Graph:
    """The part that a scope sees, with the memories behind each element."""

    types: dict[str, str] = field(default_factory=dict)  # of entities, in their order of creation
    marks: dict[str, list[Record]] = field(default_factory=dict)  # memories that mark an entity
    observations: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], list[Record]] = field(default_factory=dict)  # from, to, type

    def entity(self, name: str) -> dict[str, Any]:
        """One entity in the form of the official server."""
        return {"name": name, "entityType": self.types[name], "observations": list(self.observations.get(name, ()))}

    def part(self, names: Iterable[str]) -> dict[str, Any]:
        """Some entities, and the relations at them."""
        wanted = dict.fromkeys(names)
        touching = [key for key in self.relations if key[0] in wanted or key[1] in wanted]
        return {"entities": [self.entity(name) for name in wanted], "relations": [_related(*key) for key in touching]}

    def whole(self) -> dict[str, Any]:
        """The whole graph, with relations to unknown entities."""
        return {**self.part(self.types), "relations": [_related(*key) for key in self.relations]}


def _related(source: str, target: str, type: str) -> dict[str, str]:
    """A relation in the form of the official server."""
    return {"from": source, "to": target, "relationType": type}


async def _read(call: Call) -> _Graph:
    """The graph that a call sees."""
    records = [each async for each in call.known(history=True) if each.retired_by is None and each.subject]
    graph = _Graph()
    for record in reversed(records):  # in their order of creation
        _put(graph, record)
    graph.observations = {name: found for name, found in graph.observations.items() if name in graph.types}
    return graph


def _put(graph: _Graph, record: Record) -> None:
    name = record.subject or ""
    if graph_form.ENTITY in record.tags:
        graph.types.setdefault(name, _tagged(record, "type"))
        graph.marks.setdefault(name, []).append(record)
    elif graph_form.RELATION in record.tags:
        graph.relations.setdefault((name, _tagged(record, "to"), _tagged(record, "is")), []).append(record)
    else:
        graph.observations.setdefault(name, {}).setdefault(record.content, []).append(record)


def _tagged(record: Record, kind: str) -> str:
    return next((tag.partition("=")[2] for tag in record.tags if tag.startswith(f"{kind}=")), "")


def _shown(call: Call, graph: _Graph, names: Iterable[str] | None = None) -> dict[str, Any]:
    names = list(graph.types if names is None else names)
    for name in names:
        call.brings_up(graph.marks[name])
        for records in graph.observations.get(name, {}).values():
            call.brings_up(records)
    return graph.part(names)


# --- the tools --------------------------------------------------------------------------------------------------------


_tool = partial(tool, base=shapes.Given)
_deletes = partial(_tool, answers=shapes.Done, destroys=True, repeats=True)


@_tool("Create Entities", "Create multiple new entities in the knowledge graph", shapes.Entities)
async def _create_entities(call: Call, entities: list[shapes.Entity]) -> Mapping[str, Any]:
    graph, made = await _read(call), list[dict[str, Any]]()
    for entity in entities:
        name = entity.name.strip()
        if name in graph.types:
            continue
        await _remember(call, graph_form.entity(name, entity.entity_type))
        graph.types[name] = entity.entity_type
        observations = list(dict.fromkeys(each for each in entity.observations if each.strip()))
        for each in observations:
            await _remember(call, Statement(each, subject=name))
        made.append({"name": entity.name, "entityType": entity.entity_type, "observations": observations})
    return {"entities": made}


@_tool(
    "Create Relations",
    "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
    shapes.Relations,
)
async def _create_relations(call: Call, relations: list[shapes.Relation]) -> Mapping[str, Any]:
    graph, made = await _read(call), list[dict[str, str]]()
    for each in relations:  # their entities may be created later
        key = (each.source.strip(), each.target.strip(), each.relation_type)
        if key in graph.relations:
            continue
        await _remember(call, graph_form.relation(key[0], each.relation_type, key[1]))
        graph.relations[key] = []
        made.append(_related(*key))
    return {"relations": made}


@_tool(
    "Add Observations",
    "Add new observations to existing entities in the knowledge graph",
    shapes.Results,
)
async def _add_observations(call: Call, observations: list[shapes.Added]) -> Mapping[str, Any]:
    graph = await _read(call)
    if missing := [each.entity_name for each in observations if each.entity_name.strip() not in graph.types]:
        advice = "Nothing was added. Call create_entities first, or search_nodes for the name it has."
        raise Refusal(f"Entity with name {missing[0][:100]} not found.", advice)
    results = []
    for each in observations:
        name = each.entity_name.strip()
        known = graph.observations.setdefault(name, {})
        added = [text for text in dict.fromkeys(each.contents) if text.strip() and text not in known]
        for text in added:
            await _remember(call, Statement(text, subject=name))
            known[text] = []
        results.append({"entityName": each.entity_name, "addedObservations": added})
    return {"results": results}


@_deletes("Delete Entities", "Delete multiple entities and their associated relations from the knowledge graph")
async def _delete_entities(
    call: Call,
    entity_names: list[str] = Field(alias="entityNames", description="An array of entity names to delete"),
) -> Mapping[str, Any]:
    graph, names = await _read(call), {name.strip() for name in entity_names}
    for name in names:
        await _forget(call, graph.marks.get(name, ()))
        for records in graph.observations.get(name, {}).values():
            await _forget(call, records)
    for key, records in graph.relations.items():
        if names & set(key[:2]):
            await _forget(call, records)
    return _done("Entities")


@_deletes("Delete Observations", "Delete specific observations from entities in the knowledge graph")
async def _delete_observations(call: Call, deletions: list[shapes.Deleted]) -> Mapping[str, Any]:
    graph = await _read(call)
    for each in deletions:
        known = graph.observations.get(each.entity_name.strip(), {})
        for text in set(each.observations) & set(known):
            await _forget(call, known[text])
    return _done("Observations")


@_deletes("Delete Relations", "Delete multiple relations from the knowledge graph")
async def _delete_relations(call: Call, relations: list[shapes.Relation]) -> Mapping[str, Any]:
    graph = await _read(call)
    for each in relations:
        await _forget(call, graph.relations.pop((each.source.strip(), each.target.strip(), each.relation_type), ()))
    return _done("Relations")


@_tool("Read Graph", "Read the entire knowledge graph", shapes.Whole, reads=True)
async def read_graph(call: Call) -> Mapping[str, Any]:
    """The whole graph."""
    graph = await _read(call)
    _shown(call, graph)
    return graph.whole()


@_tool("Search Nodes", "Search for nodes in the knowledge graph based on a query", shapes.Whole, reads=True)
async def _search_nodes(
    call: Call,
    query: str = Field(description="The search query to match against entity names, types, and observation content"),
) -> Mapping[str, Any]:
    graph, wanted = await _read(call), query.lower()

    def matches(name: str) -> bool:
        return any(wanted in text.lower() for text in (name, graph.types[name], *graph.observations.get(name, ())))

    return _shown(call, graph, filter(matches, graph.types))


@_tool("Open Nodes", "Open specific nodes in the knowledge graph by their names", shapes.Whole, reads=True)
async def _open_nodes(
    call: Call, names: list[str] = Field(description="An array of entity names to retrieve")
) -> Mapping[str, Any]:
    graph, wanted = await _read(call), {name.strip() for name in names}
    return _shown(call, graph, [name for name in graph.types if name in wanted])


async def _remember(call: Call, said: Statement) -> None:
    await call.memory.remember(
        said.content,
        category=said.category,
        subject=said.subject,
        tags=said.tags,
        claims=said.claims,
        trust=least(call.trust, "user"),
        scope=call.scope,
    )


async def _forget(call: Call, records: Iterable[Record]) -> None:
    for each in records:
        await call.memory.forget(each.id, trust=call.trust, scope=call.scope)


def _done(what: str) -> dict[str, Any]:
    return {"success": True, "message": f"{what} deleted successfully"}


def profile(_: Config) -> Profile:
    """The nine tools."""
    tools = [
        _create_entities,
        _create_relations,
        _add_observations,
        _delete_entities,
        _delete_observations,
        _delete_relations,
        read_graph,
        _search_nodes,
        _open_nodes,
    ]
    return Profile("graph", GRAPH, tools, _NAMES)
