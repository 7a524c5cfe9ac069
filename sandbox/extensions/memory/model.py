"""The values that the memory takes and returns. What it takes is frozen. What it returns belongs to the caller and is
not: Python takes twice as long to make a frozen class, and the first search of a process waits for all of them. Times
are aware datetimes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal, TypedDict, get_args

from sandbox.extensions.memory.errors import InvalidArgument, SecretInId
from sandbox.secrets import mask_name
from sandbox.support.characters import storable
from sandbox.support.trust import Trust

Modality = Literal["fact", "wish", "plan", "habit", "opinion", "past"]

MODALITIES: tuple[Modality, ...] = get_args(Modality)

USER = ""
"""The subject of claims about the user, under any name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``subject`` has ``value`` for ``predicate``; if not ``is_affirmed``, it does not. Names and values keep their
    wording; dates are converted. ``time`` says when the claim holds or happens, as precisely as it was told, in ISO
    8601: ``2026``, ``2026-03``, ``2026-03-02T18:20``; ``2026-03/..`` from then on, ``../2026-03`` until then.
    """

    subject: str
    predicate: str
    value: str
    is_affirmed: bool = True
    modality: Modality = "fact"
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of two entities, as the memory ``id`` claims it; ``since`` is the time from which it holds. The user
    has an empty name.
    """

    subject: str
    predicate: str
    value: str
    id: str
    since: datetime
    is_affirmed: bool = True
    modality: Modality = "fact"


CognitiveType = Literal["episodic", "semantic", "procedural", "opinion"]
Role = Literal["user", "assistant", "system", "tool"]
Visibility = Literal["user", "project", "global", "session"]
OnSimilar = Literal["keep", "supersede", "refuse"]
ContextMode = Literal["relevant", "recent_only", "off"]
AcrossProjects = Literal["own", "all", "none"]
Intent = Literal["why", "when", "who", "what", "general"]
Section = Literal["instructions", "core", "facts", "profiles", "related", "temporal", "evidence"]

KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "procedural", "opinion")
"""The types of everything that is not a turn."""

USUAL_IMPORTANCE = 2
"""Of 1 to 5. From 3 on, a memory is kept even if it is unused, and compared with all known memories."""

SHORTEST_FACT, LONGEST_FACT = 5, 500
"""Characters of a fact that an assistant stores. A person stores facts of any length."""

NOTES = "notes"
"""``source`` of a person's imported notes."""

AMONG_PEOPLE = frozenset(("whatsapp",))
"""Sources of conversations in which no assistant takes part. Nothing in them tells which speaker is the user."""

CODING_AGENTS = frozenset(
    ("claude-code", "codex", "copilot", "cursor", "gemini", "qwen")
)  # sources whose turns belong to a project


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory is meant. A read sees the user's own and global memories, and those of the named project and
    session; a write stores every field. With ``all_projects`` a read sees the user's memories of every project.
    ``agent_id`` and ``actor_id`` say who wrote a memory, and hide nothing. A user or project whose id contains a
    secret is refused (``SecretRefused``), because masking could make two ids equal; in the other ids a secret is
    masked. Only an ``administrator``, set by a program with several users, writes or changes global memories.
    """

    user_id: str = "default"
    project_id: str | None = None
    agent_id: str | None = None
    actor_id: str | None = None
    session_id: str | None = None
    visibility: Visibility = "user"
    administrator: bool = False
    all_projects: bool = False

    def __post_init__(self) -> None:
        for name in ("user_id", "project_id", "agent_id", "actor_id", "session_id"):
            if not isinstance(value := getattr(self, name), str):
                continue
            masked = mask_name(storable(value))
            if masked.kinds and name in ("user_id", "project_id"):
                raise SecretInId(argument=name, kinds=", ".join(masked.kinds))
            object.__setattr__(self, name, masked.text)
        if self.user_id == "":
            raise InvalidArgument(argument="user_id", value="", expected="give the name of a user")


@dataclass(frozen=True, slots=True)
class AsOf:
    """A moment on each time axis: ``world`` (what was true then) and ``believed`` (what the memory believed then)."""

    world: datetime | None = None
    believed: datetime | None = None


MOST_CHARACTERS = 2_000_000
"""The limit for one message. A longer text is a file; `memory import` reads it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. ``key`` is the caller's id: the same (source, key) is remembered once. ``trust`` can
    be less than that of the role (None), never more.
    """

    role: Role
    content: str
    session: str | None = None
    at: datetime | None = None
    speaker: str | None = None
    key: str | None = None
    source: str = "conversation"
    trust: Trust | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement to remember as knowledge: the arguments of ``Memory.remember``. ``claims`` are its content in a form
    that can be compared.
    """

    content: str
    type: CognitiveType = "semantic"
    category: str = "fact"
    subject: str | None = None
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    source: str = "explicit"
    key: str | None = None
    trust: Trust = "user"
    claims: tuple[Claim, ...] = ()
    importance: int = USUAL_IMPORTANCE
    relevant_to: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()


