"""Find the known statements that a change is about: their new form, or that they are out of date."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from math import inf
from typing import NamedTuple

from sandbox.extensions.memory.claims import SAID, USER, Claim, predicate
from sandbox.extensions.memory.claims.tools import is_left
from sandbox.extensions.memory.parse import wording
from sandbox.extensions.memory.parse.changes import ReportedChange
from sandbox.extensions.memory.parse.language import language_of
from sandbox.extensions.memory.parse.statements import dated, report
from sandbox.extensions.memory.parse.subjects import Subject, project, thing
from sandbox.extensions.memory.parse.times import Moment, moved
from sandbox.extensions.memory.parse.tokens import tokens
from sandbox.extensions.memory.text.places import size
from sandbox.extensions.memory.text.words import is_denied, terms

_POSTS = frozenset("job employer field school studies member_of team".split())  # what somebody leaves by its place
_AT_A_TIME = frozenset(
    "travels_to plan appointment event reminder deadline starts_on goal wish habit".split()
)  # what is cancelled wherever its sentence names it
_OWNED = frozenset("has owns pet drives".split())  # what one person may sell or give away for another
_OF_NAMES = ("organization", "tool", "thing", "place", "project")  # kinds of values that one word tells
_LIVING = ("person", "animal")  # kinds of values
_NEAR = 6  # turns of both sides, within which *it* means what was mentioned last
_SHARED_HERE = 4  # letters of a word shared with a sentence of the same session that puts a report out of date
_SHARED_LATER = 4  # the same in a later session, beside a word for a change: *cancelled*, *now*
_SHARED_ALONE = 6  # the same beside a denial or another number, which many sentences have


class Told(NamedTuple):
    """A statement that may have changed: its content, its claims, how many turns ago this session told it, the names of
    those who said it, and the terms that many memories have.
    """

    content: str
    claims: tuple[Claim, ...]
    ago: float = inf
    speakers: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()


class Restated(NamedTuple):
    """The new statement that replaces the one at ``place``, its ``told`` time in ISO 8601, and when it ends."""

    content: str
    claims: tuple[Claim, ...]
    told: str | None = None
    place: int | None = None
    until: datetime | None = None


def reported(change: ReportedChange) -> Restated:
    """A change in its speaker's own words; it ends with the day to come that it names."""
    statement = report(change.said, change.speaker, language_of(change.code))
    return Restated(statement.content, statement.claims, until=change.until)


def changed(change: ReportedChange, told: Sequence[Told]) -> Restated | None:
    """The new form of the statement that a change is about; None if it is about none. The latest statement comes
    last.
    """
    revoked = next((place for place, each in enumerate(told) if _is_revoked(change, each)), None)
    if revoked is not None and (over := _over(change, told[revoked], revoked)):
        return over._replace(until=change.now)
    is_other_time = change.when or change.day or change.clock
    if change.tools:
        return None  # its own words tell the new one as well
    if (change.is_read and not change.is_moved) or not (change.is_over or is_other_time):
        return None
    ranked = [
        (fit, place) for place, each in enumerate(told) if _may_mean(change, each) and (fit := _fit(change, each))
    ]
    if not ranked:
        return None
    _, place = max(ranked)
    if change.is_over and change.is_bare and change.when and (found := _moved(change, told[place], place)):
        return found  # *scratch that, they called, Friday 9.15*
    return (_over if change.is_over else _moved)(change, told[place], place)


def out_of_date(change: ReportedChange, told: Sequence[Told]) -> list[int]:
    """The statements that a change makes doubtful: those in the speaker's own words that share one word with it, and
    others that share half of their claims, if something is over or another value has begun.
    """
    words = change.terms - language_of(change.code).change_terms
    is_weak = not (change.may_end or change.tools)  # most are: it only puts a report in doubt
    meant = [
        (place, each)
        for place, each in enumerate(told)
        if each.claims and (not is_weak or each.claims[0].predicate == SAID) and _may_mean(change, each)
    ]
    known = Counter(claim.predicate for _, each in meant for claim in each.claims if _is_own(change, claim))
    return [place for place, each in meant if _is_doubted(change, words, each, known)]


def _may_mean(change: ReportedChange, told: Told) -> bool:
    """Whether a change may mean a statement: not what another speaker said of themselves, unless it names them, or
    somebody of theirs. Of two who have a meeting, *my meeting is cancelled* tells of one. *The class on Friday is
    cancelled* tells of no other day.
    """
    if told.claims and _is_at_another_time(change, told.claims[0]):
        return False
    speaker = change.speaker.name
    if not told.claims or not speaker or not told.speakers or speaker in told.speakers or change.others:
        return bool(told.claims)
    claim = told.claims[0]
    if claim.subject not in (USER, *told.speakers):
        return True
    names = [claim.subject, claim.value if predicate(claim.predicate).value in _LIVING else ""]
    return any(change.terms.issuperset(_terms(name)) for name in names if name)


