"""Plans that are cancelled, put off or given up, and what was planned in other words. English. Pure.

``The Lisbon trip is off`` ends ``plans to fly to Lisbon``: nouns of plans stand for the verbs of the same kind.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import english_words as words_of
from sandbox.extensions.memory.consolidate.rules import slots
from sandbox.extensions.memory.consolidate.rules.clauses import PLAN
from sandbox.extensions.memory.consolidate.rules.contractions import expand, without_leads
from sandbox.extensions.memory.consolidate.rules.dates import moments, without
from sandbox.extensions.memory.consolidate.rules.endings import gone
from sandbox.extensions.memory.consolidate.rules.statements import Said, Setting, Subject, Told
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.consolidate.rules.wordforms import base_of, mid
from sandbox.extensions.memory.text.places import size

# Nouns of plans, verbs that say the same, and what else comes before the place or the name.
_KINDS: tuple[tuple[frozenset[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        frozenset("trip flight holiday vacation journey visit tour getaway travel travels weekend".split()),
        ("fly to", "go to", "travel to", "visit", "drive to", "take a trip to", "take the train to"),
        ("trip to", "flight to", "holiday in", "vacation in", "visit to", "holiday to", "vacation to"),
    ),
    (frozenset(("launch", "release")), ("launch", "release", "ship"), ()),
    (frozenset(("wedding",)), ("get married", "marry"), ()),
    (frozenset(("move", "relocation")), ("move to", "relocate to", "move in with", "move into", "move"), ("move to",)),
    (frozenset("marathon race triathlon run".split()), ("run the", "run", "compete in", "do the", "take part in"), ()),
    (
        frozenset("conference convention festival concert workshop course class seminar talk party retreat".split()),
        ("attend", "go to", "speak at", "present at", "take", "give a talk at", "see", "host", "perform at"),
        (),
    ),
    (frozenset(("purchase",)), ("buy", "purchase"), ()),
    (frozenset(("surgery", "operation")), ("have", "get", "undergo"), ("has",)),
    (frozenset(("exam", "test")), ("take", "sit", "have"), ("has", "takes")),
    (frozenset(("defence", "defense", "viva")), ("defend",), ()),
    (frozenset(("presentation", "talk", "speech")), ("give", "hold", "present"), ("has",)),
)
_EVENTS = (
    words_of.HAPPENINGS
    | frozenset().union(*(nouns for nouns, *_ in _KINDS))
    | frozenset(
        "bootcamp camp training treatment therapy renovation stay sleepover housewarming "
        "haircut offsite ceremony dinner picnic barbecue bbq match hearing inspection viewing dinner lunch call".split()
    )
)

_WHAT = r"(?P<what>(?:(?:my|our|the|this year's) )?[\w'& -]{3,50}?)"
_APPOINTED = frozenset("appointment interview party meeting haircut exam checkup".split())  # I have one on Friday
_VISITED = frozenset("dentist doctor vet optician hairdresser barber physio therapist gp dermatologist".split())
_WHO = r"(?:I|we|they|he|she|(?:my|our|the) [\w ]{3,20}?|[A-Z]\w+)"
_HAD = r"(?: (?:have|has|had|had to|have to|just|decided to|ended up|am|are|will|unfortunately|sadly))*"
_OFF = (
    r"(?:(?:is|are|was|were|has been|have been|got|gets)(?: now)? (?:(?<!got )off"
    r"(?= (?:now|again|because|since|after|as|for now|this|until|due|and|so)\b|$|[,;.!])|cancell?ed"
    r"|called off|scrapped|axed|shelved|on hold|not happening|no longer happening|not going ahead"
    r"|postponed indefinitely)|fell through|will not happen"
    r"|(?:is|are) not (?:happening|going ahead|taking place)|will not be (?:happening|going ahead|taking place))"
)
_IS_OFF = re.compile(rf"^{_WHAT} {_OFF}\b", re.IGNORECASE)
_CALLED_OFF = re.compile(
    rf"^{_WHO}{_HAD} (?:cancell?(?:ed)?|call(?:ed)? off|scrap(?:ped)?|shelved?|axed?) {_WHAT}(?:$|[,;.]| (?:because"
    rf"|since|after|as|for now|due|until|and|so)\b)",
    re.IGNORECASE,
)
_PULLED_OUT = re.compile(
    rf"^(?:I|we){_HAD} (?:pull(?:ed|ing)? out of|drop(?:ped|ping)? out of|withdr[ae]w(?:n|ing)? from"
    r"|back(?:ed|ing)? out of|skip(?:ped|ping)?|(?:can|will) not (?:be able to )?make(?: it to)?|not make it to) "
    r"(?P<what>[\w'& -]{3,50}?)(?:$|[,;.]| (?:because|since|after|as|due|and|so|this year|after all|anymore)\b)",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    rf"^(?:I|we){_HAD} (?:decided against|changed (?:my|our) minds? about|gave up on|given up on"
    r"|not going through with|dropped the idea of|abandoned the (?:idea|plan) (?:of|to)|no longer (?:thinking of"
    r"|keen on)) (?P<verb>\w+ing)\b ?(?P<what>[^,;.]*)",
    re.IGNORECASE,
)
_DECIDED_AGAINST = re.compile(
    rf"^(?:(?:I|we){_HAD} (?:decided against|changed (?:my|our) minds? (?:about|on)|g[ia]ven? up on"
    rf"|not (?:going ahead|going"
    r" through) with|dropped the idea of)|(?P<order>forget|scrap|scratch|skip|never ?mind)(?: about)?) "
    rf"{_WHAT}(?:$|[,;.]| (?:because|since|after|as|and|so|for now|instead)\b)",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    rf"^(?:{_WHO}{_HAD} )?(?:push|mov|postpon|reschedul|delay|shift|bump|bring|brought|put)\w*(?: back| forward| out"
    rf"| off)? "
    rf"{_WHAT}(?: back| forward| out| off)?(?: (?:from|by) .+?)?,? (?P<when>(?:to|until|till|for|by|on) .+)$",
    re.IGNORECASE,
)
_IS_NOW = re.compile(
    rf"^{_WHAT} (?:is|are) (?:now )?(?P<when>(?:on|in|at|for) [^,]+?)(?P<now> now| instead)?(?:$|[,;])", re.IGNORECASE
)
_SLIPPED = re.compile(
    rf"^{_WHAT}(?: (?:got|has|have|had|been|was|were|is|are|being|now|just|will be))+ (?:moved|pushed|postponed"
    r"|rescheduled|scheduled|extended|delayed|shifted|bumped|brought|put)(?: back| forward| out| off| up)?(?: (?:from"
    r"|by) .+?)?,? "
    r"(?P<when>(?:(?:to|until|till|for|by|on|in) )?.+)$"
    rf"|^{_WHAT.replace('what', 'slipped')} (?:slipped|slips|slid|moved|moves|shifted|shifts|changed)"
    r"(?: back| forward| out)?(?: from [\w ]{1,20}?)?"
    r" (?P<late>(?:to|until|till) .+)$",
    re.IGNORECASE,
)


_LONGEST = 30  # words of a sentence that tells of a plan
_HINTS = frozenset(  # one of them is in each
    """
    cancel cancels canceled cancelled canceling cancelling cancellation off scrap scraps scrapped scrapping axe axed
    shelve shelved hold happening ahead place fell postpone postpones postponed postponing push pushes pushed pushing
    move moves moved moving reschedule reschedules rescheduled rescheduling delay delays delayed delaying shift shifts
    shifted shifting bring brings bringing brought put puts putting slipped skip skips skipped skipping pull pulled
    pulling drop dropped dropping withdraw withdrew withdrawn withdrawing back backed backing make mind minds against
    extended given gave through keen now instead forget scratch bump bumps bumped bumping
