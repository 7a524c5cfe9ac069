"""What a Russian clause makes known: by its verb, or by its nouns where it has none. Pure."""

import re
from datetime import datetime

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import is_doer, lemma, parses
from sandbox.extensions.memory.consolidate.rules.retelling import Retold
from sandbox.extensions.memory.consolidate.rules.russian_lasting import (
    has_subject,
    is_ahead_of,
    is_done,
    is_lasting,
    is_passing,
)
from sandbox.extensions.memory.consolidate.rules.statements import Kind, NotLearnt, Subject


def kind_of(retold: Retold, low: list[str], about: Subject, at: datetime) -> Kind:
    """What a clause makes known; NotLearnt where that does not last."""
    lemmas = {lemma(word) for word in low}
    person = about.is_self
    for found in retold.verbs:
        base = found.normal_form
        if is_passing(found, low, lemmas):
            raise NotLearnt("passing state")
        if about.is_self and not retold.own and not has_subject(found, low):
            raise NotLearnt("no statement")  # hearsay, or of somebody who is not named
        if "чем" in low and not {"лучше", "скорее"}.isdisjoint(low[:3]):
            return Kind("preference", 3, "opinion")
        past = found.tag.tense == "past"
        if base in words_of.PLANS:
            return Kind("event", 3)
        if base in ("хотеть", "мечтать", "хотеться"):
            if lemmas & words_of.GOALS and not words_of.NOW & set(low):
                return Kind("event", 3)
            raise NotLearnt("passing state")
        if past and base == "быть" and "никогда" in low:
            return Kind("fact", 3)
        if past and words_of.FOR_LONG.search(" ".join(low)) and base in words_of.CAREER and "раньше" not in low:
            return Kind("fact" if person else "person", 3)
        if past and base == "быть" and any(_is_trade_had(word) for word in low):
            return Kind("fact" if person else "person", 3)
        if past and base == "быть" and any("Geox" in parses(word)[0].tag for word in low):
            return Kind("event", 3)
        if past and base == "пойти" and lemmas & words_of.SCHOOLS:
            return Kind("event", 4)
        if past and base == "отменить" and lemmas & words_of.PAID_FOR:
            return Kind("event", 4)
        if past and "раньше" in low and base in words_of.STATES:
            return Kind("fact", 2)
        table = words_of.EVENTS if past else words_of.STATES
        if past and base in words_of.PASSIVE and low[0] in ("меня", "нас"):
            return Kind("event", 4)
        if base in table:
            category, importance = table[base]
            if words_of.NOW & set(low) and not past:
                raise NotLearnt("passing state")
            return Kind(
                category if person or category != "fact" else "person",
                importance,
                "opinion" if base in words_of.TASTES else "semantic",
            )
        if base == "звать" and (found.tag.person == "3per" or any(word[:1].isupper() for word in retold.words[1:])):
            return Kind("fact" if person else "person", 4)
        if about.is_self and retold.plural and found.tag.person == "1per" and _is_way(base, low):
            return Kind("project", 3)
        if found.tag.tense == "futr" and (
            base in words_of.EVENTS or (base == "быть" and "в" in low and is_ahead_of(low, at))
        ):
            return Kind("event", 3)
        if found.tag.tense == "pres" and (
            (base in words_of.GOING and "не" in low)
            or (not about.is_thing and base not in words_of.MOMENTARY - words_of.GOING and is_ahead_of(low, at))
        ):
            return Kind("event", 3)
        if found.tag.tense == "pres" and is_done(found, low, about):
            return Kind("fact" if person else "project" if about.is_thing else "person", 3)
        raise NotLearnt("no lasting statement")
    if not retold.own and about.is_self:
        raise NotLearnt("no statement")
    if (("у" in low and lemmas & words_of.HAPPENINGS) or lemmas & words_of.AWAY) and is_ahead_of(low, at):
        return Kind("event", 3)
    return _nominal(low, lemmas, about)


_BY_TOOL = re.compile(r"\b(?:через|с помощью|на|в|по|под|из) [a-z][\w./-]*")


def _is_way(base: str, low: list[str]) -> bool:
    """``Миграции делаем через alembic``, ``точки с запятой не ставим``: how a team works."""
    if not words_of.NOW.isdisjoint(low):
        return False
    return (base in words_of.WAYS and bool(_BY_TOOL.search(" ".join(low)))) or (
        base in words_of.NEVER_DONE and "не" in low and len(low) > 2
    )


def _is_trade_had(word: str) -> bool:
    """``лётчиком``, ``учительницей``."""
    base = lemma(word)
    return "ablt" in parses(word)[0].tag and (base in words_of.PROFESSIONS or is_doer(base))


def _nominal(low: list[str], lemmas: set[str], about: Subject) -> Kind:
    """Clauses without a verb."""
    parts = {part for word in low for part in word.split("-")} | {lemma(word.split("-")[-1]) for word in low}
    if re.search(words_of.LASTING_PHRASES, " ".join(low)) and words_of.NOW.isdisjoint(low):
        return Kind("fact" if about.is_self else "person", 3)
    if about.is_thing and any(is_lasting(word) for word in low[1:4]):
        return Kind("project", 3)
    if low[0] in ("у",) and (lemmas & words_of.HAVE or words_of.WEEKLY.search(" ".join(low))):
        return Kind("fact" if about.is_self else "person", 4)
    if (low[0] in ("мне",) or not about.is_self) and {"год", "лет", "года"} & (lemmas | set(low)):
        return Kind("fact", 4)
    if (low[0] in ("я", "мы") or not about.is_self) and (
        (lemmas | parts) & (words_of.PROFESSIONS | words_of.BEING)
        or any(map(is_doer, lemmas))
        or set(low) & words_of.SHORT
        or low[1:2] == ["из"]
        or "аллергия" in lemmas
    ):
        return Kind("fact" if about.is_self else "person", 4)
    if re.match(r"мо[йяеёи]|наш", low[0]) and _OF_A_DAY.isdisjoint(low):
        if {"любимый", "родной"} & lemmas:
            return Kind("preference", 3)
        if lemmas & (words_of.ATTRIBUTES | words_of.KIN | words_of.PETS):
            return Kind("fact", 4)
        if lemmas & words_of.HAPPENINGS:
            return Kind("event", 3)
    raise NotLearnt("passing state")


_OF_A_DAY = frozenset("вчера сегодня позавчера утром".split())