@dataclass(slots=True)
class GraphPath:
    """How the graph led to a hit: over ``hops`` edges of a relation (``temporal``, ``causal``, ``supersedes``,
    ``related_to``, ``entity``) from the memory with the id ``seed``; or over a link (``speaker``, ``mentions``,
    ``belongs_to``, ``relevant_to``) from the entity with the name ``seed``.
    """

    relation: str
    seed: str
    hops: int = 1


@dataclass(slots=True)
class Hit:
    """One search result. ``score`` orders the hits of one search and cannot be compared across searches. ``legs`` gives
    the rank (from 1) in each leg that found it, ``similarity`` the cosine if the vectors found it, ``terms`` the stems
    it shares with the question, ``edges`` the edges over which the graph found it. ``confidence`` is as of the search's
    ``now``. ``contexts`` are the groups that it belongs to, ``project`` is that outside of which it is not found.
    ``told`` is the time as precisely as it was told, if that was no hour: ``2022-05``, ``2022-05-14``.
    """

    id: str
    key: str | None
    content: str
    type: CognitiveType
    category: str | None
    score: float
    event_time: datetime
    confidence: float
    session: str | None
    speaker: str | None
    legs: Mapping[str, int]
    role: str | None = None
    subject: str | None = None
    tags: tuple[str, ...] = ()
    version: int = 1
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    retired_by: str | None = None
    fades_at: datetime | None = None
    similarity: float | None = None
    trust: Trust = "user"
    terms: tuple[str, ...] = ()
    edges: tuple[GraphPath, ...] = ()
    told: str | None = None
    contexts: tuple[str, ...] = ()
    project: str | None = None


@dataclass(slots=True)
class BlockItem:
    """One memory in a context block, in its present ``version``. If it is not ``whole``, it is an excerpt of a long
    turn. ``sources`` are the keys (or ids) of the episodes that a fact rests on. ``told`` is its time as in a ``Hit``.
    """

    id: str
    key: str | None
    content: str
    type: CognitiveType
    section: Section
    score: float
    event_time: datetime
    speaker: str | None
    session: str | None
    sources: tuple[str, ...] = ()
    trust: Trust = "user"
    whole: bool = True
    told: str | None = None
    version: int = 1


@dataclass(slots=True)
class Block:
    """A context block. ``tokens`` is an estimate for the whole ``text``."""

    items: tuple[BlockItem, ...]
    tokens: int
    confidence: float
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class Record:
    """One version of a memory with all that is stored of it. ``confidence`` is as of now, ``project`` as in ``Hit``."""

    id: str
    version: int
    type: CognitiveType
    category: str | None
    subject: str | None
    tags: tuple[str, ...]
    content: str
    role: str | None
    speaker: str | None
    session: str | None
    source: str
    key: str | None
    trust: Trust
    quarantined: bool
    pinned: bool
    importance: int
    confidence: float
    decay_rate: float
    access_count: int
    event_time: datetime
    valid_from: datetime
    valid_until: datetime | None
    created_at: datetime
    fades_at: datetime | None
    retired_at: datetime | None
    retired_by: str | None
    told: str | None = None
    project: str | None = None


@dataclass(slots=True)
class Change:
    """One line of the append-only log: what happened to which memory, never its text. ``interface`` is ``library``,
    ``cli``, ``mcp``, ``rest``, ``hook``, ``chat`` or ``night``; None in old lines without it. The changes of one call
    share a ``batch``.
    """

    seq: int
    at: datetime
    event: str
    id: str | None
    actor: str | None
    session: str | None
    detail: Mapping[str, Any]
    interface: str | None = None
    batch: str | None = None
    reason: str | None = None


