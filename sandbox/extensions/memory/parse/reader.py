"""Turns to claims, for each speaker separately, clause by clause."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sandbox.extensions.memory.claims import USER, Claim, predicate
from sandbox.extensions.memory.claims.registry import THE
from sandbox.extensions.memory.lexicon import LANGUAGES
from sandbox.extensions.memory.parse import clauses
from sandbox.extensions.memory.parse.attributes import attribute
from sandbox.extensions.memory.parse.authorship import own
from sandbox.extensions.memory.parse.changes import ReportedChange
from sandbox.extensions.memory.parse.language import Language, language_of
from sandbox.extensions.memory.parse.rereading import reread
from sandbox.extensions.memory.parse.sentence import Sentence
from sandbox.extensions.memory.parse.statements import Statement
from sandbox.extensions.memory.parse.subjects import People, Setting, Subject, kin_at, unnamed
from sandbox.extensions.memory.parse.tokens import tokens
from sandbox.extensions.memory.text.words import CYRILLIC

UNKNOWN = "the rules do not know this way of saying it"
"""Why a clause was passed over."""

_NEAR = 2  # turns from a statement to its correction, with an answer between
_LONGEST_STATEMENT = 400  # characters of one statement
_PRONOUNS = frozenset(("pronoun_f", "pronoun_m"))
_FIRST_PERSON = frozenset(("self", "me", "my"))
_QUALIFIED = re.compile(r"[\w'’ -]{2,60} \(([^()]{3,80})\) (?=\w)")
_LETTERS = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile(f"[{CYRILLIC}]", re.IGNORECASE)


class Read(NamedTuple):
    """The result: statements, changes of what was told before, and the number of clauses that were passed over, by turn
    and reason.
    """

    statements: Sequence[Statement]
    changes: Sequence[ReportedChange]
    skipped: Counter[tuple[int, str]]


def read(
    turns: Sequence[tuple[str, str, datetime]],
    speakers: Mapping[str, str],
    known: Mapping[str, str] | None = None,
    *,
    to_assistant: bool = True,
) -> Read:
    """The statements in some turns, each a speaker, a text and a time. ``speakers`` are those who speak for themselves,
    with their names; "" is the user. ``known`` are names of people told of in earlier conversations, with their
    relations.
    """
    reader = _Reader(speakers, "chat" if to_assistant else "talk", known)
    for number, (speaker, text, at) in enumerate(turns):
        reader.read(number, speaker, text, at)
    return Read(reader.found, reader.changes, reader.skipped)


def claims_of(text: str, at: datetime, about: str | None = None) -> tuple[Claim, ...]:
    """The claims of a statement in the wording of memories: *The user lives in Porto.* ``about`` is its subject, if its
    words do not name that. None if a part of it is not read, because the claims would say less than the statement; nor
    if it only denies, because it is in doubt whether that ended or never was.
    """
    if len(text) > _LONGEST_STATEMENT:
        return ()
    language = language_of(code_of(text))
    qualified = _QUALIFIED.match(text)
    if qualified and not language.kin.keys().isdisjoint(qualified[1].lower().split()):  # *Anna (the user's colleague)*
        found = claims_of(text.replace(f" ({qualified[1]})", "", 1), at, about)
        return tuple(
            each if each.subject == USER else replace(each, subject=f"{each.subject} ({qualified[1]})")
            for each in found
        )
    named = _with_name(text, about or "", language)
    written = reread(named, at, language)
    found = written or _framed(_in_first_person(named, language), at, language)
    text = _in_first_person(text, language)
    if about and not any(_FIRST_PERSON & token.kinds for token in tokens(text, language)):
        told = [each for each in found if each.subject == USER and predicate(each.predicate).category != "instruction"]
        found = tuple(replace(each, subject=_whom(about)) if each in told else each for each in found)  # no wishes
    if any(not predicate(claim.predicate).many for claim in found):
        return found
    sentences = list(clauses.sentences(text, language))
    of_noun = attribute(sentences[0], about, language) if len(sentences) == 1 else None
    if of_noun is None or (
        written and (of_noun.subject != written[0].subject or not of_noun.predicate.startswith(THE))
    ):
        return found  # the memory's own sentence says nothing more, unless how many there are: *two cats*
    return (*found, replace(of_noun, subject=_whom(of_noun.subject)))


def _whom(about: str) -> str:
    """A subject as claims name it: *my sister* is *the user's sister*."""
    language = language_of(code_of(about))
    said = tokens(about, language)
    found = kin_at(said, 0, language) if said else None
    if found is None or found[0] < len(said):
        return about
    return unnamed(found[1], found[2], People(Subject(USER, language.times["self"]["nom"], kin="self")), language).name


def _with_name(text: str, about: str, language: Language) -> str:
    """*She lives in Rome* with the name of the subject in place of the pronoun, so that frames read it."""
    said = tokens(text, language)
    is_meant = about and said and not _PRONOUNS.isdisjoint(said[0].kinds)
    return about[0].upper() + about[1:] + text[said[0].end :] if is_meant else text


def _in_first_person(text: str, language: Language) -> str:
    text = language.kin_of_user.sub(lambda found: _own_kin(found, language), text)
    for pattern, first_person in language.third_person:
        text = pattern.sub(first_person, text)
    return text


def _own_kin(found: re.Match[str], language: Language) -> str:
    """*Die Frau des Nutzers* as *mein Frau*, with a word for *my* that may be in any case. Other nouns stay."""
    is_kin = not language.forms.lemmas(found[2].lower()).isdisjoint(language.kin)
    return f"{min(language.classes['my'])[0]} {found[1]}{found[2]}" if is_kin else found[0]


