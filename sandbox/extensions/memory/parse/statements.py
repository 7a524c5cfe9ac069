"""Make a statement, with its sentence and its claims, from a frame and the words in its slots."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import cast

from sandbox.extensions.memory.claims import OF_ONE, SAID, Claim, attributes, predicate, predicates
from sandbox.extensions.memory.claims.moments import ends
from sandbox.extensions.memory.parse import wording
from sandbox.extensions.memory.parse.kinds import KNOWN_PLACE, is_like_name
from sandbox.extensions.memory.parse.language import Frame, Language, split_case
from sandbox.extensions.memory.parse.pattern import LIST, slots, stands_in
from sandbox.extensions.memory.parse.subjects import Spoken, Subject, named, project, thing, told_apart, which_of
from sandbox.extensions.memory.parse.times import Moment, ahead
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.parse.values import capitalised, dictionary_form, listed, told, written
from sandbox.extensions.memory.text.spans import back

_TIMELESS = frozenset(("habit", "likes", "dislikes", "prefers", "favourite", "plays"))  # these happen at no single time

_NAMES = frozenset(
    ("name", "called", "place", KNOWN_PLACE, "person", "city", "somebody", "a_given")
)  # kinds whose values are capitalised
_MONTH = 31  # days
_AHEAD = frozenset("plan appointment deadline event starts_on travels_to birthday reminder goal".split())
_TODAY = _AHEAD | {"age", "death"}  # what may be told of one day and still lasts: *turned 7 today*
_RULE = "convention"
_PUBLIC = frozenset(  # things that are said of famous people
    "home hometown birthplace birthday nationality spouse job employer plays school studies health death drives".split()
)
_GROWN_UP = frozenset("parent grandparent spouse partner manager".split())
_GROWN = 16  # years
_PASSING = re.compile(
    r"(?<!\S)(?:r0|(?<!L )s\d(?! (?:i )?Y)|T h)(?!\S)"
)  # today, this night, a season, but no past one


@dataclass(frozen=True, slots=True)
class Statement:
    """The content of a clause: its sentence, claims, subject, and names. ``told`` is when it happens or began, in ISO
    8601, ``until`` when it ends; ``number`` is its turn; ``corrects`` is the statement that it puts right; ``also`` are
    statements of the same clause: *a nurse at Acme*.
    """

    content: str
    claims: tuple[Claim, ...]
    subject: Subject
    number: int = 0
    corrects: "Statement | None" = None
    told: str | None = None
    until: datetime | None = None
    names: tuple[str, ...] = ()
    frame: Frame | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    times: tuple[Moment, ...] = ()
    also: tuple["Statement", ...] = ()

    @property
    def is_denial(self) -> bool:
        """Whether a frame reads in it that something is over or not so."""
        return self.frame is not None and not self.frame.is_affirmed


def interpret(
    frame: Frame, captured: Mapping[str, object], said: Sequence[Token], times: Sequence[Moment], spoken: Spoken
) -> Statement | None:
    """The statement of a frame with what its slots captured in some words of a sentence; hears who is named there."""
    language, people = spoken.language, spoken.people
    text = f" {' '.join(token.lower for token in said)} "
    if any(never in text for never in language.never.get(frame.predicate, ())):
        return None
    values, kinds = _values(frame, captured, spoken)
    told_of = next((each for each in captured.values() if isinstance(each, Subject)), None)
    if told_of is None and any(split_case(slot.kind)[0] == "who" for slot in slots(frame.nodes)):
        before = (token for token in spoken.words if token.start < said[0].start)
        if people.others or any("/name" in token.lemmas for token in before):
            return None  # «Лена, моя сестра, беременна»
    if values.get("s", "").lower() in language.kin:  # *my sister is due in May*
        return None
    if frame.predicate == "instruction" and _points_at(captured.get("v"), language):
        return None
    subject = told_of or people.speaker
    if "s" in values:
        subject = thing(values.pop("s"), language)
    elif frame.predicate == "kin":
        held = cast(Sequence[Token], captured["kin"])
        forms = ("_".join(token.lower for token in held), held[-1].lower, *sorted(held[-1].lemmas))
        known = [each for each in forms if each in language.kin]
        noun = next((each for each in known if language.kin[each].gender != "p"), known[0])
        values["kin"], kin = noun, language.kin[noun]
        frame = replace(frame, predicate=kin.predicate)
        for each in listed(values["v"], kinds["v"], language):
            people.hear(told_apart(named(each, language), noun, which_of(said, language), people, language))
    elif subject.is_self and predicates()[frame.predicate].core == "project":
        # *I use Obsidian* is of one, *we use Redis* is not
        is_of_one = any("self" in token.kinds and "we" not in token.kinds for token in said)
        subject = subject if is_of_one else project(language)
    if frame.predicate == "pronouns" and _is_of_another(spoken, values["v"]):
        return None
    if _is_misread(frame, subject, values, language) or _is_known_to_all(frame, subject, spoken):
        return None
    for slot, kind in kinds.items():
        if kind.removesuffix(LIST) == "name" and slot in values:
            for each in listed(values[slot], kind, language):
                people.hear(named(each, language))
    tail = captured.get("tail")
    if isinstance(tail, Sequence):  # its time is of something else: *for our trip in June*
        times = [each for each in times if spoken.words[each.start].start < tail[0].start]
    times = times_of(frame, times, spoken.at)
    if _is_of_the_moment(frame, times) or _is_end_to_come(frame, said, times, spoken):
        return None
    if _is_to_come(frame, times, spoken):
        frame = replace(frame, modality="plan")
    return build_statement(frame, subject, values, kinds, times, language)


def _points_at(held: object, language: Language) -> bool:
    """Whether a wish is about something that only its conversation shows: *give them a downgrade*, *don't touch that
    file*.
    """
    words = [token.lower for token in held] if isinstance(held, Sequence) else []
    is_last = bool(words) and language.has("points_at", words[-1])  # *do that always*, but not *ask me*
    return is_last or any(
        language.has("order", one) and language.has("points_away", other) for one, other in pairwise(words[:4])
    )


def _is_end_to_come(frame: Frame, said: Sequence[Token], times: Sequence[Moment], spoken: Spoken) -> bool:
    """Whether it tells an end that has not come: *I'm leaving Acme in May*."""
    is_end = not frame.is_affirmed and stands_in(spoken.language.classes["leaving"], said, spoken.heard)
    return is_end and any(ahead(each, spoken.at).span[0] > spoken.at.date() for each in times)


