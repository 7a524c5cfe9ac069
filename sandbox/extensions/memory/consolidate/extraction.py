"""The input and the proposals of learning: values for models and rules. Nothing here is applied."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from sandbox.extensions.memory.claims import Claim, predicate
from sandbox.extensions.memory.model import USUAL_IMPORTANCE, CognitiveType, Role
from sandbox.extensions.memory.parse.changes import ReportedChange
from sandbox.extensions.memory.reports import AnswerQuality, Spent
from sandbox.extensions.memory.text.names import Mention
from sandbox.support.times import in_zone

EntityType = Literal["person", "project", "organization", "place", "concept", "tool"]
Manner = Literal["change", "correction"]
Judgement = Literal["same", "different", Manner]

MOST_PER_TURN = 8  # statements
LONGEST = 280  # characters of a statement
BEFORE = 6  # turns before those that are read, which may announce a pasted text, or be corrected
EXTRACTED = 0.8  # confidence of a model's statement from a conversation; the user's explicit words have 1.0
INFERRED = 0.6  # of a statement by rules, and of a model's conclusion

_OF_CORE = {"user": 5, "project": 4, None: USUAL_IMPORTANCE}  # importance by the part of the core


class Turn(NamedTuple):
    """One episode in the form for readers. ``id`` is its public id, ``at`` aware, in the zone in which times are
    resolved. ``is_to_assistant``: it is neither of the person's own notes, nor said among people. ``own``: the words of
    its speaker, if the text may hold those of somebody else, too.
    """

    id: str
    role: Role
    text: str
    at: datetime
    speaker: str | None = None
    is_to_assistant: bool = True
    own: str | None = None

    @property
    def own_words(self) -> str:
        """What its speaker surely said."""
        return self.text if self.own is None else self.own

    @property
    def who(self) -> str:
        """The person whom its first person means, under the name that knowledge uses."""
        return self.speaker or {"user": "The user", "assistant": "The assistant"}.get(self.role, self.role)


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement and the time in which it holds: from ``at``, when it happened or was said, to ``until``. ``subject``
    is its subject, if its words do not name it; ``told`` is the time as precisely as it was told: ``2022``,
    ``2022-05``.
    """

    content: str
    at: datetime
    until: datetime | None = None
    subject: str | None = None
    told: str | None = None

    @property
    def since(self) -> str:
        """The time that was told, or else the day."""
        return self.told or in_zone(self.at).date().isoformat()

    @property
    def last_day(self) -> str | None:
        """The last day on which it holds."""
        return in_zone(self.until - timedelta(milliseconds=1)).date().isoformat() if self.until else None


@dataclass(frozen=True, slots=True)
class KnownFact(Stated):
    """A known memory for some turns, with its public id."""

    id: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """The known facts and entities for some turns, the most relevant first. ``user`` is the user's name, ``project``
    that of the project in which they were said.
    """

    facts: tuple[KnownFact, ...] = ()
    entities: tuple[Mention, ...] = ()
    user: str | None = None
    project: str | None = None

    def labelled(self, label: str) -> KnownFact | None:
        """The fact with a label as models see it, ``K1`` for the first; None if there is none."""
        number = int(found[1]) if (found := re.fullmatch(r"\W*[Kk](\d{1,4})\W*", label)) else 0
        return self.facts[number - 1] if 0 < number <= len(self.facts) else None


@dataclass(frozen=True, slots=True)
class Replaced:
    """A known memory, by public id, that has ended or was never true."""

    manner: Manner
    id: str


@dataclass(frozen=True, slots=True)
class ProposedStatement:
    """One thing to know: self-contained, third person, no pronouns, in the language of the conversation.

    ``sources`` are the public ids of its turns, at least one. ``told`` is the time when it happened or began to be
    true, in ISO 8601, as precisely as it was told (``2022-05``); None means when it was said. ``until`` is the told
    end. ``importance`` is 1 to 5. ``claims`` are its content in a form that can be compared; they decide what it ends
    or changes, and which profile fields it fills. ``because`` is the content of the proposal that is its reason.
    """

    content: str
    sources: tuple[str, ...]
    type: CognitiveType = "semantic"
    category: str = "fact"
    subject: str | None = None
    importance: int = USUAL_IMPORTANCE
    confidence: float = INFERRED
    told: str | None = None
    until: datetime | None = None
    tags: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    replaces: tuple[Replaced, ...] = ()
    claims: tuple[Claim, ...] = ()
    because: str | None = None


def importance(claims: Iterable[Claim]) -> int:
    """The importance of a statement with some claims: that of its most important one."""
    return max((_OF_CORE[predicate(claim.predicate).core] for claim in claims), default=USUAL_IMPORTANCE)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of reading some turns. ``skipped`` counts what was not learnt, by reason. ``mentions`` are entities
    beside those of the proposals, by the public id of the turn. ``summary`` says in 1-2 sentences, past tense, what was
    discussed, decided and done. ``different_names`` are pairs of names that mean different people or things.
    ``changes`` are turns, by public id, with the change of a known fact that they may report. ``corrects`` are the
    contents of proposals with those of statements of earlier turns, in whose place they come. ``passed_over`` are
    turns, by public id, with the reason why rules did not learn a part of them. ``quality`` counts the items of answers
    of a model; ``faults`` counts, by kind, what was wrong with them, and answers that could not be used.
    """

    by: str  # id of the model, or "rules"
    proposals: tuple[ProposedStatement, ...] = ()
    mentions: Mapping[str, tuple[Mention, ...]] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    summary: str | None = None
    spent: Spent = field(default_factory=Spent)
    quality: AnswerQuality = field(default_factory=AnswerQuality)
    faults: Mapping[str, int] = field(default_factory=dict)
    different_names: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, ReportedChange], ...] = ()
    corrects: Mapping[str, str] = field(default_factory=dict)
    passed_over: tuple[tuple[str, str], ...] = ()
