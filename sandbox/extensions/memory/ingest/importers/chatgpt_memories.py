"""ChatGPT's saved memories, as its settings show them: objects of ``id``, ``content`` and the time of saving.

Exports of 2026 have none; programs that read the settings write this file.
"""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.records import Entry, JsonRecord, Keys, said
from sandbox.extensions.memory.model import Statement

_TIMES = ("updated_at", "created_at", "updated_timestamp", "created_timestamp")
_OTHERS = ("role", "author", "rating", "conversation_id", "sender", "title")  # with one of these it is something else


def recognises(record: JsonRecord) -> bool:
    """Whether the record is one memory."""
    is_memory = {"id", "content"} <= record.keys() and not record.keys().isdisjoint(_TIMES)
    return is_memory and record.keys().isdisjoint(_OTHERS)


def read(entry: Entry, _: Keys) -> Iterator[Statement]:
    """The memory, unless it is switched off."""
    record = entry.record
    if record.get("enabled") is False:
        return
    at = record.time(*_TIMES)
    text = said(record.text("content"))
    yield Statement(text, at=at, key=f"chatgpt:{record.id('id') or text}")
