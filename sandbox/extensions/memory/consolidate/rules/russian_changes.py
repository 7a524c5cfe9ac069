"""What a Russian statement begins or puts an end to: homes, work, habits, tools. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import inflected, lemma, parses, verb
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Subject


def of(about: Subject, wording: str, kind: Kind, at: datetime | None = None, ended: tuple[Replaced, ...] = ()) -> Said:
    """A statement in its own order of words."""
    return Said(about, "", "", kind, at, ended, wording=wording)


def upper(text: str) -> str:
    """With a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


def undated(text: str, at: datetime | None) -> str:
    """Without the day it ended on."""
    return (
        re.sub(r"\s*(?:в |около |на неделе )?(?:\d{1,2} )?(?:[а-я]+ )?(?:19|20)\d\d год[уа]$", "", text) if at else text
    )


def ended(plain: str, text: str, low: list[str], about: Subject, kind: Kind, at: datetime | None) -> Iterator[Said]:
    """``больше не работает``, ``раньше жил``, ``бросил курить``, ``уволился из``."""
    if match := re.search(r"\b(?:больше|уже) не (\S+)|\bне (\S+) больше\b", text):
        before = upper(plain.replace(match[0], match[1] or match[2], 1)) + "."
        yield of(about, upper(text), kind, at, (Replaced("change", statement=before),))
        return
    if match := re.search(r"\bне (\S+)", text):
        coming = verb(match[1].lower())
        if coming is not None and (coming.tag.tense == "futr" or coming.normal_form in words_of.GOING):
            before = upper(text.replace(match[0], f"планирует {coming.normal_form}", 1)) + "."
            goes = upper(text.replace(f"{match[0]}", match[1], 1)) + "."
            also = (Replaced("change", statement=goes),) if coming.tag.tense == "pres" else ()
            yield of(about, upper(text), kind, at, (Replaced("change", statement=before), *also))
            return
    if match := re.search(r"\bбольше нет (?=\S)", plain):
        before = plain.replace(match[0], "", 1)
        yield of(about, upper(text), kind, at, (Replaced("change", statement=f"{upper(before)}."),))
        return
    words = text.split()
    past = next((found for word in words if (found := verb(word.lower())) and found.tag.tense == "past"), None)
    if "раньше" in low and past is not None:
        present = next(
            (each for each in past.lexeme if each.tag.tense == "pres" and {"3per", "sing"} in each.tag), None
        )
        before = re.sub(r"\b[Рр]аньше ?", "", plain).replace(past.word, present.word if present else past.word).strip()
        yield of(about, upper(text), kind, at, (Replaced("change", statement=f"{upper(before)}."),))
        return
    base = past.normal_form if past is not None else ""
    if base in ("бросить", "перестать") and (
        match := re.search(r"\b(?:бросила?|перестала?) (\S+ть(?:ся)?)(.*)", plain)
    ):
        habit = next(
            (each for each in parses(match[1])[0].lexeme if each.tag.tense == "pres" and {"3per", "sing"} in each.tag),
            None,
        )
        before = f"{plain[: match.start()]}{habit.word if habit else match[1]}{match[2]}"
        yield of(about, upper(text), kind, at, (Replaced("change", statement=f"{upper(before)}."),))
    elif base == "уволиться" and " из " not in text:
        yield of(about, upper(text), kind, at, (Replaced("change", statement=f"{upper(about.name)} работает."),))
    elif base in _PARTED:
        whom = tuple(Replaced("change", statement=f"{upper(about.name)} {each}.") for each in ("женат", "замужем"))
        yield of(about, upper(text), kind, at, whom)
    elif base in ("разлюбить", "разочароваться") and past is not None:
        before = plain.replace(past.word, "любит").replace("любит в ", "любит ")
        yield of(about, upper(text), kind, at, (Replaced("change", statement=f"{upper(before)}."),))
    elif base == "передумать" and (meant := re.search(r"передумала? (\S+ть(?:ся)?.*)", plain)):
        yield of(
            about, upper(text), kind, at, (Replaced("change", statement=f"{upper(about.name)} планирует {meant[1]}."),)
        )
    elif base in ("уволиться", "уйти", "уволить", "сократить") and (
        match := re.search(r"\bиз (\S+(?: [А-ЯЁA-Z]\S*)*)", text)
    ):
        where = " ".join(inflected(part, "loct") for part in match[1].split())
        yield of(
            about, upper(text), kind, at, (Replaced("change", statement=f"{upper(about.name)} работает в {where}."),)
        )


