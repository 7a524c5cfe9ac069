"""The reports of long operations (an import, learning, a night), and the entries of lists. All are frozen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import islice
from typing import Generic, Literal, TypeVar

from sandbox.extensions.memory.model import Block, Change, Hit, Record, Spent
from sandbox.extensions.memory.profile import ProfileValue

T = TypeVar("T")

ImportProgress = Callable[[int, int | None], None]
"""Called with how many records were dealt with, and how many there are where that is known."""

LearningProgress = Callable[[int, int], None]
"""Called while sessions are read, with how many are done, and of how many."""

NightProgress = Callable[[str, int, int], None]
"""Called with the step that runs, how far it is, and of how many."""


@dataclass(frozen=True, slots=True)
class LearningReport:
    """What sessions taught. ``learnt`` is new; ``merged`` was known and has now more sources; ``replaced`` no longer
    holds, or never did. ``skipped`` counts by reason what was not learnt, ``waiting`` gives the problem of each session
    that could not be read and is tried again later; ``by`` are the readers: models, or ``rules``.
    """

    sessions: tuple[str, ...] = ()
    learnt: tuple[Record, ...] = ()
    merged: tuple[Record, ...] = ()
    replaced: tuple[Record, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    waiting: Mapping[str, str] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    spent: Spent = field(default_factory=Spent)
    seconds: float = 0.0


Outcome = Literal["retired", "believed again", "as before", "linked", "unlinked", "merged", "split", "kept"]


@dataclass(frozen=True, slots=True)
class Undone:
    """One step of undoing: what became of the memory, of which change it is, by its number in the log (None: of what
    that had brought with it), and why. ``kept`` is what stays as it is.
    """

    outcome: Outcome
    id: str | None
    content: str | None
    change: int | None
    event: str | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What was undone, or would be, step by step. ``change`` is the number by which this can be undone itself; None:
    there was nothing to undo.
    """

    change: int | None
    steps: tuple[Undone, ...]
    dry_run: bool = False


StepStatus = Literal["done", "partial", "skipped", "failed", "planned"]


@dataclass(frozen=True, slots=True)
class StepReport:
    """One step of a night. ``partial`` stopped at a bound or a spent budget and goes on next night; ``planned`` is what
    a dry run would do, ``spent`` then an estimate. ``counts`` says what was done, by name; ``note`` why it was skipped,
    stopped or failed, or what a dry run would ask.
    """

    step: str
    status: StepStatus
    counts: Mapping[str, int] = field(default_factory=dict)
    note: str | None = None
    spent: Spent = field(default_factory=Spent)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class MaintenanceReport:
    """What a maintenance run did, or with ``dry_run`` would do, step by step."""

    dry_run: bool
    pruned: tuple[str, ...]
    sessions_pending: int
    embedding_backlog: int
    seconds: float
    steps: tuple[StepReport, ...] = ()

    @property
    def spent(self) -> Spent:
        """Of all steps together."""
        return sum((step.spent for step in self.steps), Spent())


EXAMPLES = 5
"""How many are shown of what is to be erased."""


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """What goes where something is erased: ``turns`` that were said, and memories ``learnt``, as far as they were, from
    nothing else. So many are ``restored``: what had replaced them goes, and they hold again. With these go ``entities``
    that nothing else speaks of, ``summaries`` and ``profile_values``. So many ``sources`` stay: turns that taught some
    of it. ``examples`` is the beginning of a few that go.
    """

    turns: int
    learnt: int
    restored: int = 0
    entities: int = 0
    summaries: int = 0
    profile_values: int = 0
    sources: int = 0
    examples: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """``3 turns, 1 memory and 2 names; 1 that it had replaced holds again``; empty where nothing goes."""
        if not (self.turns or self.learnt):
            return ""
        kinds = (
            (self.turns, "turn", "turns"),
            (self.learnt, "memory", "memories"),
            (self.entities, "name", "names"),
            (self.summaries, "summary", "summaries"),
            (self.profile_values, "value of the profile", "values of the profile"),
        )
        *most, last = [f"{count:,} {one if count == 1 else many}" for count, one, many in kinds if count]
        goes = f"{', '.join(most)} and {last}" if most else last
        holds = "holds" if self.restored == 1 else "hold"
        again = f"; {self.restored:,} that it had replaced {holds} again" if self.restored else ""
        turns = "1 turn that taught it stays" if self.sources == 1 else f"{self.sources:,} turns that taught it stay"
        return f"{goes}{again}{f'; {turns}' if self.sources else ''}"


def summed(reports: Iterable[ErasureReport]) -> ErasureReport:
    """What goes with several at once; a few examples of it."""
    found = list(reports)
    counts = {
        each.name: sum(getattr(report, each.name) for report in found)
        for each in fields(ErasureReport)
        if each.name != "examples"
    }
    examples = tuple(islice((text for report in found for text in report.examples), EXAMPLES))
    return ErasureReport(**counts, examples=examples)


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


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record of an import that could not be read: where it is and what is wrong with it."""

    place: str
    problem: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import brought: ``new`` were stored now, ``known`` were there already, ``erased`` were left out because
    they were once erased. Of a folder or an archive, ``left_out`` are the files that are of no known format.
    """

    format: str
    new: int
    known: int
    masked: int
    broken: Sequence[BrokenRecord] = field(default_factory=tuple)
    erased: int = 0
    left_out: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written where: so many ``lines``, of so many ``bytes``."""

    file: str
    lines: int
    bytes: int