def times_of(frame: Frame, times: Sequence[Moment], now: datetime) -> tuple[Moment, ...]:
    """The times of a frame: those to come that name no year are the next ones."""
    is_ahead = frame.predicate in _AHEAD or frame.modality == "plan"
    roles = ("at", "from", "until") if is_ahead else ("from", "until")
    is_plan = frame.modality == "plan"  # «с 1 апреля выхожу на работу»
    found = [ahead(each, now) if is_plan or each.role in roles else each for each in times]
    last = max((each.span for each in found if each.role == "until"), default=None)
    return tuple(_year_before(each) if last and each.role == "from" and each.span > last else each for each in found)


def _year_before(moment: Moment) -> Moment:
    first, behind = moment.span
    return replace(moment, span=(back(first, 1, "y"), back(behind, 1, "y")))


def _is_of_another(spoken: Spoken, pronouns: str) -> bool:
    """Whether pronouns are those of somebody else whom the sentence names: *my boss Jo (she/they)*, *Kim uses they*."""
    kinds = frozenset[str]().union(*(token.kinds for token in spoken.words))
    is_named = any(is_like_name(token) for token in spoken.words[1:]) and kinds.isdisjoint(("self", "me", "my"))
    return "kin" in kinds or is_named or "/" not in pronouns.split()[0]


def _is_misread(frame: Frame, subject: Subject, values: Mapping[str, str], language: Language) -> bool:
    """Whether the slots do not fit together: a parent of 12."""
    kin = language.kin.get(subject.kin)
    is_grown = kin is not None and kin.predicate in _GROWN_UP
    return is_grown and frame.predicate == "age" and values["v"].isdecimal() and int(values["v"]) < _GROWN


