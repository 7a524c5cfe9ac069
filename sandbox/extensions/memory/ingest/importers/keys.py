"""Keys for records, so that a second import of a file adds nothing."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator

from sandbox.extensions.memory.ingest.importers.values import Broken, Entry, Item, JsonRecord, guarded

_DIGITS = 24  # 96 bits: no collision among any number of messages a person can write
_ENCODER = json.JSONEncoder(default=str)


class Keys:
    """The keys of one file. An identity is what distinguishes a record: session, time, role, text."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], int] = {}
        self._derived: Counter[str] = Counter()

    def of(self, record: JsonRecord, source: str, *identity: Hashable) -> str:
        """The ``key`` of a record. An ``id`` counts together with the identity, because two files may number their
        records alike; a record without both gets a derived key.
        """
        if (key := record.id("key")) is not None:
            return self.given(source, key, *identity)
        number = record.id("id")
        return self.derived(*identity) if number is None else f"{number}-{_digest(identity)}"

    def given(self, source: str, key: str, *identity: Hashable) -> str:
        """The record's own key; raises :class:`Broken` if another record of the source had it before."""
        same = hash(identity)
        if self._given.setdefault((source, key), same) != same:
            raise Broken("has the key of an earlier, different record")
        return key

    def derived(self, *identity: object) -> str:
        """A key for a record without one. It depends on the identity and on how many equal records came before, so it
        stays the same when other lines are added anywhere in the file.
        """
        digest = _digest(identity)
        self._derived[digest] += 1
        repeat = self._derived[digest]
        return digest if repeat == 1 else f"{digest}-{repeat}"


def _digest(identity: tuple[object, ...]) -> str:
    return hashlib.sha256(_ENCODER.encode(identity).encode()).hexdigest()[:_DIGITS]


def each(read: Callable[[Entry, Keys], Iterator[Item]]) -> Callable[[Iterable[Entry]], Iterator[Item]]:
    """The reader of a file whose records are read one by one, in order; a broken record becomes a report of it."""

    def read_all(entries: Iterable[Entry]) -> Iterator[Item]:
        keys = Keys()
        for entry in entries:
            yield from guarded(entry.place, read(entry, keys))

    return read_all
