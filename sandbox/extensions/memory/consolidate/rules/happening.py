"""What happened, when, and what it began or put an end to. English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import endings
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import FACT, TELLING, Clause, head_of, no_passing, team_of
from sandbox.extensions.memory.consolidate.rules.dates import without
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import Phrase, agreeing, base_of, grammar, lookup, third
from sandbox.extensions.memory.text.places import size


def used_to(clause: Clause) -> Iterator[Said]:
    """``used to work at Acme``: no longer does."""
    if clause.low(1) != "to":
        yield from _happened_or_not(clause)
        return
    clause = clause.ahead(2).without_adverbs()
    verb = clause.low()
    said, _ = dated(clause.value(clause.at + 1), clause.setting, ahead=False)
    if (
        not verb
        or not (said or verb in ("smoke", "drink"))
        or verb in ("think", "feel", "believe", "have", "get", "see", "say")
    ):
        raise NotLearnt("passing state")
    if verb == "be":
        state = lookup(grammar().be, clause.words, clause.at + 1)
        if head_of(said) not in words_of.PROFESSIONS and state is None and not re.match(r"an? \w", said):
            raise NotLearnt("passing state")
        if head_of(said) not in words_of.PROFESSIONS:
            was = Replaced("change", statement=clause.said("is", said, FACT).content)
            yield replace(clause.said("used to be", said, FACT), replaces=(was,))
            return
        before = clause.said("works as", said, FACT).content
        yield replace(clause.said("used to be", said, FACT), replaces=(Replaced("change", statement=before),))
        return
    before = clause.said(third(verb), said, clause.kind).content
    ended = (Replaced("change", statement=before),) if (verb in grammar().states) else ()
    yield replace(clause.said(f"used to {verb}", said, replace(clause.kind, importance=2)), replaces=ended)


_MOVES = ("moved to", "relocated to", "moved back to", "emigrated to", "immigrated to", "moved into")
_HOME = re.compile(r"\b(?:house|flat|apartment|home|family|kids|city|town|together|country|live|living|abroad)\b")
_NO_EVENT = re.compile(
    r"^(?:the (?:house|room|building|car|door|keys|lights?|table|store|shop|bathroom|doctor|end|point|same|wrong)"
    r"|bed|sleep|work|crazy|well|great|(?:a|the) (?:lot|bit|way|few|fun|great time|good time))\b",
    re.I,
)


_OVER = frozenset("discovered saw finished completed".split()) | {
    "got back from", "returned from", "came back from", "came across", "picked up",
}  # fmt: skip
_SOME = re.compile(r"(?:(?:reading|listening to|watching|playing) )?(?:an?|some|the) (?:[a-z\d-]+ ){0,3}[a-z\d-]+")
_MEASURED = re.compile(  # of what is not said: "earned 50 points", "spent around 5-6 hours"
    r"(?:(?:in|for|at|around|about|over|only|another) )*(?:[\d.,-]+|a few|several|two|three|four|five|six|ten)"
    r" (?:points|hours?|minutes?|seconds?|days?|weeks?|months?|years?|times|episodes|pages|chapters|levels)"
    r"(?: and \d+ \w+)?"
)


def _happened_or_not(clause: Clause) -> Iterator[Said]:
    found = lookup(grammar().events, clause.words, clause.at)
    if found is None:
        raise NotLearnt("passing state")
    yield from happened(clause, *found)


_DATED_ONLY = frozenset("watched made played saw planned took hosted raised celebrated received got".split()) | {
    "made a", "took a trip", "got a new", "got some new", "planned a",
}  # fmt: skip
_NAMES = re.compile(r"\b[A-Z][a-z]+|\"")


def happened(clause: Clause, phrase: Phrase, end: int) -> Iterator[Said]:
    """``moved to Leeds last week``: on a date; and what holds since."""
    learnt = " ".join(phrase.said)
    said, at = dated(clause.value(end), clause.setting, ahead=False)
    if clause.habit in ("never", "rarely", "hardly"):
        raise NotLearnt("passing state")
    place = re.sub(
        r"(?:^|\s+)(?:on|in|around|from|with|for|a (?:few|couple)|last|this|at|to be|just|over|during|after|before"
        r"|since|by|as)\b.*$",
        "",
        said,
    )
    if (
        learnt == "moved from"
        and clause.about.is_team
        and clause.setting.to_assistant
        and not _HOME.search(clause.text)
    ):
        at_home = tuple(endings.gone((verb,), said.split(" to ")[0], clause.about.name) for verb in endings.LIVES)
        yield replace(clause.said(learnt, said, Kind("event", 3), at), replaces=at_home)
    elif learnt in ("moved from", "relocated from") and (
        to := re.search(r"^(?P<from>[A-Z].*?) to (?P<to>[A-Z]\S*(?: [A-Z]\S*)*)", said)
    ):
        yield from _moved(clause, f"{to['to']} from {to['from']}{said[to.end() :]}", to["to"], at)
    elif learnt in _MOVES and place[:1].isupper():
        yield from _moved(clause, said, place, at)
    elif (
        (learnt == "joined" and re.match(r"[A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*$", place))
        or learnt in ("started working", "got a job", "got a new job")
        or (
            learnt in ("started at", "started as")
            and re.match(
                rf"(?!(?i:{_NO_WORK})\b)(?:an? |the |[A-Z])",
                said,
            )
        )
        or (learnt == "started a" and said.startswith("new job"))
    ):
        yield from _new_work(
            clause, f"{learnt.removeprefix('started ')} {said}" if learnt[-3:] in " at as" else said, at
        )
    elif learnt in ("started at", "started as"):
        raise NotLearnt("passing state")
    elif learnt in ("switched to", "switched from", "migrated from", "migrated to", "upgraded to", "upgraded from"):
        yield from _switched(clause, learnt, said, at)
    else:
        if (not said and len(phrase.said) < 2) or (said and (_NO_EVENT.match(said) or _MEASURED.fullmatch(said))):
            raise NotLearnt("passing state")
        plain = len(said.split()) > 2 and said.split()[-1] not in words_of.VAGUE
        telling = (
            plain
            or len(phrase.said) > 2
            or learnt.endswith((" a", " an", " my"))
            or phrase.kind.importance > 3
            or bool(TELLING.search(said))
            or at
        )
        if not at and head_of(said) in words_of.TASKS:
            raise NotLearnt("passing state")
        if not at and learnt in _DATED_ONLY and not _NAMES.search(said.replace(clause.about.name, "")):
            raise NotLearnt("passing state")
        bare = (
            not at
            and len(said.split()) == 2
            and said.islower()
            and learnt in ("went on", "saw", "attended", "met", "made a")
        )
        vague = clause.setting.to_assistant and not at and learnt in _OVER and _SOME.fullmatch(said)
        if not telling or bare or vague:
            raise NotLearnt("not self-contained")
        verb = re.sub(r"\bmy\b", clause.owner, learnt)
        yield clause.said(verb, said, phrase.kind, at)
        if learnt in _PROMOTED and (rank := _RANK.match(said.removeprefix("to "))):
            article = "" if rank["office"] else "an " if rank["rank"][0] in "aeiou" else "a "
            yield clause.said("works as", f"{article}{rank['rank']}", clause.kind, at)
        if learnt in ("left", "quit") and (
            match := re.search(r"^([A-Z]\S*(?: [A-Z]\S*)*) (?:for|to join) ([A-Z]\S*(?: [A-Z]\S*)*)", said)
        ):
            yield clause.said("lives in" if size(match[2]) else "works at", match[2], clause.kind, at)
        elif learnt in ("moved into", "moved back to", "moved in with", "moved to") and (
            town := re.search(r" in ([A-Z][\w'-]*(?: [A-Z][\w'-]*)*)$", without(said).strip())
        ):
            yield replace(
                clause.said(agreeing(clause.about, "live in"), town[1], clause.kind, at), replaces=_homes(clause)
            )


def _homes(clause: Clause) -> tuple[Replaced, ...]:
    """Where its subject lived before."""
    whose = clause.about.name
    return tuple(endings.gone((verb,), "", whose) for verb in (*endings.LIVES, "lives alone in", "moved to"))


def _moved(clause: Clause, said: str, place: str, at: datetime | None) -> Iterator[Said]:
    origin = re.search(r"\bfrom ([A-Z][\w.-]*(?: [A-Z][\w.-]*)*)", said)
    left = tuple(endings.gone((verb,), origin[1], clause.about.name) for verb in endings.LIVES) if origin else ()
    ended = (*left, endings.gone(("moved to",), "", clause.about.name)) if origin else _homes(clause)
    yield replace(clause.said(agreeing(clause.about, "live in"), place, clause.kind, at), replaces=ended)
    if at or origin:
        yield clause.said("moved to", said, Kind("event", 3), at)


def _new_work(clause: Clause, said: str, at: datetime | None) -> Iterator[Said]:
    kind = clause.kind
    place = re.search(r"(?:^|\b(?:at|for|with) )([A-Z][\w&.'-]*(?: [A-Z][\w&.'-]*)*)", said)
    role = re.search(r"\bas (an? [\w-]+(?: [\w-]+)?)", said)
    kept = re.split(r" (?:as|on|in (?=[A-Z\d])|since|last|this|from|after|doing) ?", without(said))[0].strip()
    if not place and (some := _SOMEWHERE.search(kept)):
        yield clause.said(f"works {some['how']}", some["where"], kind, at)
        place = some
    if place and "where" not in place.groupdict():
        is_other = re.search(r"\b(?:second|part-time|side|also)\b", clause.text) is None
        ended = (endings.another_job(clause.about.name),) if is_other else ()
        yield replace(clause.said("works at", place[1], kind, at), replaces=ended)
    if role:
        yield clause.said("works as", re.sub(r" (?:at|in|for|on|with)$", "", role[1]), kind, at)
    if not place and not role:
        raise NotLearnt("not self-contained")


_PROMOTED = ("got promoted", "was promoted to")
_RANK = re.compile(
    r"(?:an? )?(?P<rank>(?P<office>(?:vice |deputy )?(?:head|director|chief|vp|president|c[a-z]o\b).*)|[a-z][\w -]+?)"
    r"(?=$|,| (?:at|in|on|last|this|after)\b)",
    re.IGNORECASE,
)
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|dawn"
_NO_WORK = (
    rf"{_HOURS}|the (?:\w+ )?(?:bottom|top|beginning|end|start|gym|same|wrong|weekend|moment|back|front)"  # to start at
)
_SOMEWHERE = re.compile(r"(?:^|.* )(?P<how>at|for|with|in) (?P<where>(?:an?|the) [a-z][\w' -]+)$")


def _switched(clause: Clause, learnt: str, said: str, at: datetime | None) -> Iterator[Said]:
    """``switched from vim to Helix``: uses Helix, no longer vim."""
    text = re.sub(r" (?:on|in|around) .*\d{4}$", "", said)
    match = re.match(r"(.+?) to (.+)", text) if learnt.endswith("from") else re.match(r"()(.+)", text)
    if match is None or len(text.split()) > 8:
        raise NotLearnt("not self-contained")
    if clause.about.is_team:
        clause = replace(clause, about=team_of(clause.about))
    new = re.split(r" from ", match[2])
    old = match[1] or (new[1] if len(new) > 1 else "")
    if new[0].endswith("ing") and " " not in new[0]:
        yield clause.said(learnt, said, Kind("event", 3), at)
        return
    if old and _FIELD.search(f"{old} {new[0]}") and not clause.about.is_thing:
        field = (*endings.DOES, *endings.STUDIES, "works in", "is majoring in", "majors in")
        ended_ = (endings.gone(field, old),)
        yield replace(clause.said("switched from", f"{old} to {new[0]}", Kind("event", 3), at), replaces=ended_)
        return
    is_drunk = not _DRINKS.isdisjoint(f"{old} {new[0]}".lower().split())
    ended = (endings.gone(("drinks",) if is_drunk else endings.USES, old),) if old else ()
    yield replace(clause.said("drinks" if is_drunk else "uses", new[0], Kind("fact", 3), at), replaces=ended)


_FIELD = re.compile(
    r"^(?=[a-z -]+$)(?:.* )?(?:\w+(?:ology|ics|istry|osophy|ography|onomy|ecture|ature)|engineering|nursing|law"
    r"|medicine|maths?"
    r"|history|design|arts?|education|languages?|literature|accounting|marketing|sales|finance|business|management"
    r"|computer science|teaching|consulting|biochem|tennis|football|soccer|rugby|running|cycling|swimming|climbing"
    r"|yoga|pilates"
    r"|piano|guitar|violin|cello|viola|drums|flute|trumpet|saxophone|clarinet|nights|days|part-time|full-time)\b"
)
_DRINKS = frozenset("coffee tea decaf matcha espresso cola coke soda juice beer wine milk water kombucha".split())


def stopped(clause: Clause) -> Iterator[Said]:
    """``stopped using Evernote``, ``quit going to the gym``: a habit, or what went on for long."""
    gerund = clause.low(1)
    known = grammar()
    if not (
        gerund.endswith("ing") and (base_of(gerund) in known.states or gerund in known.going_on or gerund in _LASTING)
    ):
        raise NotLearnt("passing state")
    said, at = dated(clause.value(clause.at + 2), clause.setting, ahead=False)
    no_passing(said)
    yield clause.said(f"{clause.low()} {gerund}", said, Kind("event", 4), at)


_LASTING = frozenset("going running dating seeing dancing doing freelancing vaping gambling jogging".split())
