"""Who somebody is to the speaker, and what people, children and animals are called, in Russian. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Mention
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.morphology import (
    in_case,
    inflected,
    lemma,
    nominative,
    own,
    parses,
    type_of,
    within,
)
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting, Subject, may_be_meant, upper

_NAME = r"[А-ЯЁ][\w-]+(?: [А-ЯЁ][\w-]+){0,2}"
_MY = r"(?:мо[йяеёи]|наш[аеи]?)"
_ROLE = r"(?P<role>[а-яё][а-яё-]*(?: [а-яё-]+){0,3})"
_AGED = r"[А-ЯЁ][\w-]+(?: \(\d{1,2}\))?"
_NAMED_FIRST = re.compile(rf"^(?P<name>{_NAME})\s*(?:[—–-]|,|это|— это)\s*(?i:{_MY}) {_ROLE}$")
_ROLE_FIRST = re.compile(rf"^(?i:{_MY}) {_ROLE}\s*(?:[—–:-]\s*(?:это )?|это )(?P<name>{_NAME})(?:[\s,.].*)?$")
_CALLED = re.compile(
    rf"^(?i:у меня|у нас)(?i: есть| живёт| живет| дома)? (?P<what>[\w -]+?)(?:\s*[,:—–-]\s*|\s+)(?i:(?:его |её |ее "
    rf"|их |которого |которую )?(?:зовут|звать)\s+|по имени\s+|по кличке\s+|кличка\s+"
    rf"|имя\s+)?(?P<names>{_NAME}(?:(?:, | и |, а ){_NAME})*)$"
)
_AGES = re.compile(
    r"(?P<name>[А-ЯЁ]\w+)(?:\s*[—–-])?\s+\(?(?P<age>\d{1,2})(?:\s+(?P<unit>лет|год(?:а|ик)?|месяц\w*))?\b"
)
_SAME = re.compile(
    rf"^(?P<alias>{_NAME})\s*(?:[—–-]\s*)?(?:(?:это|— это|тоже)\s+(?:то же самое,? что(?: и)? |и есть )?"
    rf"|(?:это )?(?:сокращ[её]нно"
    rf"|сокращение|уменьшительное|ласково|коротко) от )(?P<name>{_NAME})(?:, (?P<role>(?i:{_MY}) [а-яё][а-яё -]+))?$"
)
_ALSO = re.compile(
    rf"^(?:(?P<kin>[а-яё]+(?:у|ю|а|я)) )?(?:(?:мы|я|все|друзья|коллеги|домашние|дома)\s+)+(?P<whom>{_NAME}|его|её"
    rf"|ее)?\s*(?:мы |все )?(?:зов[её]м|зовут|зову|называем|называют)\s+(?P<whom2>его|её"
    rf"|ее)?\s*(?:просто )?(?P<alias>{_NAME})$",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(
    r"^(?:(?:у|а у) (?P<whose>(?:мо\w+ |наш\w+ )?[\w-]+(?: [А-ЯЁ]\w+)?) )?(?:день рождения|днюха|др)"
    r"(?: (?:у )?(?P<whose2>(?:мо\w+ |наш\w+ )?[а-яёА-ЯЁ-]+))?\s*(?:[—–-]\s*)?(?P<day>\d{1,2} [а-яё]+(?: \d{4} года)?)",
    re.IGNORECASE,
)
_TRADE, _HAS = Kind("person", 4), Kind("fact", 4)


def people(clause: str, speaker: str, setting: Setting) -> Iterator[Said]:
    """``Анна — мой стоматолог``, ``у нас кот Пельмень``, ``Лиза — это Елизавета``; nothing of other clauses."""
    clause = re.sub(r", это .*$", "", clause)
    if match := _NAMED_FIRST.match(clause) or _ROLE_FIRST.match(clause):
        yield from _role(match["name"], match["role"], speaker)
    elif (match := _SAME.match(clause)) and not _is_common(match["alias"]):
        yield _same(match["alias"], match["name"])
        if match["role"]:
            yield from _role(match["name"], match["role"].split(" ", 1)[1], speaker)
    elif (match := _BIRTHDAY.match(clause)) and (match["whose"] or match["whose2"]):
        yield from _birthday(match["whose"] or match["whose2"], match["day"], speaker)
    elif match := _ALSO.match(clause):
        whom = match["whom"] or match["whom2"] or ""
        if match["kin"] and lemma(match["kin"].lower()) in words_of.KIN | words_of.PETS:
            kin = lemma(match["kin"].lower())
            known = f"{kin} {within(speaker, 'gent')}"
            about = Subject(known, known, pronoun=_pronoun(kin), aliases=(match["alias"],))
            yield Said(about, "", kind=_TRADE, wording=f"{known} — {match['alias']}")
            return
        if whom[:1].isupper():
            yield _same(match["alias"], in_case(whom, "nomn"))
        elif whom and setting.last:
            yield _same(match["alias"], setting.last.about)
    elif match := _CALLED.match(clause):
        yield from _called(match, speaker)


def ages(sentence: str, speaker: str) -> Iterator[Said]:
    """``У меня двое детей: Мише 5 лет, а Кате 9``: each child with its age."""
    told = _CHILDREN.search(sentence)
    for found in _AGES.finditer(sentence, told.end()) if told else ():
        name = found["name"]
        nominative = inflected(name, "nomn")
        unit = found["unit"] or ("год" if found["age"] == "1" else "года" if found["age"] in ("2", "3", "4") else "лет")
        about = Subject(nominative, nominative)
        whose = f"Ребёнку {within(speaker, 'gent')} {inflected(name, 'datv')}"
        yield Said(about, "", kind=_TRADE, wording=f"{whose} {found['age']} {unit}")


_CHILDREN = re.compile(
    r"\b(?:дет|ребён|ребен|сын|доч|внук|внуч|племян|близнец|двойняш)[а-яё]*(?:[^:]*:|,)? "
    r"(?=[А-ЯЁ]|[^:]*\d (?:лет|год))",
    re.IGNORECASE,
)
_SEVERAL = re.compile(rf"^(?i:{_MY}) (?P<noun>[а-яё]+),? (?P<names>{_AGED}(?:, {_AGED})* и {_AGED}),? (?=[а-яё])")


def several(sentence: str) -> tuple[str, str, list[str]]:
    """``Мои дети, Петя и Оля, учатся дома``: the sentence without those who are listed, what they are, and their names;
    none where nobody is.
    """
    match = _SEVERAL.match(sentence)
    noun = parses(match["noun"])[0] if match else None
    if (
        match is None
        or noun is None
        or noun.tag.number != "plur"
        or noun.normal_form not in words_of.KIN | words_of.PETS
    ):
        return sentence, "", []
    names = re.sub(r" \(\d{1,2}\)", "", match["names"])
    return f"{sentence[: match.end('noun')]} {sentence[match.end() :]}", noun.word, re.split(", | и ", names)


def with_names(said: Said, noun: str, names: list[str]) -> Said:
    """Of those who are listed, by their names: ``Дети пользователя Петя и Оля``."""
    whose = rf"^({noun} (?:пользователя|[А-ЯЁ]\w+))\b"
    listed = f"{', '.join(names[:-1])} и {names[-1]}"
    wording = re.sub(whose, rf"\1 {listed}", said.wording, flags=re.IGNORECASE)
    return said if wording == said.wording else replace(said, wording=wording)


def each_of(noun: str, names: list[str], speaker: str) -> Iterator[Said]:
    """Who those that were listed are: ``Петя — ребёнок пользователя``."""
    for name in names:
        yield _is_who(_relative(lemma(noun), speaker, name))


_KIN_NAMED = re.compile(r"(?P<before>(?:^|[\w-]+ ))(?P<noun>[а-яёА-ЯЁ][а-яё-]{2,}),? (?P<name>[А-ЯЁ][а-яё]+)\b")
_THEIRS = frozenset("его её ее их твой твоя твоей твоего твою ваш ваша вашей вашего вашу чей чья".split())


def presupposed(sentence: str, speaker: str) -> Iterator[Said]:
    """Who those are that a sentence names beside what it says: ``подарок для сестры Карины``."""
    for match in _KIN_NAMED.finditer(sentence):
        noun, name = lemma(match["noun"].lower()), nominative(match["name"])
        is_own = match["before"].strip().lower() not in _THEIRS
        if noun in words_of.KIN | words_of.PETS and name and is_own and type_of(match["name"], "") == "person":
            yield _is_who(_relative(noun, speaker, name))


def _is_who(about: Subject) -> Said:
    return Said(about, "", kind=_TRADE, wording=f"{about.about} — {about.aliases[0]}")


_WORD = re.compile(r"[А-Яа-яЁё][\w-]*")


def mentioned(text: str, speaker: str, people: Mapping[str, Subject]) -> list[Subject]:
    """The persons a text names or describes, each once: whom a pronoun behind it may mean."""
    found: dict[str, Subject] = {}
    words = _WORD.findall(text)
    taken = 0  # words that belong to somebody found already
    for at, word in enumerate(words):
        if at < taken or (at and words[at - 1].lower() in _THEIRS):
            continue
        noun, after = lemma(word.lower()), [each for each in words[at + 1 : at + 4] if each.lower() not in _IS]
        first = after[0] if after else ""
        taken = words.index(first, at + 1) + 1 if first else at + 1
        if noun in words_of.KIN and _is_person(first) and (_is_nominative(first) or not _is_nominative(word)):
            about = _relative(noun, speaker, nominative(first) or first)
        elif noun in words_of.KIN and (_is_person(first) or lemma(first.lower()) in words_of.KIN):
            whose = first if _is_person(first) else f"{first} {within(speaker, 'gent')}"
            about = Subject(f"{upper(noun)} {whose}", f"{noun} {whose}", pronoun=_pronoun(noun))
            taken += len(after) > 1 and _is_person(after[1]) and _is_nominative(after[1])
        elif noun in words_of.KIN and "plur" not in parses(word.lower())[0].tag:
            taken, about = at + 1, people.get(noun, _relative(noun, speaker))
        elif _is_person(word) and (name := nominative(word)):
            taken, about = at + 1, people.get(name, Subject(name, name, pronoun=_pronoun_of(word)))
        else:
            taken = at + 1
            continue
        found[about.about] = about
    return list(found.values())


def _is_person(word: str) -> bool:
    return (
        word[:1].isupper()
        and any("Name" in each.tag for each in parses(word.lower()))
        and type_of(word, "") == "person"
    )


_IS = frozenset("зовут звать это".split())


def _is_nominative(word: str) -> bool:
    return any("nomn" in each.tag and each.score > 0.1 for each in parses(word.lower()))


def _relative(noun: str, speaker: str, name: str = "") -> Subject:
    whose = f"{noun} {within(speaker, 'gent')}"
    name_of = f"{upper(whose)} {name}".strip()
    return Subject(name_of, name or whose, pronoun=_pronoun(noun), aliases=(whose,) if name else ())


def _pronoun_of(name: str) -> str:
    """Of a name; empty where it may be either's."""
    genders = {each.tag.gender for each in parses(name.lower()) if "Name" in each.tag and "plur" not in each.tag}
    return {"femn": "она", "masc": "он"}.get(genders.pop() or "", "") if len(genders) == 1 else ""


