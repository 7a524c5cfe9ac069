"""Find changes of known facts that no frame reads: another time, or an end.

A frame takes a clause whole. Here one word of a known fact is enough, beside another time or a word such as
*cancelled*: a fact in doubt must not be told as if it held.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from sandbox.extensions.memory.claims import SAID, USER, Claim, predicate
from sandbox.extensions.memory.parse import wording
from sandbox.extensions.memory.parse.language import Language, language
from sandbox.extensions.memory.parse.made import report
from sandbox.extensions.memory.parse.pattern import phrase_ends, stands_in
from sandbox.extensions.memory.parse.subjects import Subject
from sandbox.extensions.memory.parse.times import Moment, ahead, clock, end_of_days_to_come
from sandbox.extensions.memory.parse.tokens import DIGIT, Token
from sandbox.extensions.memory.text.words import terms

_BESIDE = frozenset(("description",))  # predicates of clauses that may tell another change as well: *I'm retired*
_POSTS = frozenset("job employer field school studies member_of team".split())  # what somebody leaves by its place
_SOMEBODY = frozenset(("my", "pronoun_f", "pronoun_m"))  # classes of words before another subject
_NOBODY = frozenset("function lead skip trail".split())  # classes of words that are no subject
_NEAR = 6  # turns of both sides, within which *it* means what was mentioned last
_BARE_CLOCK = re.compile(r"([01]?\d|2[0-3])\.([0-5]\d)", re.ASCII)
_HALF_DAY = 12  # hours
_DISTANT = frozenset(("contact", "manager"))  # predicates of people who are no family or friends
_AROUND = 3  # words on both sides of *left*, which may name a place
_SHARED_HERE = 3  # letters of a word shared with a sentence of the same session that puts a report out of date
_SHARED_LATER = 4  # the same in a later session, beside a word for a change: *cancelled*, *now*
_SHARED_ALONE = 6  # the same beside a denial or another number, which many sentences have

Clauses = Sequence[Sequence[Token]]


@dataclass(frozen=True, slots=True)
class Change:
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
    denied: frozenset[str] = frozenset()  # terms that are denied and replaced: *not 1, 5*
    renewed: frozenset[str] = frozenset()  # what is over of the user, as in ``words.yaml``: *new job*
    left: frozenset[str] = frozenset()  # terms beside a word for leaving: *left the school*
    others: frozenset[str] = frozenset()  # terms of names and of words for relatives
    is_over: bool = False
    is_parted: bool = False  # whether somebody has died, or people have separated
    puts_right: bool = False  # whether it may mean what was mentioned last, without naming it
    is_read: bool = False  # whether frames have read it, so that only reports can be out of date
    denies: bool = False  # whether it denies something
    numbers: frozenset[str] = frozenset()  # words that begin with a digit


class Told(NamedTuple):
    """A statement that may have changed: its content and claims, and how many turns ago it was told (None: in another
    session).
    """

    content: str
    claims: tuple[Claim, ...]
    ago: int | None = None


def change(
    number: int,
    text: str,
    speaker: Subject,
    said: Sequence[Token],
    spoken: Clauses,
    heard: Collection[str],
    times: Sequence[Moment],
    tongue: Language,
    now: datetime,
    read: Set[str],
) -> Change | None:
    """The change that a sentence may report; None if it names no future time and has no word for a change. ``spoken``
    are its clauses, ``heard`` all words that its words may be forms of, ``read`` the predicates that frames claim.
    """
    found = [ahead(each, now) for each in times if each.role in ("at", "until", "from")]
    days = [each for each in found if each.symbols and each.span[0] >= now.date() and not _is_long(each)]
    at = next((each.clock for each in found if each.clock), "")
    at = at or (clock(said) or _bare_clock(said) if DIGIT in heard else "")
    is_over, is_parted, puts_right = (
        stands_in(tongue.classes[name], said, heard) for name in ("called_off", "parted", "puts_right")
    )
    threes = zip(said, said[1:], said[2:], strict=False) if tongue.speaks_of(("not",), heard) else ()
    instead = [
        word.lower for no, word, but in threes if "not" in no.classes and (but.text == "," or "but" in but.classes)
    ]
    denied = frozenset(terms(" ".join(instead)))
    known = tongue.wordings if read - _BESIDE else ()  # keys of ``renewed`` that are predicates
    told = {name: of for name, of in tongue.renewed.items() if name not in known and stands_in(of, said, heard)}
    renewed = {name: _of_user(of, spoken, tongue, name in ("left", "reached")) for name, of in told.items()}
    left = [] if at else renewed.get("left", [])
    numbers = frozenset(token.lower for token in said if token.text[0].isdigit()) if DIGIT in heard else frozenset()
    denies = any("not" in token.classes or "over" in token.classes for token in said)
    if not (days or at or is_over or is_parted or puts_right or denied or any(renewed.values()) or numbers or denies):
        return None
    day = days[-1] if days else None
    return Change(
        number,
        text,
        speaker,
        tongue.code,
        now,
        frozenset(terms(_words(said))),
        day,
        end_of_days_to_come(times, now),
        at,
        denied=denied,
        renewed=frozenset(filter(renewed.get, renewed)),
        left=frozenset(terms(" ".join(left))),
        others=frozenset(terms(_words([each for each in said if _is_somebody_close(each, tongue)]))),
        is_over=is_over,
        is_parted=is_parted,
        puts_right=puts_right,
        is_read=bool(read),
        denies=denies,
        numbers=numbers,
    )


class Restated(NamedTuple):
    """The new statement that replaces the one at ``place``, its time, if that was told, and when it ends."""

    content: str
    claims: tuple[Claim, ...]
    at: datetime | None = None
    place: int | None = None
    until: datetime | None = None


def reported(change: Change) -> Restated:
    """A change in its speaker's own words; it ends with the day to come that it names."""
    statement = report(change.said, change.speaker, language(change.code))
    return Restated(statement.content, statement.claims, until=change.until)


