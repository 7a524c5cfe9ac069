"""The types of requests and answers. If ``Memory`` has a type for an answer, the answer is of that type."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from fastapi import Query
from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    StringConstraints,
    WithJsonSchema,
)
from starlette.convertors import PathConvertor, register_url_convertor

from sandbox.extensions.memory.listings import ListedMemory, SessionReport
from sandbox.extensions.memory.model import (
    KNOWLEDGE,
    LONGEST_FACT,
    SHORTEST_FACT,
    USUAL_IMPORTANCE,
    Block,
    Change,
    CognitiveType,
    Explanation,
    FilterOptions,
    Hit,
    OnSimilar,
    Order,
    Record,
    Role,
    State,
)
from sandbox.extensions.memory.reports import ErasureReport
from sandbox.support.trust import Trust, Unconfirmed

VISIBLE = r"[^\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufffe\uffff]"
"""At least one character that is neither a space nor a control character."""
NAME = rf"^{VISIBLE}([^\x00-\x1f\x7f-\x9f\u2028\u2029]{{0,998}}{VISIBLE})?$"
"""The name of a user, project or session, such as "Jörg" or the path of a note: one line without spaces around it."""
CALLED = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,200}$"
"""What a person or thing is called: one line."""


class _NameInPath(PathConvertor):
    """A name in the path of a request, which may hold slashes. It keeps ends of lines, which ``path`` drops or does not
    match, so that the pattern of the name refuses them.
    """

    regex = "(?s:.*)"


register_url_convertor("name", _NameInPath())

_YEAR = r"^(1[0-9]|2[0-9])[0-9]{2}-"

Knowledge = Literal["semantic", "procedural", "opinion"]
Content = Annotated[str, Field(min_length=SHORTEST_FACT, max_length=LONGEST_FACT, pattern=VISIBLE)]
Question = Annotated[str, Field(max_length=10_000, description="A question or some words; empty: the latest.")]


def _whole(value: object) -> object:
    """A whole number; JSON ``10.0`` is one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _dated(value: object) -> object:
    """A text that begins with a year; a number, also as text, would be read as seconds."""
    if not isinstance(value, str) or not re.match(_YEAR, value):
        raise ValueError("Input should be a time like 2026-03-02T18:30:00Z")
    return value


WHOLE = BeforeValidator(_whole)  # stands after the limits, which the schema would otherwise not show
Few = Annotated[int, Field(ge=1, le=100), WHOLE]
Names = list[Annotated[str, Field(min_length=1, max_length=200, pattern=VISIBLE)]]
Tokens = Annotated[int, Field(ge=1, le=100_000), WHOLE]
Timestamp = Annotated[
    AwareDatetime,
    Strict(False),
    BeforeValidator(_dated),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": _YEAR}),
]


