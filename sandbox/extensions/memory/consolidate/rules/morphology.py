"""Russian words and names: what they may be, and their other forms, by pymorphy3. Pure."""

import re
from functools import cache, lru_cache
from typing import Any

from sandbox.extensions.memory.consolidate.proposal import EntityType
from sandbox.extensions.memory.consolidate.rules.statements import Subject

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def is_russian(text: str) -> bool:
    """Whether it has Cyrillic letters."""
    return not text.isascii() and bool(_CYRILLIC.search(text))


@cache
def _analyzer() -> Any:
    """Loaded at the first Russian sentence: a fifth of a second."""
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer()


_NO_WORD = "?"


@lru_cache(maxsize=1 << 13)
def parses(word: str) -> tuple[Any, ...]:
    """What a word may be, the likeliest first: at least one, also for what is no word."""
    try:
        return tuple(_analyzer().parse(word))
    except Exception:  # a letter to which Unicode gives no name raises; whatever it cannot read is no word
        return tuple(_analyzer().parse(_NO_WORD))


_RARE = frozenset(("дерзить",))  # whose forms are those of a verb that is meant: "держу"


def _unlikely(parsed: Any) -> tuple[bool, bool, bool]:
    return "impr" in parsed.tag, "futr" in parsed.tag, parsed.normal_form == "возить"  # "вожу" is of a car


@lru_cache(maxsize=1 << 13)
def verb(word: str) -> Any | None:
    """A word as a finite verb, if it is more likely one than not; an order or a future only
    if it can be nothing else.
    """
    return next(
        (
            each
            for each in sorted(parses(word)[:3], key=_unlikely)
            if each.tag.POS == "VERB"
            and each.normal_form not in _RARE
            and (each.score > 0.25 or each.tag.person == "1per")
        ),
        None,
    )


def lemma(word: str) -> str:
    """The dictionary form."""
    return str(parses(word)[0].normal_form)


_DOER = re.compile(r"(?!мальчик|автор)\w{2,}(?:тор|лог|щик|чик|вед|граф|арь)")


def is_doer(noun: str) -> bool:
    """Whether a noun names somebody by what they do: ``иллюстратор``, ``сметчик``."""
    return _DOER.fullmatch(noun) is not None and "anim" in parses(noun)[0].tag


def agreeing(noun: str, case: str = "") -> set[str]:
    """The grammemes of an adjective that stands before a noun, in a case that is known or the likeliest."""
    found = (each.tag for each in parses(noun) if not case or case in each.tag)
    tag = next(found, parses(noun)[0].tag)
    if tag.case and tag.number == "plur":
        return {str(tag.case), "plur"}
    return {str(tag.case), str(tag.gender), "sing"} if tag.case and tag.gender else {"nomn"}


def inflected(word: str, *grammemes: str) -> str:
    """A word in another form, or as it is where it has none; its capital is kept."""
    if not is_russian(word) or (len(word) > 1 and word.isupper()):
        return word
    options = (
        [each for each in parses(word.lower()) if "Name" in each.tag or "Geox" in each.tag] if word[0].isupper() else []
    )
    if re.search("[оеиуюэ]$", word) and not parses(word.lower())[0].is_known:
        return word
    for each in (*options, *parses(word.lower())):
        if each.tag.POS in ("PREP", "CONJ", "PRCL"):
            return word
        form = each.inflect(set(grammemes))
        if form is not None:
            return form.word.capitalize() if word[0].isupper() else str(form.word)
    return word


@cache
def in_case(name: str, case: str) -> str:
    """A name, or the user, in a case."""
    if name in ("Пользователь", "пользователь"):
        return inflected("пользователь", case)
    return " ".join(inflected(part, case) for part in name.split())


def within(name: str, case: str) -> str:
    """The same inside a sentence, where the user is written small."""
    inflected_name = in_case(name, case)
    return inflected_name.lower() if name == "Пользователь" else inflected_name


@lru_cache(maxsize=1 << 10)
def gender(name: str) -> str:
    """Of a name; masculine where it tells nothing."""
    tags = [each.tag for each in parses(name.split()[0].lower()) if "Name" in each.tag] if name else []
    return "femn" if tags and tags[0].gender == "femn" else "masc"


_PROPER = ("Name", "Surn", "Patr", "Geox", "Orgn", "Trad")
_NO_NAME = frozenset("пользователь команда бог интернет россиянин впредь день около".split())
_WORKS = re.compile(
    r"(?:работ|устрои|устраива|перешё|перешл|нанял|уволи|ушё|ушл|стажир|собеседов|служ)\w* (?:в|из|на)\s+$", re.I
)


@lru_cache(maxsize=1 << 10)
def nominative(name: str) -> str | None:
    """``Нижнем Новгороде``: Нижний Новгород. None for a common word that only begins a sentence."""
    words = name.split()
    if words[0].lower() in _NO_NAME or parses(words[-1].lower())[0].normal_form in _NO_NAME:
        return None
    if len(words) == 1 and parses(name.lower())[0].tag.POS not in ("NOUN", "ADJF", None):
        return None
    gender = next((tag.gender for word in words for tag in [_best(word).tag] if "Name" in tag), None)
    return " ".join(_nominative(word, gender) for word in words)


def type_of(name: str, before: str) -> EntityType | None:
    """What a name in the nominative names, where it or what stands before it tells."""
    if _WORKS.search(before):
        return "organization"
    tags = [_best(word).tag for word in name.split()]
    if any("Name" in tag or "Surn" in tag for tag in tags):
        return "person"
    return "place" if any("Geox" in tag for tag in tags) else None


_RARE_NAMES = frozenset(("коста",))  # whose forms are those of a name that is meant: "Косте"


def _best(word: str) -> Any:
    """What a word with a capital letter most likely is: a name in the nominative, else any name, else any word."""
    found = parses(word.lower())
    proper = [each for each in found if any(mark in each.tag for mark in _PROPER)]
    proper = [each for each in proper if each.normal_form not in _RARE_NAMES] or proper
    likely = [each for each in proper if "nomn" in each.tag and each.score > 0.1 and "plur" not in each.tag]
    return next(iter(likely or proper or found))


def _nominative(word: str, gender: str | None) -> str:
    best = _best(word)
    if not is_russian(word) or word.isupper() or "nomn" in best.tag or "Fixd" in best.tag:
        return word
    wanted = {"nomn", gender} if gender and gender in ("masc", "femn") and "Surn" in best.tag else {"nomn"}
    form = best.inflect(wanted | ({"sing"} if "Name" in best.tag else set())) or best.inflect({"nomn"})
    if form is None:
        return word
    parts = zip(word.split("-"), form.word.split("-"), strict=False)
    return "-".join(new.capitalize() if old[:1].isupper() else new for old, new in parts)


def speaker_name(who: str) -> str:
    """Whoever speaks, as Russian statements name them."""
    return "Пользователь" if who == "The user" else who


def own(speaker: str) -> Subject:
    """The speaker as whom a statement is about."""
    return Subject(speaker, within(speaker, "nomn"), is_self=True)
