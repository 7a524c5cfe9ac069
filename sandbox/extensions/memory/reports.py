"""The reports of long operations (an import, learning, a night, an erasure, an undo), their cost, and statistics."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import islice
from typing import Literal

from sandbox.extensions.memory.model import Record

ImportProgress = Callable[[int, int | None], None]
"""Called with the number of records that are done, and the number of all records, if it is known."""

LearningProgress = Callable[[int, int], None]
"""Called while sessions are read, with the numbers of sessions that are done and of all."""

NightProgress = Callable[[str, int, int], None]
"""Called with the name of the running step, its progress, and its total."""


@dataclass(slots=True)
class Spent:
    """The tokens that learning used, as the server counted them; nothing if rules did it."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Of prompts and answers together; budgets limit this sum."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(slots=True)
class AnswerQuality:
    """How many ``items`` a model's answers had, and how many of them were ``right``. An answer that could not be read
    counts as one wrong item.
    """

    items: int = 0
    right: int = 0

    def __add__(self, other: "AnswerQuality") -> "AnswerQuality":
        return AnswerQuality(self.items + other.items, self.right + other.right)


@dataclass(slots=True)
class Statistics:
    """What the memory holds at one moment. ``sessions_pending`` counts sessions with turns that wait to be learnt from,
    ``sessions_ended`` those of them that are over. ``spending`` is the cost of language models, by step. Of the latest
    operations, ``violations`` counts answers of models that broke the rules, by kind, and ``answer_quality`` all
    answers. ``writes`` counts changes by interface and event: ``mcp.created``.
    """

    nodes: Mapping[str, int]
    retired: Mapping[str, int]
    edges: Mapping[str, int]
    entities: int
    sessions: int
    sessions_pending: int
    sessions_ended: int
    orphan_nodes: int
    embedding_model: str | None
    vectors: int
    embedding_backlog: int
    database_bytes: int
    changes: int
    last_maintained_at: datetime | None
    operations: Mapping[str, int]
    spending: Mapping[str, Spent] = field(default_factory=dict)
    violations: Mapping[str, int] = field(default_factory=dict)
    answer_quality: AnswerQuality = field(default_factory=AnswerQuality)
    writes: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class LearningReport:
    """What was learnt from sessions. ``learnt`` is new; ``merged`` was known and has new sources; ``replaced`` has
    ended, or was wrong. ``skipped`` counts what was not learnt, by reason. ``waiting`` gives the problem of each
    session that could not be read and is tried again later. ``by`` are the readers: models, or ``rules``.
    ``in_projects`` counts what is new and known only in other projects than the caller's.
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
    in_projects: int = 0


Outcome = Literal["retired", "believed again", "as before", "linked", "unlinked", "merged", "split", "kept"]


@dataclass(slots=True)
class UndoStep:
    """One step of an undo: what happened to the memory, and why; ``change`` is the number of the undone change in the
    log (None: it followed from another one). ``kept`` memories stay unchanged.
    """

    outcome: Outcome
    id: str | None
    content: str | None
    change: int | None
    event: str | None
    reason: str | None = None


@dataclass(slots=True)
class UndoReport:
    """What was undone, or would be, step by step. ``change`` is the number that undoes the undo itself; None if there
    was nothing to undo.
    """

    change: int | None
    steps: tuple[UndoStep, ...]
    dry_run: bool = False


StepStatus = Literal["done", "partial", "skipped", "failed", "planned"]


@dataclass(slots=True)
class StepReport:
    """One step of a night. A ``partial`` step stopped at a limit or a spent budget, and continues the next night.
    ``planned`` is what a dry run would do; ``spent`` is then an estimate. ``counts`` says what was done, by name.
    ``note`` says why the step was skipped, stopped or failed, or what a dry run would ask; ``error`` is the kind of the
    error that it failed with.
    """

    step: str
    status: StepStatus
    counts: Mapping[str, int] = field(default_factory=dict)
    note: str | None = None
    spent: Spent = field(default_factory=Spent)
    seconds: float = 0.0
    error: str | None = None


@dataclass(slots=True)
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
        """The sum over all steps."""
        return sum((step.spent for step in self.steps), Spent())


@dataclass(slots=True)
class ExportReport:
    """Where an export was written, and its ``lines`` and ``bytes``."""

    file: str
    lines: int
    bytes: int


EXAMPLES = 5
"""How many examples a report of an erasure shows."""


@dataclass(slots=True)
class ErasureReport:
    """What an erasure removes: ``turns``, memories that were ``learnt`` from nothing else, ``entities`` that nothing
    else mentions, ``summaries`` and ``profile_values``. ``restored`` counts the memories that are valid again because
    the memory that replaced them is erased. ``sources`` counts turns that stay, although some of it was learnt from
    them. ``examples`` are the beginnings of a few erased texts. ``in_doubt`` counts texts that stay: they may name the
    ``subject`` or only have the same word; ``doubtful`` are the ids and beginnings of a few of them. ``exports`` are
    files that ``export`` wrote since the first of it was stored, and that are still there: they may hold erased text.
    """

    turns: int
    learnt: int
    restored: int = 0
    entities: int = 0
    summaries: int = 0
    profile_values: int = 0
    sources: int = 0
    in_doubt: int = 0
    examples: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    exports: tuple[ExportReport, ...] = ()

    @property
    def in_words(self) -> str:
        """``3 turns and 1 memory; 1 memory that it had replaced is valid again``; empty if nothing is erased."""
        if not (self.turns or self.learnt or self.entities):
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
        memories, are = ("memory", "is") if self.restored == 1 else ("memories", "are")
        again = f"; {self.restored:,} {memories} that it had replaced {are} valid again" if self.restored else ""
        turns, stay = ("turn", "stays") if self.sources == 1 else ("turns", "stay")
        left = f"; {self.sources:,} {turns} from which it was learnt {stay}" if self.sources else ""
        return f"{goes}{again}{left}"


def summed(reports: Iterable[ErasureReport]) -> ErasureReport:
    """The sum of several reports, with a few of their examples, and each file once."""
    found = list(reports)
    counts = {
        each.name: sum(getattr(report, each.name) for report in found)
        for each in fields(ErasureReport)
        if each.name not in ("examples", "doubtful", "exports")
    }
    examples = tuple(islice((text for report in found for text in report.examples), EXAMPLES))
    doubtful = tuple(islice((text for report in found for text in report.doubtful), EXAMPLES))
    exports = tuple({each.file: each for report in found for each in report.exports}.values())
    return ErasureReport(**counts, examples=examples, doubtful=doubtful, exports=exports)


@dataclass(slots=True)
class BrokenRecord:
    """A record of an import that could not be read: where it is and what is wrong with it."""

    place: str
    problem: str


@dataclass(slots=True)
class ImportReport:
    """The result of an import: ``new`` records were stored now, ``known`` ones before, ``erased`` ones were left out
    because they had been erased. ``left_out`` are files of a folder or an archive whose format is unknown. Of the known
    records, ``changed`` have another text now, or have ended in one place alone, and what is stored stays;
    ``forgotten`` ones were forgotten, and stay so. ``projects`` counts the conversations with new turns that went to
    the project of their folder. The changes ``taken_back`` retired turns that no longer stand in the file, and what was
    learnt from them; undo one to have them back.
    """

    format: str
    new: int
    known: int
    masked: int
    broken: Sequence[BrokenRecord] = field(default_factory=tuple)
    erased: int = 0
    left_out: Sequence[str] = field(default_factory=tuple)
    changed: int = 0
    forgotten: int = 0
    projects: Mapping[str, int] = field(default_factory=dict)
    taken_back: Sequence[int] = field(default_factory=tuple)