class Request(BaseModel):
    """A number is not accepted as text, nor an unknown field."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @property
    def arguments(self) -> dict[str, Any]:
        """Its fields as arguments for ``Memory``, with the filters that ``where`` gives."""
        given = dict(self)
        where = given.pop("where", None)
        return given | {name: getattr(where, name) for name in where.model_fields_set} if where else given


Importance = Annotated[int, Field(ge=1, le=5), WHOLE]


_WHOSE = "Whose word it is; give less than `user` if somebody else said it, or their text led to it."


class CreateMemory(Request):
    """A statement to remember."""

    content: Content
    category: str = Field(description="What kind of statement it is.")
    subject: str | None = Field(None, max_length=200, description="Whom or what it is about.")
    type: Knowledge = "semantic"
    tags: list[Annotated[str, Field(min_length=1, max_length=50)]] = Field([], max_length=20)
    at: Timestamp | None = Field(None, description="Since when it is true; if not given, now.")
    importance: Importance = USUAL_IMPORTANCE
    contexts: Names = Field([], max_length=20, description="Groups that it belongs to; new ones are made.")
    relevant_to: Names = Field([], max_length=50, description="Names or ids of known entities that it helps with.")
    derived_from: Names = Field(
        [], max_length=50, description="Names or ids of known entities that it was concluded from."
    )
    on_similar: OnSimilar = Field(
        "refuse",
        description="What to do where something near to it is known: refuse it, so that you can update what is there;"
        " supersede what is there; keep both.",
    )
    trust: Unconfirmed = Field("user", description=_WHOSE)


class UpdateMemory(Request):
    """The correct content."""

    content: Content
    trust: Unconfirmed = Field("user", description=_WHOSE)


_Several = Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(min_length=1, max_length=20)]
_Id = Annotated[str, Field(min_length=1, max_length=200)]


class Where(Request):
    """Which memories are meant. All given fields have to fit; of a list one value, but of `tags` every one."""

    category: _Several | None = None
    tags: _Several | None = None
    subject: _Id | None = None
    context: _Several | None = Field(None, description="The group it belongs to: any of these.")
    role: Annotated[list[Role], Field(min_length=1, max_length=4)] | None = None
    source: _Several | None = None
    trusted_as: Annotated[list[Trust], Field(min_length=1, max_length=5)] | None = None
    pinned: bool | None = None
    importance_min: Importance | None = None
    importance_max: Importance | None = None
    agent_id: _Id | None = None
    actor_id: _Id | None = None
    session_id: _Id | None = Field(None, description="The conversation, or run, that it is from.")
    project_id: _Id | None = None
    after: Timestamp | None = Field(None, description="When it happened.")
    before: Timestamp | None = None
    created_after: Timestamp | None = Field(None, description="When it was first stored.")
    created_before: Timestamp | None = None
    updated_after: Timestamp | None = Field(None, description="When it got the version it has.")
    updated_before: Timestamp | None = None
    state: State | None = None


class Search(Request):
    """A question."""

    question: Question = Field(alias="query")
    limit: Few = 10
    threshold: float | None = Field(None, ge=0, le=1, description="Leave out what is less similar.")
    order: Order = "relevance"
    types: list[CognitiveType] | None = Field(None, min_length=1, max_length=4)
    entity: str | None = Field(None, max_length=200, description="Only what mentions, or was said by, this one.")
    history: bool = Field(False, description="Also memories that were replaced or have faded.")
    where: Where | None = None
    reinforce: bool = Field(True, description="Whether being found strengthens a memory.")


class AskContext(Request):
    """The prompt that the assistant is about to answer."""

    prompt: str
    where: Where | None = None
    budget: Tokens | None = Field(None, description="Tokens at most; if not given, by the prompt.")
    session: str | None = Field(None, pattern=NAME, description="Being shown counts once in each conversation.")
    include_session: bool = Field(True, description="Off, for an assistant that still sees this conversation.")
    seen: dict[str, int] = Field(
        {}, max_length=1000, description="By id, the versions of what its blocks showed whole: not shown again."
    )
    reinforce: bool = Field(True, description="Whether being shown strengthens a memory.")


class Turn(Request):
    """One turn."""

    role: Role
    content: Annotated[str, Field(pattern=VISIBLE)]
    at: Timestamp | None = Field(None, description="When; if not given, now.")
    speaker: str | None = Field(None, max_length=200)
    key: str | None = Field(
        None,
        pattern=NAME,
        description="Your id of it, unique for the user: the same is remembered once, another refused.",
    )
    trust: Unconfirmed | None = Field(None, description=f"{_WHOSE} Not given: that of the role, which is the most.")


class SayTurns(Request):
    """A part of a conversation, in order."""

    turns: list[Turn] = Field(min_length=1, max_length=100)


_SHARED = tuple(
    "id category subject content version event_time told type tags trust quarantined importance pinned project".split()
)

# --- answers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A memory in its current version. ``event_time`` is when it happened, or was said; ``told`` is that time as
    precisely as it was told, if that was no hour. Outside of ``project`` it is not found; if it is ``quarantined``, no
    context shows it.
    """

    id: str
    category: str | None
    subject: str | None
    content: str
    version: int
    event_time: datetime
    told: str | None
    created_at: datetime
    updated_at: datetime | None
    type: CognitiveType
    tags: tuple[str, ...]
    trust: Trust
    quarantined: bool
    importance: int
    pinned: bool
    project: str | None


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """A former version of a memory."""

    version: int
    content: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MemoryDetail(MemoryItem):
    """A memory with its former versions, newest first. It is valid until ``valid_until``; ``retired_by`` says why it is
    not believed.
    """

    valid_until: datetime | None
    retired_by: str | None
    previous: str | None
    versions: tuple[MemoryVersion, ...]


