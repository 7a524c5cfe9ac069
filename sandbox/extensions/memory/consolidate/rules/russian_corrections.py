"""What takes back something said before, in Russian: ``не Рекс, а Макс``, ``вернее, в Казани``. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sandbox.extensions.memory.consolidate.proposal import Manner, Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules.dates import Moment, moments
from sandbox.extensions.memory.consolidate.rules.morphology import (
    inflected,
    is_russian,
    lemma,
    nominative,
    parses,
    verb,
)
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Told
from sandbox.extensions.memory.consolidate.rules.texts import small, words_in

_WRONG = (
    r"опечатал(?:ся|ась)|опечатка|оговорил(?:ся|ась)|ошиб(?:ся|лась)|перепутал[аи]?|спутал[аи]?|напутал[аи]?"
    r"|тут ошибка|моя ошибка|поправка|поправлюсь|поправляюсь|исправлюсь|исправление|виноват[аы]?"
    r"|(?:неправильно|неверно|не то|не так) (?:написал|сказал|указал|назвал)[аи]?"
    r"|(?:(?:вечно|всегда|опять|снова|постоянно|вс[её] время) )(?:(?:их|вс[её]|я) )?путаю"
)
_BEFORE_NO = "(?:а |хотя |да |ну )?"
_MILD = (
    rf"ой|ох|ай|эх|упс|блин|ч[её]рт|т[ьф]+у|вру|{_BEFORE_NO}(?:нет|не(?=,))|стоп"
    r"|погоди(?:те)?|подожди(?:те)?|извини(?:те|ите)?|прости(?:те)?|сорри|сорян"
    r"|прошу прощения|пардон|конечно(?: же)?|на самом деле|вообще-то|вс[её]-таки"
)
_ASIDES = re.compile(
    rf"(?:^|[\s,.:!(—–-]+)(?:я (?=ошиб|перепут|спут|напут|опеч|оговор|неправ|неверн|не т|поправ|исправ"
    rf"|вечно|опять))?(?P<mark>{_WRONG}|{_MILD})"
    rf"(?: (?:тогда|раньше|вчера|(?:в )?прошлый раз))?(?=$|[\s,.:!)—–-])",
    re.IGNORECASE,
)
_OPENS = re.compile(
    rf"^(?:(?:{_MILD.replace(_BEFORE_NO, '(?:хотя )?')}|ну|да|а|и|так)[\s,.!:—–-]+)*(?:я )?"
    rf"(?:(?:тогда|вчера|раньше|в прошлый раз|тут|что-то|немного|слегка) )*(?:{_WRONG})"
    r"(?: (?:тогда|раньше|вчера|(?:в )?прошлый раз|насч[её]т \w+))?\s*[,.:!—–-]+\s*",
    re.IGNORECASE,
)
_LETTERS = re.compile(r",? (?:через|с|без) (?:\w+ знак\w*|букв\w+ \S+|(?:дв\w+|одн\w+) \S+|«?\w»?)$", re.IGNORECASE)
_PREPOSITION = r"(?:(?:в|во|на|из|с|со|к|до|у|за|по) )?"
_VALUE = r"[\w@+.:/-]+(?: [\w@+.:/-]+){0,2}?"
_NOT_BUT = re.compile(
    rf"^(?:(?:его|её|ее|их|это|там|мы|я)\b[\w ]{{0,12}}? )?не {_PREPOSITION}(?P<old>{_VALUE})\s*(?:,\s*а|,|—|–"
    rf"|-| а)\s+{_PREPOSITION}(?P<new>{_VALUE})$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"^(?:(?:его|её|ее|их|это|там)\b[\w ]{{0,12}}? )?{_PREPOSITION}(?P<new>{_VALUE}),?\s+(?:а не"
    rf"|не|вместо) {_PREPOSITION}(?P<old>{_VALUE})$",
    re.IGNORECASE,
)
_RATHER = re.compile(
    rf"^(?:вернее|точнее|то есть|т\.е\.|верно|правильно|правильнее|я имел[аи]? в виду|имел[аи]? в виду"
    rf"|(?:я )?хотел[аи]? (?:сказать|написать)|читай|пусть будет)\s*[,:—–-]?\s+{_PREPOSITION}(?P<new>{_VALUE})$",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?:(?:его|её|ее|их|это) (?:зовут )?)?{_PREPOSITION}(?P<new>{_VALUE})", re.IGNORECASE)
_MARKED = re.compile(rf"\b(?:на самом деле|точнее|вернее|вообще-то|прошлый раз|{_WRONG})\b|^(?:ой|упс|стоп|нет)\b")
_NOW = ("теперь", "уже", "отныне", "сейчас")
_LATEST = 12
_ONE = frozenset("работает живёт живет учится зовут проживает называется".split())  # verbs with one value at a time


def patched(sentence: str, told: Sequence[Told], turn: int, asked: str, now: datetime) -> list[Said]:
    """What was said before with another value; nothing where the sentence is no such correction. ``turn`` is the number
    of the speaker's turn, ``asked`` what another said before it.
    """
    is_marked = bool(_ASIDES.search(sentence))
    text = _LETTERS.sub("", _ASIDES.sub("", sentence).strip(" ,.:!—–-()"))
    latest = list(reversed(told[-_LATEST:]))
    bare = re.sub(r"^(?:вернее|точнее|то есть|верно|правильно)[\s,:—–-]+", "", text, flags=re.IGNORECASE)
    if pair := _NOT_BUT.match(bare) or _INSTEAD.match(bare):
        found = (_swapped(each.said, pair["old"], pair["new"], now) for each in latest)
        return [said for said in found if said][:1]
    if rather := _RATHER.match(text):
        return [said for each in latest[:1] if (said := _put(each.said, rather["new"], now))]
    alone = _BARE.fullmatch(text) if is_marked else None
    if alone is None or not _is_value_alone(alone["new"]):
        return []
    for each in latest:
        if each.turn > turn - 2 and (said := _put(each.said, alone["new"], now)):
            return (
                [said] if _WRONG_SAID.search(sentence) or "?" not in asked or _is_echoed(each.said, said, asked) else []
            )
    return []


_WRONG_SAID = re.compile(_WRONG, re.IGNORECASE)


def _is_value_alone(text: str) -> bool:
    """A name, a figure or a day, without a verb or a pronoun."""
    words = text.lower().split()
    is_plain = words_of.PRONOUNS.isdisjoint(words) and not any(verb(word) for word in words if len(word) > 2)
    return is_plain and bool(text[0].isupper() or _is_value(words[0]) or _day(text, None))


def _is_echoed(said: Said, put: Said, asked: str) -> bool:
    gone = set(map(_base, said.content.split())) - set(map(_base, put.content.split()))
    return not gone.isdisjoint(map(_base, asked.split()))


_NTH = re.compile(r"(\d{1,2})-?(?:го|ое|е|му|м)(?: числа)?")


def _nth(text: str, places: Sequence[Moment], new: str, old: str = "") -> tuple[list[str], datetime] | None:
    """The words with another day of the month, one that every month has, instead of ``old``, and when that is."""
    day_of = re.compile(rf"\b(?:{int(old)}|{old})\b" if old else r"\b\d{1,2}\b")
    place = next((each for each in reversed(places) if day_of.search(text, each.start, each.end)), None)
    if place is None or not 1 <= int(new) <= 28:
        return None
    return f"{text[: place.start]}{day_of.sub(new, text[place.start :], count=1)}".split(), place.at.replace(
        day=int(new)
    )


def _day(text: str, now: datetime | None) -> Moment | None:
    """The day some words name, all of them."""
    at = now or datetime(2000, 1, 1)
    found = (moments(each, at, ahead=True) for each in (text, f"в {text}", f"во {text}"))
    return next((each[0] for each in found if each and each[0].end - each[0].start >= len(text)), None)


def _put(said: Said, new: str, now: datetime) -> Said | None:
    """A day for the day it names, else in the place of the last word of its kind: a name for a name, a figure for a
    figure.
    """
    text = said.content.rstrip(".")
    if (nth := _NTH.fullmatch(new)) and (places := moments(text, now)):
        return _replaced(said, *put) if (put := _nth(text, places, nth[1])) else None
    if (day := _day(new, now)) and (places := moments(text, now)):
        return _other_day(said, text, places[-1], day)
    words = text.split()
    for index in range(len(words) - 1, 0, -1):
        if _sort(words[index]) == _sort(new.split()[0]) and words[index].lower() != new.lower():
            return _replaced(said, [*words[:index], _fitting(new, words[index], words[index - 1]), *words[index + 1 :]])
    return None


def _other_day(said: Said, text: str, place: Moment, day: Moment) -> Said | None:
    written = day.written if re.search(r"\d{4}", text[place.start : place.end]) else _without_year(day.written)
    return _replaced(said, f"{text[: place.start]}{written}{text[place.end :]}".split(), day.at)


def _without_year(written: str) -> str:
    return re.sub(r" (?:в )?\d{4} год\w*$", "", written)


def _swapped(said: Said, old: str, new: str, now: datetime) -> Said | None:
    """The statement with one word for another, in the case that has there; with one day for another."""
    text = said.content.rstrip(".")
    if (was := _NTH.fullmatch(old)) and (nth := _NTH.fullmatch(new)):
        return _replaced(said, *put) if (put := _nth(text, moments(text, now), nth[1], was[1])) else None
    wrong, right = _day(old, now), _day(new, now)
    if wrong and right:
        place = next((each for each in moments(text, now) if each.at == wrong.at), None)
        return _other_day(said, text, place, right) if place else None
    words = text.split()
    wanted = [_base(word) for word in old.split()]
    for index in range(len(words) - len(wanted) + 1):
        place_ = words[index : index + len(wanted)]
        if [_base(word) for word in place_] == wanted or " ".join(place_).lower() == old.lower():
            fitting = _fitting(new, place_[-1], words[index - 1] if index else "")
            return _replaced(said, [*words[:index], fitting, *words[index + len(wanted) :]])
    return None


def _replaced(said: Said, words: Sequence[str], at: datetime | None = None) -> Said | None:
    wording = re.sub(r"\b(\w{3,}) \1\b", r"\1", " ".join(words))
    changed = replace(said, at=at, verb="", value="", wording=wording, mentions=(), replaces=())
    if changed.content == said.content:
        return None
    return replace(changed, replaces=(Replaced("correction", statement=said.content),))


def _base(word: str) -> str:
    word = word.strip(',.!?«»"')
    return (nominative(word) or lemma(word.lower())).lower() if word[:1].isupper() else lemma(word.lower())


def _fitting(new: str, place: str, before: str) -> str:
    """In the case of what stood there."""
    if not is_russian(place):
        return new
    cases = [each.tag.case for each in parses(place.lower()) if each.tag.case]
    located = "loct" in cases and before.lower() in ("в", "во", "на")
    case = "loct" if located else next(iter(cases), None)
    if case is None or len(new.split()) > 1 or new.isascii() or new.isupper():
        return new
    if case == "nomn":
        return nominative(new) or new if new[:1].isupper() else new
    return inflected(nominative(new) or new if new[:1].isupper() else new, case)


def _sort(word: str) -> str:
    if word[:1].isdigit():
        return "figure"
    if word[:1].isupper():
        return "name"
    if "Anum" in parses(word.lower())[0].tag:
        return "ordinal"
    return str(parses(word.lower())[0].tag.POS)


def opened(sentence: str) -> str:
    """A sentence without what says that it puts something right, where more follows."""
    lead = _OPENS.match(sentence)
    return _turned(sentence[lead.end() :] if lead and len(sentence) - lead.end() > 2 else sentence)


_NOT_A_BUT_B = re.compile(
    r"(?P<before>\w[^,]*?) не (?P<old>(?:(?:в|во|на|из|с|со|у|по|для) )?[\w-]+(?: [\w-]+)?), а (?P<new>[^,.!?]+)",
    re.IGNORECASE,
)


def _turned(sentence: str) -> str:
    """``аллергия не на миндаль, а на кешью``: на кешью, а не на миндаль."""
    if ", а " not in small(sentence):
        return sentence
    return _NOT_A_BUT_B.sub(r"\g<before> \g<new>, а не \g<old>", sentence)


def settled(sentence: str, said: Said, told: Sequence[Told]) -> Said:
    """A statement that puts right, or follows, one of another time: it says the same but for a number or a name."""
    marked, now = _MARKED.search(small(sentence)), not words_in(sentence).isdisjoint(_NOW)
    if wrong := _contrasted(_turned(sentence), said):
        manner: Manner = "change" if now or _PLANNED.search(sentence) else "correction"
        return replace(said, replaces=(*said.replaces, Replaced(manner, statement=wrong)))
    if not (marked or now) or said.kind == Kind("instruction", 4):
        return said
    for other in reversed(told[-_LATEST:] if marked else ()):
        if _same_relation(other.said, said) and other.said.content != said.content:
            return replace(said, replaces=(*said.replaces, Replaced("correction", statement=other.said.content)))
    ends = _same_in_other_words(said, is_marked=bool(marked)) if not said.replaces else None
    return replace(said, replaces=(ends,)) if ends else said


_CONTRAST = re.compile(r"(?P<told>[^.!?]*?),? а не (?P<old>[^,.!?()]{2,40})[\s.!)]*$", re.IGNORECASE)
_PLANNED = re.compile(r"\b(?:план\w* (?:по)?меня\w*|передума\w+|перен\w+|измени\w+|теперь|уже)\b", re.IGNORECASE)


def _contrasted(sentence: str, said: Said) -> str:
    """A statement as it would be with the value that is denied: ``по средам, а не по вторникам``."""
    match = _CONTRAST.search(sentence) if "а не " in small(sentence) else None
    if match is None:
        return ""
    old, told = match["old"].split(), match["told"].split()
    new = told[-len(old) :]
    if len(new) < len(old) or (len(old) > 1 and old[0].lower() != new[0].lower()):
        return ""
    wrong = said.content.replace(" ".join(new), " ".join(old), 1)
    return wrong if wrong != said.content else ""


def _same_relation(one: Said, other: Said) -> bool:
    return one.kind == other.kind and one.wording.split()[:2] == other.wording.split()[:2]


def _same_in_other_words(said: Said, *, is_marked: bool) -> Replaced | None:
    """What it was said to be before: the same with another figure, else with whatever the verb had then."""
    words = said.content.rstrip(".").split()
    kept = [word for word in words if not _is_value(word)]
    if len(kept) < len(words) and len(kept) > 3:
        return Replaced("correction" if is_marked else "change", statement=" ".join(kept))
    at = next((index for index, word in enumerate(words) if word in _ONE), 0)
    if not at or not is_marked:
        return None
    beside = words[at + 1 : at + 2] if words[at + 1 : at + 2] in (["в"], ["во"], ["на"], ["с"]) else []
    return Replaced("correction", statement=" ".join(words[:at]), verbs=(" ".join([words[at], *beside]),))


def _is_value(word: str) -> bool:
    """A figure or an ordinal."""
    found = parses(word.lower())[0].tag
    return word[:1].isdigit() or "Anum" in found or found.POS == "NUMR"
