"""Conversations in the format of chat APIs: objects with a list of ``messages``, each with a ``role`` and ``content``;
and the chats that Open WebUI exports, which hold such messages as a tree.

``id`` or ``session`` names a conversation; without them, its first message does. ``created_at`` of the conversation or
of a message gives the time.
"""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.records import TIMES, Entry, Item, JsonRecord, Keys, guarded
from sandbox.extensions.memory.model import Message, Role
from sandbox.extensions.memory.text.typed_prompt import without_blocks

_IDS = ("session", "session_id", "conversation_id", "thread_id", "id", "uuid")
_ROLES: dict[object, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
}
_ASIDES = (("<think>", "</think>"), ('<details type="', "</details>"))  # thoughts and tools in a text


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a conversation."""
    messages = _messages(record)
    return bool(messages) and isinstance(messages[0], dict) and "role" in messages[0]


def read(entry: Entry, keys: Keys) -> Iterator[Item]:
    """The messages of the person and the assistant, without instructions, thoughts, tools and pictures."""
    record = entry.record
    session, begins = record.id(*_IDS), record.time(*TIMES)
    for number, value in enumerate(_messages(record), 1):
        for item in guarded(f"{entry.place}, message {number}", _said(value)):
            if isinstance(item, Message):
                session = session or f"conversation-{keys.derived('conversation', item.role, item.content)}"
                key = keys.derived(session, item.key, item.role, item.content)
                yield Message(item.role, item.content, session, item.at or begins, item.speaker, key=key)
            else:
                yield item


def _messages(record: JsonRecord) -> list[object]:
    """The list of messages, or those of the last shown branch."""
    history = record.inner("chat").inner("history")
    messages, current = history.inner("messages"), history.get("currentId")
    branch: dict[str, object] = {}
    while isinstance(current, str) and current in messages and current not in branch:
        branch[current] = messages[current]
        current = messages.inner(current).get("parentId")
    return [*reversed(branch.values())] or record.array("messages")


def _said(value: object) -> Iterator[Message]:
    message = JsonRecord.of(value)
    role = _ROLES.get(message.get("role")) if isinstance(message.get("role"), str) else None
    text = "\n".join(message.parts("content")) if role and message.get("content") is not None else ""
    if role == "assistant":
        for opening, closing in _ASIDES:
            text = without_blocks(text, opening, closing).strip()
    if role and text:
        yield Message(role, text, at=message.time(*TIMES), speaker=message.id("name"), key=message.id("id"))
