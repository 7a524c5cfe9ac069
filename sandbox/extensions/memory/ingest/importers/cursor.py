"""Cursor: the JSON Lines that its agent writes under ``~/.cursor/projects``, and the Markdown of *Export Chat*.

The lines have no specification; version 3 writes this. Only the messages of the person and the assistant are read.
"""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.values import Entry, Item, JsonRecord, Keys
from sandbox.extensions.memory.model import Message, Role

_QUERY, _ENDED = "<user_query>", "</user_query>"
_TURN = re.compile(r"^---\n\n\*\*(User|Cursor)\*\*\n", re.MULTILINE)


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


def is_export(text: str) -> bool:
    """Whether a text is an exported chat."""
    title, _, rest = text.partition("\n")
    exported = rest.partition("\n")[0].rstrip()
    return title.startswith("# ") and exported.startswith("_Exported on ") and exported.endswith(")_")


def read_export(text: str) -> Iterator[Item]:
    """Every turn of an exported chat. A horizontal rule inside a text does not end its turn."""
    keys = Keys()
    _, *turns = _TURN.split(text)
    for name, said in zip(turns[::2], turns[1::2], strict=True):
        role: Role = "user" if name == "User" else "assistant"
        if content := said.strip().removesuffix("---").strip():
            yield Message(role, content, key=keys.derived(role, content), source="cursor")