def changed(change: Change, told: Sequence[Told]) -> Restated | None:
    """The new form of the statement that a change is about; None if it is about none. The latest statement comes
    last.
    """
    if change.is_read:
        return None
    ranked = [(fit, place) for place, each in enumerate(told) if (fit := _fit(change, each))]
    if not ranked:
        return None
    _, place = max(ranked)
    return (_over if change.is_over else _moved)(change, told[place], place)


def out_of_date(change: Change, told: Sequence[Told]) -> list[int]:
    """The statements that a change makes doubtful: those in the speaker's own words that share one word with it, and
    others that share half of their claims, if something is over or another value has begun.
    """
    words = change.terms - language(change.code).change_terms
    known = Counter(claim.predicate for each in told for claim in each.claims if claim.subject == USER)
    return [place for place, each in enumerate(told) if each.claims and _is_doubted(change, words, each, known)]


def _is_doubted(change: Change, words: frozenset[str], told: Told, known: Mapping[str, int]) -> bool:
    claim = told.claims[0]
    if claim.predicate == SAID:
        return _is_report_doubted(change, words, told)
    value = _terms(claim.value)
    if claim.is_affirmed and _is_renewed(change, told, known):
        return True
    has_left = claim.predicate == "manager" and (change.is_over or change.puts_right)
    if has_left and claim.is_affirmed and not words.isdisjoint(value):
        return True
    about = _terms(claim.subject) - _terms(" ".join(language(change.code).times["self"].values()))
    is_parted = change.is_parted and about and words.issuperset(about)
    if is_parted and claim.is_affirmed and not _is_of_others(change, told):
        return True
    is_reached = claim.predicate == "plan" and "reached" in change.renewed and terms(claim.value)[0] not in words
    is_over = change.is_over or is_reached
    if not (is_over or change.is_parted) or not claim.is_affirmed or not _may_be_called_off(claim):
        return False
    if predicate(claim.predicate).value in ("person", "animal"):  # a person who moves or quits stays a friend
        return change.is_parted and not words.isdisjoint(value)
    if _is_of_others(change, told):
        return False
    if change.is_read:  # frames have handled what it names; the rest of the sentence is unread
        return change.is_over and bool(value) and words.issuperset(value)
    shared = words & value
    least = _SHARED_HERE if is_reached else _SHARED_ALONE
    is_named = claim.predicate == "plan" and any(len(word) >= least for word in shared)
    return is_over and (is_named or len(shared) * 2 >= len(value) > 0)


