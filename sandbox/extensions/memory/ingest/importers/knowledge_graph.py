"""``memory.json`` of the official MCP memory server: entities with observations, and relations between them, a JSON
object on each line; or the answer of its ``read_graph``. The MCP profile `graph` shows the same graph: an entity is a
memory with a tag and its type, a relation is a memory that claims it, an observation is any knowledge about it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.claim import Claim
from sandbox.extensions.memory.ingest.importers.keys import Keys
from sandbox.extensions.memory.ingest.importers.values import Entry, JsonRecord, said
from sandbox.extensions.memory.model import Statement

ENTITY, RELATION = "graph:entity", "graph:relation"

_RELATION = frozenset(("from", "to", "relationType"))
_ENTITY = frozenset(("name", "entityType", "observations"))


def recognises(record: JsonRecord) -> bool:
    """Whether the record is an entity or a relation."""
    return record.keys() >= _ENTITY or record.keys() >= _RELATION


def read(entry: Entry, keys: Keys) -> Iterator[Statement]:
    """An entity and each of its observations, or a relation."""
    record = entry.record
    if record.keys() >= _RELATION:
        here, how, there = (record.id(each) or "" for each in ("from", "relationType", "to"))
        found = [relation(here, how, there)]
    else:
        name, texts = said(record.id("name") or ""), filter(str.strip, record.words("observations"))
        found = [
            entity(name, record.id("entityType") or ""),
            *(Statement(text, subject=name or None) for text in texts),
        ]
    for each in found:
        yield replace(each, key=f"mcp:{keys.derived(each.subject, each.content)}")


def entity(name: str, kind: str) -> Statement:
    """An entity, which needs no observation."""
    tags = (ENTITY, f"type={kind}")
    return Statement(f"{name}: {kind or 'entity'}", category="context", subject=name or None, tags=tags)


def relation(here: str, how: str, there: str) -> Statement:
    """A relation as a statement about the entity where it starts."""
    predicate = re.sub(r"[^a-z]+", "_", how.lower()).strip("_")
    return Statement(
        f"{here} {how.replace('_', ' ')} {there}",
        category="context",
        subject=here or None,
        tags=(RELATION, f"is={how}", f"to={there}"),
        claims=(Claim(here, predicate, there),) if predicate else (),
    )