def _values(frame: Frame, captured: Mapping[str, object], spoken: Spoken) -> tuple[dict[str, str], dict[str, str]]:
    """The values of the slots, those in a case with ``name:case`` too, and the kinds of the slots."""
    text, language = spoken.text, spoken.language
    kinds = {node.name: node.kind for node in slots(frame.nodes)}
    values = {
        name: told(held, text, language) if kinds[name] in language.free else written(held, text, language, kinds[name])
        for name, held in captured.items()
        if isinstance(held, Sequence)
    }
    for name, kind in kinds.items():
        kinds[name], case = split_case(kind)
        if case and name in values:
            values[f"{name}:{case}"] = values[name]
            values[name] = language.forms.base(values[name], case)
    return values, kinds


def _is_of_the_moment(frame: Frame, times: Sequence[Moment]) -> bool:
    """Whether the times are of today alone, or make an event of a rule: *releases go live on 17 June*."""
    is_fact, is_rule = frame.modality == "fact" and frame.predicate not in _TODAY, frame.predicate == _RULE
    return is_fact and any(_PASSING.search(each.symbols) or (is_rule and each.role == "at") for each in times)


def _is_to_come(frame: Frame, times: Sequence[Moment], spoken: Spoken) -> bool:
    """Whether what it tells as a fact begins later."""
    roles = ("at", "from") if "plan" in spoken.language.wordings.get(frame.predicate, {}) else ("at",)
    is_later = any(each.role in roles and each.span[0] > spoken.at.date() for each in times)
    return frame.modality == "fact" and is_later and frame.predicate not in _AHEAD


def _is_known_to_all(frame: Frame, subject: Subject, spoken: Spoken) -> bool:
    """Whether a statement to an assistant is about a person who is not the speaker's: *Messi plays football*."""
    is_theirs = subject.is_self or subject.is_thing or not subject.is_named or bool(subject.kin)
    is_theirs = is_theirs or spoken.people.knows(subject.name)
    return spoken.setting == "chat" and frame.predicate in _PUBLIC and frame.modality != "plan" and not is_theirs


def build_statement(
    frame: Frame,
    subject: Subject,
    values: dict[str, str],
    kinds: Mapping[str, str],
    times: tuple[Moment, ...],
    language: Language,
) -> Statement | None:
    """The statement of a frame with a subject and its slots; None if it has no wording for that."""
    name, kind = frame.predicate, kinds.get("v", "text")
    told = listed(values.get("v", ""), kind, language)
    if "kin" in values:
        named = _together(kin_statement(values["kin"], name, each, subject, language) for each in told)
        return named and replace(named, frame=frame, values=values)
    if len(told) > 1 and predicate(name).may_end and predicate(name).category == "fact":  # each may end by itself
        rest = {key: value for key, value in values.items() if not key.startswith("v:")}
        kinds = {**kinds, "v": kind.removesuffix(LIST)}
        return _together(build_statement(frame, subject, {**rest, "v": each}, kinds, times, language) for each in told)
    if (template := _template(frame, values, times, language)) is None:
        return None
    is_state = frame.modality == "fact" and frame.is_affirmed and name not in _AHEAD
    if is_state and "{when}" not in template and "{day}" not in template:
        times = tuple(replace(each, role="since") if each.role == "at" else each for each in times)
    if kind.removesuffix(LIST) in _NAMES:
        some = rf"\b(?:{'|'.join(map(re.escape, told))})(?!\w)"
        values["v"] = re.sub(some, lambda found: capitalised(found[0], language), values.get("v", ""))
        told = listed(values["v"], kind, language)
    timed = [each for each in times if each.symbols]
    claims = _claims(frame, subject, told, values, kinds, timed, language)
    content = wording.worded(template, subject, values, timed, language) if claims else ""
    if not content:
        return None
    first = next((each for each in timed if each.role in ("at", "since", "from")), None)
    last = next((each for each in times if each.role == "until"), None)
    others = (
        build_statement(
            replace(frame, predicate=other), subject, {"v": values[slot]}, {"v": kinds[slot]}, times, language
        )
        for other, slot in frame.also.items()
        if slot in values
    )
    return Statement(
        content,
        tuple(claims),
        subject,
        told=first.begins if first else None,
        until=ends(last.iso) if last and frame.modality != "past" else None,
        names=(values["v"],) if kind in _NAMES and values["v"] else (),
        frame=frame,
        values=values,
        times=times,
        also=tuple(filter(None, others)),
    )


