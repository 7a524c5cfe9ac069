"""Memories as values: a draft before it is stored, and a node as it is stored."""

import json
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.decay import confidence_at, is_fading
from sandbox.extensions.memory.model import USUAL_IMPORTANCE, CognitiveType, Record, Scope, Visibility
from sandbox.extensions.memory.profile import Filling
from sandbox.extensions.memory.text.words import terms
from sandbox.support.times import from_ms, from_ms_or_none, local_day
from sandbox.support.trust import Trust


class Home(NamedTuple):
    """The place of a memory, and so its audience; only memories of one home are compared."""

    user_id: str
    visibility: Visibility
    project_id: str | None
    session_id: str | None  # of memories that are private to a session


class Draft(NamedTuple):
    """A node before it is stored, without ids; times in milliseconds. A tuple, as hundreds are made at once."""

    type: str
    content: str
    terms: str
    who: str
    term_count: int
    asks: bool
    fingerprint: bytes | None
    scope: Scope
    event_time: int
    confidence: float
    decay_rate: float
    fades_at: int | None
    anchored_at: int
    trust: Trust
    quarantined: bool
    source: str
    category: str | None = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    session_id: str | None = None
    importance: int = USUAL_IMPORTANCE
    pinned: bool = False
    role: str | None = None
    speaker: str | None = None
    key: str | None = None
    valid_from: int | None = None  # when it began to be true; None: event_time
    fills: tuple[Filling, ...] = ()  # values for the user's profile
    claims: tuple[Claim, ...] = ()
    told: str | None = None  # event_time as precisely as it was told, if that was no hour: 2022-05
    waits_for: Literal["", "ask", "twice"] = ""  # the user's consent, or a second statement
    relevant_to: tuple[str, ...] = ()  # names or ids of entities
    derived_from: tuple[str, ...] = ()  # likewise
    contexts: tuple[str, ...] = ()

    @property
    def home(self) -> Home:
        """Its home."""
        scope, session_id = self.scope, self.session_id if self.scope.visibility == "session" else None
        return Home(scope.user_id, scope.visibility, scope.project_id, session_id)


RULES, EXTRACTION = "rules", "extraction"
LEARNT = (RULES, EXTRACTION)
"""``source`` of what was learnt from conversations: by rules, or by a model."""

INSTRUCTION = "instruction"
"""Category of wishes, which hold until another one, or a person, ends them."""

INFERRED = "inferred"
ON_PURPOSE = ("explicit", "corrected")
"""``source`` of statements that somebody wanted to be kept."""

EVENT = "event"

INSIGHT = "relationship_dynamic"
"""Category of conclusions: they are not compared with facts, and not part of summaries."""


def text_of(speaker: str | None, content: str) -> str:
    """The text of a node that is embedded: a turn with its speaker, because questions often ask who said it."""
    return f"{speaker}: {content}" if speaker else content


class Node(NamedTuple):
    """One stored version of a memory: a row of ``NODE_COLUMNS``, in order. Times in milliseconds.

    It is a tuple because each question makes fifty, and a frozen dataclass takes eight times as long.
    """

    id: int
    public_id: str
    version: int
    type: CognitiveType
    category: str | None
    subject: str | None
    tags: str
    content: str
    terms: str  # search terms of the content, separated by spaces
    fingerprint: bytes | None
    user_id: str
    project_id: str | None
    session_id: str | None
    visibility: Visibility
    event_time: int
    valid_from: int
    valid_until: int | None
    created_at: int
    retired_at: int | None
    retired_seq: int | None
    retired_by: str | None
    confidence: float
    anchored_at: int
    decay_rate: float
    fades_at: int | None
    access_count: int
    importance: int
    pinned: int
    trust: Trust
    quarantined: int
    source: str
    role: str | None
    speaker: str | None
    key: str | None
    attributes: str = "{}"  # JSON
    purge_at: int | None = None

    @property
    def home(self) -> Home:
        """Its home."""
        session_id = self.session_id if self.visibility == "session" else None
        return Home(self.user_id, self.visibility, self.project_id, session_id)

    @property
    def is_learnt(self) -> bool:
        """Whether it was learnt from conversations, rather than told."""
        return self.source in LEARNT

    @property
    def told(self) -> str | None:
        """Its time as precisely as it was told, if that was no hour: ``2022-05``, ``2022-05-14``."""
        told: str | None = None if self.attributes == "{}" else json.loads(self.attributes).get("told")
        return told

    def is_valid(self, now: int) -> bool:
        """Whether it is believed and has not ended; it may have faded."""
        return self.retired_seq is None and (self.valid_until is None or self.valid_until > now)

    def confidence_at(self, now: int) -> float:
        """The rest of its confidence."""
        return confidence_at(self.confidence, self.decay_rate, self.anchored_at, now)

    def has_faded(self, now: int) -> bool:
        """Whether its confidence is below the threshold."""
        return self.fades_at is not None and self.fades_at <= now

    def is_fading(self, now: int, window: int) -> bool:
        """Whether it fades within a window of milliseconds."""
        return is_fading(self.fades_at, self.anchored_at, now, window)

    def is_over(self, now: int) -> bool:
        """Whether it was about a coming day, month or year, which is over. What never fades, as a birthday or a wish
        that holds from a day on, is not over after it.
        """
        day = self.told or local_day(self.event_time)
        return self.decay_rate > 0 and self.valid_from < self.event_time and local_day(now)[: len(day)] > day

    @property
    def said(self) -> frozenset[str]:
        """Its search terms, with those of its speaker or subject."""
        return terms_of_name(self.speaker or self.subject or "").union(self.terms.split())

    def record(self, now: int) -> Record:
        """The public value."""
        return Record(**self.public(Record, now))

    def public(self, kind: Any, now: int) -> dict[str, Any]:
        """Its values for the fields of a public dataclass, as far as it has them."""
        converted: dict[str, Any] = {
            "id": self.public_id,
            "tags": tuple(json.loads(self.tags)),
            "session": self.session_id,
            "project": self.project_id if self.visibility == "project" else None,
            "quarantined": bool(self.quarantined),
            "pinned": bool(self.pinned),
            "confidence": self.confidence_at(now),
            "event_time": from_ms(self.event_time),
            "valid_from": from_ms(self.valid_from),
            "valid_until": from_ms_or_none(self.valid_until),
            "created_at": from_ms(self.created_at),
            "fades_at": from_ms_or_none(self.fades_at),
            "retired_at": from_ms_or_none(self.retired_at),
        }
        return {name: converted[name] if name in converted else getattr(self, name) for name in _shared(kind)}


@cache
def _shared(kind: Any) -> tuple[str, ...]:
    """The fields of a public dataclass that a node has."""
    return tuple(
        each.name for each in fields(kind) if each.name in ("id", "session", "project") or hasattr(Node, each.name)
    )


@lru_cache(maxsize=1 << 12)
def terms_of_name(name: str) -> frozenset[str]:
    """The search terms of a speaker or subject."""
    return frozenset(terms(name))


NODE_COLUMNS = ", ".join(f"n.{column}" for column in Node._fields)
