"""Chat messages as most programs write them: objects of ``role``, ``content``, ``timestamp``, ``session``.

``content`` is a text or a list of parts with texts. ``timestamp``, or another of its names, is ISO 8601 (without a zone
it is UTC) or seconds or milliseconds since 1970. ``speaker``, ``source``, ``key`` and ``id`` are optional; ``trust``
counts if it is less than the role's own.
"""

from collections.abc import Iterator

from sandbox.extensions.memory.ingest.importers.records import TIMES, Entry, JsonRecord, Keys, said
from sandbox.extensions.memory.model import Message


def recognises(record: JsonRecord) -> bool:
    """Whether the record is one message."""
    return "role" in record and "content" in record


def read(entry: Entry, keys: Keys) -> Iterator[Message]:
    """The message."""
    record = entry.record
    role = record.role()
    content = said("\n".join(record.parts("content")))
    session, speaker, at = record.id("session"), record.id("speaker"), record.time(*TIMES)
    source = record.id("source") or "import"
    identity = (source, session, speaker, role, at, content)
    key = keys.of(record, source, *identity)
    trust = record.trust()
    yield Message(role, content, session=session, at=at, speaker=speaker, key=key, source=source, trust=trust)