def _is_at_another_time(change: ReportedChange, claim: Claim) -> bool:
    """Whether a change says that something of one coming day is over, and a claim is about another day."""
    when, moment = change.when, _moment(claim)
    if not change.is_over or when is None or moment is None or when.span[0] <= change.now.date():
        return False
    return moment.span[1] <= when.span[0] or when.span[1] <= moment.span[0]


def _is_doubted(change: ReportedChange, words: frozenset[str], told: Told, known: Mapping[str, int]) -> bool:
    claim = told.claims[0]
    if claim.predicate == SAID:
        return _is_report_doubted(change, words, told)
    if change.tools and any(_is_left(change, each) for each in told.claims):
        return True
    if not change.may_end:
        return False
    if not claim.is_affirmed:
        return _is_resumed(change, words, told)
    is_parted = "parted" in change.tells and _is_about(change, words, told)
    if is_parted or _is_renewed(change, told, known):
        return True
    if _is_resumed(change, words, told):
        return True
    if not _may_be_called_off(claim):
        return False
    value = _terms(claim.value)
    if predicate(claim.predicate).value in _LIVING:  # a person who moves or quits stays a friend
        gone = {"parted", "called_off", "puts_right"} if claim.predicate == "manager" else {"parted"}
        return not change.tells.isdisjoint(gone) and not words.isdisjoint(value) and not _is_of_others(change, told)
    is_reached = claim.predicate == "plan" and "reached" in change.renewed and terms(claim.value)[0] not in words
    moment = _moment(claim)
    is_reached = is_reached and (moment is None or moment.span[0] <= change.now.date())
    if not (change.is_over or is_reached) or _is_of_others(change, told):
        return False
    if not _is_cancelled(change, told, value):
        return False
    shared = words & value
    is_named = any(len(word) >= (_SHARED_HERE if is_reached else _SHARED_ALONE) for word in shared)
    return is_named or len(shared) * 2 >= len(value) > 0


def _is_left(change: ReportedChange, claim: Claim) -> bool:
    """Whether a change is one from a tool that the user or the project uses to another one of its kind."""
    is_used = "uses" in (claim.predicate, predicate(claim.predicate).means) and claim.is_affirmed
    owners = (USER, change.speaker.name, project(language_of(change.code)).name)  # not *the tests use SQLite*
    return is_used and claim.subject in owners and is_left(claim.value, change.tools)


def _is_about(change: ReportedChange, words: frozenset[str], told: Told) -> bool:
    """Whether a change names the subject of a statement, or a relative by another word: *dad* for *father*."""
    language, subject = language_of(change.code), told.claims[0].subject
    about = _terms(subject) - _terms(" ".join(language.times["self"].values()))
    kin = [word for word in subject.lower().split() if {language.kin.get(word)} == change.relatives]
    if kin and about == _terms(kin[0]) and len(change.others) == 1:  # nobody else's, as in *Tom's dad*
        return True
    return bool(about) and words.issuperset(about) and not _is_of_others(change, told)


def _is_renewed(change: ReportedChange, told: Told, known: Mapping[str, int]) -> bool:
    """Whether something new takes the place of what is told of the user, or the user leaves a place that it names.
    ``known`` is how many claims of the user and of projects have a predicate.
    """
    claim, language = told.claims[0], language_of(change.code)
    if not change.renewed or not _is_own(change, claim) or claim.modality == "past":
        return False
    keys = (name.partition(" ") for name in change.renewed)
    is_wide = size(claim.value) in ("country", "continent")  # where a new flat is still in
    parts = [part for name, _, part in keys if name == claim.predicate and (part or not is_wide)]
    if any(part in claim.value.lower() or (part == "alone" and known[claim.predicate] == 1) for part in parts):
        return True
    places = _terms(told.content) - _terms(language.wordings.get(claim.predicate, {}).get("say", ""))
    is_post = claim.predicate in _POSTS or not places.isdisjoint(language.spoken_of["post"])
    return is_post and any(
        len(word) >= _SHARED_LATER and place.endswith(word) for word in change.left for place in places
    )