_PARTED = ("развестись", "расстаться", "разойтись", "овдоветь")
_TO = re.compile(r"\b(?P<in>в|во|на) (?P<where>[А-ЯЁA-Z][\w-]*(?: [А-ЯЁA-Z][\w-]*)*)")
_FROM = re.compile(r"\b(?:из|с|со) (?P<where>[А-ЯЁA-Z][\w-]*(?: [А-ЯЁA-Z][\w-]*)*)")
_ADOPTS = re.compile(r"\bна ([A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)*)")
_SWAPPED = ("заменить", "сменить", "поменять", "отказаться", "променять")
_SWAPS = re.compile(
    r"(?:замен|смен|помен|отказ|променя)\w+(?: от)? (?P<old>[\w.+#-]+(?: [A-Z][\w.+#-]*)*) (?:на"
    r"|в пользу) (?P<new>[A-Za-z][\w.+#-]*(?: [A-Z][\w.+#-]*)*)"
)
_MOVED = ("переехать", "перебраться", "эмигрировать", "релоцироваться")
_ADOPTED = ("перейти", "переехать", "мигрировать", "пересесть", "переключиться", "перебраться")
_TOOLS = re.compile(r"\bс (\S+(?: \S+)?) на (\S+(?: [A-ZА-Я]\S*)?)")


def begun(text: str, base: str, about: Subject, kind: Kind, at: datetime | None) -> Iterator[Said]:
    """``переехал в Берлин`` : lives there; ``устроился в Яндекс``: works there; ``перешёл с X на Y``: uses Y."""
    to, origin = _TO.search(text), _FROM.search(text)
    lasting = replace(kind, category="fact" if about.is_self else "person", importance=4)
    name, tools = about.name, _TOOLS.search(text)
    if (
        base in _MOVED
        and to
        and not (tools or _ADOPTS.search(text))
        and kind.category == "event"
        and not _is_ahead(text)
    ):
        place = f"{to['in']} {_located(to['where'])}"
        ended = (Replaced("change", statement=f"{name} живёт в {_located(origin['where'])}."),) if origin else ()
        yield of(about, f"{name} живёт {place}", lasting, at, ended)
        if at or origin:
            yield of(about, upper(text), kind, at)
    elif base in _SWAPPED and (swapped := _SWAPS.search(text)):
        ended = (Replaced("change", statement=f"{name} использует {swapped['old']}."),)
        yield of(about, f"{name} использует {swapped['new']}", lasting, at, ended)
    elif base in _ADOPTED and not tools and (adopted := _ADOPTS.search(text)):
        yield of(about, f"{name} использует {adopted[1]}", lasting, at)
    elif base in ("устроиться", "перейти", "взять", "принять") and to and not tools:
        ended = (Replaced("change", statement=f"{name} работает в {_located(origin['where'])}."),) if origin else ()
        yield of(about, f"{name} работает {to['in']} {_located(to['where'])}", lasting, at, ended)
        job = re.search(r"\b(\w+(?:ом|ем|ём|ой|ей|истом))\b", text[to.end() :])
        if job and lemma(job[1]) in words_of.PROFESSIONS:
            yield of(about, f"{name} работает {job[1]}", lasting, at)
    elif base in _ADOPTED and tools:
        ended = (Replaced("change", statement=f"{name} использует {tools[1]}."),)
        yield of(about, f"{name} использует {tools[2]}", lasting, at, ended)


def _is_ahead(text: str) -> bool:
    return bool(re.search(r"\b(?:планирует|собирается|намерен|переедет|хочет)\b", text))


def _located(place: str) -> str:
    return " ".join(inflected(part, "loct") for part in place.split())


def _ranked(word: str) -> str:
    """In the instrumental; of a compound its last part."""
    first, hyphen, last = word.rpartition("-")
    return f"{first}{hyphen}{inflected(last, 'ablt')}"


def _is_trade(word: str) -> bool:
    return not words_of.PROFESSIONS.isdisjoint((lemma(word.split("-")[-1]), word.lower()))


def job(text: str, low: list[str], base: str, about: Subject, kind: Kind) -> Iterator[Said]:
    """``я врач``: works as one."""
    if base or low[0] == "у":
        return
    match = re.match(rf"{re.escape(about.name)},? ?(?:[—–-]|это)? ?(?P<what>.+)$", text)
    if match is None or match["what"].lower().startswith(("не ", "из ", "по ")):
        return
    words = match["what"].split()
    head = next((index for index, word in enumerate(words) if _is_trade(word)), None)
    if head is None or head > 2:
        return
    ranked = [_ranked(word) for word in words[: head + 1]]
    yield of(about, " ".join([about.name, "работает", *ranked, *words[head + 1 :]]), kind)
