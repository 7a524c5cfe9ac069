"""The ``conversations.json`` of a ChatGPT export: conversations are trees, and the last shown branch is read.

An export has no file of saved memories. A memory that ChatGPT saved appears at its place in the conversation; custom
instructions come before the user's turns. Both are statements.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from sandbox.extensions.memory.ingest.importers.values import Entry, Item, JsonRecord, Keys, guarded
from sandbox.extensions.memory.model import Message, Role, Statement
from sandbox.support.characters import storable

_SPOKEN = (None, "text", "multimodal_text")  # other content types are thoughts, code for tools, instructions, quotes
_FORGET = ("forget", "please forget")


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a conversation."""
    return isinstance(record.get("mapping"), dict)


def read(entries: Iterable[Entry]) -> Iterator[Item]:
    """The messages of the person and of ChatGPT in every conversation, without regenerated answers, hidden messages,
    tools and pictures. A message without a time gets the time of the message before it; the first one gets that of the
    conversation.
    """
    seen = set[str]()
    for entry in entries:
        yield from guarded(entry.place, _conversation(entry, seen))


def _conversation(entry: Entry, seen: set[str]) -> Iterator[Item]:
    conversation = entry.record
    session = conversation.id("conversation_id", "id")
    latest: datetime | None = None
    for number, (node_id, node) in enumerate(_branch(conversation), 1):
        place = f"{entry.place}, message {number} (id {storable(node_id)})"
        for item in guarded(place, _items(node_id, node, session, latest, conversation)):
            if isinstance(item, Message):
                latest = item.at or latest
            if isinstance(item, Statement):  # conversations repeat custom instructions
                if item.content in seen:
                    continue
                seen.add(item.content)
            yield item


def _branch(conversation: JsonRecord) -> list[tuple[str, object]]:
    """The nodes with a message from the first to the current one, with their ids; a circular chain ends where it
    closes.
    """
    mapping = conversation.record("mapping")
    branch: dict[str, object] = {}
    current = _leaf(conversation, mapping)
    while isinstance(current, str) and current in mapping and current not in branch:
        node = branch[current] = mapping[current]
        current = node.get("parent") if isinstance(node, dict) else None
    return [(id_, node) for id_, node in reversed(branch.items()) if not _is_empty(node)]


def _leaf(conversation: JsonRecord, mapping: JsonRecord) -> object:
    """The current node; in an export that names none, the last node without a child."""
    current = conversation.get("current_node")
    if isinstance(current, str) and current in mapping:
        return current
    return next(
        (id_ for id_, node in reversed(mapping.items()) if isinstance(node, dict) and not node.get("children")), None
    )


def _is_empty(node: object) -> bool:
    return isinstance(node, dict) and node.get("message") is None


def _items(
    node_id: str, node: object, session: str | None, latest: datetime | None, conversation: JsonRecord
) -> Iterator[Item]:
    yield from _message(node_id, node, session, latest, conversation)
    yield from _saved(node)


def _message(
    node_id: str, node: object, session: str | None, latest: datetime | None, conversation: JsonRecord
) -> Iterator[Message]:
    message = JsonRecord.of(node).record("message")
    role = _speaker(message)
    text = _text(message) if role else ""
    if role and text:
        at = message.time("create_time") or latest or conversation.time("create_time")
        key = message.id("id") or storable(node_id)
        yield Message(role, text, session=session, at=at, key=key, source="chatgpt")


def _saved(node: object) -> Iterator[Statement]:
    """A memory that ChatGPT saved here, or the user's custom instructions. ChatGPT may have forgotten the memory
    since.
    """
    message = JsonRecord.of(node).record("message")
    at = message.time("create_time")
    if message.get("recipient") == "bio" and message.record("author").role() == "assistant":
        for line in _text(message).splitlines():
            if line.strip() and not line.casefold().startswith(_FORGET):
                yield _statement(line, "fact", at)
    wishes = message.inner("metadata").inner("user_context_message_data")
    for field, category in (("about_user_message", "person"), ("about_model_message", "instruction")):
        if text := wishes.text(field).strip():
            yield _statement(text, category, at)


def _statement(text: str, category: str, at: datetime | None) -> Statement:
    text = text.strip()
    return Statement(text, category=category, at=at, key=f"chatgpt:{Keys().derived(text)}")


def _speaker(message: JsonRecord) -> Role | None:
    """The role of a message that was shown; None if it was hidden or is for a tool."""
    hidden = message.inner("metadata").get("is_visually_hidden_from_conversation") is True
    if hidden or message.get("recipient") not in (None, "all"):
        return None
    role = message.record("author").role()
    return role if role in ("user", "assistant") else None


def _text(message: JsonRecord) -> str:
    content = message.record("content")
    if content.get("content_type") not in _SPOKEN:
        return ""
    return "\n".join(content.parts("parts"))
