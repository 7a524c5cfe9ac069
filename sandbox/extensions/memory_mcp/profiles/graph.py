"""The nine tools of the official MCP memory server, over this memory: a drop-in for it.

An entity is a memory tagged so, with its type; a relation is one that claims it; an observation is whatever is known
with the entity as its subject, whoever told it. What another statement ended stays here until it is deleted, as there.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.extensions.memory.claim import Claim
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.faces.refusals import Refusal
from sandbox.extensions.memory.model import Record, least
from sandbox.extensions.memory_mcp.profiles.guidelines import GRAPH
from sandbox.extensions.memory_mcp.tooling import Call, Profile, Tool

_ENTITY, _RELATION = "graph:entity", "graph:relation"
_PAGE = 1_000
_KNOWLEDGE: tuple[Literal["semantic", "opinion", "procedural"], ...] = ("semantic", "opinion", "procedural")
_NAMES = {
    "search": "search_nodes",
    "remember": "create_entities or add_observations",
    "correct": "delete_observations and add_observations",
    "command": "memory",
}


# --- parameters and answers -------------------------------------------------------------------------------------------


class Given(BaseModel):
    """Of a tool; what it does not know is passed over, as the official server does."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Entity(Given):
    """Who or what is remembered."""

    name: str = Field(min_length=1, description="The name of the entity")
    entity_type: str = Field(alias="entityType", description="The type of the entity")
    observations: list[str] = Field(description="An array of observation contents associated with the entity")


class Relation(Given):
    """How one stands to another."""

    source: str = Field(alias="from", min_length=1, description="The name of the entity where the relation starts")
    target: str = Field(alias="to", min_length=1, description="The name of the entity where the relation ends")
    relation_type: str = Field(alias="relationType", min_length=1, description="The type of the relation")


class Added(Given):
    """What is new of an entity."""

    entity_name: str = Field(alias="entityName", description="The name of the entity to add the observations to")
    contents: list[str] = Field(description="An array of observation contents to add")


class Deleted(Given):
    """What no longer holds of an entity."""

    entity_name: str = Field(alias="entityName", description="The name of the entity containing the observations")
    observations: list[str] = Field(description="An array of observations to delete")


class Entities(Given):
    """Of `create_entities`."""

    entities: list[Entity]


class Relations(Given):
    """Of `create_relations` and `delete_relations`."""

    relations: list[Relation]


class Observations(Given):
    """Of `add_observations`."""

    observations: list[Added]


class EntityNames(Given):
    """Of `delete_entities`."""

    entity_names: list[str] = Field(alias="entityNames", description="An array of entity names to delete")


class Deletions(Given):
    """Of `delete_observations`."""

    deletions: list[Deleted]


class Nothing(Given):
    """No parameters."""


class Query(Given):
    """Of `search_nodes`."""

    query: str = Field(description="The search query to match against entity names, types, and observation content")


class Names(Given):
    """Of `open_nodes`."""

    names: list[str] = Field(description="An array of entity names to retrieve")


class Result(Given):
    """What was added to one entity."""

    entity_name: str = Field(alias="entityName")
    added_observations: list[str] = Field(alias="addedObservations")


class Results(Given):
    """What was added to each."""

    results: list[Result]


class Done(Given):
    """It was deleted, or was not there."""

    success: bool
    message: str


class Whole(Given):
    """Entities, and relations that begin or end at them."""

    entities: list[Entity]
    relations: list[Relation]


# --- the graph as it is stored ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Graph:
    """What a scope sees of it. Each part with the memories that say it."""

    types: dict[str, str] = field(default_factory=dict)  # of entities, in the order in which they came
    marks: dict[str, list[Record]] = field(default_factory=dict)  # what makes an entity one
    observations: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], list[Record]] = field(default_factory=dict)  # from, to, type

    def entity(self, name: str) -> dict[str, Any]:
        """One as the official server gives it."""
        return {"name": name, "entityType": self.types[name], "observations": list(self.observations.get(name, ()))}

    def part(self, names: Iterable[str]) -> dict[str, Any]:
        """Some entities, and the relations that touch them."""
        wanted = dict.fromkeys(names)
        touching = [key for key in self.relations if key[0] in wanted or key[1] in wanted]
        return {"entities": [self.entity(name) for name in wanted], "relations": [_related(*key) for key in touching]}

    def whole(self) -> dict[str, Any]:
        """All of it, relations to nobody known too."""
        return {**self.part(self.types), "relations": [_related(*key) for key in self.relations]}


def _related(source: str, target: str, type: str) -> dict[str, str]:
    return {"from": source, "to": target, "relationType": type}


