"""One sentence to its statements: its parts are tried with the frames of its language."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import cast

from sandbox.extensions.memory.claims import Claim, predicate
from sandbox.extensions.memory.parse import clauses
from sandbox.extensions.memory.parse.changes import ReportedChange, change
from sandbox.extensions.memory.parse.denials import deniable, denials, denied
from sandbox.extensions.memory.parse.kinds import KNOWN_PLACE, ends, is_capital
from sandbox.extensions.memory.parse.language import Frame, Language, matching, split_case
from sandbox.extensions.memory.parse.pattern import LIST, Fill, Slot, first_words, match, phrase_ends, slots, stands_in
from sandbox.extensions.memory.parse.relatives import relatives
from sandbox.extensions.memory.parse.repairs import instead, put_right, value_kinds
from sandbox.extensions.memory.parse.salience import is_aside, lasting
from sandbox.extensions.memory.parse.statements import Statement, interpret, report
from sandbox.extensions.memory.parse.subjects import (
    People,
    Setting,
    Spoken,
    Subject,
    is_in,
    is_somebody,
    subjects,
)
from sandbox.extensions.memory.parse.times import Moment, end_of_days_to_come, marks, moments
from sandbox.extensions.memory.parse.tokens import CODE_SPACE, Token, forms, token, tokens
from sandbox.extensions.memory.parse.word_order import fronted, ordered

_SUBJECTS = frozenset(("who", "me", "other", "project"))
_LONGEST = 40  # words of a clause
_LONGEST_SUBJECT = 4  # words
_JOINED = 5  # parts of a sentence that one frame may match
_TO_ASSISTANTS = frozenset("instruction tone reminder answer_language".split())  # people do not tell them each other
_SPEAKER = frozenset(("self", "me"))
_MONTH = re.compile(r"m\d+")  # the symbol of a month without a day, a year or a preposition


class Sentence:
    """One sentence: its words, its times, its parts."""

    def __init__(self, text: str, language: Language, people: People, at: datetime, setting: Setting) -> None:
        self._language = language
        self._people = people
        text = language.denied_number.sub("", text)
        self._said = tokens(text, language)
        text = text.replace(CODE_SPACE, " ")
        heard = forms(self._said)
        self._spoken = Spoken(text, self._said, heard, language, people, at, setting)
        times = moments(self._said, at, language.times["roles"], first_words(language.classes["every"]))
        if stands_in(language.classes["moved"], self._said, heard):  # *moved from 5 May to 12 May*
            begun = {each.end: each.start for each in times if each.role == "from"}
            later = [each for each in times if each.role != "from"]
            times = [replace(each, role="at", start=begun[each.end]) if each.end in begun else each for each in later]
        self._times = [each for each in times if not self._may_be_somebody(each)]
        self._parts = clauses.segments(self._said, language)
        self._unsaid = language.unsaid | (
            language.articles_for_no if language.speaks_of(("no_word",), heard) else set()
        )
        found = language.frames_for(heard | marks(self._times) | self._unsaid)  # no other frame can match
        self._frames = [each for each in found if setting != "talk" or each.predicate not in _TO_ASSISTANTS]
        self._somebody = next((at for at, token in enumerate(self._said) if is_somebody(token)), None)
        self._is_passing = (  # holds for today, or is taken back: *I live on the moon, just kidding*
            stands_in(language.classes["once"], self._said, heard)
            or any(self._is_joke(part) for part in self._parts[1:] if part.is_apart)
        )
        self.passed_over = 0  # clauses without a statement
        self.corrects = False
        self._after_others = people.others
        self._before: Sequence[Sequence[Token]] = ()  # the last clause's subject with its verb, and without it
        self._introduces = False  # whether the last clauses told the speaker's name: *I'm Sam, 34, a nurse*

    def statements(self, told: Statement | None, *, is_same_turn: bool) -> Iterator[Statement]:
        """The statements in it, in order. If the sentence ``corrects`` what was ``told`` just before, in the same turn
        or not, the first one takes its place.
        """
        if self._spoken.setting == "chat" and (self._is_passing or is_aside(self._said, self._language)):
            return
        if self._language.speaks_of(("my", "bare_kin"), self._spoken.heard):
            yield from relatives(self._spoken, self._parts)
        last, until = self._corrected(told, is_same_turn=is_same_turn) if told else (None, 0)
        self.corrects = last is not None
        if told and last is None and self._parts:  # *My name isn't Jon. It's John.*
            last, until = instead(told, self._parts, self._spoken, self._times) or (None, 0)
            self.corrects = last is not None and not told.is_denial
        at = until  # ``last`` is of the parts before it
        while at < len(self._parts):
            found_right = put_right(last, self._parts[at:], self._spoken, self._times) if last else None
            if found_right is not None:
                last, at = found_right[0], at + found_right[1]
                continue
            found = self._longest(at)
            is_no_order = found and self._is_no_order(at, found[0], last if at == until else None)
            if is_no_order or (found and self._is_made_up(at, found[0].subject)):
                found = None
            if found is None:
                if last is not None and at == until and self._goes_on(last, self._parts[at]):
                    last = None
                self._before, self._introduces = (), False
                words = [each for each in self._said[self._parts[at].start : self._parts[at].end] if each.is_word]
                self.passed_over += any(each.classes.isdisjoint(("lead", "trail")) for each in words)
                at += 1
                continue
            if last is not None:
                yield from (last, *last.also)
            last, until = found
            at = until
        if last is not None:
            yield from (last, *last.also)
        is_topic = self._people.topic is not None
        is_kin = bool(self._language.left_out) and self._language.speaks_of(("kin",), self._spoken.heard)
        self._people.others = is_topic or is_kin or self._somebody is not None

    def _corrected(self, told: Statement, *, is_same_turn: bool) -> tuple[Statement | None, int]:
        """What was said just before, as this sentence puts it right, and the number of parts that do: *Sorry, Bosch*.
        Another turn gives a value only behind words such as *I mean*, because *no, Naples* may answer a question; and
        where any words may be the value, no sentence does.
        """
        start = self.begins("repair")
        if told.frame is None or start is None or not self._parts or self._parts[0].end <= start:
            return None, 0
        parts = [self._parts[0]._replace(start=start), *self._parts[1:]]
        again, count = put_right(told, parts, self._spoken, self._times) or (None, 0)
        if again is None:
            return None, 0
        is_sure = is_same_turn or self.begins("sure_repair") is not None
        is_sure = is_sure and value_kinds(told.frame).isdisjoint(self._language.free)
        return (again, count) if is_sure or again.values == told.values else (None, 0)

    def begins(self, name: str) -> int | None:
        """Where a phrase of a class begins the sentence, behind introductory words; None if none does."""
        phrases = self._language.classes[name]
        if not stands_in(phrases, self._said, self._spoken.heard):
            return None
        begun = clauses.starts(self._said, self._language)
        return next((at for at in begun if any(phrase_ends(phrases, self._said, at))), None)

    def _goes_on(self, told: Statement, part: clauses.Segment) -> bool:
        """Whether an unread part goes on with the value of a statement, which is cut off then: *improving education
        and infrastructure*. Half a list of allergies is better than none.
        """
        kind = predicate(told.claims[0].predicate)
        edge = self._said[part.start - 1 : part.start + 1]
        if kind.opposite and any("at_times" in each.classes for each in edge):  # *I hate my job when it's like that*
            return True
        is_number = kind.value == "number" and self._said[part.start].text[0].isdigit()
        if is_number and "and" in self._said[part.start - 1].classes:  # *my kids are 8 and 5*
            return True
        kinds = {slot.kind for slot in slots(told.frame.nodes)} if told.frame else set()
        is_open = f"thing{LIST}" in kinds or not kinds.isdisjoint(self._language.free)
        is_open = is_open or (told.is_denial and any(each.endswith(LIST) for each in kinds))
        if not is_open or part.is_apart or "and" not in self._said[part.start - 1].classes:
            return False
        is_clause = any(self._subjects(part.start))
        is_clause = is_clause or "begins_clause" in self._said[part.start].classes
        return not is_clause and (told.is_denial or not kind.private)

    def _is_joke(self, part: clauses.Segment) -> bool:
        words = tuple(token.lower for token in self._said[part.start : part.end] if token.is_word)
        return words in self._language.classes["jokes"]

    def _is_made_up(self, at: int, subject: Subject) -> bool:
        """Whether an order describes somebody new: *a story about a miller named Ezra who is allergic to fish*; or
        what is to happen: *a story in which my wife is a spy*.
        """
        before = self._said[: self._parts[at].start][-2:]
        if not before or "relative" not in before[-1].classes or self.begins("order") is None:
            return False
        is_somebody = subject.is_named and not (subject.is_self or subject.is_thing or subject.kin)
        return "adjunct" in before[0].classes or (is_somebody and not self._people.knows(subject.name))

    def _is_no_order(self, at: int, found: Statement, before: Statement | None) -> bool:
        """Whether what was read as an order says more of a thing: *lines which don't make sense anymore*; or goes on
        with a clause that tells of the speaker: *we'll keep going and never give up*.
        """
        if not at or found.claims[0].predicate not in _TO_ASSISTANTS:
            return False
        part, earlier = self._parts[at], self._parts[at - 1]
        if "relative" in self._said[part.start - 1].classes:
            return True
        if self.begins("wishes") is not None:
            return False
        is_joined = not part.is_apart and "and" in self._said[part.start - 1].classes
        is_told = before is None or before.claims[0].predicate not in _TO_ASSISTANTS
        of_speaker = any(each.kinds & _SPEAKER for each in self._said[earlier.start : earlier.end])
        return is_joined and is_told and of_speaker

    def change(self, number: int, claimed: Sequence[Claim]) -> ReportedChange | None:
        """A change of a known statement that it may report, beside what it ``claimed``; None for a question or a
        condition.
        """
        is_told = self._times or self._language.may_tell_change(self._spoken.heard)
        if not is_told or clauses.is_doubtful(self._said):
            return None
        spoken = [self._said[part.start : part.end] for part in self._parts if part.is_real]
        return change(number, self._spoken, spoken, self._times, claimed)

    def reported(self) -> Statement | None:
        """A report in its speaker's own words, if it is likely to last."""
        start = lasting(self._said, self._language)
        if start is None or self._is_passing or self.begins("order") is not None:  # a task, not what holds of anybody
            return None
        text = self._spoken.text[self._said[start].start : self._said[-1].end]
        return replace(
            report(text, self._people.speaker, self._language),
            until=end_of_days_to_come(self._inside(start, len(self._said)), self._spoken.at),
        )

    def _longest(self, at: int) -> tuple[Statement, int] | None:
        """The statement of the parts from one on, as many as one frame matches."""
        frames: Sequence[Frame] = self._frames
        until = min(len(self._parts), at + _JOINED)
        while frames and until > at:
            some = self._parts[at:until]
            if all(part.is_earnest for part in some):
                start, end = some[0].start, some[-1].end
                self._before = self._meant_before(start)
                inside = self._inside(start, end)
                heard = forms([*chain(*self._before), *self._said[start:end]]) | marks(inside) | self._unsaid
                frames = matching(frames, heard)  # no other can match these parts, or fewer
                if self._introduces:
                    frames = [each for each in frames if each.predicate != "name"]
                if found := self._clause(start, end, inside, frames) if frames else None:
                    return found, until
            until -= 1
        return None

    def _may_be_somebody(self, time: Moment) -> bool:
        """Whether the name of a month begins a clause, as the name of a person does: *Jan is 3*, or stands behind a
        name: *Ama and Jan*.
        """
        before, behind = self._said[: time.start][-2:], self._said[time.end :][:1]
        begins = not before or not before[-1].is_word or "joins" in before[-1].classes
        is_bare = time.end - time.start == 1 and _MONTH.fullmatch(time.symbols) is not None
        is_and = len(before) > 1 and "and" in before[-1].classes
        is_named = is_and and next(ends("name", self._said, time.start - 2, self._language), 0) == time.start - 1
        return is_bare and begins and (is_named or (bool(behind) and behind[0].is_word))

    def _inside(self, start: int, end: int) -> list[Moment]:
        return [each for each in self._times if each.start >= start and each.end <= end]

    def _clause(self, start: int, end: int, inside: Sequence[Moment], frames: Sequence[Frame]) -> Statement | None:
        """The statement that a frame makes of some words with the times inside them."""
        self._people.others = self._after_others or (self._somebody is not None and self._somebody < start)
        self._people.last = next((token for token in reversed(self._said[:start]) if is_somebody(token)), None)
        timed = {at for each in inside for at in range(each.start, each.end)}
        rest = [token for at, token in enumerate(self._said[start:end], start) if at not in timed]
        found = list(clauses.variants(rest, self._language)) if len(rest) <= _LONGEST else []
        told = self._told(found, start, inside, frames)
        may_deny = any("not" in each.classes or "no_word" in each.classes for each in rest)
        if not may_deny or clauses.is_doubtful(self._said):  # *I'm not allergic to cats, am I?*
            return told
        less = None if told and told.is_denial else self._denied(found, start, end, inside, deniable(frames))
        return replace(less, also=(*less.also, told)) if less and told else less or told  # *I don't drive*: a habit too

    def _told(
        self, found: Sequence[Sequence[Token]], start: int, inside: Sequence[Moment], frames: Sequence[Frame]
    ) -> Statement | None:
        """The statement that a frame makes of a clause, ``found`` in one of several ways."""
        heard = frozenset[str]().union(*(each.classes for each in chain(*found[:1])))
        may_turn = "not" in heard and "adjunct" not in heard  # not *sugar we don't eat at home*
        moved = (each for some in found for each in ordered(some, self._said, start, self._people, self._language))
        turned = (each for some in found for each in fronted(some, self._people, self._language))
        for some in chain(found, moved, turned if may_turn else ()):  # *coffee I don't drink*
            for said in (some, *self._completed(some, start)):
                told = self._framed(said, inside, frames)
                versions = (each.value for each in told.claims if predicate(each.predicate).versions) if told else ()
                if told and not ("too" in heard and any(map(str.isdigit, "".join(versions)))):  # *also Python 3.12*
                    return told
        return None

    def _denied(
        self, found: Sequence[Sequence[Token]], start: int, end: int, inside: Sequence[Moment], frames: Sequence[Frame]
    ) -> Statement | None:
        """What a clause denies of what a frame would make of it without *not*."""
        for each in (every for some in found if frames for every in denials(some, found[0], self._language)):
            if not each.claiming:
                continue
            moved = ordered(each.claiming, self._said, start, self._people, self._language)
            turned = fronted(each.claiming, self._people, self._language)
            for said in (each.claiming, *self._completed(each.claiming, start), *moved, *turned):
                if told := self._framed(said, inside, frames):
                    if not each.is_over and self._goes_on_behind(end):
                        return None
                    before = [word for word in said if word.start < said[0].start]  # what is put last
                    return denied(told, each._replace(behind=[*before, *each.behind]), self._spoken)
        return None

    def _goes_on_behind(self, end: int) -> bool:
        """Whether a word behind a clause goes on with it: *because of the money*, not *but a doctor*; or the clause
        behind its comma says when it is so: *ich habe keinen Bluthochdruck, wenn ich zu Hause bin*.
        """
        if end < len(self._said) and self._said[end].is_word:
            return self._said[end].classes.isdisjoint(("and", "but"))
        behind = next((part for part in self._parts if part.start >= end), None)
        return behind is not None and not behind.is_real and self._said[behind.start].classes >= {"unreal", "joins"}

    def _completed(self, said: Sequence[Token], start: int) -> Iterator[Sequence[Token]]:
        """A clause with the subject that it may leave out: that of the clause before, *I am* behind the speaker's name
        (*I'm Sam, 34, a nurse*), or what words such as *moved* are seldom without.
        """
        if "and" in said[0].classes:  # *I live in Rome, and my brother lives in Milan*: not *I and my brother*
            return
        is_apposed = self._said[start - 1].text == "," and "articles" in said[0].classes  # *a dog called Rex, a beagle*
        is_bare = is_apposed or said[0].text[0].isdigit()  # *my kids are 8 and 5*
        yield from ([*before, *said] for before in (self._before[-1:] if is_bare else self._before))
        omitted = sorted(self._language.classes["i_am"]) if self._introduces else []
        may_omit = not forms(said[:1]).isdisjoint(self._language.behind_unsaid)
        is_others = self._people.others or any("self" not in each[0].kinds for each in self._before)
        if may_omit and not (is_others or any(map(_may_be_subject, self._said[:start]))):
            omitted += [words for words, phrases in self._language.left_out if phrase_ends(phrases, said, 0)]
        for words in omitted:
            yield [*(token(each, each, said[0].start, said[0].start, self._language) for each in words), *said]

    def _framed(self, said: Sequence[Token], times: Sequence[Moment], frames: Sequence[Frame]) -> Statement | None:
        fill = self._filler(said, times)
        for frame in frames:
            for end, captured in match(frame.nodes, said, 0, self._language.classes, fill):
                if end == len(said) and (told := interpret(frame, dict(captured), said, times, self._spoken)):
                    if told.claims[0].predicate == "reminder" and (
                        plain := self._reminded(said, dict(captured), times)
                    ):
                        return plain
                    self._before = self._subject_of(said, told)
                    self._introduces |= told.claims[0].predicate == "name" and told.subject.is_self
                    return told
        return None

    def _reminded(
        self, said: Sequence[Token], captured: Mapping[str, object], times: Sequence[Moment]
    ) -> Statement | None:
        """What is to be remembered, as if it were said alone, if frames read all of it: *remember that I'm vegan*."""
        matter = cast(Sequence[Token], captured["v"])
        start = max(token.end for token in said if token.start < matter[0].start)
        end = max([said[-1].end, *(self._said[each.end - 1].end for each in times)])
        text, spoken = self._spoken.text[start:end].lstrip(" :"), self._spoken
        alone = Sentence(text, self._language, self._people, spoken.at, spoken.setting)
        found = list(alone.statements(None, is_same_turn=False))
        return replace(found[0], also=(*found[0].also, *found[1:])) if found and not alone.passed_over else None

    def _meant_before(self, start: int) -> Sequence[Sequence[Token]]:
        """The subject that a clause may leave out: of the clause before, or before a relative: *my wife, who*."""
        if not start or "relative" not in self._said[start - 1].classes:
            return self._before
        end = start - 1 - (not self._said[max(0, start - 2)].is_word)
        begun = range(max(0, end - _LONGEST_SUBJECT), end)
        found = (at for at in begun if any(last == end for last, _ in self._subjects(at)))
        return [self._said[at:end] for at in found][:1]

    def _subjects(self, at: int) -> Iterator[tuple[int, Subject]]:
        return subjects("who", self._said, at, self._people, self._language)

    def _subject_of(self, said: Sequence[Token], told: Statement) -> Sequence[Sequence[Token]]:
        """A clause's subject with its verb, and without it, which the next clause may leave out: *I have asthma and an
        allergy to milk*, *I live in Rome and work as a nurse*, «у меня астма и аллергия на молоко».
        """
        start = int("adjunct" in said[0].classes)
        found = subjects("who/gen" if start else "who", said, start, self._people, self._language)
        end = max((end for end, who in found if who.name == told.subject.name), default=0)
        has_verb = 0 < end < len(said) and "carries" in said[end].kinds
        with_verb = [said[: end + 1]] if has_verb else []
        return [*with_verb, said[:end]] if end else []

    def _filler(self, said: Sequence[Token], times: Sequence[Moment]) -> Fill:
        """The function that fills the slots of frames for a clause; it computes each slot once."""
        known: dict[tuple[str, int], list[tuple[int, object]]] = {}

        def fill(slot: Slot, at: int) -> Iterator[tuple[int, object]]:
            key = (slot.kind, at)
            if key not in known:
                known[key] = list(self._filling(slot.kind, said, at, times))
            return iter(known[key])

        return fill

    def _filling(
        self, kind: str, said: Sequence[Token], at: int, times: Sequence[Moment]
    ) -> Iterator[tuple[int, object]]:
        if kind.partition("/")[0] in _SUBJECTS:
            yield from subjects(kind, said, at, self._people, self._language)
        elif kind == "when":
            if times:
                yield at, None
        elif kind in ("since", "until", "from"):
            if any(each.role == kind for each in times):
                yield at, None
        elif at < len(said):
            kind, case = split_case(kind)
            if kind == KNOWN_PLACE and self._spoken.setting == "told":  # a statement to keep is no talk about tools
                kind = "place"
            found = ((end, said[at:end]) for end in ends(kind, said, at, self._language))
            yield from ((end, held) for end, held in found if not case or is_in(case, held[:1]))


def _may_be_subject(token: Token) -> bool:
    """Whether a word may name another subject of a later clause."""
    return (is_capital(token) and token.start > 0) or not token.kinds.isdisjoint(("given", "kin", "others"))
