"""Russian names as they stand in a sentence, put into the nominative. Pure."""

import re
from functools import lru_cache
from typing import Any

from sandbox.extensions.memory.consolidate.proposal import EntityType
from sandbox.extensions.memory.consolidate.rules.morphology import parses

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_PROPER = ("Name", "Surn", "Patr", "Geox", "Orgn", "Trad")
_NO_NAME = frozenset("пользователь команда бог интернет россиянин впредь день около".split())
_WORKS = re.compile(
    r"(?:работ|устрои|устраива|перешё|перешл|нанял|уволи|ушё|ушл|стажир|собеседов|служ)\w* (?:в|из|на)\s+$", re.I
)


def is_russian(name: str) -> bool:
    """Whether it is written in Cyrillic letters."""
    return bool(_CYRILLIC.search(name))


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


def _best(word: str) -> Any:
    """What a word with a capital letter most likely is: a name in the nominative, else any name, else any word."""
    found = parses(word.lower())
    proper = [each for each in found if any(mark in each.tag for mark in _PROPER)]
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
