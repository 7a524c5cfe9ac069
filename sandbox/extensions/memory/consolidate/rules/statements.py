"""What a grammar makes of a clause, whatever its language: a statement as knowledge words it, or why not. Pure."""

from dataclasses import dataclass, field
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Mention, Replaced
from sandbox.extensions.memory.model import CognitiveType


class NotLearnt(Exception):
    """A clause is not learnt; the argument is the reason, as it is counted."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of knowledge a verb or noun makes."""

    category: str = "fact"
    importance: int = 3
    type: CognitiveType = "semantic"


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a statement is about, as it begins (``The user's sister Ana``), and in short (``Ana``)."""

    name: str
    about: str
    is_self: bool = False
    is_thing: bool = False
    is_team: bool = False
    plural: bool = False
    pronoun: str = ""  # he or she, where a noun tells
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A statement: ``subject`` + ``verb`` + ``value``. Two with the same subject and verb say the same of it."""

    subject: Subject
    verb: str
    value: str = ""
    kind: Kind = field(default_factory=Kind)
    at: datetime | None = None
    replaces: tuple[Replaced, ...] = ()
    mentions: tuple[Mention, ...] = ()
    wording: str = ""  # the whole sentence, where it is not subject, verb and value in this order

    @property
    def content(self) -> str:
        """The sentence."""
        text = self.wording or " ".join(filter(None, (self.subject.name, self.verb, self.value)))
        text = text.rstrip(" .!,;:")
        return f"{upper(text)}."


@dataclass(frozen=True, slots=True)
class Setting:
    """Who speaks, when, and whom their words mean by now."""

    speaker: Subject
    at: datetime
    people: dict[str, Subject]  # by noun (sister) and by name
    to_assistant: bool = True  # nobody else speaks for themselves
    last: Subject | None = None  # who was spoken of last
    heard: str = ""  # the clause or sentence before, as far as it may say whom a pronoun means
    turn: str = ""  # what is said before and behind it, too


@dataclass(frozen=True, slots=True)
class Told:
    """A statement that was learnt, and in which turn of whoever said it."""

    said: Said
    turn: int


def upper(text: str) -> str:
    """With a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


def may_be_meant(last: Subject | None, near: list[Subject], *, goes_on: bool = False) -> list[Subject]:
    """Those just named, behind who was spoken of last where that is one of them, nobody is named, or it ``goes_on``."""
    if last is None or (near and not goes_on and not any(_is_same(one, last) for one in near)):
        return near
    return [last, *(one for one in near if not _is_same(one, last))]


def _is_same(one: Subject, other: Subject) -> bool:
    return one.about in (other.about, *other.aliases) or other.about in one.aliases
