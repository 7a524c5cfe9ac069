"""``memory.json`` of the official MCP memory server: entities with observations, and relations between them, a JSON
object on each line; or the answer of its ``read_graph``.
"""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.keys import Keys
from sandbox.extensions.memory.ingest.importers.values import Entry, JsonRecord, said
from sandbox.extensions.memory.model import Statement

_RELATION = frozenset(("from", "to", "relationType"))
_ENTITY = frozenset(("name", "entityType", "observations"))


def recognises(record: JsonRecord) -> bool:
    """Whether the record is an entity or a relation."""
    return record.keys() >= _ENTITY or record.keys() >= _RELATION


def read(entry: Entry, keys: Keys) -> Iterator[Statement]:
    """Every observation as a statement about its entity, a relation as a statement about its first entity."""
    record = entry.record
    if record.keys() >= _RELATION:
        here, how, there = (record.id(each) or "" for each in ("from", "relationType", "to"))
        yield _about(here, f"{here} {how.replace('_', ' ')} {there}.", keys)
        return
    name, kind = said(record.id("name") or ""), record.id("entityType")
    observations = record.words("observations")
    for text in observations or (f"{name} is a {kind}.",):
        if text.strip():
            yield _about(name, text, keys, (kind,) if kind else ())


def _about(subject: str, text: str, keys: Keys, tags: tuple[str, ...] = ()) -> Statement:
    key = keys.derived(subject, text)
    return Statement(text, subject=subject or None, tags=tags, key=f"mcp:{key}")