def meant(pronoun: str, speaker: str, setting: Setting) -> Subject | None:
    """Whom он or она means: the one it can be of those just named, else who was spoken of last; None where two can be
    meant, or nobody.
    """
    near = may_be_meant(setting.last, mentioned(setting.heard, speaker, setting.people))
    fitting = [one for one in near if one.pronoun in ("", pronoun)]
    return fitting[0] if len(fitting) == 1 else None


def brought_up(clause: str, speaker: str) -> Subject | None:
    """The relative or animal a clause mentions, without a name."""
    nouns = (lemma(word) for word in reversed(re.findall(r"[а-яё]+", clause.lower())))
    noun = next((noun for noun in nouns if noun in words_of.KIN | words_of.PETS), None)
    return _relative(noun, speaker) if noun else None


def _pronoun(noun: str) -> str:
    return "она" if noun in words_of.SHE else "он"


def _birthday(whose: str, day: str, speaker: str) -> Iterator[Said]:
    """Of a relative of the speaker, or of somebody with a name; not of the speaker, whose is read elsewhere."""
    words = [word for word in whose.split() if not re.match(r"мо\w{1,2}$|мое(?:го|му)|наш", word, re.IGNORECASE)]
    if not words or words[0].lower() in ("меня", "нас"):
        return
    is_kin = lemma(words[0].lower()) in words_of.KIN | words_of.PETS
    if not is_kin and not words[0][0].isupper():
        return
    genitive = " ".join(inflected(word, "gent") for word in words)
    owner = f"{genitive} {within(speaker, 'gent')}" if is_kin else genitive
    name = " ".join(inflected(word, "nomn") for word in words)
    about = f"{name} {within(speaker, 'gent')}" if is_kin else name
    yield Said(Subject(about, about), "", kind=_TRADE, wording=f"День рождения {owner} — {day}")


