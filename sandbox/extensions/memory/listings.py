"""The values that show what a memory holds: entries of lists, open decisions, and the reasons for a block."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from sandbox.extensions.memory.model import Block, Change, Hit, Record
from sandbox.extensions.memory.profile import ProfileValue

T = TypeVar("T")


@dataclass(slots=True)
class SessionReport:
    """A conversation: how many turns of it are stored, the times of its first and last turn, the sources that they came
    from, whether one of them ``waits`` to be learnt from, the ``opening`` words of the first, and the ``project``.
    """

    id: str
    turns: int
    first: datetime
    last: datetime
    source: str
    waits: bool
    opening: str = ""
    project: str | None = None

    @property
    def cursor(self) -> str:
        """Its place in a list; the next page begins behind it, even if the conversation moves."""
        return f"{round(self.last.timestamp() * 1000):x}.{self.id.encode().hex()}"


@dataclass(slots=True)
class Page(Generic[T]):
    """A part of a list that has ``total`` items; ``next`` is the cursor of the next page, None on the last one."""

    items: tuple[T, ...]
    total: int
    next: str | None = None


@dataclass(slots=True)
class Proposal:
    """A statement that waits for the user's consent ``until`` a time: the ``fields`` of the profile that it would fill,
    and the values that it would replace.
    """

    memory: Record
    fields: tuple[str, ...]
    instead_of: tuple[ProfileValue, ...]
    until: datetime


@dataclass(slots=True)
class Conflict:
    """Two memories that are believed, of which perhaps only one is true; the ``first`` has more weight."""

    first: Record
    second: Record


@dataclass(slots=True)
class Duplicate:
    """Two memories that likely say the same, and their similarity (0 to 1); the ``first`` has more weight."""

    first: Record
    second: Record
    similarity: float


@dataclass(slots=True)
class ListedMemory:
    """A memory in its current version, the time when its first version was stored, and the groups it belongs to."""

    memory: Record
    first_stored: datetime
    contexts: tuple[str, ...] = ()


@dataclass(slots=True)
class MemoryContext:
    """A named group of memories. Of two memories that fit a question equally well, the one in the group with the higher
    ``priority`` (0 to 1) comes first. ``memories`` counts the visible ones in it.
    """

    id: str
    name: str
    priority: float
    description: str | None
    memories: int


@dataclass(slots=True)
class Entity:
    """A person, project, place or thing, and how many visible memories mention it."""

    id: str
    name: str
    type: str
    mentions: int
    first_seen: datetime
    last_seen: datetime


@dataclass(slots=True)
class TurnWithKnowledge:
    """A turn of a conversation, and what was ``learnt`` from it, believed or not."""

    turn: Record
    learnt: tuple[Record, ...]


@dataclass(slots=True)
class Turns:
    """Some turns of a conversation that has ``total``, after the first ``offset``."""

    turns: tuple[TurnWithKnowledge, ...]
    total: int
    offset: int


@dataclass(slots=True)
class PassedOver:
    """A turn, by ``id``, and why nothing, or less than it says, is learnt from it."""

    id: str
    reasons: tuple[str, ...]


@dataclass(slots=True)
class Counts:
    """How many memories there are of each kind, the most first."""

    type: Mapping[str, int]
    category: Mapping[str, int]
    subject: Mapping[str, int]
    trust: Mapping[str, int]


@dataclass(slots=True)
class Day:
    """A day (``2026-03-02``): how many turns were said, and how many versions of knowledge were stored and retired."""

    day: str
    said: int
    learnt: int
    retired: int


@dataclass(slots=True)
class Spending:
    """The cost of one language model on one day (``2026-03-02``, in UTC) for one step of the memory's work."""

    day: str
    step: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(slots=True)
class NightStep:
    """How a step of a night ended. A step that continues the next night is ``done``: what is left may be another
    user's. ``error`` is the kind of the error that it failed with.
    """

    step: str
    status: Literal["done", "skipped", "failed"]
    seconds: float
    error: str | None = None


@dataclass(slots=True)
class NightRun:
    """A night: when it began, how long it took, how its steps ended, and by event of the log the number of its changes
    of the user's memories that the scope may see.
    """

    at: datetime
    seconds: float
    steps: tuple[NightStep, ...]
    changes: Mapping[str, int]


@dataclass(slots=True)
class Failures:
    """How often an ``operation`` of an interface (a tool, a route) was answered with a kind of ``error``, and the time
    of the last one. ``client`` is None if the client did not give its name. What was asked for is not stored.
    """

    interface: str
    operation: str
    error: str
    client: str | None
    count: int
    latest: datetime


@dataclass(slots=True)
class KnowledgeChange:
    """A change, and the version of a memory that it changed; None if that was forgotten."""

    change: Change
    memory: Record | None


@dataclass(slots=True)
class Neighbour:
    """A person, project, place or thing in a neighbourhood."""

    id: str
    name: str
    type: str


@dataclass(slots=True)
class EntityEdge:
    """What joins two entities, given by their ids; the user has an empty one if no entity stands for the user. With a
    ``predicate``, the memory ``id`` claims it; without one, ``memories`` counts the memories that mention both, and
    ``id`` is one of them.
    """

    source: str
    target: str
    predicate: str | None
    id: str
    is_affirmed: bool
    memories: int = 1


@dataclass(slots=True)
class Neighbourhood:
    """The entities that the entity ``centre`` is joined with, and the joins; ``entities`` contains the centre
    itself.
    """

    centre: str
    entities: tuple[Neighbour, ...]
    edges: tuple[EntityEdge, ...]


@dataclass(slots=True)
class Confidence:
    """The confidence of a memory ``at`` a moment, unless it is used or confirmed before."""

    at: datetime
    confidence: float


LeftOut = Literal["irrelevant", "far_behind", "said_already", "no_room", "unsure"]
"""Why a memory that a search found is not in a block: it is not relevant enough; it is far behind the best, or says
nothing; turns in the block say the same; there is no room; or the answer is too unlikely to be there at all.
"""


@dataclass(slots=True)
class ExplainedBlock:
    """A block for a prompt, None if nothing is relevant or fits ``budget``, and its reasons: what was ``found``, best
    first, and for each id in ``left_out`` why it is left out. Items of the block that are not in ``found`` are shown
    for every prompt. ``needed`` is the smallest budget that a relevant memory fits, None if nothing is relevant.
    """

    block: Block | None
    budget: int
    needed: int | None
    found: tuple[Hit, ...]
    left_out: Mapping[str, LeftOut]
