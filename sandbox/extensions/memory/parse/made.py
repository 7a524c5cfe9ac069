"""Make a statement, with its sentence and its claims, from a frame and the words in its slots."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sandbox.extensions.memory.claims import SAID, Claim, attributes, predicate, predicates
from sandbox.extensions.memory.parse import wording
from sandbox.extensions.memory.parse.language import Frame, Language, split_case
from sandbox.extensions.memory.parse.pattern import LIST, slots
from sandbox.extensions.memory.parse.subjects import People, Subject, named, project, thing
from sandbox.extensions.memory.parse.times import Moment, ahead
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.parse.values import KNOWN_PLACE, capitalised, dictionary_form, listed, told, written

_TIMELESS = frozenset(("habit", "likes", "dislikes", "favourite", "plays"))  # these happen at no single time

_NAMES = frozenset(
    ("name", "called", "place", KNOWN_PLACE, "person", "city", "somebody", "a_given")
)  # kinds whose values are capitalised
_MONTH = 31  # days
_AHEAD = frozenset("plan appointment deadline event starts_on travels_to birthday reminder goal".split())
_TODAY = _AHEAD | {"age", "death"}  # what may be told of one day and still lasts: *turned 7 today*
_PUBLIC = frozenset(  # things that are said of famous people
    "home hometown birthplace birthday nationality spouse job employer plays school studies health death drives".split()
)
_ANYBODYS = frozenset("parent child sibling grandparent grandchild".split())  # *the father* is not the speaker's
_GROWN_UP = frozenset("parent grandparent spouse partner manager".split())
_MOURNED = frozenset("parent grandparent spouse child sibling".split())
_GROWN = 16  # years
_DATED = frozenset(("deadline", "event"))  # these are often in another month than the next one
_PASSING = re.compile(
    r"(?<!\S)(?:r0|(?<!L )s\d(?! (?:i )?Y)|T h)(?!\S)"
)  # today, this night, a season, but no past one


@dataclass(frozen=True, slots=True)
class Statement:
    """The content of a clause: its sentence, claims, subject, and names. ``at`` is when it happens or began, ``until``
    when it ends; ``number`` is its turn. ``also`` are statements of the same clause: *a nurse at Acme*.
    """

    content: str
    claims: tuple[Claim, ...]
    subject: Subject
    number: int = 0
    at: datetime | None = None
    until: datetime | None = None
    names: tuple[str, ...] = ()
    frame: Frame | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    times: tuple[Moment, ...] = ()
    also: tuple["Statement", ...] = ()


class StatementMaker:
    """Makes the statements of one sentence from what frames capture in it; hears who is named there."""

    def __init__(
        self,
        text: str,
        said: Sequence[Token],
        tongue: Language,
        people: People,
        now: datetime,
        *,
        to_assistant: bool,
    ) -> None:
        self._text = text
        self._said = said
        self._tongue = tongue
        self._people = people
        self._now = now
        self._to_assistant = to_assistant

    def made(
        self, frame: Frame, captured: Mapping[str, object], said: Sequence[Token], times: Sequence[Moment]
    ) -> Statement | None:
        """The statement of a frame with the values of its slots."""
        values, kinds = self._values(frame, captured)
        subject = next((each for each in captured.values() if isinstance(each, Subject)), self._people.speaker)
        if "s" in values:
            subject = thing(values.pop("s"), self._tongue)
        elif subject.is_self and frame.predicate != "kin" and predicates()[frame.predicate].core == "project":
            subject = project(self._tongue)
        text = f" {' '.join(token.lower for token in said)} "
        if any(never in text for never in self._tongue.never.get(frame.predicate, ())):
            return None
        name, noun = frame.predicate, values.pop("kin", "")
        if name == "kin":
            if not noun and not subject.is_named:  # *her name is Ann*, of the user's sister
                noun, subject = subject.kin, self._people.speaker
            relation = self._relation(noun, captured.get("kin"))
            if relation is None or "v" not in values:
                return None
            name, noun = relation
            for each in listed(values["v"], kinds["v"], self._tongue):
                somebody = named(each, self._tongue)
                self._people.hear(replace(somebody, gender=self._tongue.kin[noun].gender or somebody.gender, kin=noun))
        if name == "name" and subject.is_named and not subject.is_self:
            return None
        if kinds.get("v") == "lost" and not self._is_mourned(subject):
            return None
        if name == "age" and self._is_too_young(values.get("v", ""), subject):
            return None
        if self._is_known_to_all(name, frame, subject):
            return None
        for slot, kind in kinds.items():
            if kind.removesuffix(LIST) == "name" and slot in values:
                for each in listed(values[slot], kind, self._tongue):
                    self._people.hear(named(each, self._tongue))
        tail = captured.get("tail")
        if isinstance(tail, Sequence) and tail:  # its time is of something else: *for our trip in June*
            times = [each for each in times if self._said[each.start].start < tail[0].start]
        is_ahead = name in _AHEAD or frame.modality == "plan"
        times = [ahead(each, self._now) if is_ahead or each.role in ("until", "from") else each for each in times]
        if self._is_of_the_moment(name, frame, times):
            return None
        if self._is_to_come(name, frame, times):
            frame = replace(frame, modality="plan")
        return statement(frame, name, noun, subject, values, kinds, tuple(times), self._tongue)

    def _values(self, frame: Frame, captured: Mapping[str, object]) -> tuple[dict[str, str], dict[str, str]]:
        """The values of the slots, those in a case with ``name:case`` too, and the kinds of the slots."""
        kinds = {node.name: node.kind for node in slots(frame.nodes)}
        is_timed = "{when}" in self._tongue.wordings[frame.predicate].get("say", "")
        values = {
            name: told(held, self._text, self._tongue, is_timed=is_timed)
            if kinds[name] in self._tongue.free
            else written(held, self._text, self._tongue, kinds[name])
            for name, held in captured.items()
            if isinstance(held, Sequence) and held
        }
        for name, kind in kinds.items():
            kinds[name], case = split_case(kind)
            if case and name in values:
                values[f"{name}:{case}"] = values[name]
                values[name] = self._tongue.forms.base(values[name], case)
        return values, kinds

    def _relation(self, noun: str, held: object) -> tuple[str, str] | None:
        """The predicate of a word for a relative, and the word as the language lists it; None if it is unknown, or
        anybody's: *the father*.
        """
        in_full = held[-1].lower if isinstance(held, Sequence) and held else ""
        forms = (noun.lower(), noun.lower().replace(" ", "_"), *sorted(self._tongue.lemmas(noun.lower())), in_full)
        known = [form for form in forms if form in self._tongue.kin]
        if not known:
            return None
        listed_as = next((form for form in known if self._tongue.kin[form].gender != "p"), known[0])
        name = self._tongue.kin[listed_as].predicate
        is_anybodys = name in _ANYBODYS and isinstance(held, Sequence) and "definite" in held[0].classes
        return None if is_anybodys else (name, listed_as)

    def _is_of_the_moment(self, name: str, frame: Frame, times: Sequence[Moment]) -> bool:
        """Whether the times are of today alone, or too vague for the date that it tells."""
        if name in _DATED and any(each.is_bare_day for each in times):
            return True
        return frame.modality == "fact" and name not in _TODAY and any(_PASSING.search(each.symbols) for each in times)

    def _is_to_come(self, name: str, frame: Frame, times: Sequence[Moment]) -> bool:
        """Whether what it tells as a fact begins later."""
        roles = ("at", "from") if "plan" in self._tongue.wordings.get(name, {}) else ("at",)
        is_later = any(each.role in roles and each.span[0] > self._now.date() for each in times)
        return frame.modality == "fact" and is_later and name not in _AHEAD

    def _is_too_young(self, age: str, subject: Subject) -> bool:
        """Whether nobody of that age is what the speaker calls the subject: *my mum is 12*."""
        kin = self._tongue.kin.get(subject.kin)
        return kin is not None and kin.predicate in _GROWN_UP and age.isdecimal() and int(age) < _GROWN

    def _is_mourned(self, subject: Subject) -> bool:
        """Whether nobody loses the subject but by death, as a pet or a friend: *I lost my dad in 2019*."""
        kin = self._tongue.kin.get(subject.kin)
        return kin is not None and kin.predicate in _MOURNED

    def _is_known_to_all(self, name: str, frame: Frame, subject: Subject) -> bool:
        """Whether a statement to an assistant is about a person who is not the speaker's: *Messi plays football*."""
        is_theirs = subject.is_self or subject.is_thing or not subject.is_named or bool(subject.kin)
        is_theirs = is_theirs or subject.name.lower() in self._people.by_name
        is_chat = self._to_assistant and not self._people.is_told
        return is_chat and name in _PUBLIC and frame.modality != "plan" and not is_theirs