@dataclass(slots=True)
class Explanation:
    """How the memory knows something: ``versions`` newest first, ``sources`` the episodes it rests on, ``derived_from``
    the names of the entities it was concluded from, ``claims`` its content, ``contexts`` the groups it belongs to.
    ``possible_conflicts`` are believed memories that may contradict it.
    """

    memory: Record
    versions: tuple[Record, ...]
    sources: tuple[Record, ...]
    supersedes: tuple[Record, ...]
    superseded_by: tuple[Record, ...]
    possible_conflicts: tuple[Record, ...]
    entities: tuple[str, ...]
    changes: tuple[Change, ...]
    claims: tuple[Claim, ...] = ()
    contexts: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()

    @property
    def ended(self) -> tuple[Record, ...]:
        """The memories that ended with this one, which has not ended itself. Forgetting it does not bring them back,
        because it may have been right; ``restore`` does.
        """
        ended = (each for each in self.supersedes if each.valid_until is not None and each.retired_by is None)
        return tuple(ended) if self.memory.valid_until is None else ()


@dataclass(slots=True)
class EntityProfile:
    """What is known about one person, project, place or thing. ``relations`` are its relations to other entities, the
    latest first; ``merged`` are the names of entities that were merged into it, the last merge last; ``namesakes`` are
    other entities that the name could mean, by id.
    """

    name: str
    type: str
    aliases: tuple[str, ...]
    summary: str | None
    mentions: int
    first_seen: datetime
    last_seen: datetime
    facts: tuple[Record, ...]
    timeline: tuple[Record, ...]
    id: str
    relations: tuple[Relation, ...] = ()
    merged: tuple[str, ...] = ()
    namesakes: Mapping[str, str] = field(default_factory=dict)


def to_plain(value: Any) -> Any:
    """A result as JSON-ready values: datetimes become ISO 8601 text in UTC."""
    return _plain(asdict(value)) if hasattr(value, "__dataclass_fields__") else _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    return value


State = Literal["live", "quarantined", "retired", "forgotten"]
"""``live`` is believed and true now, ``quarantined`` as well but kept out of blocks; ``retired`` was replaced, has
ended or faded; ``forgotten`` was forgotten on request, and ``restore`` brings it back.
"""

Order = Literal["relevance", "newest", "oldest", "most_used", "most_important", "fading_first"]
ListOrder = Literal["newest", "oldest", "most_used", "most_important", "fading_first"]


class FilterOptions(TypedDict, total=False):
    """Which memories are meant. Each field is optional; a memory has to fit all that are given. A field with several
    values fits if one of them does; of ``tags`` a memory needs all. The database applies the filter before ranking and
    limits.

    ``entity`` is the person or thing that a memory is about, ``context`` a group that it belongs to, each by name or
    id; ``session_id`` is its conversation (a "run" in other systems). A time is a datetime, ``last_week``,
    ``last_month``, ``last_year`` or ``YYYY-MM-DD``: ``after`` and ``before`` bound when it happened, ``created_*`` when
    it was first stored, ``updated_*`` when its current version was stored. Without ``state``, memories are believed and
    true now; ``history`` adds replaced and faded ones; ``as_of`` asks for what was believed and true then.
    """

    types: Sequence[CognitiveType] | None
    category: str | Sequence[str] | None
    tags: Sequence[str] | None
    subject: str | None
    entity: str | None
    context: str | Sequence[str] | None
    role: Role | Sequence[Role] | None
    source: str | Sequence[str] | None
    trusted_as: Trust | Sequence[Trust] | None
    pinned: bool | None
    importance_min: int | None
    importance_max: int | None
    agent_id: str | None
    actor_id: str | None
    session_id: str | None
    project_id: str | None
    visibility: Visibility | None
    after: datetime | str | None
    before: datetime | str | None
    created_after: datetime | str | None
    created_before: datetime | str | None
    updated_after: datetime | str | None
    updated_before: datetime | str | None
    state: State | None
    history: bool
    as_of: datetime | AsOf | None
