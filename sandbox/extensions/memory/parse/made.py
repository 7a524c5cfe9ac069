"""Make a statement, with its sentence and its claims, from a frame and the words in its slots."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sandbox.extensions.memory.claims import SAID, Claim, attributes, predicate
from sandbox.extensions.memory.parse import wording
from sandbox.extensions.memory.parse.language import Frame, Language
from sandbox.extensions.memory.parse.pattern import LIST
from sandbox.extensions.memory.parse.subjects import Subject
from sandbox.extensions.memory.parse.times import Moment
from sandbox.extensions.memory.parse.values import capitalised, dictionary_form, listed

_TIMELESS = frozenset(("habit", "likes", "dislikes", "favourite", "plays"))  # these happen at no single time

_NAMES = frozenset(
    ("name", "called", "place", "person", "city", "somebody", "a_given")
)  # kinds whose values are capitalised
_MONTH = 31  # days


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
    if name == "instruction" and all(tongue.has("points_back", word) for word in values.get("v", "").lower().split()):
        return None  # *do that always*: only the turn before says what
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