def statement(
    frame: Frame,
    name: str,
    noun: str,
    subject: Subject,
    values: dict[str, str],
    kinds: Mapping[str, str],
    times: tuple[Moment, ...],
    tongue: Language,
) -> Statement | None:
    """The statement of a frame with a subject and its slots; None if it has no wording for that."""
    section = {"plan": "plan", "past": "past"}.get(frame.modality, "say" if frame.is_affirmed else "deny")
    kind = kinds.get("v", "text")
    told = listed(values.get("v", ""), kind, tongue)
    if frame.predicate == "kin":
        return _together(kin_statement(noun, name, each, subject, tongue) for each in told)
    known = predicate(name)
    if len(told) > 1 and known.many and known.may_end and known.category == "fact":  # each may end by itself
        rest = {key: value for key, value in values.items() if not key.startswith("v:")}
        kinds = {**kinds, "v": kind.removesuffix(LIST)}
        return _together(
            statement(frame, name, noun, subject, {**rest, "v": each}, kinds, times, tongue) for each in told
        )
    template = tongue.wordings[name].get(section)
    if template is None:
        return None
    if "{day}" in template and not any((each.span[1] - each.span[0]).days <= _MONTH for each in times):
        return None
    if name in _TIMELESS and frame.is_affirmed and any(each.role == "at" for each in times):
        return None
    if frame.modality == "fact" and frame.is_affirmed and "{when}" not in template and "{day}" not in template:
        times = tuple(replace(each, role="since") if each.role == "at" else each for each in times)
    if kind in _NAMES:
        told = [capitalised(values.get("v", ""), tongue)]
        values["v"] = told[0]
    on = _time_of(times)
    if known.value == "date":
        told = [next((_date(name, each) for each in times if each.symbols), "")]
    bare = kind.removesuffix(LIST)
    claims = [
        Claim(subject.name, name, dictionary_form(bare, each, tongue), frame.is_affirmed, frame.modality, on)
        for each in told
        if each
    ]
    if frame.is_affirmed and not claims:
        return None
    asked = values.get("v", "").lower().split() if name == "instruction" else []
    if asked and (tongue.has("points_at", asked[-1]) or all(tongue.has("points_back", word) for word in asked)):
        return None  # *do that always*, *never commit it*: only what was said before tells what
    claims = claims or [Claim(subject.name, name, "", False, frame.modality, on)]
    if name == "favourite":
        claims.append(replace(claims[0], predicate=attributes.named([name, values["x"].lower()])))
    if "old" in values:
        claims.append(Claim(subject.name, name, dictionary_form(kinds["old"], values["old"], tongue), False))
    first = next((each for each in times if each.role in ("at", "since", "from") and each.symbols), None)
    last = next((each for each in times if each.role == "until"), None)
    content = wording.worded(template, subject, values, [each for each in times if each.symbols], tongue)
    if not content:
        return None
    others = (
        statement(
            replace(frame, predicate=other), other, "", subject, {"v": values[slot]}, {"v": kinds[slot]}, times, tongue
        )
        for other, slot in frame.also.items()
        if slot in values
    )
    return Statement(
        content,
        tuple(claims),
        subject,
        at=first.at if first else None,
        until=last.at if last else None,
        names=tuple(filter(None, (values.get("v", "") if kind in _NAMES else "",))),
        frame=frame,
        values=values,
        times=times,
        also=tuple(filter(None, others)),
    )


