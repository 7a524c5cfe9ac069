"""Which Russian verbs tell what lasts: not what goes wrong, what nobody does, what holds for a moment. Pure."""

import re
from datetime import datetime
from typing import Any

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.morphology import lemma, parses
from sandbox.extensions.memory.consolidate.rules.statements import Subject


def is_passing(found: Any, low: list[str], lemmas: set[str]) -> bool:
    """``У меня падает сборка``, ``мой код не работает``, ``меня зовут на встречу``."""
    base = found.normal_form
    if base in ("решить", "передумать") and words_of.NOW & set(low):
        return True
    if base == "звать" and found.tag.person == "1per":
        return "его" not in low and "её" not in low
    if low[0] == "у":
        return base not in ("жить", "учиться", "быть", "звать", "родиться")
    if base == "звать":
        return low[low.index(found.word) + 1 : low.index(found.word) + 2] in (["на"], ["в"], ["к"])
    own = words_of.KIN | words_of.PETS | words_of.THINGS
    return base == "работать" and re.match(r"мо[йяеё]$|наш[ае]?$", low[0]) is not None and lemmas.isdisjoint(own)


def has_subject(found: Any, low: list[str]) -> bool:
    """Whether it is said who or what does it; ``ага, работает`` says it of nobody."""
    if low[0] == found.word:
        return _is_alone(found)
    if found.tag.person == "3per" and (low[-1] == found.word or "не" in low):
        return False
    before = low[: low.index(found.word)] if found.word in low else low
    nouns = [each for word in before for each in parses(word)[:2] if each.tag.POS in ("NOUN", "ADJF", "NUMR")]
    return found.tag.person != "3per" or any(each.tag.case in ("nomn", "datv") for each in nouns) or "у" in before


def _is_alone(found: Any) -> bool:
    """``Устроился``: a past of one, which may be the speaker's; others say of whom they are."""
    return bool(found.tag.tense == "past" and found.tag.number == "sing")


def is_done(found: Any, low: list[str], about: Subject) -> bool:
    """What the speaker, theirs or a system of theirs does again and again: any verb but those of the moment."""
    if not _AGAIN.isdisjoint(low) and found.tag.person == "1per" and found.normal_form not in _THOUGHT:
        return words_of.NOW.isdisjoint(low) and len(low) > 2
    is_trade = not (about.is_self or about.is_thing) and found.normal_form in ("чинить", "проверять", "ставить")
    if is_trade or (found.normal_form in ("отвечать", "болеть") and "за" in low):
        return True
    if found.normal_form in ("делать", "вести", "держать") and not about.is_self and not about.is_thing:
        return words_of.NOW.isdisjoint(low) and low[-1] != found.word and _IDLE.isdisjoint(low)
    if found.normal_form in words_of.MOMENTARY and not (
        about.is_thing and found.normal_form in ("лежать", "находиться")
    ):
        return False
    if about.is_thing and low[-1] == found.word and len(low) < 4:
        return False
    told = [word for word in low if word != found.word and word not in ("я", "мы", "не", "у", "нас")]
    is_sure = found.is_known and found.score > 0.4
    return (
        is_sure
        and bool(told)
        and _FAILURE.isdisjoint(map(lemma, low))
        and words_of.NOW.isdisjoint(low)
        and not (about.is_thing and "не" in low)
    )


_AGAIN = frozenset("всегда никогда обычно принципиально".split())
_THOUGHT = frozenset("думать знать хотеть мочь считать понимать надеяться помнить говорить искать".split())
_IDLE = frozenset("вид паузу перерыв машину себя уроки домашку ошибки ошибку вывод".split())
_FAILURE = frozenset("ошибка баг исключение краш варнинг эксепшен".split())


def is_ahead_of(low: list[str], at: datetime) -> bool:
    """Whether a later day is named."""
    found = moments(" ".join(low), at, ahead=True)
    return bool(found) and found[0].at.date() > at.date()


_OF_NOW = frozenset("сломать занять закрыть открыть завалить перегрузить остановить поломать недоступный".split())


def is_lasting(word: str) -> bool:
    """``защищена``, not ``сломана``."""
    found = parses(word)[0]
    return found.tag.POS == "PRTS" and found.normal_form not in _OF_NOW
