"""Find what a sentence may change that no frame reads: another time, or an end.

A frame takes a clause whole. Here one word of a known fact is enough, beside another time or a word such as
*cancelled*: a fact in doubt must not be told as if it held.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sandbox.extensions.memory.claims import Claim, tools
from sandbox.extensions.memory.parse.clauses import starts
from sandbox.extensions.memory.parse.kinds import is_like_name
from sandbox.extensions.memory.parse.language import CHANGES, Kin, Language
from sandbox.extensions.memory.parse.pattern import may_stand, phrase_ends, stands_in
from sandbox.extensions.memory.parse.subjects import Spoken, Subject
from sandbox.extensions.memory.parse.times import Moment, ahead, clock, day_of_month, end_of_days_to_come
from sandbox.extensions.memory.parse.tokens import DIGIT, Token
from sandbox.extensions.memory.text.words import terms

_BARE_CLOCK = re.compile(r"([01]?\d|2[0-3])\.([0-5]\d)", re.ASCII)
_BESIDE = frozenset(
    "description has owns".split()
)  # predicates of clauses that may tell another change too: *I am retired*
_SOMEBODY = frozenset(("my", "pronoun_f", "pronoun_m"))  # classes of words before another subject
_NOBODY = frozenset("function lead skip trail".split())  # classes of words that are no subject
_DISTANT = frozenset(("contact", "manager"))  # predicates of people who are no family or friends
_BY_OTHERS = frozenset(("diet", "medication"))  # what a doctor may change for the user
_MOVABLE = frozenset(("appointment",))  # another time of a known one may be told: *the exam is now on Friday*
_WEEK = 7  # days; a longer time names no day
_SOON = 180  # days; a date without a year that is further away was probably the last one
_SURE_DAY = re.compile(r"\b(?:m\d|r[1-9]|N)")  # a named month, *tomorrow*, *next week*
_AROUND = 3  # words on both sides of *left*, which may name a place
_UNSURE = ("unreal", "intended", "too", "not", "denied")  # classes of words
_UNMET = frozenset(("not", "denied", "no_word"))  # classes of words: *I never changed jobs*
_MEANT = frozenset(("unreal", "intended"))  # the same before what is meant: *I'd like a new job*

Clauses = Sequence[Sequence[Token]]


class EndedWords(NamedTuple):
    """Words right beside a word for an end, as search terms, up to a function word or sign; ``name`` are those that may
    be a name, of a subject its last word. ``is_one_of_many`` tells of *a nurse* or *another nurse*; ``told`` is what
    is over of them: *Bruno is no longer limping*.
    """

    name: frozenset[str]
    whole: frozenset[str]
    is_one_of_many: bool
    told: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReportedChange:
    """A change of a known statement that a sentence may report. ``number`` is its turn, ``terms`` are its search terms,
    ``when`` is the time it names, ``clock`` a time of day without a day.
    """

    number: int
    said: str
    speaker: Subject
    code: str
    now: datetime
    terms: frozenset[str]
    when: Moment | None = None
    until: datetime | None = None  # the end of the days to come that it names
    clock: str = ""
    day: int = 0  # of a month that it does not name: *the 19th*
    is_bare: bool = False  # whether it has no words but for a change and its time
    renewed: frozenset[str] = frozenset()  # what is over of the user, as in ``words.yaml``: *new job*
    left: frozenset[str] = frozenset()  # terms beside a word for leaving: *left the school*
    others: frozenset[str] = frozenset()  # terms of names and of words for relatives
    denied_of: frozenset[str] = frozenset()  # whose end it is by what frames have read; none for *we*
    relatives: frozenset[Kin] = frozenset()  # the relations of these words: *dad* and *father* have one
    tells: frozenset[str] = frozenset()  # classes of words for a change that it has
    again: frozenset[str] = frozenset()  # terms of a clause with a word such as *again*
    is_read: bool = False  # whether frames have read it
    is_moved: bool = False  # whether what they read may be another time of a known appointment
    numbers: frozenset[str] = frozenset()  # words that begin with a digit
    ended: tuple[EndedWords, ...] = ()  # what stands beside the words for an end
    tools: frozenset[str] = frozenset()  # known tools, if it says that the speaker or the project changed to one

    @property
    def is_over(self) -> bool:
        """Whether something is over."""
        return "called_off" in self.tells

    @property
    def may_end(self) -> bool:
        """Whether it may end a fact. A denial or a number alone only puts a report in doubt."""
        return bool(self.renewed) or not self.tells.isdisjoint(("called_off", "parted", "puts_right", "resumed"))


def change(
    number: int,
    spoken: Spoken,
    clauses: Clauses,
    times: Sequence[Moment],
    claimed: Sequence[Claim],
) -> ReportedChange | None:
    """The change that a sentence with some clauses and times may report, beside what it ``claimed``; None if it
    names no future time and has no word for a change, or tells of another one.
    """
    read = {claim.predicate for claim in claimed}
    said, heard, language, now = spoken.words, spoken.heard, spoken.language, spoken.at
    found = [ahead(each, now) for each in times if each.role in ("at", "until", "from")]
    tells = frozenset(name for name in CHANGES if stands_in(language.classes[name], said, heard))
    first = now.date() if tells else now.date() + timedelta(days=1)  # *I ran a marathon today* moves no other one
    days = [each for each in found if each.symbols and each.span[0] >= first]
    days = [each for each in days if each.span[1] - each.span[0] <= timedelta(days=1)]
    at = next((each.clock for each in found if each.clock), "")
    bare = next(filter(None, (_BARE_CLOCK.fullmatch(each.text) for each in said if DIGIT in each.lemmas)), None)
    at = at or clock(said) or (f"{int(bare[1]):02}:{bare[2]}" if bare else "")
    if "called_off" not in tells and stands_in(language.classes["another"], said, heard):
        return None  # *now another appointment* moves none
    renewed = {} if any(_is_to_come(each, now) for each in found) else _renewed(spoken, clauses, read)
    left = [] if at else renewed.get("left", [])
    if "revoked" in tells and stands_in(language.classes["not_revoked"], said, heard):
        tells -= {"revoked"}  # *do not forget what I said*
    told = (some for some in clauses if not any(each.kinds & (_MEANT | _UNMET) for each in some))
    again = next((some for some in told if any("resumed" in each.classes for each in some)), ())
    if not again:
        tells -= {"resumed"}  # *I want to eat meat again*
    numbers = frozenset(token.lower for token in said if token.text[0].isdigit())
    timed = {at for each in times for at in range(each.start, each.end)}
    of_times = {said[at].start for at in timed}
    telling = [some for some in clauses if any(token.start in of_times for token in some)] or [said]
    rest = [each for some in telling for each in some if each.start not in of_times and each.lower not in numbers]
    if not any((*days, at, tells, *renewed.values(), numbers)):
        return None
    return ReportedChange(
        number,
        spoken.text,
        spoken.people.speaker,
        language.code,
        now,
        _terms(said[starts(said, language)[-1] :]),
        days[-1] if days else None,
        end_of_days_to_come(times, now),
        at,
        day_of_month(said, days),
        language.change_terms.issuperset(terms(_words(rest))),
        renewed=frozenset(filter(renewed.get, renewed)),
        left=frozenset(terms(" ".join(left))),
        others=_terms([each for each in said if _is_somebody_close(each, language)]),
        denied_of=frozenset()
        if language.speaks_of(("we",), heard)
        else frozenset(claim.subject for claim in claimed if not claim.is_affirmed),
        relatives=frozenset(language.kin[word] for word in heard if word in language.kin),
        tells=tells,
        again=_terms([each for each in again if each.kinds.isdisjoint(_NOBODY)]),
        is_read=bool(read),
        is_moved="puts_right" in tells and not read.isdisjoint(_MOVABLE),
        numbers=numbers,
        ended=tuple(_ended(said, timed, language, is_always=not any(each.role == "at" for each in times)))
        if "called_off" in tells
        else (),
        tools=_changed_to(spoken, clauses, claimed),
    )


def _changed_to(spoken: Spoken, clauses: Clauses, claimed: Sequence[Claim]) -> frozenset[str]:
    """The known tools to which the user or the project changed: *switched to pnpm*, *we use pnpm now*."""
    language = spoken.language
    if language.speaks_of(_UNSURE, spoken.heard) or _is(spoken.words[0], "asks"):
        return frozenset()
    before, behind, named = language.classes["switched_to"], language.classes["switched_over"], set[str]()
    is_told = any(stands_in(each, spoken.words, spoken.heard) for each in (before, behind))
    for some in clauses if is_told else ():
        begun = {end: at for at in range(len(some)) for end in phrase_ends(before, some, at)}  # by their ends
        places = ((at, end) for at in range(len(some)) for end in phrase_ends(tools.phrases(), some, at)[:1])
        for at, end in places:
            first = begun.get(at, at if any(phrase_ends(behind, some, end)) else None)  # *auf pnpm umgestiegen*
            is_elsewhere = any(_is(each, "adjunct") for each in some[end:])  # *in the other repo*
            if first is not None and not is_elsewhere and all(map(_may_be_own, some[:first])):
                named.add(_words(some[at:end]))
    if language.speaks_of(("switched",), spoken.heard):
        named.update(each.value.lower() for each in claimed if each.predicate == "uses" and each.is_affirmed)
    return frozenset(named)


def _may_be_own(token: Token) -> bool:
    """Whether a word before a change leaves the speakers as those who changed."""
    is_somebody = _is(token, "kin", "given", "others", "project_word") and not _is(token, "it")
    return not is_somebody and (not _is_content(token) or _is(token, "self", "skip", "lead"))


def _is_to_come(moment: Moment, now: datetime) -> bool:
    """Whether a time is surely one to come, as of *a new job from 3 May on*; *on Friday* may be the last one."""
    days = (moment.span[0] - now.date()).days
    is_day = (moment.span[1] - moment.span[0]).days <= _WEEK and _SURE_DAY.search(moment.symbols) is not None
    return 0 < days < _SOON and (moment.role == "from" or is_day)


def _ended(said: Sequence[Token], timed: Set[int], language: Language, *, is_always: bool) -> Iterator[EndedWords]:
    """What stands beside each word for an end: *I sold the Skoda*, *Jenkins is gone*; nothing from an adjunct, as in
    *my bike was stolen in Berlin*, nor what does something itself, as in *Siemens sold its factory*. A place where
    somebody no longer is may be one of the speaker's if it ``is_always`` so: not *this week no longer in Ghent*.
    """
    phrases = language.classes["called_off"]
    contents = [at not in timed and _is_content(token) for at, token in enumerate(said)]
    for begin in range(len(said)):
        for end in phrase_ends(phrases, said, begin)[:1]:
            is_over = any("over" in each.classes for each in said[begin:end])
            is_place = is_over and is_always and not any(contents[:begin])
            is_behind = is_place and end < len(said) and _is(said[end], "adjunct")
            yield from _object(said, end + is_behind, contents)  # *no longer at Bayer*
            stops = ("joins",) if is_over else ("adjunct", "joins")  # *Redis is no longer used in the tests*: in part
            last = next(
                (at for at in range(end, len(said)) if not said[at].is_word or _is(said[at], *stops)), len(said)
            )
            behind = [said[at] for at in range(end, last) if contents[at] and not _is(said[at], "trail")]
            if is_over or not behind:
                yield from _subject(said, begin, contents, behind, may_be_place=is_over and is_always)
            denied = next((at for at in reversed(range(begin)) if _is(said[at], "not", "adjunct")), begin)
            inside = [said[at] for at in range(denied, begin) if contents[at]]
            if is_over and inside and _is(said[denied], "not"):  # *Redis isn't used anymore*
                yield from _subject(said, denied, contents, [*inside, *behind], may_be_place=False)


def _object(said: Sequence[Token], start: int, contents: Sequence[bool]) -> Iterator[EndedWords]:
    """The words behind a word for an end, without an article."""
    first = start + (start < len(said) and _is(said[start], "articles"))
    last = next((at for at in range(first, len(said)) if not contents[at]), len(said))
    if last > first:
        whole = _terms(said[first:last])
        yield EndedWords(whole, whole, False)


def _subject(
    said: Sequence[Token], end: int, contents: Sequence[bool], behind: Sequence[Token], *, may_be_place: bool
) -> Iterator[EndedWords]:
    """The words before a word for an end and its auxiliaries, with those ``behind`` it; none that are somebody's, or
    an adjunct, unless nothing else is said and this ``may_be_place``: *not at Bayer anymore*.
    """
    last = end
    while last and not contents[last - 1] and said[last - 1].is_word and not _is(said[last - 1], "adjunct"):
        last -= 1
        if _is(said[last], "self"):  # *this year I no longer live in Leeds*
            return
    first = next((at + 1 for at in reversed(range(last)) if not contents[at]), 0)
    before = said[max(first - 1, 0) : first]
    is_one_of_many = bool(before) and _is(before[0], "articles", "another")
    if before and "articles" in before[0].classes:
        before = [*said[max(first - 2, 0) : first - 1], *before]
    is_place = may_be_place and not any(contents[:first])
    if last > first and not any(token.lower == "'s" or (_is(token, "adjunct") and not is_place) for token in before):
        yield EndedWords(_terms(said[last - 1 : last]), _terms(said[first:last]), is_one_of_many, _terms(behind))


def _is_content(token: Token) -> bool:
    is_function = token.lower == "'s" or _is(token, "function", "adjunct", "articles")
    return token.is_word and not is_function and bool(terms(token.lower))


def _is(token: Token, *classes: str) -> bool:
    return not token.classes.isdisjoint(classes)


def _terms(said: Sequence[Token]) -> frozenset[str]:
    return frozenset(terms(_words(said)))


def _renewed(spoken: Spoken, clauses: Clauses, read: Set[str]) -> dict[str, list[str]]:
    """What is over of the user, as in ``words.yaml``, without what frames have read; with the words around it."""
    language = spoken.language
    known = language.wordings if read - _BESIDE else ()  # keys that are predicates
    by, heard = language.renewed_by, spoken.heard
    names = {name for word in by.keys() & heard for name in by[word] if name not in known}
    names = {name for name in names if may_stand(language.renewed[name], heard)}
    return {name: _of_user(language.renewed[name], clauses, language, name) for name in sorted(names)}


def _of_user(phrases: frozenset[tuple[str, ...]], clauses: Clauses, language: Language, name: str) -> list[str]:
    """The words around some phrases of a name in ``renewed`` in clauses that tell them of the user: *my new job*, not
    *our chef got a new job*, nor *Igor changed jobs*.
    """
    return [
        _words(some[max(at - _AROUND, 0) : end + _AROUND])
        for some in clauses
        for at in range(len(some))
        for end in phrase_ends(phrases, some, at)[:1]
        if _may_be_users(some, at, end, language, name)
    ]


def _may_be_users(some: Sequence[Token], at: int, end: int, language: Language, name: str) -> bool:
    before, around = some[:at], [*some[:at], *some[end:]]
    if any(each.kinds & _UNMET for each in some) or any(each.kinds & _MEANT for each in before):
        return False
    is_close = any(_is_somebody_close(each, language) for each in around)
    if is_close or any("self" in each.kinds for each in around):
        return not is_close
    is_alone = name in ("left", "reached")  # these phrases say less, so any other subject is somebody else
    if not is_alone and any(each.kinds & {"my", "me"} for each in some[max(at - 1, 0) : end]):
        return True
    if any(each.kinds & _SOMEBODY for each in before):
        return False
    if name.partition(" ")[0] in _BY_OTHERS:
        return True
    beside = around if is_alone else before
    if any("/nom" in each.lemmas and each.lemmas.isdisjoint(("/acc", "/gen")) for each in beside):
        return False
    is_loose = is_alone and not language.has("dropped", "yes")
    return not any(
        (is_loose or is_like_name(each)) and each.is_word and each.kinds.isdisjoint(_NOBODY) for each in before
    )


def _words(said: Sequence[Token]) -> str:
    return " ".join(token.lower for token in said)


def _is_somebody_close(token: Token, language: Language) -> bool:
    """Whether a word is a name or means family or friends, not a doctor, a landlord or a manager."""
    kin = (language.kin.get(word) for word in (token.lower, *token.lemmas))
    is_name = "given" in token.kinds or "/name" in token.lemmas
    return is_name or any(each is not None and each.predicate not in _DISTANT for each in kin)