def _is_renewed(change: Change, told: Told, known: Mapping[str, int]) -> bool:
    """Whether something new takes the place of what is told of the user, or the user leaves a place that it names.
    ``known`` is how many claims of the user have a predicate.
    """
    claim, tongue = told.claims[0], language(change.code)
    if claim.subject != USER or claim.modality == "past":
        return False
    keys = (name.partition(" ") for name in change.renewed)
    parts = [part for name, _, part in keys if name == claim.predicate]
    if any(part in claim.value.lower() or (part == "alone" and known[claim.predicate] == 1) for part in parts):
        return True
    places = _terms(told.content) - _terms(tongue.wordings.get(claim.predicate, {}).get("say", ""))
    is_post = claim.predicate in _POSTS or not places.isdisjoint(tongue.spoken_of["post"])
    return is_post and any(
        len(word) >= _SHARED_LATER and place.endswith(word) for word in change.left for place in places
    )


def _is_report_doubted(change: Change, words: frozenset[str], told: Told) -> bool:
    text = told.claims[0].value
    shared = max(map(len, words & _terms(text)), default=0)
    is_other = any(number not in text.lower() for number in change.numbers)
    is_denied = told.ago is not None and not change.denied.isdisjoint(_terms(text))
    by_word, alone = (_SHARED_LATER, _SHARED_ALONE) if told.ago is None else (_SHARED_HERE, _SHARED_HERE)
    is_changed = (change.is_over or change.puts_right) and shared >= by_word
    return is_denied or is_changed or ((change.denies or is_other) and shared >= alone)


def _may_be_called_off(claim: Claim) -> bool:
    """Whether a loose word can end it. A taste ends only by its opposite, which a frame reads."""
    kind = predicate(claim.predicate)
    return kind.may_end and kind.opposite is None


def _is_of_others(change: Change, told: Told) -> bool:
    """Whether a change is about somebody whom a statement does not name."""
    return not change.others.issubset(_terms(told.content))


def _fit(change: Change, told: Told) -> int:
    """How likely a change is one of a statement; 0 if it is none."""
    claim = next((each for each in told.claims if each.is_affirmed), None)
    if claim is None or claim.modality == "past" or claim.predicate == SAID or not _may_be_called_off(claim):
        return 0
    day = _day(claim)
    is_ahead = day is not None and day >= change.now.date()
    if (not change.is_over and not is_ahead) or _is_of_others(change, told):
        return 0
    kind = predicate(claim.predicate)
    value = _terms(claim.subject if kind.value == "date" else claim.value)
    if value and (change.terms.issuperset(value) if change.is_over else not change.terms.isdisjoint(value)):
        return 3
    nouns = language(change.code).spoken_of.get(claim.predicate, frozenset())
    if is_ahead and not change.terms.isdisjoint(nouns):
        return 2
    is_meant = is_ahead and not change.is_over and change.puts_right and told.ago is not None
    return int(is_meant and told.ago is not None and told.ago <= _NEAR)


@lru_cache(maxsize=1 << 12)
def _terms(text: str) -> frozenset[str]:
    """The search terms of a known statement, or of a part of it; each change of a session is compared with all."""
    return frozenset(terms(text))


def _moved(change: Change, told: Told, place: int) -> Restated | None:
    """The statement with its new time, if its words name the old one."""
    claim = next(each for each in told.claims if each.is_affirmed)
    tongue, old = language(change.code), _moment(claim)
    new = _merged(old, change) if old else None
    if old is None or new is None or new.iso == old.iso:
        return None
    before, after = wording.written(old, tongue), wording.written(new, tongue)
    if before not in told.content:
        return None
    is_date = predicate(claim.predicate).value == "date"
    claims = tuple(
        replace(each, time=new.iso, value=new.iso if is_date else each.value) if each.is_affirmed else each
        for each in told.claims
    )
    return Restated(told.content.replace(before, after), claims, new.at, place)


