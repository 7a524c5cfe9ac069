"""Read values from other programs' JSON: text, ids and times, or :class:`Broken` with the problem.

Problems are phrases that follow the place of a record ("line 17: has no role"); they never quote content.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sandbox.extensions.memory.model import Message, Role, Statement
from sandbox.extensions.memory.reports import BrokenRecord
from sandbox.support.characters import storable
from sandbox.support.times import LOCAL
from sandbox.support.trust import TRUST_ORDER, Trust

_ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")
_TEXT_PARTS = ("text", "input_text", "output_text", "audio_transcription", "voice_note")
_CATEGORIES = (
    "preference",
    "fact",
    "person",
    "instruction",
    "convention",
    "pattern",
    "correction",
    "context",
    "project",
)
TIMES = ("timestamp", "time", "date", "at", "created_at", "created", "create_time", "createdAt", "ts")
"""The names that programs and people give to the time of a message."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[./](\d{1,2})[./](\d{1,2})(?!\d)")
_HOUR = re.compile(r",?\s(\d{1,2}:\d\d)")
_DIGITS_OF_A_DAY = 8  # 20260302; a longer number counts seconds, as text too
_MILLISECONDS_FROM = 1e11  # the year 5138 in seconds, 1973 in milliseconds
_DIGITS = 24  # 96 bits: no collision among any number of messages a person can write
_ENCODER = json.JSONEncoder(default=str)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A message that its author took back; an import before may have stored it."""

    key: str
    session: str | None
    source: str | None

    @classmethod
    def of(cls, items: "Iterable[Item | None]") -> "Iterator[Item]":
        """What is left of items that were taken back, some of them before: marks for messages, and broken records."""
        for item in items:
            if isinstance(item, Message) and item.key:
                yield cls(item.key, item.session, item.source)
            elif isinstance(item, TakenBack | BrokenRecord):
                yield item


@dataclass(frozen=True, slots=True)
class NoteNow:
    """What a note says now: all its messages by their keys. An import before may have stored others."""

    session: str
    source: str
    messages: Mapping[str, str]


Item = Message | Statement | TakenBack | NoteNow | BrokenRecord


class Broken(Exception):
    """A record cannot be read; the message is a phrase that follows its place."""


class Unknown(Exception):
    """The format of a file is unknown; the message says what the file is."""


class Empty(Unknown):
    """A file without a record: there is nothing to leave out."""


class JsonRecord(dict[str, object]):
    """A JSON object. Its methods read one field, and raise :class:`Broken` if the field cannot be what they give."""

    @classmethod
    def of(cls, value: object) -> "JsonRecord":
        """The value, which must be a JSON object."""
        if not isinstance(value, dict):
            raise Broken("is not a JSON object")
        return cls(value)

    @classmethod
    def any(cls, value: object) -> "JsonRecord":
        """The value if it is a JSON object, otherwise an empty one."""
        return cls(value) if isinstance(value, dict) else cls()

    def record(self, field: str) -> "JsonRecord":
        """The JSON object under ``field``, which must be there."""
        value = self.get(field)
        if not isinstance(value, dict):
            raise Broken(f"has no {field}" if value is None else f"its {field} is not an object")
        return JsonRecord(value)

    def inner(self, field: str) -> "JsonRecord":
        """The JSON object under ``field``; empty if there is none."""
        return JsonRecord.any(self.get(field))

    def array(self, field: str) -> list[object]:
        """The list under ``field``; empty if there is none."""
        value = self.get(field)
        return value if isinstance(value, list) else []

    def role(self) -> Role:
        """The role, one of the four roles of a message."""
        value = self.get("role")
        for role in _ROLES:
            if role == value:
                return role
        raise Broken("has no role" if value is None else f"its role is none of {', '.join(_ROLES)}")

    def trust(self) -> Trust | None:
        """The trust that the record gives; None if it gives none."""
        if (value := self.get("trust")) is None:
            return None
        for trust in TRUST_ORDER:
            if trust == value:
                return trust
        raise Broken(f"its trust is none of {', '.join(TRUST_ORDER)}")

    def text(self, field: str) -> str:
        """The text under ``field``; empty if there is none."""
        return _text(self.get(field), field)

    def id(self, *fields: str) -> str | None:
        """The id or name under the first of the fields that has one, also a whole number; a blank one is none."""
        for field in fields:
            value = self.get(field)
            if isinstance(value, int) and not isinstance(value, bool):
                value = str(value)
            if found := _text(value, field).strip():
                return found
        return None

    def parts(self, field: str) -> list[str]:
        """The texts under ``field``: one, or those in a list of texts and of objects with a ``text``."""
        return parts_of(self.get(field), field)

    def time(self, *fields: str) -> datetime | None:
        """The time under the first of the fields that has one; None if there is none.

        ISO 8601 (without a zone it is UTC, but a day is one of this machine's calendar), with a date like 2.3.2026 or
        2026/3/2, or seconds or milliseconds since 1970.
        """
        for field in fields:
            if (value := self.get(field)) is not None:
                try:
                    return _time(value)
                except (ValueError, OverflowError):
                    raise Broken(f"its {field} is not a time like 2026-03-02 or 2026-03-02T18:30") from None
        return None

    def words(self, field: str) -> tuple[str, ...]:
        """The list of texts under ``field``; empty if there is none. A null in it is nothing."""
        words = self.get(field) or []
        if not isinstance(words, list) or not all(isinstance(word, str | None) for word in words):
            raise Broken(f"its {field} are not a list of texts")
        return tuple(storable(word) for word in words if word is not None)


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a file and its place; ``problem`` if it is not valid JSON."""

    place: str
    value: object = None
    problem: str | None = None

    @property
    def record(self) -> JsonRecord:
        """The value as a JSON object; raises :class:`Broken` if it is something else."""
        if self.problem is not None:
            raise Broken(self.problem)
        return JsonRecord.of(self.value)


def guarded(place: str, items: Iterable[Item]) -> Iterator[Item]:
    """The items up to the first broken one, which becomes a :class:`BrokenRecord` at ``place``."""
    try:
        yield from items
    except Broken as broken:
        yield BrokenRecord(place, str(broken))


def parts_of(value: object, field: str) -> list[str]:
    """The texts in a value: see ``Record.parts``."""
    if value is None:
        raise Broken(f"has no {field}")
    if not isinstance(value, str | list):
        raise Broken(f"has no text or list of parts as {field}")
    texts = [value] if isinstance(value, str) else map(_part, value)
    return [storable(text) for text in texts if text.strip()]


def category_of(word: str) -> str:
    """The built-in category with this name, otherwise ``fact``."""
    return folded if (folded := word.casefold()) in _CATEGORIES else "fact"


def iso(text: str) -> str:
    """The text with dates like 2.3.2026 and 2026/3/2 as 2026-03-02, and with ", 9:30" as " 09:30"."""
    text = _DAY_FIRST.sub(lambda date: f"{date[3]}-{date[2]:0>2}-{date[1]:0>2}", text)
    text = _YEAR_FIRST.sub(lambda date: f"{date[1]}-{date[2]:0>2}-{date[3]:0>2}", text)
    return _HOUR.sub(lambda hour: f" {hour[1]:0>5}", text)


def said(text: str) -> str:
    """The text, if it is not blank."""
    if not text.strip():
        raise Broken("has no text")
    return text


def _text(value: object, field: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Broken(f"its {field} is not text")
    return storable(value)


def _part(part: object) -> str:
    if isinstance(part, dict) and part.get("type", part.get("content_type", "text")) in _TEXT_PARTS:
        part = part.get("text")
    return part if isinstance(part, str) else ""


def _time(value: object) -> datetime:
    if isinstance(value, str) and value.isdecimal() and len(value) > _DIGITS_OF_A_DAY:
        value = int(value)
    if isinstance(value, str):
        time = datetime.fromisoformat(iso(value.strip()))
        if time.tzinfo is None:
            return time.replace(tzinfo=UTC if ":" in value else LOCAL)
        return time.astimezone(UTC)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    if abs(value) >= _MILLISECONDS_FROM:
        return _EPOCH + timedelta(milliseconds=value)
    return _EPOCH + timedelta(seconds=value)


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
