"""What long work tells when it is done: an import, learning, a night. All frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sandbox.extensions.memory.model import Record, Spent


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


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """What goes with a conversation that is erased: ``turns`` said in it, and memories ``learnt`` from nothing else."""

    turns: int
    learnt: int


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record of an import that could not be read: where it is and what is wrong with it."""

    place: str
    problem: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import brought: ``new`` were stored now, ``known`` were there already, ``erased`` were left out because
    they were once erased.
    """

    format: str
    new: int
    known: int
    masked: int
    broken: Sequence[BrokenRecord] = field(default_factory=tuple)
    erased: int = 0