def _framed(text: str, at: datetime, language: Language) -> tuple[Claim, ...]:
    """The claims by frames. None of a statement that only denies something, and does not say that it has ended, or that
    adds another value of something that has one at a time.
    """
    reader = _Reader({"user": USER}, "told")
    reader.read(0, "user", text, at)
    # names are mentioned beside other claims
    found = [each for each in reader.found if each.frame is not None] or reader.found
    claims = tuple(claim for each in found for claim in each.claims)
    said = tokens(text, language)
    only_denies = not any(claim.is_affirmed for claim in claims) and clauses.is_in_doubt(said)
    adds = any("too" in token.classes for token in said) and any(
        not predicate(claim.predicate).many for claim in claims
    )
    return () if reader.is_partly_read or only_denies or adds else claims


class _Reader:
    """The state of a reading."""

    def __init__(self, speakers: Mapping[str, str], setting: Setting, known: Mapping[str, str] | None = None) -> None:
        self.found: list[Statement] = []
        self.changes: list[ReportedChange] = []
        self.skipped: Counter[tuple[int, str]] = Counter()
        self._speakers = speakers
        self._setting: Setting = setting
        self._known = dict(known or {})
        self._people: dict[str, People] = {}
        self._code = LANGUAGES[0]  # of the last turn that showed it
        # the speaker, language and turn of the last sentence, and what it told
        self._just_told: tuple[str, str, int, Statement] | None = None
        self._begun = 0, 0  # how many statements and changes there were before the turn before
        self.is_partly_read = False

    def read(self, number: int, speaker: str, text: str, at: datetime) -> None:
        """Read a turn."""
        if speaker not in self._speakers or not text.strip():
            return
        code = self._code = told_code(text) or self._code
        language = language_of(code)
        if self._setting == "chat" and (by_speaker := own(text, code)) != text:
            self.skipped[number, "in part somebody else's words" if by_speaker else "somebody else's words"] += 1
            text = by_speaker
        people = self._people_of(speaker, language)
        people.turn += 1
        people.others = people.topic is not None
        mark, self._begun = self._begun, (len(self.found), len(self.changes))  # before the turn before, this turn
        for sentence in clauses.sentences(text, language):
            reading = Sentence(sentence, language, people, at, self._setting)
            if reading.begins("jokes") is not None:
                del self.found[mark[0] :], self.changes[mark[1] :]
            mark = begun, _ = len(self.found), len(self.changes)
            told = self._told_before(speaker, code, number)
            for each in reading.statements(told, is_same_turn=told is not None and told.number == number):
                people.hear(each.subject)
                if each.subject.is_self and each.claims[0].predicate == "name" and each.claims[0].is_affirmed:
                    people.relations.setdefault(each.claims[0].value, "")
                people.topic = None if each.subject.is_self or each.subject.is_thing else each.subject
                self.found.append(replace(each, number=number))
            self.found[begun:] = _without_denied_names(self.found[begun:])
            if reading.corrects and told:
                self.found[begun] = replace(self.found[begun], corrects=told)
                del self.found[begun - 1]
                mark, self._begun = (begun - 1, mark[1]), (min(self._begun[0], begun - 1), self._begun[1])
            self._just_told = (speaker, code, number, self.found[-1]) if len(self.found) > mark[0] else None
            if reading.corrects:
                continue
            claimed = [claim for each in self.found[begun:] for claim in each.claims]
            found = reading.change(number, claimed)
            if found:
                self.changes.append(found)
            if self._setting == "chat" and not (claimed and not reading.passed_over) and (told := reading.reported()):
                self.found.append(replace(told, number=number))
            self.is_partly_read |= reading.passed_over > 0
            self.skipped[number, UNKNOWN] += reading.passed_over

    def _told_before(self, speaker: str, code: str, number: int) -> Statement | None:
        """What the sentence before told, if that is of the same speaker in the same language, in this turn or in the
        last one of that speaker.
        """
        told, self._just_told = self._just_told, None
        is_same = told is not None and told[:2] == (speaker, code) and number - told[2] <= _NEAR
        return told[3] if told and is_same and self.found and self.found[-1] is told[3] else None

    def _people_of(self, speaker: str, language: Language) -> People:
        name = self._speakers[speaker]
        label = name or language.times["self"]["nom"]
        me = Subject(name, label, kin="self")
        if speaker not in self._people:
            # a name without a relation is that of the user
            known = {each: relation for each, relation in self._known.items() if relation or name in ("", each)}
            self._people[speaker] = People(me, relations=known | ({name: ""} if name else {}))
        people = self._people[speaker]
        people.speaker = me
        return people


def _without_denied_names(found: Sequence[Statement]) -> list[Statement]:
    """The statements of a sentence without names beside a denial of the same: *our dog Rex died* claims no dog."""
    denied = {(each.predicate, each.value) for some in found for each in some.claims if not each.is_affirmed}
    return [each for each in found if each.frame or (each.claims[0].predicate, each.claims[0].value) not in denied]


def code_of(text: str) -> str:
    """The language of a text; English if that does not show."""
    return told_code(text) or LANGUAGES[0]


def told_code(text: str) -> str | None:
    """The language of a text: by its letters, then by its most frequent words; None if neither shows it."""
    if not text.isascii() and _CYRILLIC.search(text):
        return "ru"
    words = set(_LETTERS.findall(text.lower()))
    counted = {code: len(words & language_of(code).telling) for code in LANGUAGES}
    return max(counted, key=counted.__getitem__) if any(counted.values()) else None
