"""What a memory shows: entries of lists, what waits for a decision, and why a block is as it is. All are frozen."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from sandbox.extensions.memory.model import Block, Change, Hit, Record
from sandbox.extensions.memory.profile import ProfileValue

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SessionReport:
    """A conversation: how many turns of it are kept, when its first and last were said, by which way they came, and
    whether something in it ``waits`` to be learnt from.
    """

    id: str
    turns: int
    first: datetime
    last: datetime
    source: str
    waits: bool

    @property
    def cursor(self) -> str:
        """Its place in a list, behind which the next page begins, wherever it moves meanwhile."""
        return f"{round(self.last.timestamp() * 1000):x}.{self.id.encode().hex()}"


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some of a list that has ``total`` items; ``next`` is the cursor of the page after it, None: this is the last."""

    items: tuple[T, ...]
    total: int
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement that waits for the user's consent, ``until`` when: which ``fields`` of the profile it would fill, and
    the values that would be over then.
    """

    memory: Record
    fields: tuple[str, ...]
    instead_of: tuple[ProfileValue, ...]
    until: datetime


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two memories that are believed, of which perhaps one holds only; the ``first`` counts for more."""

    first: Record
    second: Record


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two memories that likely say the same, and how similar they are (0 to 1); the ``first`` counts for more."""

    first: Record
    second: Record
    similarity: float


@dataclass(frozen=True, slots=True)
class Listed:
    """A memory as it stands now, when its first version was stored, and the groups it belongs to."""

    memory: Record
    first_stored: datetime
    contexts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """A named group that memories belong to. What is in one of a higher ``priority``, 0 to 1, is found before what is
    as near to a question; so many ``memories`` are in it that may be seen.
    """

    id: str
    name: str
    priority: float
    description: str | None
    memories: int


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, project, place or thing; what may be seen mentions it so often."""

    id: str
    name: str
    type: str
    mentions: int
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a conversation, and what was ``learnt`` from it, whether or not it is believed still."""

    turn: Record
    learnt: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Turns:
    """Some turns of a conversation that has ``total``, after the first ``offset`` of them."""

    turns: tuple[Said, ...]
    total: int
    offset: int


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A turn, by ``id``, and why nothing, or less than it says, is learnt from it."""

    id: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is known, by what it is: the most first."""

    type: Mapping[str, int]
    category: Mapping[str, int]
    subject: Mapping[str, int]
    trust: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Day:
    """A day (``2026-03-02``): how many turns were said on it, how many versions of knowledge stored and retired."""

    day: str
    said: int
    learnt: int
    retired: int


@dataclass(frozen=True, slots=True)
class Spending:
    """What one language model cost on a day (``2026-03-02``, in UTC), for one step of the work of the memory."""

    day: str
    step: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Happened:
    """A change, and the version of a memory that it happened to; None where that was forgotten."""

    change: Change
    memory: Record | None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A person, project, place or thing in a neighbourhood."""

    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Joined:
    """What joins two, by their ids, of which that of the user is empty: what the memory ``id`` claims; without a
    ``predicate``, that so many ``memories`` speak of both, ``id`` being one of them.
    """

    source: str
    target: str
    predicate: str | None
    id: str
    is_affirmed: bool
    memories: int = 1


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Whom and what the entity with the id ``centre``, which is among the ``entities``, is joined with."""

    centre: str
    entities: tuple[Neighbour, ...]
    edges: tuple[Joined, ...]


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure a memory is ``at`` some moment, unless it is used or confirmed before."""

    at: datetime
    confidence: float


LeftOut = Literal["irrelevant", "far_behind", "said_already", "no_room", "unsure"]
"""Why what a search found is not in a block: it is not relevant enough; it falls too far behind the best, or says
nothing; turns that are shown say it; there is no room; it is too unsure that the answer is there at all.
"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A block for a prompt, None where nothing is relevant, and why it is as it is: what was ``found``, best first, and
    by id why what is ``left_out`` is. What is in the block and was not found is there whatever is asked.
    """

    block: Block | None
    budget: int
    found: tuple[Hit, ...]
    left_out: Mapping[str, LeftOut]