def _together(some: Iterable[Statement | None]) -> Statement | None:
    """The first of some statements of one clause, with the others beside it."""
    found = [each for each in some if each is not None]
    return replace(found[0], also=(*found[0].also, *found[1:])) if found else None


def kin_statement(noun: str, name: str, value: str, speaker: Subject, tongue: Language) -> Statement:
    """The statement that a relative of the speaker has a name."""
    value = capitalised(value, tongue)
    template = tongue.times["kin_called"]
    words = {"v": value, "kin": noun.replace("_", " ")}
    content = wording.worded(template, speaker, words, (), tongue)
    return Statement(content, (Claim(speaker.name, name, value),), speaker, names=(value,))


def report(text: str, speaker: Subject, tongue: Language) -> Statement:
    """The statement in the speaker's own words."""
    text = " ".join(text.split()).strip(" .,;")
    content = tongue.times["said"].format(who=speaker.label, text=text)
    return Statement(f"{content[:1].upper()}{content[1:]}", (Claim(speaker.name, SAID, text),), speaker)


def _date(name: str, moment: Moment) -> str:
    """The day as a claim's value; for a birthday, one of every year."""
    day = replace(moment, role="at").iso
    return f"-{day[4:]}" if name == "birthday" and len(day) > 4 else day


def _time_of(times: Sequence[Moment]) -> str | None:
    told = [each for each in times if each.symbols]
    return told[0].iso if told else None
