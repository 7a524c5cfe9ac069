"""Russian sentences of a fixed shape: when something is to be, and what somebody thinks of something. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sandbox.extensions.memory.consolidate.proposal import Replaced
from sandbox.extensions.memory.consolidate.rules import russian_words as words_of
from sandbox.extensions.memory.consolidate.rules import slots
from sandbox.extensions.memory.consolidate.rules.dates import moments
from sandbox.extensions.memory.consolidate.rules.endings import gone
from sandbox.extensions.memory.consolidate.rules.morphology import inflected, own, parses, within
from sandbox.extensions.memory.consolidate.rules.russian_endings import plans
from sandbox.extensions.memory.consolidate.rules.russian_identities import identities
from sandbox.extensions.memory.consolidate.rules.russian_people import people
from sandbox.extensions.memory.consolidate.rules.russian_things import things
from sandbox.extensions.memory.consolidate.rules.statements import Kind, Said, Setting, Subject, Told, upper

_CONTRAST = re.compile(r"(?:,? а|,) не [^,]+$", re.IGNORECASE)
_MINE = re.compile(r"^(?:мо[йяюеёи]|наш[аеиу]?)\s+", re.IGNORECASE)
_WHO = r"(?:(?:мы|я|они|нам|мне|пришлось|решили|решила?|вынуждены|пока|вс[её]-таки|уже|опять|снова|организаторы)\s+)*"
_OFF = r"(?:перен[её]с\w+|перенос\w+|сдвин\w+|отлож\w+|отмен\w+|сорвал\w+)"
_DAYS = (
    r"понедельник|вторник|сред|четверг|пятниц|суббот|воскресен|выходн|следующ|эт|прошл|конце|начале"
    r"|\w*(?:бре|вгусте|преле)"
)
_WHAT = rf"(?P<what>[\w-]+(?: (?:в|во|на|к|с|со|по|у|из) (?!{_DAYS})[^\W\d][\w-]*)?)"
_APPOINTED = re.compile(
    rf"^{_WHAT}(?:\s*[—–-]\s*|\s+){_WHO}(?P<verb>теперь(?: будет)?|будет|(?:не )?состоится|назначен\w*"
    rf"|запланирован\w*|{_OFF}|)\s*(?:с .+? (?=на ))?(?:(?:на|до)\s+)?(?P<when>.*)$",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    rf"^{_WHO}(?P<verb>{_OFF}) (?:(?:мо[йюеёи]|наш[уе]?) )?{_WHAT}(?: (?:с .+? )?(?:на|до) (?P<when>.+))?$",
    re.IGNORECASE,
)
_MOVED = re.compile(r"\b(?:теперь|перен\w+|сдвин\w+|отлож\w+|вместо|уже не)\b", re.IGNORECASE)
_ENDINGS = {"masc": "назначен", "femn": "назначена", "neut": "назначено"}
_PLAN = Kind("event", 3)


def framed(clause: str, speaker: str, setting: Setting) -> Iterator[Said]:
    """The statements of a clause that has one of the shapes; none of any other."""
    if said := _appointed(clause, speaker, setting) or opinion(clause, speaker):
        yield said
    elif found := list(people(clause, speaker, setting)):
        yield from found
    elif named := list(identities(_CONTRAST.sub("", clause), speaker)):
        yield from named
    else:
        yield from things(_CONTRAST.sub("", clause), speaker)


def _appointed(clause: str, speaker: str, setting: Setting) -> Said | None:
    """``Дедлайн перенесли на 20 марта``, ``моя свадьба 5 июня``, ``мы отменили поездку в Рим``."""
    mine = _MINE.match(clause)
    whole, of = _without_genitive(clause, mine.end() if mine else 0)
    match = _PUT_OFF.match(whole) or _APPOINTED.match(whole[mine.end() :] if mine else whole)
    noun = _noun(match["what"].split()[0].lower()) if match else None
    if match is None or noun is None:
        return None
    rest = f"{of} {match['what'].partition(' ')[2]}".strip()
    whose = f" {within(speaker, 'gent')}" if mine else ""
    first, rest = upper(noun.word), f" {rest}" if rest else ""
    name = f"{first}{whose}{rest}"
    about = Subject(name, within(speaker, "nomn") if mine else f"{name[:1].lower()}{name[1:]}", is_thing=True)
    ending = _ENDINGS.get(noun.tag.gender, "назначен")
    had = gone((f"у {within(speaker, 'gent')}",), f"{noun.word}{rest}")
    ends = (
        had,
        gone(tuple(f"{each} на" for each in _ENDINGS.values()), "", f"{first}{rest}"),
        *plans(match["what"], own(speaker)),
    )
    if re.match(r"отмен|сорвал|не ", match["verb"], re.IGNORECASE):
        return Said(about, "", kind=_PLAN, replaces=ends, wording=f"{name} отменен{ending.removeprefix('назначен')}")
    when = match["when"] or ""
    tried = (when, f"в {when}", f"в {inflected(when, 'loct')}" if when.isalpha() else "")
    found = next((each for text in tried if (each := moments(text, setting.at, ahead=True))), None)
    if not found and re.match(r"отлож|перен[её]с|сдвин", match["verb"], re.IGNORECASE):
        return Said(about, "", kind=_PLAN, replaces=ends, wording=f"{name} отложен{ending.removeprefix('назначен')}")
    if not found:
        return None
    replaces = ends if _MOVED.search(clause) else ()
    written = re.sub(r"^в (\w+)", lambda month: inflected(month[1], "accs"), found[0].written.removeprefix("около "))
    return Said(about, "", kind=_PLAN, at=found[0].at, wording=f"{name} {ending} на {written}", replaces=replaces)


_IT_MOVED = re.compile(
    rf"^{_WHO}(?:(?:е[её]|его|их|это|вс[её]) )?(?:перен[её]с\w+|сдвин\w+|отлож\w+)(?: с [\w ]{{1,20}}?)?"
    r" (?:на|до) (?P<to>[^,;]{2,40})$",
    re.IGNORECASE,
)
_LATEST = 6  # statements back that ``её`` can mean


def of_it(sentence: str, told: Sequence[Told], now: datetime) -> Said | None:
    """``Её перенесли на среду``: the plan that was told last; None where there is none."""
    match = _IT_MOVED.match(sentence.strip(" .!"))
    plans = (each.said for each in reversed(told[-_LATEST:]) if each.said.kind.category == "event")
    plan = next(plans, None) if match else None
    if match is None or plan is None:
        return None
    moved = next(filter(None, (slots.put(plan, f"{before}{match['to']}", now) for before in ("", "в "))), None)
    return replace(moved, replaces=(Replaced("change", statement=plan.content),)) if moved else None


def _without_genitive(clause: str, start: int) -> tuple[str, str]:
    """``Защита диплома в мае``: the clause without what is in the genitive behind the noun it starts with, and that."""
    first, _, rest = clause[start:].partition(" ")
    of, _, after = rest.partition(" ")
    if after and of.islower() and _noun(first.lower()) and {"NOUN", "gent", "inan"} in parses(of)[0].tag:
        return f"{clause[:start]}{first} {after}", of
    return clause, ""


def _noun(word: str) -> Any | None:
    """What is planned, in the nominative; None where it is none of those."""
    for each in parses(word):
        is_plan = each.normal_form in words_of.HAPPENINGS
        if is_plan and each.tag.POS == "NOUN" and each.tag.case in ("nomn", "accs"):
            return each.inflect({"nomn"})
    return None


_THINKS = re.compile(
    r"^(?:(?P<now>теперь|уже|передумал[аи]?)[\s,:]+)?(?:я\s+)?(?:(?P<now2>теперь|уже)\s+)?(?:(?:твёрдо|твердо|лично"
    r"|искренне|по-прежнему|давно)\s+)?(?P<ended>больше не\s+|уже не\s+)?(?P<not>не\s+)?(?:думаю|считаю|полагаю"
    r"|уверен[аы]?|убежд[её]н[аы]?|нахожу|верю)\s*,?\s+что\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_SEEMS = re.compile(
    r"^(?:(?P<now>теперь)\s+)?(?:по-моему|как по мне|на мой взгляд|на мой вкус|имхо|по моему мнению|мо[её] мнение"
    r"|мне кажется|кажется|мне сейчас кажется|для меня)\s*[,:—-]?\s+(?:что\s+)?(?P<what>.+)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",\s*(?:по-моему|как по мне|на мой взгляд|имхо|мне кажется)\s*,?|\s+(?:имхо|по-моему)$", re.IGNORECASE
)
_FINDS = re.compile(
    r"^(?:я\s+)?(?P<not>не\s+)?(?:считаю|нахожу)\s+(?P<what>(?:[\w-]+ ){1,5}(?:[\w-]+(?:ым|им|ой|ей|ыми|ими|ом|ем)"
    r"|\w+ \w+(?:ой|ом))\b[\w ]*)$",
    re.IGNORECASE,
)
_TAIL = re.compile(r",\s*(?:как|потому|ведь|хотя|но|а|и|так что|поэтому|особенно|если|когда|ч[её]м)\b.*", re.IGNORECASE)
_JUDGES = re.compile(
    r"\b(?:лучше|хуже|слишком|очень|зря|переоцен\w+|недооцен\w+|не стоит|стоит того|ужас\w*|отстой|бред|шедевр|скучн\w+"
    r"|гениальн\w+|прекрасн\w+|самый|самая|самое|самые|—|незаменим\w+|бесполезн\w+|полезн\w+)\b|—",
    re.IGNORECASE,
)
_THOUGHT = Kind("fact", 2, "opinion")


def opinion(clause: str, speaker: str) -> Said | None:
    """``Я считаю, что Python переоценён``, ``по-моему, дюна затянута``; None where it is no judgement of anything."""
    if match := _THINKS.match(clause):
        now = bool(match["now"] or match["now2"])
        return _thought(match["what"], speaker, now=now, ended=bool(match["ended"]), denied=bool(match["not"]))
    if match := _FINDS.match(clause):
        return _found(match, speaker)
    match = _SEEMS.match(clause)
    what = match["what"] if match else _ASIDE.sub("", clause)
    if (match or what != clause) and _judges(what):
        return _thought(what, speaker, now=bool(match and match["now"]))
    return None


def _thought(what: str, speaker: str, *, now: bool = False, ended: bool = False, denied: bool = False) -> Said | None:
    what = _TAIL.sub("", what).strip(" .,!")
    words = re.findall(r"[\w-]+", what.lower())
    if set(words) & (words_of.PRONOUNS | words_of.UNSURE | words_of.NOW) or not 1 < len(words) < 20:
        return None
    said = f"{speaker} {'больше не ' if ended else 'не ' if denied else ''}считает, что {what}"
    replaces = (
        (f"{speaker} считает, что {what}",) if ended else (f"{speaker} считает, что {_topic(words)}",) if now else ()
    )
    return _of(said, speaker, replaces)


def _found(match: re.Match[str], speaker: str) -> Said | None:
    words = set(re.findall(r"[\w-]+", match["what"].lower()))
    if words & words_of.PRONOUNS:
        return None
    return _of(f"{speaker} {'не ' if match['not'] else ''}считает {match['what']}", speaker, ())


def _of(wording: str, speaker: str, replaces: tuple[str, ...]) -> Said:
    about = own(speaker)
    ended = tuple(Replaced("change", statement=f"{each}.") for each in replaces)
    return Said(about, "", kind=_THOUGHT, wording=wording, replaces=ended)


def _topic(words: list[str]) -> str:
    """What it is about: the words up to the first noun or name."""
    end = next((index for index, word in enumerate(words) if word.isascii() or parses(word)[0].tag.POS == "NOUN"), 0)
    return " ".join(words[: end + 1])


def _judges(what: str) -> bool:
    """Whether it says what something is like."""
    if _JUDGES.search(what):
        return True
    tags = [parses(word)[0].tag for word in re.findall(r"[\w-]+", what.lower())]
    return any(tag.POS in ("ADJS", "PRTS", "COMP") for tag in tags)
