"""The input and the proposals of learning: values for models and rules. Nothing here is applied."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from sandbox.extensions.memory.authority import is_users_word
from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.model import USUAL_IMPORTANCE, CognitiveType, FirstAnswers, Role, Spent
from sandbox.extensions.memory.parse.changes import Change
from sandbox.support.trust import Trust

EntityType = Literal["person", "project", "organization", "place", "concept", "tool"]
Manner = Literal["change", "correction"]

MOST_PER_TURN = 8  # statements
LONGEST = 280  # characters of a statement
EXTRACTED = 0.8  # confidence of what a model took from a conversation; what the user states expressly has 1.0
INFERRED = 0.6  # of what rules found, and of what a model concluded rather than read


@dataclass(frozen=True, slots=True)
class Turn:
    """One episode as learning reads it. ``id`` is its public id, ``at`` aware, in the zone times are resolved in."""

    id: str
    role: Role
    text: str
    at: datetime
    speaker: str | None = None

    @property
    def who(self) -> str:
        """Whom its first person means, as knowledge names them."""
        return self.speaker or {"user": "The user", "assistant": "The assistant"}.get(self.role, self.role)


class Dated:
    """What holds since a time ``at``, which was perhaps ``told`` as less than a day: ``2022``, ``2022-05``."""

    __slots__ = ()
    at: datetime
    told: str | None

    @property
    def since(self) -> str:
        """The day, or the year or month that was told in its place."""
        return self.told or self.at.date().isoformat()


@dataclass(frozen=True, slots=True)
class KnownFact(Dated):
    """A memory that matters to some turns: its public id, what it says, of whom, and since when it holds."""

    id: str
    content: str
    at: datetime
    subject: str | None = None
    told: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known already that matters to some turns; the first of each matter most. ``user`` is what the user is
    called.
    """

    facts: tuple[KnownFact, ...] = ()
    entities: tuple["Mention", ...] = ()
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A named thing a proposal speaks of, under its fullest name, with what else it is called."""

    name: str
    type: EntityType = "concept"
    aliases: tuple[str, ...] = ()

    def trusted_as(self, trust: Trust) -> "Mention":
        """As somebody trusted so far says it: that a thing has other names, which joins two, only the user tells."""
        return self if is_users_word(trust) else replace(self, aliases=())


@dataclass(frozen=True, slots=True)
class Replaced:
    """A known memory, by public id, that no longer holds or never did."""

    manner: Manner
    id: str


@dataclass(frozen=True, slots=True)
class ProposedStatement:
    """One thing to know: self-contained, third person, no pronouns, in the language of the conversation.

    ``sources`` are the public ids of the turns it rests on, at least one. ``at`` is when it happened or began to be
    true, None: when it was said; ``told`` is that as it was told, where that was no day (``2022-05``); ``until`` when
    it ends, where that was said. ``importance`` is 1 to 5. ``claims`` are what it says in a form that can be compared:
    what it ends or changes, and what it fills of a profile, follows from them. ``because`` is the content of the
    proposal that is its reason.
    """

    content: str
    sources: tuple[str, ...]
    type: CognitiveType = "semantic"
    category: str = "fact"
    subject: str | None = None
    importance: int = USUAL_IMPORTANCE
    confidence: float = INFERRED
    at: datetime | None = None
    told: str | None = None
    until: datetime | None = None
    tags: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    replaces: tuple[Replaced, ...] = ()
    claims: tuple[Claim, ...] = ()
    because: str | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """What reading some turns gave. ``skipped`` counts what was not learnt, by reason; ``mentions`` are named things
    met beside the proposals, by the public id of the turn; ``summary`` says in 1-2 sentences, past tense, what was
    discussed, decided and done; ``distinct`` are pairs of names that are said to be two people or things;
    ``changes`` are turns, by public id, and what they perhaps say of the change of something that is known.
    ``passed_over`` are turns, by public id, and why rules learnt something of them not. ``first`` are the items of
    a model's first answers; ``faults`` counts by kind what was wrong with them and went back, and whole answers
    that could not be used (002, section 9).
    """

    by: str  # the model's id, or "rules"
    proposals: tuple[ProposedStatement, ...] = ()
    mentions: Mapping[str, tuple[Mention, ...]] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    summary: str | None = None
    spent: Spent = field(default_factory=Spent)
    first: FirstAnswers = field(default_factory=FirstAnswers)
    faults: Mapping[str, int] = field(default_factory=dict)
    distinct: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, Change], ...] = ()
    passed_over: tuple[tuple[str, str], ...] = ()
