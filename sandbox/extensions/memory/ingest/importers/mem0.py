"""The memories of mem0, as ``get_all`` of its library or platform returns them: ``{"results": [...]}``, or a list."""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.values import Entry, JsonRecord, Keys, said
from sandbox.extensions.memory.model import Statement

_RELATION = frozenset(("source", "relationship"))


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a memory, or a relation of its graph."""
    return {"id", "memory"} <= record.keys() or (record.keys() >= _RELATION and bool(_there(record)))


def read(entry: Entry, keys: Keys) -> Iterator[Statement]:
    """The memory or relation. It becomes the user's, because a file does not say who its users are."""
    record = entry.record
    if record.keys() >= _RELATION:
        here, how, there = (record.id(each) or "" for each in ("source", "relationship", _there(record)))
        text = said(f"{here} {how.replace('_', ' ')} {there}.")
        yield Statement(text, subject=here, key=f"mem0:{keys.derived(text)}")
        return
    text, at = said(record.text("memory")), record.time("updated_at", "created_at")
    key = keys.of(record, "mem0", text, at)
    yield Statement(text, tags=record.words("categories"), at=at, key=f"mem0:{key}")


def _there(record: JsonRecord) -> str:
    return next((name for name in ("target", "destination") if name in record), "")
