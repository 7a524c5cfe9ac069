"""The ``conversations.json`` of a ChatGPT export: conversations are trees, and the last shown branch is read.

An export has no file of saved memories. A memory that ChatGPT saved appears at its place in the conversation; custom
instructions come before the user's turns. Both are statements. Programs that read ChatGPT's settings write a file of
the saved memories: objects of ``id``, ``content`` and the time of saving.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain

from sandbox.extensions.memory.ingest.importers.records import Entry, Item, JsonRecord, Keys, guarded, said
from sandbox.extensions.memory.model import Message, Role, Statement
from sandbox.support.characters import storable

_SPOKEN = (None, "text", "multimodal_text")  # other content types are thoughts, code for tools, instructions, quotes
_FORGET = ("forget", "please forget")
_NOT_SAID = ("is_visually_hidden_from_conversation", "is_auto_proceed_message")
_MARK = re.compile(  # a source, a picture, or a name or title with a link
    r"\ue200(?:entity\ue202\[\"[^\"]*\", *\"([^\"]*)\"|url\ue202([^\ue201\ue202]*)\ue202)?[^\ue201]*\ue201"
)
_LABEL = re.compile(r"^(Preferred name|Role|Other Information): *", re.MULTILINE)  # in ChatGPT's settings since 2025
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_SAVED = ("updated_at", "created_at", "updated_timestamp", "created_timestamp")
_OTHERS = ("role", "author", "rating", "conversation_id", "sender", "title")  # with one of these it is something else


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a conversation."""
    return isinstance(record.get("mapping"), dict)


def read(entries: Iterable[Entry]) -> Iterator[Item]:
    """The messages of the person and of ChatGPT in every conversation, without regenerated answers, hidden messages,
    tools and pictures. A message without a time gets the time of the message before it; the first one gets that of the
    conversation. Each conversation repeats the custom instructions of its day; the newest count.
    """
    told = list[Statement]()
    for entry in entries:
        for item in guarded(entry.place, _conversation(entry)):
            if isinstance(item, Statement):
                told.append(item)
            else:
                yield item
    yield from _lasting(told)


def _lasting(told: list[Statement]) -> Iterator[Statement]:
    """Each saved memory once, and the newest custom instructions."""
    newest: dict[str, datetime] = {}
    for each in told:
        newest[each.category] = max(newest.get(each.category, _LONG_AGO), each.at or _LONG_AGO)
    once = {
        each.content: each
        for each in reversed(told)
        if each.category == "fact" or (each.at or _LONG_AGO) == newest[each.category]
    }
    yield from reversed(once.values())


def _conversation(entry: Entry) -> Iterator[Item]:
    conversation = entry.record
    session = conversation.id("conversation_id", "id")
    latest: datetime | None = None
    for number, (node_id, node) in enumerate(_branch(conversation), 1):
        place = f"{entry.place}, message {number} (id {storable(node_id)})"
        said = _message(node_id, node, session, latest, conversation)
        for item in guarded(place, chain(said, _saved(node, conversation))):
            if isinstance(item, Message):
                latest = item.at or latest
            yield item


def _branch(conversation: JsonRecord) -> list[tuple[str, object]]:
    """The nodes with a message up to the current one, with their ids; a circle ends where it closes. In an export that
    names no current node, it is the last one without a child.
    """
    mapping, current = conversation.record("mapping"), conversation.get("current_node")
    if not isinstance(current, str) or current not in mapping:
        found = (id_ for id_, node in reversed(mapping.items()) if isinstance(node, dict) and not node.get("children"))
        current = next(found, None)
    branch: dict[str, object] = {}
    while isinstance(current, str) and current in mapping and current not in branch:
        node = branch[current] = mapping[current]
        current = node.get("parent") if isinstance(node, dict) else None
    items = reversed(branch.items())
    return [(id_, node) for id_, node in items if not isinstance(node, dict) or node.get("message") is not None]


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


def _saved(node: object, conversation: JsonRecord) -> Iterator[Statement]:
    """A memory that ChatGPT saved here and may have forgotten since, or the custom instructions."""
    message = JsonRecord.of(node).record("message")
    at = message.time("create_time") or conversation.time("create_time")
    if message.get("recipient") == "bio" and message.record("author").role() == "assistant":
        for line in _text(message).splitlines():
            if line.strip() and not line.casefold().startswith(_FORGET):
                yield _statement(line, "fact", at)
    wishes = message.inner("metadata").inner("user_context_message_data")
    for text in _about(wishes.text("about_user_message")):
        yield _statement(text, "person", at)
    if text := wishes.text("about_model_message").strip():
        yield _statement(text, "instruction", at)


def _about(text: str) -> Iterator[str]:
    """What the user told of themselves: one text, or the fields of the settings as sentences."""
    before, *fields = _LABEL.split(text)
    said = [
        before,
        *(
            value if name == "Other Information" else f"The user's {name.lower()} is {value.strip().rstrip('.')}."
            for name, value in zip(fields[::2], fields[1::2], strict=True)
            if value.strip()
        ),
    ]
    yield from (each.strip() for each in said if each.strip())


def _statement(text: str, category: str, at: datetime | None) -> Statement:
    text = text.strip()
    return Statement(text, category=category, at=at, key=f"chatgpt:{Keys().derived(text)}")


def _speaker(message: JsonRecord) -> Role | None:
    """The role of a message that was shown; None if it was hidden, is for a tool, or ChatGPT sent it for the user."""
    about = message.inner("metadata")
    if any(about.get(flag) is True for flag in _NOT_SAID) or message.get("recipient") not in (None, "all"):
        return None
    role = message.record("author").role()
    return role if role in ("user", "assistant") else None


def _text(message: JsonRecord) -> str:
    content = message.record("content")
    if content.get("content_type") not in _SPOKEN:
        return ""
    return _MARK.sub(lambda mark: mark[1] or mark[2] or "", "\n".join(content.parts("parts")))


def recognises_memories(record: JsonRecord) -> bool:
    """Whether the record is one saved memory."""
    is_memory = {"id", "content"} <= record.keys() and not record.keys().isdisjoint(_SAVED)
    return is_memory and record.keys().isdisjoint(_OTHERS)


def read_memories(entry: Entry, _: Keys) -> Iterator[Statement]:
    """A saved memory, unless it is switched off."""
    record = entry.record
    if record.get("enabled") is False:
        return
    at = record.time(*_SAVED)
    text = said(record.text("content"))
    yield Statement(text, at=at, key=f"chatgpt:{record.id('id') or text}")
