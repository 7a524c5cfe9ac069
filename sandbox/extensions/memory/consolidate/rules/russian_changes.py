"""What a Russian statement begins or puts an end to: homes, work, habits, tools. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.endings import gone
from sandbox.extensions.memory.consolidate.rules.morphology import inflected, is_doer, lemma, parses
from sandbox.extensions.memory.consolidate.rules.russian_endings import LIVES, USES, WORKS, ends
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject, upper


def of(about: Subject, wording: str, kind: Kind, at: datetime | None = None, ended: tuple[Replaced, ...] = ()) -> Said:
    """A statement in its own order of words."""
    return Said(about, "", "", kind, at, ended, wording=wording)


def undated(text: str, at: datetime | None) -> str:
    """Without the day it ended on."""
    return (
        re.sub(r"\s*(?:в |около |на неделе )?(?:\d{1,2} )?(?:[а-я]+ )?(?:19|20)\d\d год[уа]$", "", text) if at else text
    )


def ended(plain: str, text: str, low: list[str], about: Subject, kind: Kind, at: datetime | None) -> Iterator[Said]:
    """``больше не работает``, ``раньше жил``, ``бросил курить``, ``уволился из``."""
    if found := tuple(ends(plain, text, low, about)):
        yield of(about, upper(text), kind, at, found)


_TO = re.compile(r"\b(?P<in>в|во|на) (?P<where>[А-ЯЁA-Z][\w-]*(?: [А-ЯЁA-Z][\w-]*)*)")
_FROM = re.compile(r"\b(?:из|с|со) (?P<where>[А-ЯЁA-Z][\w-]*(?: [А-ЯЁA-Z][\w-]*)*)")
_ADOPTS = re.compile(r"\bна ([A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)*)")
_SWAPPED = ("заменить", "сменить", "поменять", "отказаться", "променять")
_SWAPS = re.compile(
    r"(?:замен|смен|помен|отказ|променя)\w+(?: от)? (?P<old>[\w.+#-]+(?: [A-Z][\w.+#-]*)*) (?:на"
    r"|в пользу) (?P<new>[A-Za-z][\w.+#-]*(?: [A-Z][\w.+#-]*)*)"
)
_MOVED = ("переехать", "перебраться", "эмигрировать", "релоцироваться")
_ADOPTED = ("перейти", "перенести", "переехать", "мигрировать", "пересесть", "переключиться", "перебраться")
_TOOLS = re.compile(r"\bс (\S+(?: \S+)?) на (\S+(?: [A-ZА-Я]\S*)?)")


def begun(text: str, base: str, about: Subject, kind: Kind, at: datetime | None) -> Iterator[Said]:
    """``переехал в Берлин`` : lives there; ``устроился в Яндекс``: works there; ``перешёл с X на Y``: uses Y."""
    to, origin = _TO.search(text), _FROM.search(text)
    lasting = replace(kind, category="fact" if about.is_self else "person", importance=4)
    name, tools = about.name, _TOOLS.search(text)
    if name.lower()[:-1] not in text.lower():
        return  # of somebody who is not named
    if (
        base in _MOVED
        and to
        and not (tools or _ADOPTS.search(text))
        and kind.category == "event"
        and not _is_ahead(text)
    ):
        place = f"{to['in']} {_located(to['where'])}"
        left = tuple(gone((each,), origin["where"] if origin else "", name) for each in LIVES)
        lives = "живут" if "plur" in parses(name.split()[0].lower())[0].tag else "живёт"
        yield of(about, f"{name} {lives} {place}", lasting, at, left)
        if at or origin:
            yield of(about, upper(text), kind, at)
    elif base in _SWAPPED and (swapped := _SWAPS.search(text)):
        yield of(about, f"{name} использует {swapped['new']}", lasting, at, (gone(USES, swapped["old"]),))
    elif base in _ADOPTED and not tools and (adopted := _ADOPTS.search(text)):
        yield of(about, f"{name} использует {adopted[1]}", lasting, at)
    elif base in ("устроиться", "перейти", "взять", "принять") and to and not tools:
        left = (gone(WORKS, origin["where"]),) if origin else ()
        yield of(about, f"{name} работает {to['in']} {_located(to['where'])}", lasting, at, left)
        job = re.search(r"\b(\w+(?:ом|ем|ём|ой|ей|истом))\b", text[to.end() :])
        if job and lemma(job[1]) in words_of.PROFESSIONS:
            yield of(about, f"{name} работает {job[1]}", lasting, at)
    elif (
        base == "устроиться"
        and not re.search(r" во? ", text)
        and (trade := next((word for word in text.split()[1:] if is_trade(word)), ""))
    ):
        yield of(about, f"{name} работает {trade}", lasting, at)
    elif base in ("повысить", "повышать") and (rank := re.search(r"\bдо (?P<rank>[а-яё-]+(?: [а-яё-]+)?)", text)):
        ranked = " ".join(_as_rank(word) for word in rank["rank"].split())
        yield of(about, f"{name} работает {ranked}", lasting, at)
    elif base in _ADOPTED and tools:
        is_drunk = not _DRINKS.isdisjoint((tools[1], tools[2]))
        verb, verbs = ("пьёт", ("пьёт",)) if is_drunk else ("использует", USES)
        yield of(about, f"{name} {verb} {tools[2]}", lasting, at, (gone(verbs, tools[1]),))


_DRINKS = frozenset("кофе чай чая какао матча матчу колу сок пиво вино молоко".split())


def _is_ahead(text: str) -> bool:
    return bool(re.search(r"\b(?:планирует|собирается|намерен|переедет|хочет)\b", text))


def _located(place: str) -> str:
    return " ".join(inflected(part, "loct") for part in place.split())


def _ranked(word: str) -> str:
    """In the instrumental; of a compound its last part."""
    first, hyphen, last = word.rpartition("-")
    if not parses(last)[0].is_known and re.search("[бвгдзклмнпрстфх]$", last):
        return f"{word}ом"
    return f"{first}{hyphen}{inflected(last, 'sing', 'ablt')}"


def _as_rank(word: str) -> str:
    """``ведущего``, ``аналитика``: ведущим, аналитиком."""
    forms = (each.inflect({"ablt"}) for each in parses(word) if "gent" in each.tag and "inan" not in each.tag)
    return str(next((form.word for form in forms if form), word))


def is_trade(word: str) -> bool:
    """Whether a word names what somebody is by profession."""
    base = lemma(word.split("-")[-1])
    return base in words_of.PROFESSIONS or word.lower() in words_of.PROFESSIONS or is_doer(base)


def job(text: str, low: list[str], base: str, about: Subject, kind: Kind) -> Iterator[Said]:
    """``я врач``: works as one."""
    if base or low[0] == "у":
        return
    match = re.match(rf"{re.escape(about.name)},? ?(?:[—–-]|это)? ?(?P<what>.+)$", text)
    if match is None or match["what"].lower().startswith(("не ", "из ", "по ")):
        return
    words = match["what"].split()
    head = next((index for index, word in enumerate(words) if is_trade(word)), None)
    if head is None or head > 2:
        return
    ranked = [_ranked(word) for word in words[: head + 1]]
    yield of(about, " ".join([about.name, "работает", *ranked, *words[head + 1 :]]), kind)