def rebuilt(
    last: Statement, values: Mapping[str, str], language: Language, times: tuple[Moment, ...] | None = None
) -> Statement | None:
    """The statement with other values, or at other times."""
    assert last.frame is not None
    kinds = {node.name: node.kind for node in slots(last.frame.nodes)}
    values = {name: value for name, value in values.items() if not name.startswith("v:")}
    kinds.setdefault("old", kinds.get("v", "text"))
    return build_statement(last.frame, last.subject, values, kinds, last.times if times is None else times, language)


def _template(frame: Frame, values: Mapping[str, str], times: Sequence[Moment], language: Language) -> str | None:
    """The wording of a frame; None if there is none, or the times or the words do not fit it."""
    section = {"plan": "plan", "past": "past"}.get(frame.modality, "say" if frame.is_affirmed else "deny")
    template = language.wordings[frame.predicate].get(section)
    if template is None:
        return None
    if "{day}" in template and not any((each.span[1] - each.span[0]).days <= _MONTH for each in times):
        return None
    if frame.predicate in _TIMELESS and frame.is_affirmed and any(each.role == "at" for each in times):
        return None
    asked = values.get("v", "").lower().split() if frame.predicate == "instruction" else []
    if asked and all(language.has("points_back", word) for word in asked):
        return None  # only what was said before tells what
    return template


def _claims(
    frame: Frame,
    subject: Subject,
    told: Sequence[str],
    values: Mapping[str, str],
    kinds: Mapping[str, str],
    times: Sequence[Moment],
    language: Language,
) -> list[Claim]:
    """The claims of the values that a frame has ``told``; none if it affirms nothing."""
    name, kind = frame.predicate, kinds.get("v", "text").removesuffix(LIST)
    if predicate(name).value == "date":
        told = [dated(name, times[0])] if times else []
    forms = [dictionary_form(kind, each, language) for each in told if each]
    on = times[0].iso if times else None
    claims = [
        Claim(subject.name, name, each, frame.is_affirmed, frame.modality, on)
        for each in forms or [""] * (not frame.is_affirmed)
    ]
    if claims and name in OF_ONE:
        described = [name] if name == "favourite" else []
        claims.append(replace(claims[0], predicate=attributes.named([*described, values["x"].lower()])))
    if claims and "old" in values:
        claims.append(Claim(subject.name, name, dictionary_form(kinds["old"], values["old"], language), False))
    return claims


def _together(some: Iterable[Statement | None]) -> Statement | None:
    """The first of some statements of one clause, with the others beside it."""
    found = [each for each in some if each is not None]
    return replace(found[0], also=(*found[0].also, *found[1:])) if found else None


def kin_statement(noun: str, name: str, value: str, speaker: Subject, language: Language) -> Statement:
    """The statement that a relative of the speaker has a name."""
    value = capitalised(value, language)
    template = language.times["kin_called"]
    words = {"v": value, "kin": noun.replace("_", " ")}
    content = wording.worded(template, speaker, words, (), language)
    return Statement(content, (Claim(speaker.name, name, value),), speaker, names=(value,))


def report(text: str, speaker: Subject, language: Language) -> Statement:
    """The statement in the speaker's own words."""
    text = " ".join(text.split()).strip(" .,;")
    content = language.times["said"].format(who=speaker.label, text=text)
    return Statement(f"{content[:1].upper()}{content[1:]}", (Claim(speaker.name, SAID, text),), speaker)


def dated(name: str, moment: Moment) -> str:
    """The day as a claim's value; for a birthday, one of every year."""
    day = replace(moment, role="at").iso
    return f"-{day[4:]}" if name == "birthday" and len(day) > 4 else day
