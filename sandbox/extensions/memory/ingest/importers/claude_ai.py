"""The export of Claude.ai: ``conversations.json``, of which the last shown branch is read, ``memories.json`` (or a file
for each user in ``memories/``), and ``projects.json`` (or a file for each project in ``projects/``).
"""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.prose import pieces, statements, with_topic
from sandbox.extensions.memory.ingest.importers.records import Broken, Entry, Item, JsonRecord, Keys, guarded
from sandbox.extensions.memory.model import Message, Role, Statement
from sandbox.support.characters import storable

_SENDERS: dict[object, Role] = {"human": "user", "assistant": "assistant"}
_MEMORIES = ("conversations_memory", "project_memories", "memory_files")


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a conversation."""
    return isinstance(record.get("chat_messages"), list)


def read(entry: Entry, _: Keys) -> Iterator[Item]:
    """The messages of the person and of Claude, without replaced edits and answers, thoughts, tools and files. Pasted
    text counts as the message if the message has no other text.
    """
    conversation = entry.record
    session = conversation.id("uuid")
    for number, value in _branch(conversation):
        given = value.get("uuid") if isinstance(value, dict) else None
        place = f"{entry.place}, message {number}" + (f" (id {storable(given)})" if isinstance(given, str) else "")
        yield from guarded(place, _message(value, session))


def _branch(conversation: JsonRecord) -> list[tuple[int, object]]:
    """The messages of the last shown branch, with their places; all of them if they name no parents."""
    messages = list(enumerate(conversation.array("chat_messages"), 1))
    by_id = {str(value.get("uuid")): (number, value) for number, value in messages if isinstance(value, dict)}
    parents = {id_: str(value.get("parent_message_uuid")) for id_, (_, value) in by_id.items()}
    leaf = conversation.get("current_leaf_message_uuid")
    if leaf not in by_id:
        if not any(parent in by_id for parent in parents.values()):
            return messages
        newness = {id_: (str(value.get("created_at")), number) for id_, (number, value) in by_id.items()}
        leaf = max(newness.keys() - set(parents.values()), key=newness.__getitem__, default=None)
    branch: dict[str, tuple[int, object]] = {}
    while isinstance(leaf, str) and leaf in by_id and leaf not in branch:
        branch[leaf] = by_id[leaf]
        leaf = parents[leaf]
    return list(reversed(branch.values()))


def _message(value: object, session: str | None) -> Iterator[Message]:
    message = JsonRecord.of(value)
    sender = message.get("sender")
    role = _SENDERS.get(sender) if isinstance(sender, str) else None
    if role is None:
        raise Broken("has no sender" if sender is None else "its sender is neither human nor assistant")
    if text := _text(message) or _pasted(message):
        at = message.time("created_at")
        key = message.id("uuid") or Keys().derived(session, role, at, text)
        yield Message(role, text, session=session, at=at, key=key, source="claude.ai")


def _text(message: JsonRecord) -> str:
    return "\n".join(message.parts("content" if message.array("content") else "text")).strip()


def _pasted(message: JsonRecord) -> str:
    """The text of a pasted attachment: a file without a name."""
    files = [JsonRecord(each) for each in message.array("attachments") if isinstance(each, dict)]
    return "\n".join(file.text("extracted_content") for file in files if not file.get("file_name")).strip()


def recognises_memories(record: JsonRecord) -> bool:
    """Whether the record holds Claude's memory of a user."""
    return not record.keys().isdisjoint(_MEMORIES)


def read_memories(entry: Entry, keys: Keys) -> Iterator[Statement]:
    """Every paragraph and list item of Claude's memory, also of projects. Claude words it, and the user can."""
    record = entry.record
    yield from _statements(record.text("conversations_memory"), keys, subject="The user")
    for text in record.inner("project_memories").values():
        yield from _statements(JsonRecord(memory=text).text("memory"), keys, "project")
    for value in record.array("memory_files"):
        yield from _statements(JsonRecord.of(value).text("content"), keys)


def _statements(text: str, keys: Keys, category: str = "fact", subject: str | None = None) -> Iterator[Statement]:
    for said, topic in statements(text):
        told, key = with_topic(said, topic), f"claude.ai:{keys.derived(said)}"
        yield Statement(told, category=category, subject=subject, key=key)


def recognises_project(record: JsonRecord) -> bool:
    """Whether the record is a project."""
    return {"uuid", "name", "prompt_template"} <= record.keys()


def read_project(entry: Entry, _: Keys) -> Iterator[Item]:
    """Its purpose, the user's instructions for it, and its documents, which do not count as the user's word."""
    project = entry.record
    name, id_ = (project.text("name").strip() or "Project"), project.id("uuid")
    at = project.time("created_at")
    if description := project.text("description").strip():
        about = f"The project {name}: {description}"
        yield Statement(about, category="project", subject=name, at=at, key=f"claude.ai:{id_}")
    yield from _document(name, project.text("prompt_template"), "user", f"{id_}/instructions", project)
    for number, value in enumerate(project.array("docs"), 1):
        yield from guarded(f"{entry.place}, document {number}", _documents(name, value, id_))


def _documents(name: str, value: object, project: str | None) -> Iterator[Message]:
    doc = JsonRecord.of(value)
    title = doc.text("filename").strip() or "document"
    yield from _document(f"{name}, {title}", doc.text("content"), "tool", f"{project}/{doc.id('uuid')}", doc)


def _document(title: str, text: str, role: Role, key: str, dated: JsonRecord) -> Iterator[Message]:
    session = f"{title} ({str(dated.id('uuid'))[:8]})"  # two projects, or two documents, may have the same name
    for number, piece in enumerate(pieces(text), 1):
        at = dated.time("created_at")
        yield Message(role, piece, session=session, at=at, key=f"{key}/{number}", source="claude.ai")
