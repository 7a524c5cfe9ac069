"""Who speaks to whom, and what a sentence is to be understood with: those who were spoken of so far."""

import re
from dataclasses import dataclass, field, replace

from sandbox.extensions.memory.consolidate.proposal import Turn
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules import introductions, russian_people
from sandbox.extensions.memory.consolidate.rules.contractions import expand, without_leads
from sandbox.extensions.memory.consolidate.rules.morphology import is_russian, speaker_name
from sandbox.extensions.memory.consolidate.rules.statements import Said, Setting, Subject, Told
from sandbox.extensions.memory.consolidate.rules.wordforms import mid
from sandbox.extensions.memory.text.places import size

_BROUGHT_UP = re.compile(
    rf"\b(?:an?|our|my|new) (?:[\w-]+ "
    rf"){{0,2}}?(?P<noun>{'|'.join(sorted(words_of.PETS | words_of.SHE | words_of.HE))}|friend"
    r"|roommate|colleague|flatmate|boss|manager|neighbou?r|baby)\b(?!')"
)
_BECAME = re.compile(
    r"\b(?:became|become|becoming|am|are) (?:an? )?(?:new |proud |first-time )*(?P<what>(?:grand)?(?:parents|mother"
    r"|father|mum|mom|dad|ma|pa)"
    r"|uncle|aunt|auntie|godfather|godmother|godparents)\b"
)
_CHILD_OF = dict.fromkeys(("uncle", "aunt", "auntie"), "sibling's baby") | dict.fromkeys(
    ("godfather", "godmother", "godparents"), "godchild"
)
_IS_PRODUCT = re.compile(
    r"is (?:an?|the|the user's)(?: [\w-]+){0,3} (?:app|apps?|project|product|service|tool|library|website|site"
    r"|platform|system|game|bot"
    r"|package|framework|server|database|api|plugin|startup|company|newsletter|podcast|blog|repo)\b"
)
_A_NAME = re.compile(r"[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?")
_MET = re.compile(r"\b(?:with|met|know|married|dating|hired|to) (?P<name>[A-ZÀ-Þ][a-zß-ÿ]+)$")


@dataclass(slots=True)
class Context:
    """Who speaks, and whom they have spoken of: by noun and by name in all turns, by pronoun in this one. ``number``
    counts the turns of the speaker, ``asked`` is what another said before.
    """

    turn: Turn
    people: dict[str, Subject]
    told: list[Told]
    number: int = 1
    asked: str = ""
    to_assistant: bool = True
    last: Subject | None = None
    announced: str = ""  # that something is another than before, as the sentences before say: "plans have changed"
    heard: str = ""  # whom a pronoun may mean was named in it
    taken_for_granted: list[Said] = field(default_factory=list)

    speaker: Subject = field(init=False)  # whom the first person means

    def __post_init__(self) -> None:
        self.speaker = Subject(self.turn.who, mid(self.turn.who), is_self=True)

    @property
    def setting(self) -> Setting:
        """What a grammar has to know of it."""
        spoken_of = (self.people, self.to_assistant, self.last, self.heard)
        return Setting(self.speaker, self.turn.at, *spoken_of, self.turn.text)

    def note(self, said: Said) -> None:
        """Remember whom a statement was about."""
        if _IS_PRODUCT.match(f"{said.verb} {said.value}") and said.subject.name == said.subject.about:
            self.last = replace(said.subject, is_thing=True)  # whom a clause is about is somebody, till that is said
        elif not said.subject.is_thing:
            self.meet(said.subject)
            if said.verb in ("is", "is called") and _A_NAME.fullmatch(said.value) and "'s " in said.subject.name:
                noun = said.subject.name.rsplit("'s ", 1)[1]
                self.meet(
                    introductions.named(
                        replace(self.speaker, name=said.subject.name.rsplit("'s ", 1)[0]), noun, said.value
                    )
                )
        elif said.verb == "is called" and said.value:
            self.last = said.subject

    def introduce(self, clause: str) -> None:
        """Remember whom a clause brings up: ``adopted a puppy``."""
        self.hear(clause)
        named = list(introductions.brought_up(clause, self.speaker))
        for about in named:
            self.meet(about)
        if self.to_assistant and not named and (match := _BROUGHT_UP.search(clause)):
            noun = match["noun"]
            who = self.speaker
            pronoun = "she" if noun in words_of.SHE else "he" if noun in words_of.HE else ""
            about = Subject(f"{who.name}'s {noun}", f"{who.about}'s {noun}", pronoun=pronoun)
            self.last = self.last if self.last and noun in self.last.name else about
        elif self.to_assistant and not named and (born := _BECAME.search(clause)):
            noun = _CHILD_OF.get(born["what"], "grandchild" if born["what"].startswith("grand") else "baby")
            self.last = Subject(f"{self.speaker.name}'s {noun}", f"{self.speaker.about}'s {noun}")
        elif self.to_assistant and not named and (met := _MET.search(clause)) and not size(met["name"]):
            self.last = self.people.get(met["name"]) or Subject(met["name"], met["name"])

    def hear(self, text: str) -> None:
        """Remember a clause or sentence that names or describes somebody."""
        if not self.to_assistant:
            return
        if is_russian(text):
            found = russian_people.mentioned(text, speaker_name(self.speaker.name), self.people)
        else:
            text = expand(without_leads(text))
            found = introductions.mentioned(text, self.speaker, self.people)
        if found:
            self.heard = text

    def meet(self, subject: Subject) -> None:
        """Remember of whom is spoken."""
        if subject.is_self or subject.is_thing:
            return
        self.last = subject
        self.people[subject.about] = subject
        for alias in subject.aliases:
            self.people[alias.rsplit(" ", 1)[-1]] = subject
