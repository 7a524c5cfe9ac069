"""Russian sentences of a fixed shape: when something is to be, and what somebody thinks of something. Pure."""

import re
from collections.abc import Iterator

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.english import Setting
from sandbox.extensions.memory.consolidate.rules.morphology import parses, within
from sandbox.extensions.memory.consolidate.rules.russian_opinions import opinion
from sandbox.extensions.memory.consolidate.rules.russian_people import people
from sandbox.extensions.memory.consolidate.rules.russian_things import things
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

_MINE = re.compile(r"^(?:мо[йяеёи]|наш[аеи]?)\s+", re.IGNORECASE)
_APPOINTED = re.compile(
    r"^(?P<what>[\w-]+(?: (?:в|во|на|к|с) [А-ЯЁA-Z][\w-]*)?)(?:\s*[—–-]\s*|\s+)"
    r"(?P<verb>теперь(?: будет)?|будет|состоится|назначен\w*|перен\w+|сдвин\w+|запланирован\w*|отмен\w+"
    r"|)\s*(?:на\s+)?(?P<when>.*)$",
    re.IGNORECASE,
)
_MOVED = re.compile(r"\b(?:теперь|перен\w+|сдвин\w+|вместо|уже не)\b", re.IGNORECASE)
_ENDINGS = {"masc": "назначен", "femn": "назначена", "neut": "назначено"}
_PLAN = Kind("event", 3)


def framed(clause: str, speaker: str, setting: Setting) -> Iterator[Said]:
    """The statements of a clause that has one of the shapes; none of any other."""
    if said := _appointed(clause, speaker, setting) or opinion(clause, speaker):
        yield said
    elif found := list(people(clause, speaker, setting)):
        yield from found
    else:
        yield from things(clause, speaker)


def _appointed(clause: str, speaker: str, setting: Setting) -> Said | None:
    """``Дедлайн перенесли на 20 марта``, ``моя свадьба 5 июня``, ``поездка в Рим отменяется``."""
    mine = _MINE.match(clause)
    match = _APPOINTED.match(clause[mine.end() :] if mine else clause)
    noun = parses(match["what"].split()[0].lower())[0] if match else None
    if match is None or noun is None or noun.normal_form not in words_of.HAPPENINGS or "nomn" not in noun.tag:
        return None
    first, _, rest = match["what"].partition(" ")
    whose = f" {within(speaker, 'gent')}" if mine else ""
    name = f"{first[:1].upper()}{first[1:]}{whose}{f' {rest}' if rest else ''}"
    about = Subject(name, within(speaker, "nomn") if mine else f"{name[:1].lower()}{name[1:]}", is_thing=True)
    appointed = f"{name} {_ENDINGS.get(noun.tag.gender, 'назначен')} на"
    if match["verb"].lower().startswith("отмен"):
        cancelled = f"отменен{_ENDINGS.get(noun.tag.gender, '').removeprefix('назначен')}"
        ended: tuple[Replaced, ...] = (
            Replaced("change", statement=appointed),
            Replaced("change", statement=f"{appointed} года"),
        )
        return Said(about, "", kind=_PLAN, replaces=ended, wording=f"{name} {cancelled}")
    found = moments(match["when"] or "", setting.at, ahead=True)
    if not found:
        return None
    moved = _MOVED.search(clause)
    ended = (
        (Replaced("change", statement=appointed), Replaced("change", statement=f"{appointed} года")) if moved else ()
    )
    return Said(about, "", kind=_PLAN, at=found[0].at, wording=f"{appointed} {found[0].written}", replaces=ended)
