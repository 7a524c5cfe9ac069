"""Russian forms, by pymorphy3: what a word may be, a phrase in another case, a phrase in its dictionary form.

``lemmas`` adds marks that patterns and kinds of values ask for:

/nom /gen /dat /acc /ins /loc   cases, of nouns, pronouns and what agrees with them
/1 /we                          a verb of the first person; of its plural
/3                              a verb of the third person in the singular, present
/past /m /f                     a verb in the past that may be the speaker's; a man's, a woman's
жить/pres жить/past жить/futr   a verb in a tense, by its dictionary form; жить/impr, an order
/inf                            an infinitive
/name /named                    a name of a person, also in small letters; a word that may be one
/place                          a place, also in small letters
/word                           a word of the dictionary that is no name
/anim /noun /adj /sing /plur    what else a noun or an adjective is
/doer                           somebody by what they do: ``сметчик``
/drug                           a medicine, by its end
/inner                          no part of a thing's name: a finite verb, a conjunction, a pronoun
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from sandbox.extensions.memory.parse.language import Case, Forms

_CASES = {"nomn": "/nom", "gent": "/gen", "gen2": "/gen", "datv": "/dat", "accs": "/acc", "ablt": "/ins",
          "loct": "/loc", "loc2": "/loc"}  # fmt: skip
_OF_CASE = {"nom": "nomn", "gen": "gent", "dat": "datv", "acc": "accs", "ins": "ablt", "loc": "loct"}
_PROPER = ("Name", "Surn", "Patr", "Geox", "Orgn")
_PERSON = ("Name", "Surn", "Patr")
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_DOER = re.compile(r"(?!мальчик|автор)\w{2,}(?:тор|лог|щик|чик|вед|граф|арь|тель|лист|лог)")
_DRUG = re.compile(
    r"\w{2,}(?:прил|олол|сартан|статин|зол|мицин|парин|ксабан|дипин|формин|тироксин|преднизолон|лукаст|етин|прамин?|трип"
    r"тан|золам|зепам|мектин|медин|глифлозин|лоратадин|тиризин|фен|профен|цетамол|трексат)"
)
_INNER = frozenset(("CONJ", "PRCL", "NPRO", "INTJ", "PRED", "GRND", "PREP", "ADVB"))
_LIKELY = 0.08  # a rarer reading is ignored
_RARE = {
    ("дерзить", False),
    ("коста", True),
    ("питер", True),
    ("мыть", False),
    ("лора", True),
}  # words whose rare reading is the intended one
_BEFORE_TWO = re.compile(r"\b([ВвСс]) (?=(?:[вВфФ][бвгджзклмнпрстфхцчшщ]|мн[еоу]|льв))")
_YEARS = re.compile(r"(?<![\d.])(\d{1,3}) лет\b")
_FEW = re.compile(r"\b(два|три|четыре) лет\b")
_UNBENT = re.compile("[бвгджзклмнпрстфхцчшщоуиюэ]$")  # the end of a foreign name: в Тинькофф, в Авито
_PLURAL = re.compile(r"^((?:родители|дети) пользователя (?:больше )?(?:не )?)(\w+)", re.IGNORECASE)
_OF_TWO = re.compile(r"(?<=ользователь )(развелись|поженились)\b")  # of one person, in the plural of two
_LOOSE = re.compile(r" ([.,:])(?!\w)")
_FIRST = frozenset("мне меня мной нас нам нами мы ты тебе тебя вам вас".split())
_BY_LANGUAGE = re.compile(r"по-(\w+[сц]ки)")  # говорить по-русски
_LISTED = re.compile(r"(,\s+|(?<!\s)\s+(?:и|или)\s+)")
_SHORT = {"новосиб": "новосибирск", "екб": "екатеринбург", "ебург": "екатеринбург", "мск": "москва", "спб": "петербург"}
_SHORTENED = re.compile(rf"\b({'|'.join(_SHORT)})(?:а|е|у|ом)?\b", re.IGNORECASE)
_SOUNDS = re.compile(r"\b([Сс]) (?=[сСзЗшШ][бвгджзклмнпрстфхцчшщ])")


class Russian(Forms):
    """Words with all their possible readings."""

    def lemmas(self, word: str) -> frozenset[str]:
        """A word, its dictionary forms and its marks."""
        return _lemmas(word)

    def inflect(self, phrase: str, case: Case) -> str:
        """A phrase in a case: the words before its first noun, the noun, and the names after it."""
        return _inflected(phrase, _OF_CASE[case])

    def base(self, phrase: str, case: Case | None = None) -> str:
        """A phrase in the nominative; ``case`` is its present case, if known."""
        return _inflected(phrase, "nomn", _OF_CASE[case] if case else None)

    def may_name(self, word: str, kind: str) -> bool:
        """A place in Latin letters is rather a tool: *переехали на Vitest*."""
        return kind != "place" or not word.isascii()

    def gender(self, name: str) -> str:
        """The gender by the first name."""
        first = name.split()[0].lower() if name else ""
        found = next((each.tag.gender for each in _parses(first) if any(mark in each.tag for mark in _PERSON)), None)
        return {"masc": "m", "femn": "f"}.get(found or "", "")

    def tidy(self, sentence: str) -> str:
        """``в Владимире``: во Владимире."""
        sentence = _OF_TWO.sub(lambda match: "в разводе" if match[1] == "развелись" else "в браке", sentence)
        sentence = _PLURAL.sub(lambda match: f"{match[1]}{_of_several(match[2])}", sentence)
        sentence = sentence.replace(":.", ".").replace(": .", ".")
        sentence = sentence if sentence.count('"') % 2 == 0 else sentence.replace('"', "")
        sentence = _YEARS.sub(
            lambda match: f"{match[1]} {_years(int(match[1]))}", _LOOSE.sub(r"\1", " ".join(sentence.split()))
        )
        sentence = _FEW.sub(r"\1 года", sentence)
        return _SOUNDS.sub(r"\1о ", _BEFORE_TWO.sub(r"\1о ", sentence))

    def third(self, phrase: str) -> str:
        """``бегаю со своей собакой``: бегает; empty if it has no third person."""
        return _third(phrase)


@cache
def _analyzer() -> Any:
    """Loaded at the first Russian sentence; this takes a fifth of a second."""
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer()


@lru_cache(maxsize=1 << 14)
def _parses(word: str) -> tuple[Any, ...]:
    """The readings of a word in lower case, the likeliest first; empty for an unreadable word."""
    if not _CYRILLIC.search(word):
        return ()
    try:
        return tuple(each for each in _analyzer().parse(word) if (each.normal_form, "Name" in each.tag) not in _RARE)
    except Exception:  # a letter without a Unicode name raises an error
        return ()


_MASCULINE = frozenset(
    "веган тимлид бэкендер фронтендер девопс продакт эйчар сммщик вайбкодер тестер сбер озон".split()
)
_ENDINGS = {"": "nomn", "а": "gent", "у": "datv", "ом": "ablt", "е": "loct"}  # of words that are in no dictionary


def _regular(word: str) -> tuple[str, str] | None:
    """The dictionary form and the case of a word that is in no dictionary."""
    found = ((stem, case) for end, case in _ENDINGS.items() if word.endswith(end)
             for stem in (word.removesuffix(end),) if stem in _MASCULINE)  # fmt: skip
    return next(found, None)


@lru_cache(maxsize=1 << 14)
def _lemmas(word: str) -> frozenset[str]:
    if regular := _regular(word):
        cases = {_CASES[regular[1]], *(("/acc",) if regular[1] in ("nomn", "gent") else ())}
        return frozenset((word, regular[0], "/noun", "/anim", "/sing", *cases))
    found = {word}
    parses = _parses(word)
    likely = [each for each in parses if each.score >= _LIKELY] or list(parses[:1])
    for each in likely:
        found.add(each.normal_form)
        found |= _marks(each)
    if "-" in word.strip("-"):
        found |= {each.normal_form for each in _parses(word.rpartition("-")[2])[:2]}
    if not parses:
        return frozenset(found)
    top = parses[0].tag
    if any(mark in top for mark in _PERSON) and parses[0].is_known:
        found.add("/name")
    if word in ("её", "ее"):
        found |= {"/gen", "/acc"}
    if any(mark in each.tag for each in parses for mark in _PERSON):
        found.add("/named")
    if "Geox" in top or _SHORTENED.fullmatch(word):
        found.add("/place")
    if parses[0].is_known and not any(mark in top for mark in _PROPER):
        found.add("/word")
    if any("Fixd" in each.tag for each in likely):
        found.update(_CASES.values())
    elif not parses[0].is_known and top.case == "nomn" and _UNBENT.search(word):
        found |= {"/acc", "/loc"}
    if top.POS in _INNER or (top.POS == "VERB" and parses[0].is_known):
        found.add("/inner")
    if top.POS == "NOUN" and "anim" in top and _DOER.fullmatch(parses[0].normal_form):
        found.add("/doer")
    if any(_DRUG.fullmatch(each.normal_form) and each.tag.animacy != "anim" for each in likely):
        found.add("/drug")
    return frozenset(found)


def _marks(parsed: Any) -> set[str]:
    tag, base = parsed.tag, parsed.normal_form
    if tag.POS == "INFN":
        return {f"{base}/inf", "/inf"}
    if tag.POS == "VERB":
        return _verb_marks(tag, base)
    marks = {_CASES[tag.case]} if tag.case in _CASES else set()
    if tag.number:
        marks.add(f"/{tag.number}")
    if (tag.POS == "NPRO" or "anim" in tag) and not marks.isdisjoint(("/gen", "/acc")):
        marks |= {"/gen", "/acc"}
    if tag.POS == "NOUN":
        marks |= {"/noun", *(("/anim",) if "anim" in tag else ())}
    if tag.POS in ("ADJF", "PRTF"):
        marks.add("/adj")
    return marks


def _verb_marks(tag: Any, base: str) -> set[str]:
    if tag.mood == "impr":
        return {f"{base}/impr", "/impr"}
    marks = {f"{base}/{tag.tense}"}
    if tag.person == "1per":
        marks |= {"/1", *(("/we",) if tag.number == "plur" else ())}
    if tag.person == "3per" and tag.number == "sing":
        marks.add("/3")
    if tag.tense == "past" and tag.gender != "neut":
        marks |= {"/past", *(("/f",) if tag.gender == "femn" else ("/m",) if tag.gender else ())}
    return marks


def _of_several(verb: str) -> str:
    found = next((each for each in _parses(verb) if each.tag.person == "3per"), None)
    form = found.inflect({"plur"}) if found else None
    return str(form.word) if form else verb


def _years(number: int) -> str:
    if number % 10 == 1 and number % 100 != 11:
        return "год"
    return "года" if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else "лет"


def _third(phrase: str) -> str:
    words = [word for word in phrase.split() if word.lower().strip(",") != "я"]
    if any(word.lower().strip(",") in _FIRST for word in words):
        return ""
    verbs = [at for at, word in enumerate(words) if "/1" in _lemmas(word.lower())]
    if not verbs and words and "/inf" in _lemmas(words[0].lower()):
        verbs = [0]
    for at in verbs:
        found = next((each for each in _parses(words[at].lower()) if each.tag.POS in ("VERB", "INFN")), None)
        form = (
            found.inflect({"VERB", "3per", "sing", "indc", "pres" if found.tag.tense != "futr" else "futr"})
            if found
            else None
        )
        if form is None:
            return ""
        words[at] = str(form.word)
    return " ".join(_own(word) for word in words)


def _own(word: str) -> str:
    """``мой``, ``наш`` -> свой."""
    parsed = next((each for each in _parses(word.lower())[:1] if each.normal_form in ("мой", "наш")), None)
    if parsed is None:
        return word
    wanted = {parsed.tag.case, parsed.tag.number, parsed.tag.gender, parsed.tag.animacy} - {None}
    form = _parses("свой")[0].inflect(wanted)
    return str(form.word) if form else word


@lru_cache(maxsize=1 << 12)
def _inflected(phrase: str, case: str, given: str | None = None) -> str:
    phrase = _SHORTENED.sub(lambda match: _SHORT[match[1].lower()].capitalize(), phrase)
    if len(parts := _LISTED.split(phrase)) > 1:
        return "".join(part if at % 2 else _inflected(part, case, given) for at, part in enumerate(parts))
    words = _BY_LANGUAGE.sub(r"\1й", phrase).split()
    head = next((at for at, word in enumerate(words) if _is_noun(word)), None)
    if head is None:
        is_language = len(words) == 1 and _agrees(words[0]) and _parses(words[0].lower())[0].is_known
        return _adjective(words[0], _parses("язык")[0], case) if is_language else phrase
    if not all(_agrees(word) or word.isdigit() for word in words[:head]):
        return phrase
    parsed = _noun(words[head], words[:head], given)
    if parsed is None or (head and words[0].isdigit() and parsed.tag.case == "gent"):
        return phrase
    until = head + 1
    while until < len(words) and words[until][:1].isupper() and (_named(words[until]) or words[head][:1].isupper()):
        until += 1
    made = [_adjective(word, parsed, case) for word in words[:head]]
    made.append(_in_form(words[head], parsed, {case}))
    for word in words[head + 1 : until]:
        behind = _noun(word, (), given, parsed.tag.gender)
        made.append(_in_form(word, behind, {case}) if behind else word)
    return " ".join((*made, *words[until:]))


def _is_noun(word: str) -> bool:
    parses = _parses(word.lower())
    if not parses:
        return False
    is_noun = not _agrees(word) and (parses[0].tag.POS == "NOUN" or _regular(word.lower()) is not None)
    return is_noun or (word[:1].isupper() and bool(_named(word)))


def _agrees(word: str) -> bool:
    parses = _parses(word.lower())
    return any(each.tag.POS in ("ADJF", "PRTF") and each.score == parses[0].score for each in parses)


def _named(word: str) -> list[Any]:
    return [each for each in _parses(word.lower()) if any(mark in each.tag for mark in _PROPER)]


def _noun(word: str, before: Iterable[str], given: str | None, gender: str | None = None) -> Any:
    """The intended reading of a noun: a name if it is written like one, in agreement with the words before it, in the
    given case. None if nothing is known about it.
    """
    if _regular(word.lower()):
        return _parses("врач")[0]
    parses = _parses(word.lower())
    found = [each for each in parses if each.tag.POS == "NOUN"] or list(parses)
    if word[:1].isupper() and (named := [each for each in _named(word) if each.is_known]):
        found = [each for each in named if each.tag.number != "plur"] or named
        found = [each for each in found if gender is None or each.tag.gender == gender] or found
        found = [each for each in found if "Fixd" not in each.tag] or found  # сыну Марку
        found = [each for each in found if each.tag.case != "loct"] or found  # сестре Олесе
    else:
        found = [each for each in found if "Surn" not in each.tag and "Orgn" not in each.tag] or found
    if not found:
        return None
    for adjective in before:
        tags = [each.tag for each in _parses(adjective.lower()) if each.tag.POS in ("ADJF", "PRTF")]
        found = [each for each in found if any(_match(tag, each.tag) for tag in tags)] or found
    if given:
        of_case = [each for each in found if each.tag.case == given]
        if of_case or not found[0].is_known:
            masculine = (each for each in of_case if not each.is_known and each.tag.gender == "masc")
            return next(masculine, next(iter(of_case), None))
    likely = [each for each in found if each.score >= _LIKELY] or found
    nominative = [each for each in likely if each.tag.case == "nomn"]
    if not likely[0].is_known and not nominative:
        return None
    return next((each for each in nominative if each.tag.number != "plur"), None) or next(
        (each for each in nominative if each.score > 0.2), likely[0]
    )


def _match(adjective: Any, noun: Any) -> bool:
    return bool(
        adjective.case == noun.case
        and adjective.number == noun.number
        and (adjective.number == "plur" or adjective.gender == noun.gender)
    )


def _adjective(word: str, noun: Any, case: str) -> str:
    """An adjective in a case, in the gender and number of its noun."""
    tag = noun.tag
    parsed = next((each for each in _parses(word.lower()) if each.tag.POS in ("ADJF", "PRTF")), None)
    if parsed is None:
        return word
    wanted = {case, *(("plur",) if tag.number == "plur" else ("sing", tag.gender or "masc"))}
    if case == "accs" and (tag.number == "plur" or tag.gender == "masc"):
        wanted.add("anim" if "anim" in tag else "inan")
    return _in_form(word, parsed, wanted)


def _in_form(word: str, parsed: Any, wanted: set[str]) -> str:
    if regular := _regular(word.lower()):
        ends = {of: end for end, of in _ENDINGS.items()}
        return word[: len(regular[0])] + ends.get(next(iter(wanted)), "а")
    if not _CYRILLIC.search(word) or (len(word) > 1 and word.isupper()) or "Fixd" in parsed.tag:
        return word
    if parsed.tag.case in wanted and len(wanted) == 1:
        return word
    if wanted == {"accs"} and not parsed.is_known and parsed.tag.gender == "masc" and not word[:1].isupper():
        wanted = {"nomn"}  # a word in no dictionary is a thing: лозартан, постгрес
    if "Supr" in parsed.tag:  # лучший is not наихороший
        form = next(
            (each for each in parsed.lexeme if wanted <= each.tag.grammemes and each.word[:3] == word[:3]), None
        )
    else:
        form = parsed.inflect(wanted)
    if form is None:
        return word
    made = str(form.word)
    if word[:1].isupper():
        made = "-".join(
            new[:1].upper() + new[1:] if old[:1].isupper() else new
            for old, new in zip(word.split("-"), made.split("-"), strict=False)
        )
    return made


FORMS = Russian()
