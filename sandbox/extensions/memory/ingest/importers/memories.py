"""``memories.jsonl``: the memories of an agent, one statement per line."""

from collections.abc import Iterable, Iterator

from sandbox.extensions.memory.ingest.importers.keys import Keys, read_each
from sandbox.extensions.memory.ingest.importers.values import Entry, Item, JsonRecord, category_of, said
from sandbox.extensions.memory.model import Statement
from sandbox.support.trust import least


def recognises(record: JsonRecord) -> bool:
    """Whether the record is one memory."""
    return {"id", "text"} <= record.keys() and not record.keys().isdisjoint({"scope", "tags", "ts"})


def read(entries: Iterable[Entry]) -> Iterator[Item]:
    """Every memory, in order. All become the user's, because a file does not say which workspace or session its scopes
    mean. They have the trust of the person who imports them, or less if the file says so.
    """
    return read_each(entries, _statement)


def _statement(entry: Entry, keys: Keys) -> Iterator[Statement]:
    record = entry.record
    text = said(record.text("text"))
    tags, at, given = record.words("tags"), record.time("ts"), record.id("id")
    key = keys.derived(text, at) if given is None else keys.given("explicit", given, text, at)
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
