"""LoCoMo (Maharana et al. 2024): long conversations of two people in dated sessions. Its questions are not read."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache

from sandbox.extensions.memory.ingest.importers.values import Broken, Entry, Item, JsonRecord, Keys, guarded, said
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from sandbox.support.characters import storable

_SESSION = re.compile(r"session_([0-9]{1,9})")


def recognises(record: JsonRecord) -> bool:
    """Whether the record is a conversation with sessions."""
    return any(map(_SESSION.match, record.inner("conversation")))


def read(entry: Entry, _: Keys) -> Iterator[Item]:
    """Every turn of every session, in order. Both speakers are people, so both have the role ``user``; the caption of a
    shared picture belongs to the text. Times have no zone and are read as UTC.
    """
    sample = entry.record.id("sample_id")
    if sample is None:
        raise Broken("has no sample_id")
    conversation = entry.record.record("conversation")
    for session in _sessions(conversation):
        yield from guarded(f"{sample}, {session}", _session(sample, session, conversation))


def _sessions(conversation: JsonRecord) -> list[str]:
    numbers = {name: int(match[1]) for name in conversation if (match := _SESSION.fullmatch(name))}
    return sorted(numbers, key=numbers.__getitem__)


def _session(sample: str, session: str, conversation: JsonRecord) -> Iterator[Item]:
    turns = conversation[session]
    if not isinstance(turns, list):
        raise Broken("is not a list of turns")
    for number, turn in enumerate(turns, 1):
        try:
            yield _turn(sample, session, turn, conversation)
        except Broken as broken:
            yield BrokenRecord(_place(sample, session, number, turn), str(broken))


def _place(sample: str, session: str, number: int, turn: object) -> str:
    given = turn.get("dia_id") if isinstance(turn, dict) else None
    return f"{sample}, {session}, turn {number}" + (f" ({storable(given)})" if isinstance(given, str) else "")


def _turn(sample: str, session: str, value: object, conversation: JsonRecord) -> Message:
    turn = JsonRecord.of(value)
    text = said(_text(turn))
    dia_id = turn.id("dia_id")
    if dia_id is None:
        raise Broken("has no dia_id")
    return Message(
        role="user",
        content=text,
        session=f"{sample}/{session}",
        at=_time(conversation.text(f"{session}_date_time")),
        speaker=turn.id("speaker"),
        key=f"{sample}/{dia_id}",
        source="locomo",
    )


def _text(turn: JsonRecord) -> str:
    text, caption = turn.text("text"), turn.text("blip_caption")
    shared = f"[shared {caption}]" if caption.strip() else ""
    return f"{text} {shared}" if text.strip() and shared else text + shared


@lru_cache(maxsize=1)  # all turns of a session have its time
def _time(text: str) -> datetime | None:
    """A time like "1:56 pm on 8 May, 2023"."""
    if not text:
        return None
    try:
        return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        raise Broken("its session's date_time is not a time") from None