def _is_own(change: ReportedChange, claim: Claim) -> bool:
    """Whether it is of the one who tells a change, or of the project."""
    return claim.subject in (USER, change.speaker.name) or predicate(claim.predicate).core == "project"


def _is_resumed(change: ReportedChange, words: frozenset[str], told: Told) -> bool:
    """Whether somebody does again what they do not do: *I don't drink coffee*, *I drink coffee again*."""
    claim, language = told.claims[0], language_of(change.code)
    if "resumed" not in change.tells or claim.predicate not in ("habit", "avoids", "diet"):
        return False
    said = claim.value.lower().split()
    done = [word for word in said if not language.has("denied", word)]
    is_same = not change.others if _is_own(change, claim) else not _terms(claim.subject).isdisjoint(change.others)
    if claim.predicate == "diet":  # *vegetarian*, and eats meat again
        names = (name for name in language.spoken_of if name.startswith("diet ") and name[5:] in claim.value.lower())
        excluded, eats = {food for name in names for food in language.spoken_of[name]}, language.spoken_of["diet"]
        is_named = not (change.again.isdisjoint(excluded) or words.isdisjoint(eats))
        return is_same and is_named and change.again <= excluded | eats | change.others | language.revoking_terms
    is_named = _are_forms(_terms(" ".join(done)), words)
    return is_same and is_named and (len(done) < len(said) or claim.predicate == "avoids" or not claim.is_affirmed)


def _is_revoked(change: ReportedChange, told: Told) -> bool:
    """Whether a change takes back a wish, and says nothing else: it allows what the wish forbids, forbids what the wish
    asks for, or says that the wish no longer counts.
    """
    claim = told.claims[0] if told.claims else None
    if claim is None or predicate(claim.predicate).category != "instruction" or not claim.is_affirmed:
        return False
    language = language_of(change.code)
    wished, said = (some - language.revoking_terms for some in (_terms(claim.value), change.terms))
    is_whole = bool(wished) and _are_forms(said, wished) and _are_forms(wished, said)  # not *only after review*
    was_denied, denies = is_denied(claim.value), is_denied(change.said) or change.tells >= {"no_word", "over"}
    is_opposite = was_denied != denies and ("over" if denies else "permitted") in change.tells
    return is_whole and (is_opposite or "revoked" in change.tells)


