"""Cursor: the JSON Lines that its agent writes under ``~/.cursor/projects``.

They have no specification; version 3 writes this. Only the messages of the person and the assistant are read.
"""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.records import Entry, JsonRecord, Keys
from sandbox.extensions.memory.model import Message, Role

_QUERY, _ENDED = "<user_query>", "</user_query>"


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a line of a transcript."""
    return record.get("role") in ("user", "assistant") and "content" in record.inner("message")


def read(entry: Entry, keys: Keys) -> Iterator[Message]:
    """The turn. Cursor writes no times, and only the name of the file names the conversation."""
    record = entry.record
    role: Role = "user" if record.get("role") == "user" else "assistant"
    if record.get("role") not in ("user", "assistant"):
        return
    text = "\n".join(record.record("message").parts("content")).strip()
    if role == "user" and _QUERY in text:  # the rest of the text is what the program attached
        text = "\n".join(query.partition(_ENDED)[0].strip() for query in text.split(_QUERY)[1:]).strip()
    if text:
        yield Message(role, text, key=keys.derived(role, text), source="cursor")
