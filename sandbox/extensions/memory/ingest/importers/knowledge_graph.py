"""``memory.json`` of the official MCP memory server: entities with observations, and relations between them, a JSON
object on each line; or the answer of its ``read_graph``. The MCP profile `graph` shows it.
"""

from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.graph_form import entity, relation
from sandbox.extensions.memory.ingest.importers.records import Entry, JsonRecord, Keys, said
from sandbox.extensions.memory.model import Statement

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
