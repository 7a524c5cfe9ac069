"""The graph of the official MCP memory server in this memory.

An entity is a memory with a tag and its type; a relation is a memory that claims it; an observation is any knowledge
with the entity as its subject, from any source. A statement that another one ended stays in the graph until it is
deleted, as in the official server.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from sandbox.extensions.memory.model import KNOWLEDGE, Record
from sandbox.extensions.memory_mcp.tooling import Call

ENTITY, RELATION = "graph:entity", "graph:relation"
_PAGE = 1_000


@dataclass(slots=True)
class Graph:
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
        return {"entities": [self.entity(name) for name in wanted], "relations": [related(*key) for key in touching]}

    def whole(self) -> dict[str, Any]:
        """The whole graph, with relations to unknown entities."""
        return {**self.part(self.types), "relations": [related(*key) for key in self.relations]}


def related(source: str, target: str, type: str) -> dict[str, str]:
    """A relation in the form of the official server."""
    return {"from": source, "to": target, "relationType": type}


async def read(call: Call) -> Graph:
    """The graph that a call sees."""
    records, cursor = list[Record](), None
    for _ in count():
        page = await call.memory.list(limit=_PAGE, cursor=cursor, types=KNOWLEDGE, history=True, scope=call.scope)
        records += [each.memory for each in page.items if each.memory.retired_by is None and each.memory.subject]
        if (cursor := page.next) is None:
            break
    graph = Graph()
    for record in reversed(records):  # in their order of creation
        _put(graph, record)
    graph.observations = {name: found for name, found in graph.observations.items() if name in graph.types}
    return graph


def _put(graph: Graph, record: Record) -> None:
    name = record.subject or ""
    if ENTITY in record.tags:
        graph.types.setdefault(name, _tagged(record, "type"))
        graph.marks.setdefault(name, []).append(record)
    elif RELATION in record.tags:
        graph.relations.setdefault((name, _tagged(record, "to"), _tagged(record, "is")), []).append(record)
    else:
        graph.observations.setdefault(name, {}).setdefault(record.content, []).append(record)


def _tagged(record: Record, kind: str) -> str:
    return next((tag.partition("=")[2] for tag in record.tags if tag.startswith(f"{kind}=")), "")