def _merged(old: Moment, change: Change) -> Moment | None:
    """The new time; a time of day without a day belongs to the old day."""
    at = change.clock
    if at and old.clock and (hour := int(at[:2])) < _HALF_DAY <= int(old.clock[:2]) and change.when is None:
        at = f"{hour + _HALF_DAY:02}{at[2:]}"
    if change.when is not None:
        return replace(old, span=change.when.span, clock=at)
    return replace(old, clock=at) if at else None


def _over(change: Change, told: Told, place: int) -> Restated | None:
    """The denial of a cancelled statement, in the words of its language."""
    tongue = language(change.code)
    claim = next(each for each in told.claims if each.is_affirmed)
    template = tongue.wordings.get(claim.predicate, {}).get("deny")
    if template is None:
        return None
    label = tongue.times["self"]["nom"] if claim.subject == USER else claim.subject
    subject = Subject(claim.subject, label, is_thing=predicate(claim.predicate).core == "project")
    content = wording.worded(template, subject, {"v": claim.value}, (), tongue)
    denied = replace(claim, is_affirmed=False, time=None)
    return Restated(content, (denied,), None, place) if content else None


def _moment(claim: Claim) -> Moment | None:
    """The day that a claim names, as a moment."""
    told = claim.value if predicate(claim.predicate).value == "date" else claim.time or ""
    if not told or "/" in told:
        return None
    day, clock = told[:10], told[11:16]
    try:
        first = date.fromisoformat(day)
    except ValueError:
        return None
    return Moment(0, 0, "at", (first, first + timedelta(days=1)), "D", clock)


def _day(claim: Claim) -> date | None:
    moment = _moment(claim)
    return moment.span[0] if moment else None


def _is_long(moment: Moment) -> bool:
    return moment.span[1] - moment.span[0] > timedelta(days=1)


def _bare_clock(said: Sequence[Token]) -> str:
    """A time of day without a word for it, where its subject is known: *3.30*."""
    found = filter(None, (_BARE_CLOCK.fullmatch(token.text) for token in said))
    return next((f"{int(each[1]):02}:{each[2]}" for each in found), "")


def _of_user(phrases: frozenset[tuple[str, ...]], spoken: Clauses, tongue: Language, alone: bool) -> list[str]:
    """The words around some phrases in clauses that tell them of the user: *my new job*, not *our chef got a new job*;
    ``alone``: and that name no other subject: *left the school*, not *Jen left the school*.
    """
    return [
        _words(some[max(at - _AROUND, 0) : end + _AROUND])
        for some in spoken
        for at in range(len(some))
        for end in phrase_ends(phrases, some, at)[:1]
        if _may_be_users(some, at, end, tongue, alone)
    ]


def _may_be_users(some: Sequence[Token], at: int, end: int, tongue: Language, alone: bool) -> bool:
    before, around = some[:at], [*some[:at], *some[end:]]
    is_close = any(_is_somebody_close(each, tongue) for each in around)
    if is_close or any("self" in each.kinds for each in around):
        return not is_close
    is_another = any(each.kinds & _SOMEBODY for each in before)
    if not alone:
        return not is_another or any(each.kinds & {"my", "me"} for each in some[max(at - 1, 0) : end])
    if tongue.has("dropped", "yes"):
        return not is_another and all(each.lemmas & {"/acc", "/gen"} for each in around if "/nom" in each.lemmas)
    return not any(each.is_word and each.kinds.isdisjoint(_NOBODY) for each in before)


def _words(said: Sequence[Token]) -> str:
    return " ".join(token.lower for token in said)


def _is_somebody_close(token: Token, tongue: Language) -> bool:
    """Whether a word is a name or means family or friends, not a doctor, a landlord or a manager."""
    kin = (tongue.kin.get(word) for word in (token.lower, *token.lemmas))
    return "given" in token.kinds or any(each is not None and each.predicate not in _DISTANT for each in kin)
