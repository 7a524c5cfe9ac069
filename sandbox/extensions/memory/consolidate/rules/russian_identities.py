"""What a name of a thing stands for, how it is made, and what takes place again and again, in Russian. Pure."""

import re
from collections.abc import Iterator
from typing import Any

from sandbox.extensions.memory.consolidate.proposal import Mention
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import lemma, own, parses, within
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject

_THING = r"(?:[«\"„](?P<quoted>[\w .-]{2,40})[»\"“]|(?P<bare>[A-ZА-ЯЁ][\w-]*))"
_IS_OURS = re.compile(
    rf"^{_THING}\s*(?:[—–-]\s*)?(?:это\s+)?(?P<mine>наш\w*|мо[йяёе])\s+(?P<what>[а-яё][^,.;:()]*)", re.IGNORECASE
)
_MADE = re.compile(
    r"^(?:(?:наш\w* |мо\w )?(?:проект|сервис|приложение|портал|бот|система|модуль|сайт|библиотека|игра|платформа) )?"
    rf"{_THING}\s+(?:у нас\s+)?(?P<done>[а-яё]+н[аоы]?)\s+(?P<on>на|в|под|с помощью|через|из)\s+(?P<tool>[^,;:()]+)",
    re.IGNORECASE,
)
_CODENAME = re.compile(
    r"^(?:(?P<mine>наш\w*|мо[йяёе])\s+)?(?P<what>[а-яё][а-яё -]{2,40}?)\s+(?:у нас\s+)?(?:называется|зовётся|зовется"
    rf"|носит имя|мы зов[её]м|мы называем)\s+{_THING}",
    re.IGNORECASE,
)
_DAYS = r"(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень|выходн|будн|праздник|утр|вечер|ноч)\w*"
_WHEN = (
    rf"(?:по (?:чётным |нечётным )?{_DAYS}(?:(?:,| и) (?:по )?{_DAYS})*|кажд\w+ {_DAYS}|раз в \w+(?: \w+)?"
    r"|\w+ раза? в \w+)"
)
_AT = r"(?:\s+в \d{1,2}(?:[:.]\d\d)?(?: утра| вечера| часов| часа)?)?"
_REPEATED = re.compile(
    rf"^(?:(?:у нас|у меня) )?(?P<what>[а-яё][а-яё-]+(?: [а-яё-]+){{0,3}}?)(?: у нас| у меня)? (?P<when>{_WHEN}{_AT})$",
    re.IGNORECASE,
)
_REPEATED_FIRST = re.compile(
    rf"^(?P<when>{_WHEN}{_AT}) (?:у нас|у меня) (?P<what>[а-яё][а-яё-]+(?: [а-яё-]+){{0,3}})$", re.IGNORECASE
)
_ROUTINES = frozenset(
    """планёрка планерка созвон тренировка урок занятие смена стендап ретро демо совещание репетиция йога бассейн танцы
    дежурство собрание релиз деплой бэкап уборка пробежка""".split()
)
_PROJECT, _HABIT = Kind("project", 3), Kind("fact", 3)


def identities(clause: str, speaker: str) -> Iterator[Said]:
    """``«Ромашка» — это наше приложение``, ``«Ромашка» написана на Kotlin``, ``планёрка у нас по вторникам``."""
    found = _ours(clause, speaker) or _made(clause) or _codename(clause, speaker) or _repeated(clause, speaker)
    if found:
        yield found


def _name(match: re.Match[str]) -> str:
    return f"«{match['quoted']}»" if match["quoted"] else str(match["bare"])


def _ours(clause: str, speaker: str) -> Said | None:
    match = _IS_OURS.match(clause)
    first = match["what"].split()[0].lower() if match else ""
    noun = _head(match["what"]) if match else None
    if match is None or noun is None or "anim" in noun[1].tag or not _is_name(match) or first in words_of.KIN:
        return None
    at, _ = noun
    words = match["what"].split()
    whose = " ".join([*words[: at + 1], within(speaker, "gent"), *words[at + 1 :]])
    return _thing(_name(match), f"{_name(match)} — {whose}", " ".join(words[: at + 1]))


def _codename(clause: str, speaker: str) -> Said | None:
    match = _CODENAME.match(clause)
    noun = _head(match["what"]) if match else None
    if match is None or noun is None or "anim" in noun[1].tag or not _is_name(match):
        return None
    whose = f" {within(speaker, 'gent')}" if match["mine"] else ""
    return _thing(_name(match), f"{_name(match)} — {match['what'].strip()}{whose}", match["what"].strip())


def _made(clause: str) -> Said | None:
    match = _MADE.match(clause)
    if match is None or not _is_name(match) or parses(match["done"].lower())[0].tag.POS not in ("PRTS", "ADJS"):
        return None
    tool = match["tool"].strip(" .!")
    if not words_of.PRONOUNS.isdisjoint(tool.lower().split()) or len(tool.split()) > 6:
        return None
    return _thing(_name(match), f"{_name(match)} {match['done'].lower()} {match['on'].lower()} {tool}", "")


def _is_name(match: re.Match[str]) -> bool:
    """Whether it is a name of a thing: in quotation marks, or one that is no word of everybody's and no person's."""
    bare = match["bare"]
    if not bare:
        return True
    found = parses(bare.lower())[0]
    is_made_up = bare.isascii() or not found.is_known or (bare.isupper() and len(bare) > 1)
    return bare[0].isupper() and is_made_up and "Name" not in found.tag


def _head(what: str) -> tuple[int, Any] | None:
    """Which of some words is the noun in the nominative."""
    for index, word in enumerate(what.split()):
        parsed = next((each for each in parses(word.lower()) if {"NOUN", "nomn"} in each.tag), None)
        if parsed is not None:
            return index, parsed
        if parses(word.lower())[0].tag.POS not in ("ADJF", "PRTF"):
            return None
    return None


def _thing(name: str, wording: str, what: str) -> Said:
    about = Subject(name, name, is_thing=True)
    bare = name.strip("«»")
    mention = Mention(bare, "concept", (what,)) if what else Mention(bare, "concept")
    return Said(about, "", kind=_PROJECT, wording=wording, mentions=(mention,))


def _repeated(clause: str, speaker: str) -> Said | None:
    match = _REPEATED.match(clause) or _REPEATED_FIRST.match(clause)
    noun = _head(match["what"]) if match else None
    words = match["what"].lower().split() if match else []
    if match is None or noun is None or (words[noun[0] + 1 :] and parses(words[noun[0] + 1])[0].tag.POS != "PREP"):
        return None
    if not re.search(r"\bу (?:нас|меня)\b", clause) and lemma(words[noun[0]]) not in words_of.HAPPENINGS | _ROUTINES:
        return None
    if not words_of.PRONOUNS.isdisjoint(match["what"].lower().split()):
        return None
    what = match["what"][:1].upper() + match["what"][1:].lower()
    return Said(own(speaker), "", kind=_HABIT, wording=f"{what} у {within(speaker, 'gent')} {match['when'].lower()}")