async def _read(call: Call) -> _Graph:
    records, cursor = list[Record](), None
    for _ in count():
        page = await call.memory.list(limit=_PAGE, cursor=cursor, types=_KNOWLEDGE, history=True, scope=call.scope)
        records += [each.memory for each in page.items if each.memory.retired_by is None and each.memory.subject]
        if (cursor := page.next) is None:
            break
    graph = _Graph()
    for record in reversed(records):  # in the order in which they came
        _put(graph, record)
    graph.observations = {name: found for name, found in graph.observations.items() if name in graph.types}
    return graph


def _put(graph: _Graph, record: Record) -> None:
    name = record.subject or ""
    if _ENTITY in record.tags:
        graph.types.setdefault(name, _tagged(record, "type"))
        graph.marks.setdefault(name, []).append(record)
    elif _RELATION in record.tags:
        graph.relations.setdefault((name, _tagged(record, "to"), _tagged(record, "is")), []).append(record)
    else:
        graph.observations.setdefault(name, {}).setdefault(record.content, []).append(record)


def _tagged(record: Record, kind: str) -> str:
    return next((tag.partition("=")[2] for tag in record.tags if tag.startswith(f"{kind}=")), "")


def _brought_up(call: Call, records: Iterable[Record]) -> None:
    call.lower(least("confirmed", *(each.trust for each in records if each.trust != "assistant")))


def _shown(call: Call, graph: _Graph, names: Iterable[str] | None = None) -> dict[str, Any]:
    names = list(graph.types if names is None else names)
    for name in names:
        _brought_up(call, graph.marks[name])
        for records in graph.observations.get(name, {}).values():
            _brought_up(call, records)
    return graph.part(names)


# --- what is done -----------------------------------------------------------------------------------------------------


async def create_entities(call: Call, given: Entities) -> Mapping[str, Any]:
    """Those whose names are not there yet."""
    graph, made = await _read(call), list[dict[str, Any]]()
    for done, entity in enumerate(given.entities, 1):
        name = entity.name.strip()
        if name in graph.types:
            continue
        tags = [_ENTITY, f"type={entity.entity_type}"]
        await _remember(call, f"{name}: {entity.entity_type or 'entity'}", name, tags, category="context")
        graph.types[name] = entity.entity_type
        observations = list(dict.fromkeys(each for each in entity.observations if each.strip()))
        for each in observations:
            await _remember(call, each, name)
        made.append({"name": entity.name, "entityType": entity.entity_type, "observations": observations})
        await call.progress(done, len(given.entities), name)
    return {"entities": made}


async def create_relations(call: Call, given: Relations) -> Mapping[str, Any]:
    """Those that are not there yet; the entities may come later."""
    graph, made = await _read(call), list[dict[str, str]]()
    for done, each in enumerate(given.relations, 1):
        key = (each.source.strip(), each.target.strip(), each.relation_type)
        if key in graph.relations:
            continue
        tags = [_RELATION, f"is={each.relation_type}", f"to={key[1]}"]
        predicate = re.sub(r"[^a-z]+", "_", each.relation_type.lower()).strip("_")
        claims = [Claim(key[0], predicate, key[1])] if predicate else []
        text = f"{key[0]} {each.relation_type.replace('_', ' ')} {key[1]}"
        await _remember(call, text, key[0], tags, category="context", claims=claims)
        graph.relations[key] = []
        made.append(_related(*key))
        await call.progress(done, len(given.relations), each.relation_type)
    return {"relations": made}


async def _add_observations(call: Call, given: Observations) -> Mapping[str, Any]:
    graph = await _read(call)
    if missing := [each.entity_name for each in given.observations if each.entity_name.strip() not in graph.types]:
        advice = "Nothing was added. Call create_entities first, or search_nodes for the name it has."
        raise Refusal(f"Entity with name {missing[0][:100]} not found.", advice)
    results = []
    for each in given.observations:
        name = each.entity_name.strip()
        known = graph.observations.setdefault(name, {})
        added = [text for text in dict.fromkeys(each.contents) if text.strip() and text not in known]
        for text in added:
            await _remember(call, text, name)
            known[text] = []
        results.append({"entityName": each.entity_name, "addedObservations": added})
    return {"results": results}


async def _delete_entities(call: Call, given: EntityNames) -> Mapping[str, Any]:
    graph, names = await _read(call), {name.strip() for name in given.entity_names}
    for name in names:
        await _forget(call, graph.marks.get(name, ()))
        for records in graph.observations.get(name, {}).values():
            await _forget(call, records)
    for key, records in graph.relations.items():
        if names & set(key[:2]):
            await _forget(call, records)
    return _done("Entities")


