"""The memories of mem0, as ``get_all`` of its library or platform returns them: ``{"results": [...]}``, or a list."""

from collections.abc import Iterable, Iterator

from sandbox.extensions.memory.ingest.importers.records import Broken, Entry, Item, JsonRecord, Keys, guarded, said
from sandbox.extensions.memory.model import Statement

_USER = "user_id"
_RELATION = frozenset(("source", "relationship"))


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a memory, or a relation of its graph."""
    return {"id", "memory"} <= record.keys() or (record.keys() >= _RELATION and bool(_there(record)))


def read(entries: Iterable[Entry]) -> Iterator[Item]:
    """The memories and relations. They become memories of the user who imports them, so those of a second user in the
    file are left out: they would show one user what another said.
    """
    keys, users = Keys(), dict[str, str | None]()
    for entry in entries:
        yield from guarded(entry.place, _statement(entry, keys, users))


def _statement(entry: Entry, keys: Keys, users: dict[str, str | None]) -> Iterator[Statement]:
    record = entry.record
    if _USER in record and users.setdefault(_USER, record.id(_USER)) != record.id(_USER):
        raise Broken("is of another user than those before; make a file for each user, and name the user of each")
    if record.keys() >= _RELATION:
        here, how, there = (record.id(each) or "" for each in ("source", "relationship", _there(record)))
        text = said(f"{here} {how.replace('_', ' ')} {there}.")
        yield Statement(text, subject=here, key=f"mem0:{keys.derived(text)}")
        return
    text, at = said(record.text("memory")), record.time("updated_at", "created_at")
    key = keys.of(record, "mem0", text, at)
    yield Statement(text, tags=record.words("categories"), at=at, key=f"mem0:{key}")


def _there(record: JsonRecord) -> str:
    return next((name for name in ("target", "destination") if name in record), "")
