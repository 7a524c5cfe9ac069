"""Conversations in the format of chat APIs: objects with a list of ``messages``, each with a ``role`` and ``content``.

``id`` or ``session`` names a conversation; without them, its first message does. ``created_at`` of the conversation or
of a message gives the time.
"""

from collections.abc import Iterable, Iterator

from sandbox.extensions.memory.ingest.importers.keys import Keys, read_each
from sandbox.extensions.memory.ingest.importers.values import (
    Entry,
    Item,
    Record,
    as_record,
    guarded,
    id_at,
    parts_at,
    time_in,
)
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


def recognises(record: Record) -> bool:
    """Whether the record is a conversation."""
    messages = record.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    return isinstance(first, dict) and "role" in first


def read(entries: Iterable[Entry]) -> Iterator[Item]:
    """The messages of the person and the assistant in every conversation, without instructions, tools and pictures."""
    return read_each(entries, _conversation)


def _conversation(entry: Entry, keys: Keys) -> Iterator[Item]:
    record = entry.record
    messages = record.get("messages")
    named = next((name for each in _IDS if (name := id_at(record, each))), None)
    session: str | None = named
    begins = time_in(record, _TIMES)
    for number, value in enumerate(messages if isinstance(messages, list) else (), 1):
        for item in guarded(f"{entry.place}, message {number}", _said(value)):
            if isinstance(item, Message):
                session = session or f"conversation-{keys.derived('conversation', item.role, item.content)}"
                at = item.at or begins
                yield Message(item.role, item.content, session, at, item.speaker, key=_key(item, session, keys))
            else:
                yield item


def _said(value: object) -> Iterator[Message]:
    message = as_record(value)
    role = _ROLES.get(message.get("role")) if isinstance(message.get("role"), str) else None
    text = "\n".join(parts_at(message, "content")) if role and message.get("content") is not None else ""
    if role and text:
        yield Message(role, text, at=time_in(message, _TIMES), speaker=id_at(message, "name"), key=id_at(message, "id"))


def _key(item: Message, session: str, keys: Keys) -> str:
    return keys.derived(session, item.key, item.role, item.content)