@dataclass(frozen=True, slots=True)
class MemoryList:
    """A page of memories; ``total`` counts all pages, ``next`` is the cursor of the next page."""

    memories: tuple[MemoryItem, ...]
    total: int
    next: str | None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Memories, best first."""

    results: list[Hit]


@dataclass(frozen=True, slots=True)
class SessionList:
    """A page of conversations, the latest first."""

    sessions: tuple[SessionReport, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class ChangeList:
    """Changes, oldest first; for the next ones, ask ``after`` the last ``seq``."""

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class StoredTurns:
    """The ids of turns, in order, when they are on the disk."""

    ids: list[str]


@dataclass(frozen=True, slots=True)
class Health:
    """The memory answers; if it is ``read_only``, it refuses changes."""

    status: Literal["ok"] = "ok"
    read_only: bool = False


def item(listed: ListedMemory) -> MemoryItem:
    """A memory of a list."""
    return MemoryItem(**_facts(listed.memory, listed.first_stored))


def detail(known: Explanation) -> MemoryDetail:
    """A memory with its versions."""
    memory, versions = known.memory, known.versions
    return MemoryDetail(
        **_facts(memory, versions[-1].created_at),
        valid_until=memory.valid_until,
        retired_by=memory.retired_by,
        previous=versions[1].content if len(versions) > 1 else None,
        versions=tuple(MemoryVersion(each.version, each.content, each.created_at) for each in versions),
    )


def block(found: Block | None) -> Block:
    """A block; an empty one if nothing is relevant or fits."""
    return found or Block((), 0, 0.0, "")


def _facts(memory: Record, first: datetime) -> dict[str, Any]:
    shared = {name: getattr(memory, name) for name in _SHARED}
    return {**shared, "created_at": first, "updated_at": memory.created_at if memory.version > 1 else None}


def without_folders(report: ErasureReport) -> ErasureReport:
    """The report with the names of exports, without the folders of the machine."""
    return replace(report, exports=tuple(replace(each, file=Path(each.file).name) for each in report.exports))


Word = Annotated[str, StringConstraints(min_length=1, max_length=100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """The filters of a request."""

    types: Annotated[
        list[CognitiveType],
        Query(alias="type", default_factory=list, description="May be repeated. Not given: knowledge."),
    ]
    category: Annotated[list[Word], Query(default_factory=list, description="May be repeated: any of them.")]
    tags: Annotated[list[Word], Query(alias="tag", default_factory=list, description="May be repeated: all of them.")]
    subject: Annotated[str | None, Query(max_length=200, description="Whom or what it is about.")] = None
    entity: Annotated[str | None, Query(max_length=200, description="Whom or what it mentions.")] = None
    context: Annotated[
        list[Word], Query(default_factory=list, description="The group it belongs to; may be repeated: any.")
    ]
    role: Annotated[list[Role], Query(default_factory=list, description="Of turns; may be repeated.")]
    source: Annotated[list[Word], Query(default_factory=list, description="How it came; may be repeated.")]
    trusted_as: Annotated[list[Trust], Query(default_factory=list, description="May be repeated.")]
    pinned: bool | None = None
    importance_min: Annotated[int | None, Query(ge=1, le=5)] = None
    agent_id: Annotated[str | None, Query(max_length=200, description="Which agent stored it.")] = None
    actor_id: Annotated[str | None, Query(max_length=200, description="On whose behalf it was stored.")] = None
    session_id: Annotated[str | None, Query(max_length=200, description="The conversation it is from.")] = None
    created_after: Annotated[Timestamp | None, Query(description="First stored from then on.")] = None
    created_before: Annotated[Timestamp | None, Query(description="First stored before then.")] = None
    updated_after: Annotated[Timestamp | None, Query(description="Stored or corrected from then on.")] = None
    updated_before: Annotated[Timestamp | None, Query(description="As it is since before then.")] = None
    state: Annotated[State | None, Query(description="Not given: believed and true now.")] = None
    history: Annotated[bool, Query(description="Also versions of what was replaced, has ended or faded.")] = False
    as_of: Annotated[Timestamp | None, Query(description="What was believed and true then.")] = None

    @property
    def options(self) -> FilterOptions:
        """The same in the form for ``Memory``; an empty list filters nothing."""
        given = {name: getattr(self, name) for name in self.__slots__}
        given = {name: None if value == [] else value for name, value in given.items()}
        return cast(FilterOptions, {**given, "types": self.types or KNOWLEDGE})
