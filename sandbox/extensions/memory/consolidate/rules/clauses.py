"""A clause whose subject is known, and what its statements have in common. English. Pure."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import endings
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said, Setting, Subject
from sandbox.extensions.memory.consolidate.rules.values import value
from sandbox.extensions.memory.consolidate.rules.wordforms import Word, mid

FACT, PLAN, PERSON = Kind("fact", 4), Kind("event", 3), Kind("person", 4)
TASTE = Kind("preference", 3, "opinion")
THOUGHT = Kind("fact", 2, "opinion")
PROJECT = Kind("project", 3)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause whose subject is known: its words, the sentence they stand in, and where the verb begins."""

    text: str
    words: Sequence[Word]
    at: int
    about: Subject
    setting: Setting
    habit: str = ""
    ended: bool = False  # no longer, not anymore

    def low(self, ahead: int = 0) -> str:
        """The folded word some places ahead; empty at the end."""
        index = self.at + ahead
        return self.words[index].low if index < len(self.words) else ""

    def after(self, index: int) -> str:
        """What is said from a word on."""
        if index >= len(self.words):
            return ""
        before = self.words[index - 1]  # signs between words, as in "earned $420", belong to what follows
        return self.text[before.start + len(before.text) :].lstrip() if index else self.text

    def value(self, index: int) -> str:
        """The same as a value."""
        return value(self.after(index), self.about, self.setting)

    def ahead(self, count: int = 1) -> "Clause":
        """Some words further."""
        return replace(self, at=self.at + count)

    @property
    def kind(self) -> Kind:
        """That of a fact of the speaker, or of another person."""
        return FACT if self.about.is_self else PERSON

    @property
    def owner(self) -> str:
        """The subject as an owner, as it stands inside a sentence."""
        return f"{mid(self.about.name)}'s"

    @property
    def lies_ahead(self) -> bool:
        """Whether a later day is named."""
        found = moments(self.text, self.setting.at, ahead=True)
        return bool(found) and found[0].at.date() > self.setting.at.date()

    def kind_of(self, kind: Kind) -> Kind:
        """The kind of a verb, said of the speaker, of another person or of a thing."""
        if self.about.is_self or kind.type == "opinion":
            return kind
        return PROJECT if self.about.is_thing else replace(kind, category="person")

    def without_adverbs(self) -> "Clause":
        """Habits are kept, fillers dropped."""
        clause = self
        while clause.low():
            word = clause.low()
            if word in words_of.KEPT:
                clause = replace(clause.ahead(), habit=word)
            elif word == "no" and clause.low(1) == "longer":
                clause = replace(clause.ahead(2), ended=True)
            elif word in words_of.DROPPED or word in ("both", "all"):
                clause = clause.ahead()
            else:
                return clause
        raise NotLearnt("no statement")

    def said(self, verb: str, said: str, kind: Kind, at: datetime | None = None) -> Said:
        """A statement of its subject."""
        if re.search(r" (?:on|in|at)$", verb) and re.match(r"(?:on|in|at|around) ", said):
            verb = verb.rsplit(" ", 1)[0]
        return Said(self.about, verb, said, kind, at)

    def no_longer(self, verb: str, said: str, kind: Kind) -> Iterator[Said]:
        """``no longer works at Acme`` ends ``works at Acme``, ``works for Acme``."""
        value = endings.named(said)
        before = self.said(verb, said, kind).content
        ends = (
            Replaced("change", verbs=endings.like(verb), value=value) if value else Replaced("change", statement=before)
        )
        yield replace(self.said(f"no longer {verb}", said, kind), replaces=(ends,))


_NOW = re.compile(
    r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|weekend|time)|at the moment)\b", re.I
)


def no_passing(said: str) -> None:
    """NotLearnt where it holds on the day only."""
    if _NOW.search(said):
        raise NotLearnt("passing state")


def head_of(said: str) -> str:
    """The noun of a phrase."""
    phrase = re.split(r",| (?:of|at|in|with|for|from|who|on|by|and|to|since) ", said)[0].strip()
    return phrase.split(" ")[-1].lower() if phrase else ""


def name_in(said: str) -> str:
    """A name, without what follows it."""
    match = re.match(r"[A-ZÀ-Þ][\w'-]*(?: (?:and |& )?[A-ZÀ-Þ][\w'-]*){0,3}", said)
    if match is None:
        raise NotLearnt("not self-contained")
    return match[0]


TELLING = re.compile(
    r"^(?:(?:at|in|for|with|on|to|from|as) )?(?:an?|the \w+'s|two|three|four|five|\d+)\b|\b[A-Z][a-z]|\b(?:19"
    r"|20)\d\d\b|'s "
)


Rule = Callable[[Clause], Iterator[Said]]


def team_of(about: Subject) -> Subject:
    """Those with whom the speaker works."""
    return Subject(f"{about.name}'s team", mid(about.name), is_thing=True)