""".split()
)


_RENEWED = re.compile(r"(?P<whose>(?:the|my|our) )new (?P<what>\w+) (?P<is>is|are) (?!now)", re.IGNORECASE)


def renewed(text: str) -> str:
    """``The new deadline is 20 January``: the deadline is now that."""
    match = _RENEWED.match(text)
    if match is None or match["what"].lower() not in _EVENTS:
        return text
    return f"{match['whose']}{match['what']} {match['is']} now {text[match.end() :]}"


def hints(text: str) -> bool:
    """Whether a sentence may tell that a plan is off, or at another time."""
    return text.count(" ") <= _LONGEST and not _HINTS.isdisjoint(words_in(text))


def called_off(text: str, setting: Setting) -> Said | None:
    """That a plan is off, or at another time; None where that is not said. ``text`` has no contractions."""
    if not hints(text):
        return None
    if match := _IS_OFF.match(text) or _CALLED_OFF.match(text):
        about = _about(match["what"], setting)
        said = Said(about, "is cancelled", kind=PLAN) if about else None
        return replace(said, replaces=tuple(ended(match["what"], setting.speaker))) if said else None
    put_off = [match.groupdict() for way in (_PUT_OFF, _SLIPPED) if (match := way.match(text))]
    for found in put_off:
        what, when = found["what"] or found["slipped"], found["when"] or found["late"]
        if said := _at_another_time(what, when, setting):
            return said
    if put_off:
        return None
    if (match := _IS_NOW.match(text)) and (match["now"] or " now " in text):
        return _at_another_time(match["what"], match["when"], setting)
    if match := _PULLED_OUT.match(text):
        return _given_up("take part in", match["what"], setting) if _head(match["what"]) in _EVENTS else None
    if match := _AGAINST.match(text):
        return _given_up(base_of(match["verb"].lower()), match["what"], setting)
    if (match := _DECIDED_AGAINST.match(text)) and (not match["order"] or "instead" in text):
        about = _about(match["what"], setting)
        ends = tuple(ended(match["what"], setting.speaker))
        return Said(setting.speaker, "decided against", mid(about.name), PLAN, replaces=ends) if about else None
    return None


_IT = r"(?:it|that|this|the whole thing)"
_IT_IS_OFF = re.compile(
    rf"^(?:{_WHO}{_HAD} (?:call(?:ed)? {_IT} off|(?:cancel\w*|scrap\w*|drop\w*) {_IT})|{_IT} {_OFF})\b", re.IGNORECASE
)
_IT_WAS = rf"{_IT}(?: (?:got|has|had|been|was|is|being|now|just))*"
_IT_MOVED = re.compile(
    rf"^(?:{_WHO}{_HAD} (?:push|mov|postpon|reschedul|delay|shift|bump|br[io])\w* {_IT}|{_IT_WAS} (?:moved|pushed"
    r"|postponed|rescheduled|delayed|shifted|bumped))(?: back| forward| out| off| up)?"
    r" (?:to|until|till|for|by) (?P<to>.+)$|^(?P<then>(?:\w+ ){1,3}?)it is(?:,? then)?$",
    re.IGNORECASE,
)
_LATEST = 6  # statements back that ``it`` can mean


def of_it(sentence: str, told: Sequence[Told], now: datetime) -> Said | None:
    """``We called it off``, ``it got pushed to Thursday``: the plan that was told last; None where there is none."""
    plans = (
        each.said for each in reversed(told[-_LATEST:]) if each.said.kind.category == "event" and not each.said.wording
    )
    plan = next(plans, None)
    text = without_leads(expand(sentence)).strip(" .!") if plan else ""
    if plan is None or text.count(" ") >= _LONGEST:
        return None
    ends = (Replaced("change", statement=plan.content),)
    if (moved := _IT_MOVED.match(text)) and (other := slots.put(plan, (moved["to"] or moved["then"]).strip(), now)):
        return replace(other, replaces=ends)
    if _IT_IS_OFF.match(text) is None:
        return None
    if plan.subject.is_thing:
        return Said(plan.subject, "is cancelled", kind=PLAN, replaces=ends)
    return (
        replace(plan, verb=f"no longer {plan.verb}", at=None, replaces=ends) if plan.verb.split()[0] in _HOLDS else None
    )


_HOLDS = frozenset("plans has hosts is".split())


def _at_another_time(what: str, when: str, setting: Setting) -> Said | None:
    when = re.sub(r"^(?:to|until|till) (?=the \d|[A-Z]\w+ \d{1,2}(?:st|nd|rd|th)?\b)", "on ", when)
    when = re.sub(r"^(?:to|until|till) (?=[A-Z]|(?:spring|summer|autumn|fall|winter)\b)", "in ", when)
    about, found = _about(what, setting), moments(when, setting.at, ahead=True)
    if about is None or not found:
        return None
    written = re.sub(r"^(?:on|in|for|until|by) ", "", found[0].written)
    ends = tuple(ended(what, setting.speaker))
    return Said(about, "is scheduled for", written, PLAN, found[0].at, replaces=ends)


def _given_up(base: str, what: str, setting: Setting) -> Said | None:
    said = re.sub(r"\b(?:my|our)\b", f"{mid(setting.speaker.name)}'s", without(what)).strip(" ,.")
    if not said or not words_of.PRONOUNS.isdisjoint(said.lower().split()):
        return None
    ends = tuple(ended_by_verb(f"{base} {said}")) if base != "take part in" else ()
    return Said(
        setting.speaker, f"no longer plans to {base}", said, PLAN, replaces=(*ends, *ended(what, setting.speaker))
    )


def _about(what: str, setting: Setting) -> Subject | None:
    """The thing that was planned; None where it is none that can be."""
    _, whose, noun = re.split(r"^(my |our |the |this year's |)", what.strip(), maxsplit=1, flags=re.IGNORECASE)
    whose = whose.strip()
    if noun.lower() in _VISITED:
        whose, noun = "my", f"{noun.lower()} appointment"
    if noun[:1].isupper() and size(noun):
        whose, noun = "the", f"trip to {noun}"
    if (not whose and noun.lower() not in _EVENTS) or _EVENTS.isdisjoint((_head(noun), *noun.lower().split())):
        return None
    if whose.lower() in ("my", "our"):
        owner = setting.speaker.name
        return Subject(f"{owner}'s {noun}", mid(owner), is_thing=True)
    return Subject(f"The {noun}", f"the {noun}", is_thing=True)


def _head(what: str) -> str:
    words = re.split(r" (?:to|in|at|with|for|of|on) ", what.lower())[0].split()
    return words[-1] if words else ""


def ended(what: str, speaker: Subject) -> Iterator[Replaced]:
    """What was known of a plan that a noun names: by the names in it, else where there is one of its kind."""
    noun = re.sub(r"^(?:my|our|the|this year's) ", "", what, flags=re.IGNORECASE)
    noun = f"{noun} trip" if noun[:1].isupper() and size(noun) else noun
    words, names = set(noun.lower().split()), " ".join(re.findall(r"\b[A-Z][\w&'-]*", noun))
    verbs = tuple(verb for nouns, bases, others in _KINDS if nouns & words for verb in _said(bases, others))
    if verbs:
        yield gone(verbs, names or _head(noun))
    if not names:
        yield from (gone((verb,), "", speaker.name) for verb in verbs if verb in _TELLING)
    own = tuple(f"{verb} {mid(speaker.name)}'s" for verb in _PREPARES)
    yield gone((*_PREPARES, *own), names or _head(noun))
    yield gone(("is scheduled for", "is on"), "", noun)
    if noun.lower() in _VISITED or _head(noun) in _APPOINTED:
        yield gone(("has",), f"{noun} appointment" if noun.lower() in _VISITED else noun)


_PREPARES = ("plans to", "is planning", "is organising", "is organizing", "is hosting", "is preparing")
# These say themselves what kind of plan it is.
_TELLING = frozenset(
    f"plans to {base}"
    for base in (
        "fly to",
        "travel to",
        "take a trip to",
        "get married",
        "marry",
        "move to",
        "relocate to",
        "run the",
        "launch",
        "defend",
    )
) | {"is defending", "trip to", "flight to", "holiday in", "vacation in"}


def ended_by_verb(plan: str) -> Iterator[Replaced]:
    """What was known of a plan that a verb names, ``fly to Lisbon``, in that verb or another of its kind."""
    base = next((base for base in sorted(_BASES, key=len, reverse=True) if plan.startswith(f"{base} ")), "")
    names = " ".join(re.findall(r"\b[A-Z][\w&'-]*", plan))
    base = "visit" if plan.startswith("do ") and size(names) else base
    if base and names:
        kinds = (_said(bases, others) for _, bases, others in _KINDS if base in bases)
        yield gone(tuple(verb for verbs in kinds for verb in verbs), names)
        return
    verb, _, said = plan.partition(" ")
    yield gone((f"plans to {verb}", f"is {ing(verb)}", f"is planning to {verb}"), re.sub(r"^(?:an?|the) ", "", said))


_BASES = frozenset(base for _, bases, _ in _KINDS for base in bases)


def _said(bases: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    gerunds = (f"is {ing(first)} {rest}".strip() for first, _, rest in (base.partition(" ") for base in bases))
    return (*(f"plans to {base}" for base in bases), *gerunds, *others)


def ing(verb: str) -> str:
    """``fly`` -> ``flying``, ``move`` -> ``moving``."""
    if verb in ("run", "get", "swim", "put", "quit", "plan", "stop", "begin"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1] if verb.endswith('e') and not verb.endswith('ee') else verb}ing"
