"""What takes back something said before, in Russian: ``не Рекс, а Макс``, ``вернее, в Казани``. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules.morphology import inflected, lemma, parses
from sandbox.extensions.memory.consolidate.rules.russian_names import nominative
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said

_ASIDES = re.compile(
    r"(?:^|[\s,.:!(—–-]+)(?:ой|ох|упс|блин|нет|стоп|погоди|подожди|извини(?:те)?|прости(?:те)?|сорри|сорян"
    r"|прошу прощения|пардон"
    r"|опечатал(?:ся|ась)|опечатка|оговорил(?:ся|ась)|ошиб(?:ся|лась)|перепутал[аи]?|спутал[аи]?|напутал[аи]?"
    r"|тут ошибка"
    r"|моя ошибка|поправка|поправлюсь|неправильно написал[аи]?|неверно написал[аи]?|конечно(?: же)?"
    r"|на самом деле|вообще-то"
    r"|всё-таки|все-таки)(?=$|[\s,.:!)—–-])",
    re.IGNORECASE,
)
_PREPOSITION = r"(?:(?:в|во|на|из|с|со|к|до|у|за) )?"
_VALUE = r"[\w@+.:/-]+(?: [\w@+.:/-]+){0,2}?"
_NOT_BUT = re.compile(
    rf"^(?:(?:его|её|ее|их|это|там|мы|я)\b[\w ]{{0,12}}? )?не {_PREPOSITION}(?P<old>{_VALUE})\s*(?:,\s*а|,|—|–"
    rf"|-| а)\s+{_PREPOSITION}(?P<new>{_VALUE})$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"^(?:(?:его|её|ее|их|это|там)\b[\w ]{{0,12}}? )?{_PREPOSITION}(?P<new>{_VALUE}),?\s+(?:а не"
    rf"|не) {_PREPOSITION}(?P<old>{_VALUE})$",
    re.IGNORECASE,
)
_RATHER = re.compile(
    rf"^(?:вернее|точнее|то есть|т\.е\.|верно|правильно|я имел[аи]? в виду|имел[аи]? в виду|я хотел[аи]? сказать"
    rf"|хотел[аи]? написать|читай)\s*[,:—–-]?\s+{_PREPOSITION}(?P<new>{_VALUE})$",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:(?:в|во|на|из|с|до) )?(?P<new>[А-ЯЁA-Z\d][\w@+.-]*)")
_MARKED = re.compile(
    r"\b(?:на самом деле|точнее|вернее|ошиб(?:ся|лась)|поправка|перепутал[аи]?|опечат\w+|оговорил\w+|вообще-то"
    r"|неправильно сказал[аи]?|прошлый раз)\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:теперь|уже|отныне|сейчас)\b", re.IGNORECASE)
_LATEST = 12


def patched(sentence: str, told: Sequence[Said]) -> Said | None:
    """What was said before with another value; None where the sentence is no such correction."""
    text = _ASIDES.sub("", sentence).strip(" ,.:!—–-()")
    if pair := _NOT_BUT.match(text) or _INSTEAD.match(text):
        found = (_swapped(said, pair["old"], pair["new"]) for said in reversed(told[-_LATEST:]))
        return next((said for said in found if said), None)
    rather = _RATHER.match(text) or (_BARE.fullmatch(text) if _MARKED.search(sentence) else None)
    if told and rather:
        return _rather(told[-1], rather["new"])
    return None


def _swapped(said: Said, old: str, new: str) -> Said | None:
    """The statement with one word for another, in the case that has there."""
    words = said.content.rstrip(".").split()
    wanted = [_base(word) for word in old.split()]
    for index in range(len(words) - len(wanted) + 1):
        place = words[index : index + len(wanted)]
        if [_base(word) for word in place] == wanted or " ".join(place).lower() == old.lower():
            fitting = _fitting(new, place[-1], words[index - 1] if index else "")
            return _replaced(said, [*words[:index], fitting, *words[index + len(wanted) :]])
    return None


def _rather(said: Said, new: str) -> Said | None:
    """In the place of the last word of the last statement that is of its kind: a name for a name, a figure for one."""
    words = said.content.rstrip(".").split()
    for index in range(len(words) - 1, 0, -1):
        if _sort(words[index]) == _sort(new) and words[index].lower() != new.lower():
            return _replaced(said, [*words[:index], _fitting(new, words[index], words[index - 1]), *words[index + 1 :]])
    return None


def _replaced(said: Said, words: Sequence[str]) -> Said | None:
    wording = re.sub(r"\b(\w{3,}) \1\b", r"\1", " ".join(words))
    changed = replace(said, at=None, verb="", value="", wording=wording, mentions=(), replaces=())
    if changed.content == said.content:
        return None
    return replace(changed, replaces=(Replaced("correction", statement=said.content),))


def _base(word: str) -> str:
    word = word.strip(',.!«»"')
    return (nominative(word) or lemma(word.lower())).lower() if word[:1].isupper() else lemma(word.lower())


def _fitting(new: str, place: str, before: str) -> str:
    """In the case of what stood there."""
    if not re.search("[а-яё]", place, re.IGNORECASE):
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
    return str(parses(word.lower())[0].tag.POS)


def settled(sentence: str, said: Said) -> Said:
    """A statement that puts right, or follows, one of another time with another number or name in it."""
    marked, now = _MARKED.search(sentence), _NOW.search(sentence)
    if not (marked or now) or said.replaces or said.kind == Kind("instruction", 4):
        return said
    words = said.content.rstrip(".").split()
    kept = [word for word in words if not _is_value(word)]
    if len(kept) == len(words) or len(kept) < 4:
        return said
    return replace(said, replaces=(Replaced("correction" if marked else "change", statement=" ".join(kept)),))


def _is_value(word: str) -> bool:
    """A figure or an ordinal."""
    found = parses(word.lower())[0].tag
    return word[:1].isdigit() or "Anum" in found or found.POS == "NUMR"