def _role(name: str, role: str, speaker: str) -> Iterator[Said]:
    noun = _noun(role, is_person=any("Name" in each.tag for part in name.split() for each in parses(part.lower())))
    if noun is None:
        return
    first, *after = role.split(" ", noun + 1)[noun:]
    if not after and lemma(first) in _OVER:
        over = f"{lemma(first)} {within(speaker, 'gent')}"
        about = Subject(f"{upper(over)}", over, pronoun=_pronoun_of(name.split()[0]))
        yield Said(about, "", kind=_TRADE, wording=f"{upper(over)} — {name}", mentions=(Mention(name, "person"),))
        return
    whose = " ".join([*role.split()[:noun], first, within(speaker, "gent"), *after])
    about = Subject(name, name, aliases=(whose,) if lemma(first) in words_of.KIN else ())
    yield Said(about, "", kind=_TRADE, wording=f"{name} — {whose}", mentions=(Mention(name, "person"),))


_OVER = frozenset("начальник начальница руководитель босс шеф".split())


def _noun(role: str, *, is_person: bool) -> int | None:
    """Which of some words is the noun in the nominative: whom a person is."""
    for index, word in enumerate(role.split()):
        parsed = next((each for each in parses(word) if {"NOUN", "nomn"} in each.tag), None)
        if parsed is not None:
            known = "anim" in parsed.tag or parsed.normal_form in words_of.KIN | words_of.PETS
            return index if is_person or known else None
        if parses(word)[0].tag.POS not in ("ADJF", "PRTF"):
            return None
    return None


