"""Whom a Russian clause is about: the speaker, somebody of theirs, or somebody named. Pure."""

import re

from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import (
    gender,
    inflected,
    lemma,
    nominative,
    parses,
    verb,
    within,
)
from sandbox.extensions.memory.consolidate.rules.russian_people import meant
from sandbox.extensions.memory.consolidate.rules.statements import NotLearnt, Setting, Subject, upper


def is_bare_attribute(low: list[str]) -> bool:
    """``Бюджет — 150 тысяч``: of what one has one, without saying whose."""
    if low[0] in ("график", "смены", "стаж", "зрение"):
        return True
    return low[0] in words_of.ATTRIBUTES and (low[1][:1] in "—–-" or low[1][:1].isdigit()) and low[0] != "пояс"


def about_whom(tokens: list[str], low: list[str], speaker: str, setting: Setting) -> tuple[list[str], Subject]:
    """Whom it is about: the speaker, somebody of theirs, or somebody named."""
    own = Subject(speaker, speaker.lower() if speaker == "Пользователь" else speaker, is_self=True)
    if low[0] in ("он", "она"):
        if (whom := meant(low[0], speaker, setting)) is None:
            raise NotLearnt("not self-contained")
        return [*whom.name.split(), *tokens[1:]], whom
    if (case := _THEIRS.get(" ".join(low[:2])) or _THEIRS.get(low[0])) and (whom := meant(case[0], speaker, setting)):
        count = 2 if low[0] == "у" else 1
        name = f"{whom.name[0].lower()}{whom.name[1:]}" if count > 1 and "пользователя" in whom.name else whom.name
        theirs = (word if word == "пользователя" else inflected(word, case[1]) for word in name.split())
        return [*tokens[: count - 1], *theirs, *tokens[count:]], whom
    for index, word in enumerate(low[:3]):
        if re.fullmatch(r"мо[йяию]|мо(?:его|ему|ей|ю|их)|наш[аи]?|наш(?:его|ей|у)", word):
            nouns = [lemma(each) for each in low[index + 1 : index + 4]]
            kin = next((noun for noun in nouns if noun in words_of.KIN | words_of.PETS), None)
            if kin:
                after = tokens[index + 2 + nouns.index(kin)] if len(tokens) > index + 2 + nouns.index(kin) else ""
                form = _in_number(low[index + 1 + nouns.index(kin)], kin)
                whose = f"{form} {within(speaker, 'gent')}"
                name = after if after[:1].isupper() and "а" <= after[:1].lower() <= "я" else ""
                known = setting.people.get(kin)
                if name or not known:
                    return tokens, Subject(
                        f"{upper(whose)} {name}".strip(),
                        name or whose,
                        pronoun="она" if kin in words_of.SHE else "он",
                        aliases=(whose,) if name else (),
                    )
                return tokens, known
            break
    if low[0] == "у" and tokens[1][0].isupper() and is_name(low[1]):
        name = nominative(tokens[1]) or tokens[1]
        return tokens, Subject(name, name, pronoun={"femn": "она"}.get(gender(name), "он"))
    is_ours = any((found := verb(word)) is not None and found.tag.person == "1per" for word in low[1:5])
    if setting.to_assistant and not is_ours and (system := _system(tokens, low)):
        return tokens, system
    if len(tokens) > 3 and low[1] == "из" and tokens[2].islower() and is_name(low[0]) and tokens[0][0].isupper():
        from_there = " ".join(tokens[:3])
        return tokens, Subject(from_there, from_there, pronoun={"femn": "она"}.get(gender(tokens[0]), "он"))
    if (
        tokens[0][0].isupper()
        and not verb(low[0])
        and (len(tokens) > 1)
        and low[0] not in ("я", "мы", "у", "мне", "меня", "мой", "моя", "наш")
        and is_name(low[0])
    ):
        after = tokens[1] if len(tokens) > 2 and re.match(r"[А-ЯЁ][а-яё]", tokens[1]) and not verb(low[1]) else ""
        name = f"{tokens[0]} {after}".strip()
        return tokens, Subject(name, name, pronoun={"femn": "она"}.get(gender(tokens[0]), "он"))
    return tokens, own


def _in_number(word: str, noun: str) -> str:
    """``родителей``: родители; of one the noun."""
    found = parses(word)[0]
    several = found.inflect({"nomn", "plur"}) if found.tag.number == "plur" else None
    return str(several.word) if several else noun


_THEIRS = {
    "у него": ("он", "gent"), "у неё": ("она", "gent"), "у нее": ("она", "gent"), "ему": ("он", "datv"),
    "ей": ("она", "datv"),
}  # fmt: skip


def is_name(word: str) -> bool:
    """Whether a word may be the name of a person."""
    found = parses(word)
    return any("Name" in each.tag for each in found) or "Patr" in found[0].tag or "Surn" in found[0].tag


def _system(tokens: list[str], low: list[str]) -> Subject | None:
    """``тесты``, ``основная ветка``, ``наш прод``: a thing of a project that a clause begins with."""
    for index, word in enumerate(low[:3]):
        is_system = not {word, lemma(word)}.isdisjoint(words_of.SYSTEMS | words_of.SETTINGS)
        if is_system and (word.isascii() or any("nomn" in each.tag for each in parses(word))):
            name = " ".join(tokens[: index + 1])
            return Subject(name, name.lower(), is_thing=True)
        if parses(word)[0].tag.POS not in ("ADJF", "PRTF") or word.startswith(("мо", "наш")):
            return None
    return None
