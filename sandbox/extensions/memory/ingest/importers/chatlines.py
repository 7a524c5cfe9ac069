"""Chat messages as most programs write them: objects of ``role``, ``content``, ``timestamp``, ``session``.

``content`` is a text or a list of parts with texts. ``timestamp`` is ISO 8601 (without a zone it is UTC) or seconds or
milliseconds since 1970. ``speaker``, ``source`` and ``key`` (or ``id``) are optional; ``trust`` counts if it is less
than the role's own.
"""

from collections.abc import Iterable, Iterator

from sandbox.extensions.memory.ingest.importers.keys import Keys, read_each
from sandbox.extensions.memory.ingest.importers.values import (
    Entry,
    Item,
    Record,
    id_at,
    parts_at,
    role_at,
    said,
    time_at,
    trust_at,
)
from sandbox.extensions.memory.model import Message


def recognises(record: Record) -> bool:
    """Whether the record is one message."""
    return "role" in record and "content" in record


def read(entries: Iterable[Entry]) -> Iterator[Item]:
    """Every message, in order."""
    return read_each(entries, _message)


def _message(entry: Entry, keys: Keys) -> Iterator[Message]:
    record = entry.record
    role = role_at(record)
    content = said("\n".join(parts_at(record, "content")))
    session, speaker, at = id_at(record, "session"), id_at(record, "speaker"), time_at(record, "timestamp")
    source = id_at(record, "source") or "import"
    given = id_at(record, "key") or id_at(record, "id")
    identity = (source, session, speaker, role, at, content)
    key = keys.derived(*identity) if given is None else keys.given(source, given, *identity)
    trust = trust_at(record)
    yield Message(role, content, session=session, at=at, speaker=speaker, key=key, source=source, trust=trust)
