"""Conversations in the format of chat APIs: objects with a list of ``messages``, each with a ``role`` and ``content``.

``id`` or ``session`` names a conversation; without them, its first message does. ``created_at`` of the conversation or
of a message gives the time.
"""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.values import Entry, Item, JsonRecord, Keys, guarded
from sandbox.extensions.memory.model import Message, Role

_IDS = ("session", "session_id", "conversation_id", "thread_id", "id", "uuid")
_TIMES = ("timestamp", "created_at", "create_time", "createdAt", "time", "date")
_ROLES: dict[object, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
}


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a conversation."""
    messages = record.array("messages")
    return bool(messages) and isinstance(messages[0], dict) and "role" in messages[0]


def read(entry: Entry, keys: Keys) -> Iterator[Item]:
    """The messages of the person and the assistant, without instructions, tools and pictures."""
    record = entry.record
    session, begins = record.id(*_IDS), record.time(*_TIMES)
    for number, value in enumerate(record.array("messages"), 1):
        for item in guarded(f"{entry.place}, message {number}", _said(value)):
            if isinstance(item, Message):
                session = session or f"conversation-{keys.derived('conversation', item.role, item.content)}"
                key = keys.derived(session, item.key, item.role, item.content)
                yield Message(item.role, item.content, session, item.at or begins, item.speaker, key=key)
            else:
                yield item


def _said(value: object) -> Iterator[Message]:
    message = JsonRecord.of(value)
    role = _ROLES.get(message.get("role")) if isinstance(message.get("role"), str) else None
    text = "\n".join(message.parts("content")) if role and message.get("content") is not None else ""
    if role and text:
        yield Message(role, text, at=message.time(*_TIMES), speaker=message.id("name"), key=message.id("id"))
