"""Russian sentences of a fixed shape: when something is to be, and what somebody thinks of something. Pure."""

import re
from collections.abc import Iterator
from typing import Any

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.endings import gone
from sandbox.extensions.memory.consolidate.rules.english import Setting
from sandbox.extensions.memory.consolidate.rules.morphology import parses, within
from sandbox.extensions.memory.consolidate.rules.russian_changes import upper
from sandbox.extensions.memory.consolidate.rules.russian_endings import plans
from sandbox.extensions.memory.consolidate.rules.russian_identities import identities
from sandbox.extensions.memory.consolidate.rules.russian_opinions import opinion
from sandbox.extensions.memory.consolidate.rules.russian_people import people
from sandbox.extensions.memory.consolidate.rules.russian_things import things
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

_CONTRAST = re.compile(r",? а не [^,]+$", re.IGNORECASE)
_MINE = re.compile(r"^(?:мо[йяюеёи]|наш[аеиу]?)\s+", re.IGNORECASE)
_WHO = r"(?:(?:мы|я|они|нам|мне|пришлось|решили|решила?|вынуждены|вс[её]-таки|уже|опять|снова|организаторы)\s+)*"
_OFF = r"(?:перен[её]с\w+|перенос\w+|сдвин\w+|отлож\w+|отмен\w+|сорвал\w+)"
_DAYS = (
    r"понедельник|вторник|сред|четверг|пятниц|суббот|воскресен|выходн|следующ|эт|прошл|конце|начале"
    r"|\w*(?:бре|вгусте|преле)"
)
_WHAT = rf"(?P<what>[\w-]+(?: (?:в|во|на|к|с|со|по|у|из) (?!{_DAYS})[^\W\d][\w-]*)?)"
_APPOINTED = re.compile(
    rf"^{_WHAT}(?:\s*[—–-]\s*|\s+){_WHO}(?P<verb>теперь(?: будет)?|будет|(?:не )?состоится|назначен\w*"
    rf"|запланирован\w*|{_OFF}|)\s*(?:с .+? (?=на ))?(?:(?:на|до)\s+)?(?P<when>.*)$",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    rf"^{_WHO}(?P<verb>{_OFF}) (?:(?:мо[йюеёи]|наш[уе]?) )?{_WHAT}(?: (?:с .+? )?(?:на|до) (?P<when>.+))?$",
    re.IGNORECASE,
)
_MOVED = re.compile(r"\b(?:теперь|перен\w+|сдвин\w+|отлож\w+|вместо|уже не)\b", re.IGNORECASE)
_ENDINGS = {"masc": "назначен", "femn": "назначена", "neut": "назначено"}
_PLAN = Kind("event", 3)


def framed(clause: str, speaker: str, setting: Setting) -> Iterator[Said]:
    """The statements of a clause that has one of the shapes; none of any other."""
    if said := _appointed(clause, speaker, setting) or opinion(clause, speaker):
        yield said
    elif found := list(people(clause, speaker, setting)):
        yield from found
    elif named := list(identities(_CONTRAST.sub("", clause), speaker)):
        yield from named
    else:
        yield from things(clause, speaker)


def _appointed(clause: str, speaker: str, setting: Setting) -> Said | None:
    """``Дедлайн перенесли на 20 марта``, ``моя свадьба 5 июня``, ``мы отменили поездку в Рим``."""
    mine = _MINE.match(clause)
    match = _PUT_OFF.match(clause) or _APPOINTED.match(clause[mine.end() :] if mine else clause)
    noun = _noun(match["what"].split()[0].lower()) if match else None
    if match is None or noun is None:
        return None
    rest = match["what"].partition(" ")[2]
    whose = f" {within(speaker, 'gent')}" if mine else ""
    first, rest = upper(noun.word), f" {rest}" if rest else ""
    name = f"{first}{whose}{rest}"
    about = Subject(name, within(speaker, "nomn") if mine else f"{name[:1].lower()}{name[1:]}", is_thing=True)
    ending = _ENDINGS.get(noun.tag.gender, "назначен")
    own = Subject(speaker, within(speaker, "nomn"), is_self=True)
    ends = (gone(tuple(f"{each} на" for each in _ENDINGS.values()), "", f"{first}{rest}"), *plans(match["what"], own))
    if re.match(r"отмен|сорвал|не ", match["verb"], re.IGNORECASE):
        return Said(about, "", kind=_PLAN, replaces=ends, wording=f"{name} отменен{ending.removeprefix('назначен')}")
    found = moments(match["when"] or "", setting.at, ahead=True)
    if not found:
        return None
    replaces = ends if _MOVED.search(clause) else ()
    return Said(
        about, "", kind=_PLAN, at=found[0].at, wording=f"{name} {ending} на {found[0].written}", replaces=replaces
    )


def _noun(word: str) -> Any | None:
    """What is planned, in the nominative; None where it is none of those."""
    for each in parses(word):
        is_plan = each.normal_form in words_of.HAPPENINGS
        if is_plan and each.tag.POS == "NOUN" and each.tag.case in ("nomn", "accs"):
            return each.inflect({"nomn"})
    return None
