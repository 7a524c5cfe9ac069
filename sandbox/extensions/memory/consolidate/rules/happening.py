"""What happened, when, and what it began or put an end to. English. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules.clauses import (
    FACT,
    TELLING,
    Clause,
    head_of,
    of_person,
    owner,
    said_of,
    team_of,
    without_adverbs,
)
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Said
from sandbox.extensions.memory.consolidate.rules.values import dated
from sandbox.extensions.memory.consolidate.rules.wordforms import Phrase, grammar, lookup, third


def used_to(clause: Clause) -> Iterator[Said]:
    """``used to work at Acme``: no longer does."""
    if clause.low(1) != "to":
        yield from _happened_or_not(clause)
        return
    clause = without_adverbs(clause.ahead(2))
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
            was = Replaced("change", statement=said_of(clause, "is", said, FACT).content)
            yield replace(said_of(clause, "used to be", said, FACT), replaces=(was,))
            return
        before = said_of(clause, "works as", said, FACT).content
        yield replace(said_of(clause, "used to be", said, FACT), replaces=(Replaced("change", statement=before),))
        return
    before = said_of(clause, third(verb), said, of_person(clause)).content
    ended = (Replaced("change", statement=before),) if (verb in grammar().states) else ()
    yield replace(said_of(clause, f"used to {verb}", said, replace(of_person(clause), importance=2)), replaces=ended)


_BEGINS = {
    "moved to": "lives in",
    "relocated to": "lives in",
    "moved back to": "lives in",
    "emigrated to": "lives in",
    "immigrated to": "lives in",
    "moved into": "",
}
_NO_EVENT = re.compile(
    r"^(?:the (?:store|shop|bathroom|doctor|end|point|same|wrong)|bed|sleep|work|crazy|well|great|(?:a"
    r"|the) (?:lot|bit|way|few|fun|great time|good time))\b",
    re.I,
)


def _happened_or_not(clause: Clause) -> Iterator[Said]:
    found = lookup(grammar().events, clause.words, clause.at)
    if found is None:
        raise NotLearnt("passing state")
    yield from happened(clause, *found)


def happened(clause: Clause, phrase: Phrase, end: int) -> Iterator[Said]:
    """``moved to Leeds last week``: on a date; and what holds since."""
    learnt = " ".join(phrase.said)
    said, at = dated(clause.value(end), clause.setting, ahead=False)
    if clause.habit in ("never", "rarely", "hardly"):
        raise NotLearnt("passing state")
    place = re.sub(r"(?:^|\s+)(?:on|in|around|from|with|for|a (?:few|couple)|last|this|at|to be|just)\b.*$", "", said)
    if learnt == "moved from" and (to := re.search(r"^(?P<from>[A-Z].*?) to (?P<to>[A-Z]\S*(?: [A-Z]\S*)*)", said)):
        yield from _moved(clause, f"{to['to']} from {to['from']}{said[to.end() :]}", to["to"], at)
    elif learnt in _BEGINS and place[:1].isupper():
        yield from _moved(clause, said, place, at)
    elif (
        (learnt == "joined" and re.match(r"[A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*$", place))
        or learnt in ("started working", "got a job", "got a new job")
        or (learnt == "started a" and said.startswith("new job"))
    ):
        yield from _new_work(clause, said, at)
    elif learnt in ("switched to", "switched from", "migrated from", "migrated to"):
        yield from _switched(clause, learnt, said, at)
    else:
        if (not said and len(phrase.said) < 2) or (said and _NO_EVENT.match(said)):
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
        bare = (
            not at
            and len(said.split()) == 2
            and said.islower()
            and learnt in ("went on", "saw", "attended", "met", "made a")
        )
        if not telling or bare:
            raise NotLearnt("not self-contained")
        verb = re.sub(r"\bmy\b", owner(clause), learnt)
        yield replace(
            said_of(clause, verb, said, phrase.kind, at), replaces=tuple(_ended_by(clause, learnt, said, place))
        )
        if learnt in ("left", "quit") and (
            match := re.search(r"^([A-Z]\S*(?: [A-Z]\S*)*) (?:for|to join) ([A-Z]\S*(?: [A-Z]\S*)*)", said)
        ):
            yield said_of(clause, "works at", match[2], of_person(clause), at)


def _moved(clause: Clause, said: str, place: str, at: datetime | None) -> Iterator[Said]:
    origin = re.search(r"\bfrom ([A-Z][\w.-]*(?: [A-Z][\w.-]*)*)", said)
    ended = (Replaced("change", statement=said_of(clause, "lives in", origin[1], FACT).content),) if origin else ()
    yield replace(said_of(clause, "lives in", place, of_person(clause), at), replaces=ended)
    if at or origin:
        yield said_of(clause, "moved to", said, Kind("event", 3), at)


def _new_work(clause: Clause, said: str, at: datetime | None) -> Iterator[Said]:
    kind = of_person(clause)
    place = re.search(r"(?:^|\b(?:at|for|with) )([A-Z][\w&.'-]*(?: [A-Z][\w&.'-]*)*)", said)
    role = re.search(r"\bas (an? [\w-]+(?: [\w-]+)?)", said)
    if place:
        yield said_of(clause, "works at", place[1], kind, at)
    if role:
        yield said_of(clause, "works as", re.sub(r" (?:at|in|for|on|with)$", "", role[1]), kind, at)
    if not place and not role:
        raise NotLearnt("not self-contained")


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
    ended = (Replaced("change", statement=said_of(clause, "uses", old, FACT).content),) if old else ()
    yield replace(said_of(clause, "uses", new[0], Kind("fact", 3), at), replaces=ended)


_LEAVING = (
    "left", "quit", "was fired", "got fired", "was laid off", "got laid off", "resigned", "resigned from",
    "retired from",
    "lost my", "stopped working", "gave up", "retired", "finished",
)  # fmt: skip
_JOB = re.compile(r"(?:^|\b(?:at|with|for|from) )([A-Z][\w&.'-]*(?: [A-Z][\w&.'-]*)*)")


def _ended_by(clause: Clause, learnt: str, said: str, place: str) -> Iterator[Replaced]:
    """What an event puts an end to."""
    verb, said = "", re.sub(r"\s*\b(?:on|in|around) (?:[\w ]+ )?(?:19|20)\d\d$", "", said)
    if learnt in ("left", "quit") and place[:1].isupper():
        verb, said = "works at", re.sub(r" (?:for|to join) .*$", "", place)
    elif learnt in _LEAVING and (left := _JOB.search(said)):
        verb, said = "works at", left[1]
    elif learnt in ("cancelled", "canceled", "called off", "gave up on"):
        what = re.sub(r"^(?:the user's|the|a|an) ", "", said)
        names = " ".join(re.findall(r"[A-Z]\w+", what)) or what
        yield Replaced("change", statement=f"{clause.about.name} plans {names}.")
        yield Replaced("change", statement=f"{clause.about.name}'s {what} is scheduled for.")
    elif learnt.startswith(("stopped ", "gave up")) or (learnt == "quit" and said.split(" ")[0].endswith("ing")):
        gerund = (learnt.split()[1:] or said.split())[0] if learnt.startswith("stopped") else said.split(" ")[0]
        base = {
            "smoking": "smoke",
            "drinking": "drink",
            "eating": "eat",
            "working": "work",
            "playing": "play",
            "using": "use",
        }.get(gerund)
        if base:
            verb, said = third(base), said.removeprefix(gerund).strip()
    if verb:
        yield Replaced("change", statement=said_of(clause, verb, said, FACT).content)