async def _delete_observations(call: Call, given: Deletions) -> Mapping[str, Any]:
    graph = await _read(call)
    for each in given.deletions:
        known = graph.observations.get(each.entity_name.strip(), {})
        for text in set(each.observations) & set(known):
            await _forget(call, known[text])
    return _done("Observations")


async def _delete_relations(call: Call, given: Relations) -> Mapping[str, Any]:
    graph = await _read(call)
    for each in given.relations:
        await _forget(call, graph.relations.pop((each.source.strip(), each.target.strip(), each.relation_type), ()))
    return _done("Relations")


async def read_graph(call: Call, _: object = None) -> Mapping[str, Any]:
    """All of it."""
    graph = await _read(call)
    _shown(call, graph)
    return graph.whole()


async def _search_nodes(call: Call, given: Query) -> Mapping[str, Any]:
    graph, wanted = await _read(call), given.query.lower()

    def matches(name: str) -> bool:
        return any(wanted in text.lower() for text in (name, graph.types[name], *graph.observations.get(name, ())))

    return _shown(call, graph, filter(matches, graph.types))


async def _open_nodes(call: Call, given: Names) -> Mapping[str, Any]:
    graph, wanted = await _read(call), {name.strip() for name in given.names}
    return _shown(call, graph, [name for name in graph.types if name in wanted])


async def _remember(
    call: Call,
    content: str,
    subject: str,
    tags: Sequence[str] = (),
    *,
    category: str = "fact",
    claims: Sequence[Claim] = (),
) -> None:
    await call.memory.remember(
        content,
        category=category,
        subject=subject,
        tags=tags,
        claims=claims,
        trust=least(call.trust, "user"),
        scope=call.scope,
    )


async def _forget(call: Call, records: Iterable[Record]) -> None:
    for each in records:
        await call.memory.forget(each.id, trust=call.trust, scope=call.scope)


def _done(what: str) -> dict[str, Any]:
    return {"success": True, "message": f"{what} deleted successfully"}


# --- the tools --------------------------------------------------------------------------------------------------------


def profile(_: Config) -> Profile:
    """The nine."""
    return Profile("graph", GRAPH, _TOOLS, _NAMES)


def _inner(key: str) -> Any:
    return lambda answer: json.dumps(answer[key], indent=2, ensure_ascii=False)


def _indented(answer: Mapping[str, Any]) -> str:
    return json.dumps(answer, indent=2, ensure_ascii=False)


def _message(answer: Mapping[str, Any]) -> str:
    return str(answer["message"])


_TOOLS = (
    Tool(
        "create_entities",
        "Create Entities",
        "Create multiple new entities in the knowledge graph",
        Entities,
        Entities,
        create_entities,
        shown=_inner("entities"),
    ),
    Tool(
        "create_relations",
        "Create Relations",
        "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
        Relations,
        Relations,
        create_relations,
        shown=_inner("relations"),
    ),
    Tool(
        "add_observations",
        "Add Observations",
        "Add new observations to existing entities in the knowledge graph",
        Observations,
        Results,
        _add_observations,
        shown=_inner("results"),
    ),
    Tool(
        "delete_entities",
        "Delete Entities",
        "Delete multiple entities and their associated relations from the knowledge graph",
        EntityNames,
        Done,
        _delete_entities,
        destroys=True,
        repeats=True,
        shown=_message,
    ),
    Tool(
        "delete_observations",
        "Delete Observations",
        "Delete specific observations from entities in the knowledge graph",
        Deletions,
        Done,
        _delete_observations,
        destroys=True,
        repeats=True,
        shown=_message,
    ),
    Tool(
        "delete_relations",
        "Delete Relations",
        "Delete multiple relations from the knowledge graph",
        Relations,
        Done,
        _delete_relations,
        destroys=True,
        repeats=True,
        shown=_message,
    ),
    Tool(
        "read_graph",
        "Read Graph",
        "Read the entire knowledge graph",
        Nothing,
        Whole,
        read_graph,
        reads=True,
        shown=_indented,
    ),
    Tool(
        "search_nodes",
        "Search Nodes",
        "Search for nodes in the knowledge graph based on a query",
        Query,
        Whole,
        _search_nodes,
        reads=True,
        shown=_indented,
    ),
    Tool(
        "open_nodes",
        "Open Nodes",
        "Open specific nodes in the knowledge graph by their names",
        Names,
        Whole,
        _open_nodes,
        reads=True,
        shown=_indented,
    ),
)