def _are_forms(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether some terms may be forms of others: one begins with the other."""
    return all(any(one.startswith(other) or other.startswith(one) for other in others) for one in some)


def _is_report_doubted(change: ReportedChange, words: frozenset[str], told: Told) -> bool:
    text = told.claims[0].value
    same = words & _terms(text)
    shared = max(map(len, same), default=0)
    is_other = any(number not in text.lower() for number in change.numbers)
    by_word, alone = (_SHARED_LATER, _SHARED_ALONE) if told.ago == inf else (_SHARED_HERE, _SHARED_HERE)
    is_changed = not change.tells.isdisjoint(("called_off", "puts_right")) and shared >= by_word
    is_put_right = change.is_bare and is_other and told.ago <= _NEAR  # *sorry, the 19th*
    is_put_right = is_put_right and not change.tells.isdisjoint(("not", "puts_right"))
    is_other = is_other or not change.tells.isdisjoint(("not", "over"))
    is_meant = shared >= alone and (told.ago != inf or len(same) > 1 or not same <= told.common)
    return is_put_right or is_changed or (is_other and is_meant)


def _may_be_called_off(claim: Claim) -> bool:
    """Whether a loose word can end it. A taste ends only by its opposite, which a frame reads."""
    kind = predicate(claim.predicate)
    return kind.may_end and kind.opposite is None


def _is_cancelled(change: ReportedChange, told: Told, value: frozenset[str]) -> bool:
    """Whether a word for an end means what a claim tells: what is to come, or else only what stands beside the word. A
    concert in Berlin that is cancelled ends no home there.
    """
    claim = next(each for each in told.claims if each.is_affirmed)
    moment, kind = _moment(claim), predicate(claim.predicate).value
    if claim.predicate in _AT_A_TIME or (moment is not None and moment.span[0] > change.now.date()):
        return True
    language = language_of(change.code)
    words = tokens(told.content, language) if any(each.told for each in change.ended) else ()
    said = frozenset(terms(" ".join(token.lower for token in words)))  # *Lieblings farbe* is two
    beside = language.spoken_of.get(claim.predicate, frozenset())
    return any(
        value.issuperset(ended.name if kind in _OF_NAMES else ended.whole)
        and ended.told <= said | beside
        and not (ended.is_one_of_many and kind == "text")
        for ended in change.ended
    )


def _is_of_others(change: ReportedChange, told: Told) -> bool:
    """Whether a change is about somebody whom a statement does not name, or it is the end of how somebody else lives:
    *my son never eats fish* stays beside *I no longer eat fish*. What others own or are going to do, it may end.
    """
    claim, named = told.claims[0], _terms(told.content)
    if not change.others <= named:
        return True
    is_shared = claim.predicate in _OWNED | (_AT_A_TIME - {"habit"}) or predicate(claim.predicate).core == "project"
    if is_shared:
        return False
    is_denied_of_another = bool(change.denied_of) and claim.subject not in change.denied_of
    return is_denied_of_another or any(each.told and not each.name <= named for each in change.ended)


def _fit(change: ReportedChange, told: Told) -> int:
    """How surely a change is one of a statement: 3 if it names what that says, 2 if it has a word for things of the
    kind, 1 if it may mean what was mentioned just before; 0 if it is none.
    """
    claim = next((each for each in told.claims if each.is_affirmed), None)
    if claim is None or claim.modality == "past" or claim.predicate == SAID:
        return 0
    is_near = change.is_bare and told.ago <= _NEAR  # *they cancelled it*, not *they cancelled my class*
    if not _may_be_called_off(claim) or _is_of_others(change, told):
        return 0
    moment = _moment(claim)
    is_ahead = moment is not None and moment.span[0] >= change.now.date()
    if not (change.is_over or is_ahead):
        return 0
    value = _terms(claim.subject if predicate(claim.predicate).value == "date" else claim.value)
    is_whole = change.is_over or change.is_moved  # *now a vet appointment* moves no dentist appointment
    is_named = bool(value) and (change.terms.issuperset(value) if is_whole else not change.terms.isdisjoint(value))
    if change.is_moved:
        return 3 if is_named and (_is_own(change, claim) or change.others) else 0
    if is_named or not is_ahead:
        return 3 * (is_named and (not change.is_over or _is_cancelled(change, told, value)))
    if not change.terms.isdisjoint(language_of(change.code).spoken_of.get(claim.predicate, ())):
        return 2
    return int(is_near and (change.is_over or "puts_right" in change.tells))


@lru_cache(maxsize=1 << 12)
def _terms(text: str) -> frozenset[str]:
    """The search terms of a known statement, or of a part of it; each change of a session is compared with all."""
    return frozenset(terms(text))


def _moved(change: ReportedChange, told: Told, place: int) -> Restated | None:
    """The statement with its new time, if its words name the old one."""
    claim = next(each for each in told.claims if each.is_affirmed)
    language, old = language_of(change.code), _moment(claim)
    new = moved(old, change.when, change.day, change.clock, change.now) if old else None
    if old is None or new is None or new.iso == old.iso:
        return None
    before, after = wording.written(old, language), wording.written(new, language)
    if before not in told.content:
        return None
    value = dated(claim.predicate, new) if predicate(claim.predicate).value == "date" else None
    claims = tuple(
        replace(each, time=new.iso, value=value or each.value) if each.is_affirmed else each for each in told.claims
    )
    return Restated(told.content.replace(before, after), claims, new.begins, place)


def _over(change: ReportedChange, told: Told, place: int) -> Restated | None:
    """The denial of a cancelled statement, in the words of its language."""
    language = language_of(change.code)
    claim = next(each for each in told.claims if each.is_affirmed)
    if (template := language.wordings.get(claim.predicate, {}).get("deny")) is None or "{x}" in template:
        return None
    speaker = change.speaker.label
    user = speaker if speaker in told.content else language.times["self"]["nom"]
    is_thing = predicate(claim.predicate).core == "project"
    subject = thing(claim.subject, language) if is_thing else Subject(claim.subject, claim.subject)
    subject = Subject(USER, user, is_thing=is_thing) if claim.subject == USER else subject
    days = [day for day in (_moment(claim),) if day and change.when and change.when.span == day.span]
    content = wording.worded(template, subject, {"v": claim.value}, days, language)
    denied = replace(claim, is_affirmed=False, time=claim.time if days else None)
    return Restated(content, (denied,), None, place) if content else None


def _moment(claim: Claim) -> Moment | None:
    """The day that a claim names, as a moment."""
    is_dated = predicate(claim.predicate).value == "date" and claim.predicate != "birthday"
    told = claim.value if is_dated else claim.time or ""
    try:
        first = date.fromisoformat("" if "/" in told else told[:10])
    except ValueError:
        return None
    return Moment(0, 0, "at", (first, first + timedelta(days=1)), "D", told[11:16])
