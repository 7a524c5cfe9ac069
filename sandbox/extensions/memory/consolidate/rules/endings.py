"""What an English statement puts an end to: told by its verb, and found by the value it names. Pure.

``We dropped MySQL`` ends whatever is known in which the speaker's use or run on that. Verbs of one kind stand for each
other, for nobody tells the end of a thing in the words of its beginning.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules.dates import without
from sandbox.extensions.memory.consolidate.rules.statements import Said
from sandbox.extensions.memory.consolidate.rules.wordforms import base_of, mid, third

LIVES = ("lives in", "lives at", "lives on", "lives near", "lives outside", "is based in", "resides in")
WORKS = ("works at", "works for", "works in", "works with", "is employed by", "is employed at", "has a job at")
TAKES_PART = (
    "is a member of", "belongs to", "plays for", "plays in", "sings in", "attends", "studies at", "goes to",
    "is part of", "volunteers at", "volunteers with", "volunteers for", "trains at", "coaches", "leads",
)  # fmt: skip
USES = (
    "uses", "runs on", "relies on", "depends on", "requires", "is hosted on", "are hosted on", "is hosted by",
    "is hosted at", "hosts on", "deploys with", "deploys to", "deploys on", "deploys via", "is deployed to",
    "is deployed on", "is deployed with", "builds with", "is built with", "tests with", "lints with", "ships with",
    "writes code in", "codes in", "programs in", "develops in", "is written in", "are written in", "is based on",
    "stores", "is stored in", "works with", "works in", "subscribes to", "pays for", "banks with", "is running on",
    "deploys", "hosts", "builds", "tests", "lints", "ships", "logs", "tracks", "manages", "publishes",
)  # fmt: skip
DOES = (
    "plays", "does", "practices", "practises", "drinks", "eats", "takes", "collects", "smokes",
    "is learning", "has been learning", "studies", "is studying", "is doing", "is playing", "has been playing",
    "took up",
)  # fmt: skip
STUDIES = (
    "is doing", "studies", "studies at", "is studying", "is taking", "is writing", "is learning", "is training for",
    "is reading", "attends", "is enrolled in", "is preparing for",
)  # fmt: skip
HAS = ("has", "owns", "drives", "rides", "keeps", "rents")
PAIRED = (
    "is dating", "is seeing", "is in a relationship with", "is together with", "is going out with", "is married to",
    "is engaged to", "has a girlfriend", "has a boyfriend", "has a partner", "has a wife", "has a husband",
)  # fmt: skip
MARRIED = ("is married", "is married to", "has a wife", "has a husband")
_PARTNERS = ("girlfriend", "boyfriend", "partner", "fiancé", "fiancée", "wife", "husband")

_END = re.compile(
    r"\s+(?:for|in favou?r of|with|by|on|in|because|and|to|at|last|this|after|since|as|around|during|over|when|ago"
    r"|entirely|completely|altogether|for good)\b.*$"
)
_SINCE = re.compile(
    r"\s+(?:because|after|since|last|this|next|a while|ago|entirely|completely|altogether|for good)\b.*$"
)
_OWNED = re.compile(r"^(?:(?:the user's|[A-Z]\w+'s|the|an?|his|her|their|some|all|both|using)\s+)+")
_HOLDING = re.compile(r"\s+(?:subscription|account|membership|licen[cs]e|plan|app|habit|lessons|classes)$")
_AT_WORK = re.compile(r"(?:^|\b(?:at|with|for|from|by|of) )([A-Z][\w&.'-]*(?: [A-Z][\w&.'-]*)*)")
_AT_SOME_WORK = re.compile(r"(?:^|\b(?:at|with|for|from|by) )(the [a-z][\w'-]*(?: [a-z][\w'-]*)?)$")
_FROM_TO = re.compile(
    r"^(?:has |have )?(?:moved|switched|migrated|transitioned|converted|ported|went|gone|changed|upgraded)\b.*?"
    r"\bfrom (?:the |an? )?(?P<old>\S+(?: [A-Z\d]\S*)*) (?:over |on)?to \S"
)

_TOOL_NAME = re.compile(r"(?!\w+day\b)[A-Z\d]")
_JOB = (
    r"(?:left|quit|resigned(?: from)?|retired from|(?:was|were|got|been) (?:fired|laid off|made redundant|let go)"
    r"|lost .*job|dropped out|graduated)"
)
_TOOL = (
    r"(?:dropped|ditched|abandoned|dumped|scrapped|retired|uninstalled|deleted|removed|replaced|swapped(?: out)?"
    r"|cancelled|canceled|unsubscribed from|moved (?:on|off|away) from|moved off|moved away from|given up(?: on)?"
    r"|gave up(?: on)?|got rid of|stopped using|quit|left|phased out|decommissioned|outgrew|parted with)"
)
_THING = (
    r"(?:sold|gave away|given away|got rid of|lost(?! (?:track|touch|count|sight|sleep|time|hope)\b)|crashed|wrecked"
    r"|totall?ed|returned|traded(?: in)?|rehomed|donated)"
)
_PAIR = (
    r"(?:broke(?:n)? up with|split(?: up)? (?:with|from)|separated from|(?:got )?divorced(?: from)?|parted ways with)"
)
_FINISHED = r"(?:finished|completed|graduated from|dropped out of)"
_GAVE_UP = re.compile(r"^(?:has |have |had )?(?:gave up|given up|quit|dropped)\b")
_WAYS = tuple(
    (re.compile(rf"^(?:has |have |had )?(?:{words}) (?P<old>.+)$"), verbs)
    for words, verbs in (
        (_TOOL, (*USES, *TAKES_PART, *DOES)),
        (_THING, HAS),
        (_PAIR, PAIRED),
        (_FINISHED, STUDIES),
    )
)
_APART = re.compile(
    r"^(?:has |have |is |are )?(?:broke(?:n)? up|split up|separated|no longer together|got divorced|divorced)\b"
)
_STOPPED = re.compile(
    r"^(?:has |have )?(?:stopped|quit|ceased|given up|gave up|is no longer) (?P<gerund>\w+ing)\b ?(?P<what>.*)$"
)
_ALONE = {
    "smoking": ("smokes",), "vaping": ("vapes",), "drinking": ("drinks alcohol", "drinks beer", "drinks wine"),
    "freelancing": ("freelances",), "meditating": ("meditates",),
}  # fmt: skip
_LIKE = (LIVES, WORKS, USES, HAS, PAIRED)


def ended(said: Said) -> Iterator[Replaced]:
    """What a statement puts an end to, where it names that; of a thing only what is known of it."""
    is_other = said.subject.is_thing and not said.subject.name.endswith(" team")
    for each in _ended(said):
        yield replace(each, statement=each.statement or said.subject.name) if is_other else each


def told(text: str, *, is_team: bool = False) -> str:
    """The verb with which a clause begins, where that puts an end to what is named behind it; empty for any other.
    What a team moves from one thing to another stays there.
    """
    if is_team and (moved := _FROM_TO.match(text)) and _TOOL_NAME.match(moved["old"]):
        return text.split(" ", 1)[0]
    for pattern, verbs in _WAYS:
        match = pattern.match(text)
        if verbs is STUDIES:
            continue
        if match and (old := named(_END.sub("", f" {match['old']}"))) and _is_told(match["old"], old, verbs):
            return text[: match.start("old")].strip()
    return ""


def _ended(said: Said) -> Iterator[Replaced]:
    text = f"{said.verb} {said.value}".strip()
    if (job := re.match(rf"(?:has |have )?{_JOB}\b ?(?P<where>.*)$", text)) and (
        place := _AT_WORK.search(job["where"]) or _AT_SOME_WORK.search(job["where"])
    ):
        yield gone((*WORKS, *TAKES_PART), place[1].removeprefix("the "))
    if stopped := _STOPPED.match(text):
        yield from _given_up(said, stopped["gerund"], stopped["what"])
        return
    for pattern, verbs in _WAYS:
        match = pattern.match(text)
        if match and (old := named(_END.sub("", f" {match['old']}"))) and _is_told(match["old"], old, verbs):
            yield gone(verbs, old)
            if verbs is PAIRED:
                yield from _partner(said, old)
        elif match and old and _GAVE_UP.match(text):  # "the cello": not its use, but what is done with it
            yield gone(DOES, old)
    if moved := _FROM_TO.match(text):
        yield gone(USES, moved["old"])
    yield from _eaten(said)
    if _APART.match(text) and not re.search(r"\b(?:with|from) [A-Z]", text):
        yield from (gone((verb,), "", said.subject.name) for verb in (*PAIRED, *MARRIED))
        yield from _partner(said, "")


_EATS = re.compile(
    r"^(?:eats?|went back to eating|started eating|is eating|has been eating)(?: \w+)? ?(?P<what>meat|chicken|beef"
    r"|pork|bacon"
    r"|steaks?|turkey|lamb|fish|seafood|salmon|sushi|eggs|cheese|dairy|milk|yog[h]?urt|butter|honey)\b"
)
_MEAT = frozenset("meat chicken beef pork bacon steak steaks turkey lamb".split())
_FISH = frozenset("fish seafood salmon sushi".split())


def _eaten(said: Said) -> Iterator[Replaced]:
    """Who eats meat is no vegetarian, who has eggs no vegan."""
    if match := _EATS.match(f"{said.verb} {said.value}"):
        what = match["what"]
        diets = ("vegan", "vegetarian", "pescatarian", "plant-based")
        for diet in diets[: 3 if what in _MEAT else 2 if what in _FISH else 1]:
            yield gone(("is", "went"), diet, said.subject.name)


def another_job(whose: str) -> Replaced:
    """That somebody works for no other than before."""
    return Replaced("change", statement=whose, verbs=("works at", "works for"))


def gone(verbs: tuple[str, ...], value: str, whose: str = "") -> Replaced:
    """That no longer is said with one of some verbs what has a value; without one, whose it is must be said."""
    return Replaced("change", statement=whose, verbs=verbs, value=value)


def like(verb: str) -> tuple[str, ...]:
    """A verb, and those that stand for it."""
    return next((verbs for verbs in _LIKE if verb in verbs), (verb,))


def named(text: str) -> str:
    """The value itself, without whose it is and since when."""
    return _HOLDING.sub("", _OWNED.sub("", _SINCE.sub("", without(text)).strip())).strip(" ,.")


def _is_told(text: str, value: str, verbs: tuple[str, ...]) -> bool:
    """Whether it is its use that ends: ``dropped MySQL``, ``gave up tennis``, not ``dropped my phone``."""
    is_name = value != value.lower() or bool(re.search(r"\d", value)) or value.split()[-1] in _CIRCLES
    return verbs in (HAS, STUDIES) or is_name or not _OWNED.match(text) or bool(_HOLDING.search(_END.sub("", text)))


_CIRCLES = frozenset(
    "club team band choir orchestra group board party church society association committee squad league class".split()
)


def _partner(said: Said, name: str) -> Iterator[Replaced]:
    """``The user's girlfriend is Ann``."""
    for noun in _PARTNERS:
        whose = f"{said.subject.name}'s {noun}"
        yield Replaced("change", statement=whose, verbs=("is", "is called"), value=name, subject=mid(whose))
        if name:
            yield Replaced("change", statement=name, verbs=(f"is {mid(whose)}",), subject=name)


def _given_up(said: Said, gerund: str, what: str) -> Iterator[Replaced]:
    """``stopped going to the gym``: goes there."""
    verb = third(base_of(gerund))
    if not what or re.match(
        r"(?:in|on|last|since|around|this|for|altogether|completely|over|during|after|back|because)\b", what
    ):
        alone = _ALONE.get(gerund, (verb, f"is {gerund}", f"has been {gerund}"))
        yield from (gone((each,), "", said.subject.name) for each in alone)
        return
    preposition = re.match(r"(?:in|on|at|for|with|to) ", what)
    joint = f"{verb} {preposition[0].strip()}" if preposition else verb
    value = named(what[preposition.end() :] if preposition else what)
    if value:
        yield gone((*like(joint), f"is {gerund}", f"has been {gerund}"), value)
