"""What a run of learning did, as its report tells."""

from collections import Counter
from dataclasses import dataclass, field

from sandbox.extensions.memory.consolidate.apply import Applied
from sandbox.extensions.memory.consolidate.draft import SessionDraft
from sandbox.extensions.memory.model import Spent


@dataclass(slots=True)
class Tally:
    """What several sessions taught, as it comes."""

    sessions: list[str] = field(default_factory=list)
    learnt: list[int] = field(default_factory=list)
    merged: list[int] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    waiting: dict[str, str] = field(default_factory=dict)
    by: dict[str, None] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)

    def add(self, draft: SessionDraft, applied: Applied) -> None:
        """Count what became of a session."""
        self.sessions.append(draft.session.session_id)
        self.learnt += applied.learnt
        self.merged += applied.merged
        self.replaced += applied.replaced
        self.skipped.update(draft.skipped)
        self.skipped.update(applied.skipped)
        self.by[draft.by] = None
