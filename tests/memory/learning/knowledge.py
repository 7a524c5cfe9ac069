"""What a test may ask of what a conversation taught: about meaning, however it is worded."""

import re
from dataclasses import dataclass, field
from datetime import date, datetime

from sandbox.extensions.memory.reports import LearningReport

_DENIED = re.compile(
    r"\b(?:not|no|never|cannot|(?:is|are|was|do|does|did|has|have|wo|ca)n.t|without|avoid\w*|instead of|rather than"
    r"|used to|formerly|previously|stopped|quit|left|не|нет|без|никогда|вместо|раньше|прежде|уволил\w+)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was learnt. ``sources`` are the texts of the turns it rests on; ``current`` is what holds now."""

    content: str
    type: str
    category: str | None
    subject: str | None
    confidence: float
    event_time: datetime
    valid_until: datetime | None
    entities: tuple[str, ...]
    sources: tuple[str, ...]
    current: bool

    @property
    def day(self) -> date:
        """The day it happened or began, UTC."""
        return self.event_time.date()

    def says(self, *words: str) -> bool:
        """Whether it says all of some words. Of each the beginning is enough, and ``|`` stands between words of which
        one will do.
        """
        return all(re.search(rf"(?<!\w)(?:{word})", self.content, re.IGNORECASE) for word in words)

    @property
    def denies(self) -> bool:
        """Whether it says that something is not so, or is no longer."""
        return bool(_DENIED.search(self.content))


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a conversation taught, session by session. ``facts`` holds what is known now and what no longer holds."""

    facts: tuple[Fact, ...]
    reports: tuple[LearningReport, ...] = field(repr=False, default=())

    @property
    def known(self) -> tuple[Fact, ...]:
        """What holds now."""
        return tuple(fact for fact in self.facts if fact.current)

    @property
    def past(self) -> tuple[Fact, ...]:
        """What no longer holds, or never did."""
        return tuple(fact for fact in self.facts if not fact.current)

    def saying(self, *words: str, category: str | None = None) -> tuple[Fact, ...]:
        """What is known now and says all of some words."""
        return tuple(fact for fact in self.known if fact.says(*words) and category in (None, fact.category))

    def knows(self, *words: str, category: str | None = None) -> bool:
        """Whether one thing that is known now says all of some words, of that category where one is given."""
        return bool(self.saying(*words, category=category))

    def claims(self, *words: str) -> bool:
        """Whether one thing that is known now says all of some words and does not deny them."""
        return any(not fact.denies for fact in self.saying(*words))

    def denies(self, *words: str) -> bool:
        """Whether one thing that is known now says all of some words and denies them."""
        return any(fact.denies for fact in self.saying(*words))

    def knew(self, *words: str) -> bool:
        """Whether something that no longer holds says all of some words: it was known and is kept as history."""
        return any(fact.says(*words) for fact in self.past)

    def the(self, *words: str) -> Fact:
        """The one thing that is known now and says all of some words."""
        found = self.saying(*words)
        assert len(found) == 1, f"{len(found)} say {words} among {[fact.content for fact in self.known]}"
        return found[0]

    @property
    def nothing(self) -> bool:
        """Whether nothing at all was learnt, not even for a time."""
        return not self.facts

    def __str__(self) -> str:
        return "\n".join(f"{'+' if fact.current else '-'} {fact.content}" for fact in self.facts) or "nothing"
