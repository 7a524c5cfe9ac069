"""Find changes of known facts that no frame reads: another time, or an end.

A frame takes a clause whole. Here one word of a known fact is enough, beside another time or a word such as
*cancelled*: a fact in doubt must not be told as if it held.
"""

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from sandbox.extensions.memory.claims import SAID, USER, Claim, predicate
from sandbox.extensions.memory.parse import wording
from sandbox.extensions.memory.parse.language import Language, language
from sandbox.extensions.memory.parse.made import report
from sandbox.extensions.memory.parse.pattern import stands_in
from sandbox.extensions.memory.parse.subjects import Subject
from sandbox.extensions.memory.parse.times import Moment, ahead, clock, end_of_days_to_come
from sandbox.extensions.memory.parse.tokens import DIGIT, Token
from sandbox.extensions.memory.text.words import terms

_BESIDE = frozenset(("description",))  # predicates of clauses that may tell another change as well: *I'm retired*
_NEAR = 6  # turns of both sides, within which *it* means what was mentioned last
_HALF_DAY = 12  # hours
_DISTANT = frozenset(("contact", "manager"))  # predicates of people who are no family or friends
_SHARED_HERE = 3  # letters of a word shared with a sentence of the same session that puts a report out of date
_SHARED_LATER = 4  # the same in a later session, beside a word for a change: *cancelled*, *now*
_SHARED_ALONE = 6  # the same beside a denial or another number, which many sentences have


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
    renewed: frozenset[str] = frozenset()  # predicates of the user with a new value that was not told: *new job*
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
    heard: Collection[str],
    times: Sequence[Moment],
    tongue: Language,
    now: datetime,
    read: Set[str],
) -> Change | None:
    """The change that a sentence may report; None if it names no future time and has no word for a change. ``heard``
    are all words that its words may be forms of, ``read`` the predicates that frames claim of it.
    """
    found = [ahead(each, now) for each in times if each.role in ("at", "until", "from")]
    days = [each for each in found if each.symbols and each.span[0] >= now.date() and not _is_long(each)]
    at = next((each.clock for each in found if each.clock), "")
    at = at or (clock(said) or _bare_clock(said) if DIGIT in heard else "")
    is_over, is_parted, puts_right = (
        stands_in(tongue.classes[name], said, heard) for name in ("called_off", "parted", "puts_right")
    )
    threes = zip(said, said[1:], said[2:], strict=False) if tongue.speaks_of(("not",), heard) else ()
    instead = [word.lower for no, word, but in threes if "not" in no.classes and _opposes(but)]
    denied = frozenset(terms(" ".join(instead)))
    renewed = frozenset[str]() if read - _BESIDE else _renewed(said, heard, tongue)
    numbers = frozenset(token.lower for token in said if token.text[0].isdigit()) if DIGIT in heard else frozenset()
    denies = any("not" in token.classes or "over" in token.classes for token in said)
    if not (days or at or is_over or is_parted or puts_right or denied or renewed or numbers or denies):
        return None
    words = frozenset(terms(" ".join(token.lower for token in said)))
    day = days[-1] if days else None
    others = [token.lower for token in said if _is_somebody_close(token, tongue) or "given" in token.kinds]
    return Change(
        number,
        text,
        speaker,
        tongue.code,
        now,
        words,
        day,
        end_of_days_to_come(times, now),
        at,
        denied=denied,
        renewed=renewed,
        others=frozenset(terms(" ".join(others))),
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
    return [place for place, each in enumerate(told) if each.claims and _is_doubted(change, words, each)]


def _is_doubted(change: Change, words: frozenset[str], told: Told) -> bool:
    claim = told.claims[0]
    if claim.predicate == SAID:
        return _is_report_doubted(change, words, told)
    value = _terms(claim.value)
    has_left = claim.predicate == "manager" and (change.is_over or change.puts_right)
    if has_left and claim.is_affirmed and not words.isdisjoint(value):
        return True
    about = _terms(claim.subject) - _terms(" ".join(language(change.code).times["self"].values()))
    is_parted = change.is_parted and about and words.issuperset(about)
    if is_parted and claim.is_affirmed and not _is_of_others(change, told):
        return True
    is_changed = change.is_over or change.is_parted or change.renewed
    if not is_changed or not claim.is_affirmed or not _may_be_called_off(claim):
        return False
    if predicate(claim.predicate).value in ("person", "animal"):  # a person who moves or quits stays a friend
        is_another = claim.subject == USER and claim.predicate in change.renewed
        return is_another or (change.is_parted and not words.isdisjoint(value))
    if _is_of_others(change, told):
        return False
    if claim.subject == USER and claim.modality != "past" and claim.predicate in change.renewed:
        return True
    if change.is_read:  # frames have handled what it names; the rest of the sentence is unread
        return change.is_over and bool(value) and words.issuperset(value)
    shared = words & value
    is_named = claim.predicate == "plan" and any(len(word) >= _SHARED_ALONE for word in shared)
    return change.is_over and (is_named or len(shared) * 2 >= len(value) > 0)


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
    for token in said:
        hour, dot, minute = token.text.partition(".")
        if dot and hour.isdecimal() and minute.isdecimal() and len(minute) == 2 and int(hour) < 24 and int(minute) < 60:
            return f"{int(hour):02}:{minute}"
    return ""


def _renewed(said: Sequence[Token], heard: Collection[str], tongue: Language) -> frozenset[str]:
    found = frozenset(name for name, phrases in tongue.renewed.items() if stands_in(phrases, said, heard))
    return frozenset() if any(_is_somebody_close(token, tongue) for token in said if found) else found


def _is_somebody_close(token: Token, tongue: Language) -> bool:
    """Whether a word means family or friends, not a doctor, a landlord or a manager."""
    kin = (tongue.kin.get(word) for word in (token.lower, *token.lemmas))
    return any(each is not None and each.predicate not in _DISTANT for each in kin)


def _opposes(token: Token) -> bool:
    return token.text == "," or "but" in token.classes
