"""The reports of long operations: an import, learning, a night, an erasure, an undo. All are frozen."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Literal

from sandbox.extensions.memory.model import Record, Spent

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