def _same(alias: str, name: str) -> Said:
    about = Subject(name, name, aliases=(alias,))
    return Said(about, "", kind=_TRADE, wording=f"{alias} — это {name}")


def _is_common(word: str) -> bool:
    return word.lower() in words_of.PRONOUNS or "NPRO" in parses(word.lower())[0].tag


def _called(match: re.Match[str], speaker: str) -> Iterator[Said]:
    what = match["what"].strip()
    noun = next((word for word in what.split() if lemma(word) in words_of.KIN | words_of.PETS), "")
    if not noun:
        return
    names = match["names"].replace(", а ", ", ")
    several = bool(re.search(r",| и ", names))
    if several or " " in what:
        yield Said(own(speaker), "", kind=_HAS, wording=f"У {within(speaker, 'gent')} {what}")
    base = parses(noun)[0]
    form = base.inflect({"plur", "accs"} if several else {"sing", "accs"})
    whose = f"{form.word if form else noun} {within(speaker, 'gent')}"
    known = f"{base.normal_form} {within(speaker, 'gent')}"
    pronoun = _pronoun(base.normal_form)
    name = f"{upper(known)} {names}"
    about = own(speaker) if several else Subject(name, names, pronoun=pronoun, aliases=(known,))
    yield Said(about, "", kind=_TRADE, wording=f"{whose} зовут {names}")
