"""``memories.jsonl``: the memories of an agent, one statement per line."""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.records import Entry, JsonRecord, Keys, category_of, said
from sandbox.extensions.memory.model import Statement
from sandbox.support.trust import least


def recognises(record: JsonRecord) -> bool:
    """Whether the record is one memory."""
    return {"id", "text"} <= record.keys() and not record.keys().isdisjoint({"scope", "tags", "ts"})


def read(entry: Entry, keys: Keys) -> Iterator[Statement]:
    """The memory. It becomes the user's, because a file does not say which workspace or session its scopes mean. It has
    the trust of the person who imports it, or less if the file says so.
    """
    record = entry.record
    text = said(record.text("text"))
    tags, at = record.words("tags"), record.time("ts")
    key = keys.of(record, "explicit", text, at)
    category = category_of(tags[0]) if tags else "fact"
    trust = least(record.trust() or "user", "user")
    yield Statement(
        text,
        category=category,
        subject=record.id("subject"),
        tags=tags,
        at=at,
        source="explicit",
        key=key,
        trust=trust,
        contexts=record.words("contexts"),
    )
