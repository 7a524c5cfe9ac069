"""Times that a statement names relative to the day it is said become dates. English and Russian. Pure.

What an expression means is read by ``text/period.py``; here it is found, and told whether it lies ahead;
``date_words`` writes it out.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from sandbox.extensions.memory.consolidate.rules.date_words import MONTHS_RU, in_english, in_russian
from sandbox.extensions.memory.consolidate.rules.morphology import is_russian
from sandbox.extensions.memory.consolidate.rules.texts import words_in
from sandbox.extensions.memory.text import spans
from sandbox.extensions.memory.text.period import period
from sandbox.extensions.memory.times import from_ms

_DAY = timedelta(days=1)

_M_EN = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_D_EN = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_SHORT_DAY = r"(?:Mon|Tues?|Weds?|Thurs?|Fri|Sat|Sun)"
_N_EN = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple(?: of)?|several)"
_U_EN = r"(?:days?|weeks?|months?|years?)"
_M_RU = r"(?:январ|феврал|март|апрел|ма|июн|июл|август|сентябр|октябр|ноябр|декабр)(?:ь|я|е|ю|й|а)?"
_D_RU = r"(?:понедельник|вторник|сред[уы]|четверг|пятницу?|субботу?|воскресенье)"
_N_RU = r"(?:\d{1,3}|один|одну|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|пару|несколько)"
_U_RU = r"(?:день|дня|дней|недел[юиь]|недель|месяц(?:а|ев)?|год|года|лет)"

_ENGLISH = re.compile(
    rf"""\b(?:
      (?P<ahead>in\ {_N_EN}\ {_U_EN}(?:'\ time)?|{_N_EN}\ {_U_EN}\ from\ now)
    | (?:about\ |around\ |over\ |almost\ |nearly\ )?{_N_EN}\ {_U_EN}\ ago
    | the\ day\ (?:before\ yesterday|after\ tomorrow) | yesterday | tomorrow | today | tonight
    | (?:yesterday|tomorrow)\ (?:morning|afternoon|evening|night)
    | (?:last|this)\ (?:night|morning|evening|afternoon)
    | (?:on\ |(?:over|during)\ (?:the\ )?|from\ |starting\ |this\ past\ |the\ )?(?:
        last|this|next|past|this\ past|this\ coming)\ (?:
        week(?:end)?|month|year|spring|summer|autumn|fall|winter|{_M_EN}|{_D_EN}|{_SHORT_DAY})
    | (?:earlier|later)\ this\ (?:week|month|year)
    | (?:on\ )?(?:(?:the\ )?\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?\ {_M_EN}|{_M_EN}\ \d{{1,2}}(?:st|nd|rd
        |th)?)(?:,?\ (?:19|20)\d\d)?
    | (?:on\ )?(?:19|20)\d\d-\d\d-\d\d
    | (?P<nth>(?:on|by|until)\ the\ \d{{1,2}}(?:st|nd|rd|th))(?!\ (?!(?:at|in|for|with|from|to|and|after|so|but)\b)\w)
    | in\ {_M_EN}(?:,?\ (?:of\ )?(?:19|20)\d\d)? | in\ (?:early\ |late\ |mid-)?(?:19|20)\d\d
    | in\ the\ (?:spring|summer|autumn|fall|winter) | in\ (?-i:spring|summer|autumn|fall|winter)(?!\ boot)
    | (?<!black\ )(?<!good\ )(?:on\ |by\ |until\ |for\ )?{_D_EN}(?:\ (?:night|morning|evening|afternoon))?
    )\b(?!['-]\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_WHICH_RU = (
    r"(?:прошл|минувш|последн|следующ|эт|позапрошл|будущ|ближайш)(?:ую|юю|ой|ей|ом|ем|ий|ый|от|у|ие|ые|и|их|ых|о|ое|ее)"
)
_OF_YEAR_RU = r"(?:(?:прошлого|этого|следующего|будущего|позапрошлого)\ года|(?:19|20)\d\d(?:\ года?)?)"
_WEEK_RU = r"на\ (?:прошлой|этой|следующей|будущей|той)\ неделе|через\ неделю"
_RUSSIAN = re.compile(
    rf"""\b(?:
      (?:{_WEEK_RU}),?\ во?\ {_D_RU} | во?\ {_D_RU},?\ (?:{_WEEK_RU})
    | (?P<ahead>через\ (?:{_N_RU}\ |пол(?:года\b|тора\ |торы\ ))?(?:{_U_RU}|(?<=полгода)))
    | (?:примерно\ |около\ )?(?:полгода|(?:{_N_RU}\ |полтор[аы]\ )?{_U_RU})(?:\ тому)?\ назад
    | позавчера | вчера | сегодня | послезавтра | завтра
    | (?:в\ {_WHICH_RU}\ году\ )?(?:летом|зимой|весной|осенью)(?:\ {_OF_YEAR_RU})?
    | (?:в|во|на)\ {_WHICH_RU}\ (?:выходны[ех]|недел[юе]|месяце|год[у]|{_D_RU}|{_M_RU})
    | на\ той\ неделе
    | (?:(?:поза)?прошл|эт|следующ|будущ)(?:ым|им|ой|ей)\ (?:летом|зимой|весной|осенью)
    | в\ (?:начале|середине|конце)\ (?:{_M_RU}(?:\ {_OF_YEAR_RU})?|{_OF_YEAR_RU}|лета|осени|зимы|весны)
    | (?:во?\ {_D_RU},?\ )?(?:с\ (?!\d{{1,2}}\ {_M_RU}\ по\ )|до\ )?\d{{1,2}}(?:-?го)?\ {_M_RU}
        (?:\ {_OF_YEAR_RU})?(?:,?\ во?\ {_D_RU})?
    | (?<![a-z]\ )(?<!верси[яию]\ )(?:во?\ {_D_RU},?\ )?(?:с\ |до\ )?(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])
        (?:\.20\d\d)?(?![.\d])
    | (?P<nth>(?:во?\ {_D_RU},?\ )?(?:с\ |до\ )?(?:[0-2]?\d|3[01])(?:-?го(?:\ числа)?|\ числа))
        (?=$|[,.!)]|\ (?:у|в|во|на|к|с|я|мы|он|она|и)\b|\ \w+(?:ю|у|ем|им)\b)
    | в\ {_M_RU}(?:\ {_OF_YEAR_RU})? | в\ (?:19|20)\d\d(?:-м)?\ году
    | (?:в|во)\ {_D_RU}
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
_COUNT = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_COUNT |= {"nine": 9, "ten": 10, "couple": 2, "один": 1, "одну": 1, "два": 2, "две": 2, "три": 3, "четыре": 4}
_COUNT |= {"пять": 5, "шесть": 6, "семь": 7, "восемь": 8, "девять": 9, "десять": 10, "пару": 2}
_UNIT = {"d": "d", "w": "w", "m": "m", "y": "y", "д": "d", "н": "w", "м": "m", "г": "y", "л": "y"}
_HAS_YEAR = re.compile(r"(?:19|20)\d\d|(?:этого|следующего|будущего) года")
_VAGUE = re.compile(r"\b(?:few|several|несколько)\b", re.IGNORECASE)
_AROUND = re.compile(r"\b(?:ago|назад)\b", re.IGNORECASE)
_YEARLESS = re.compile(rf"{_M_EN}|{_M_RU}|{_D_EN}|{_D_RU}|summer|winter|spring|autumn|fall|лет|зим|весн|осен", re.I)
_LATEST = re.compile(r"last|past|this past|прошл", re.I)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time found at a place in a sentence: when it began, and how it is written out where it is said."""

    start: int
    end: int
    at: datetime
    written: str


# Without any of them, or a figure, no English time is named.
_TIMES = frozenset(
    """
    day days week weeks month months year years yesterday tomorrow today tonight last this next past spring summer
    autumn fall winter jan january feb february mar march apr april may jun june jul july aug august sep sept september
    oct october nov november dec december monday tuesday wednesday thursday friday saturday sunday
""".split()
)
_FIGURE = re.compile(r"\d")


def _names_time(sentence: str) -> bool:
    return not _TIMES.isdisjoint(words_in(sentence)) or _FIGURE.search(sentence) is not None


def moments(sentence: str, said_at: datetime, *, ahead: bool = False) -> list[Moment]:
    """The times a sentence names, in order. ``ahead``: what names no year lies in the future."""
    russian = is_russian(sentence)
    if not (russian or _names_time(sentence)):
        return []
    found: list[Moment] = []
    for match in (_RUSSIAN if russian else _ENGLISH).finditer(sentence):
        moment = _moment(match, said_at, russian, ahead) if not _OF_A_KIND.match(sentence, match.start()) else None
        if moment and found and _IN_OTHER_WORDS.fullmatch(sentence, found[-1].start, moment.end):
            moment = replace(moment, start=found.pop().start)
        found += [moment] if moment else []
    return found


_WORDS_BEHIND = (
    "and|or|but|at|in|on|to|with|for|from|by|as|of|because|so|since|when|while|if|until|till|before|after|during|about"
    "|instead|through|via|is|was|were|will|would|did|does|has|had|have|went|got|came|made|we|he|she|they|it|my|our|the"
    "|an?|this|that|there|then|just|not|also|only|again|only|too|around|morning|afternoon|evening|night|last|next|where"
)
_OF_A_KIND = re.compile(  # "Sunday mass", "a 4th of July picnic"
    rf"{_D_EN} (?!(?:{_WORDS_BEHIND})\b)[a-z]|(?<=\ba )(?:{_D_EN}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_M_EN}) [a-zA-Z]",
    re.IGNORECASE,
)
_IN_OTHER_WORDS = re.compile(  # "Monday, February 27th"
    rf"(?:(?:on|last|this|next|past|the) )*(?:{_D_EN}|week(?:end)?|month|year|yesterday|tomorrow|today),?"
    rf"(?: on)?(?: the)? (?:\d{{1,2}}|{_M_EN} \d)[^,]*",
    re.IGNORECASE,
)


def without(sentence: str) -> str:
    """The sentence without the times it names."""
    return " ".join((_ENGLISH.sub(" ", sentence) if _names_time(sentence) else sentence).split())


_NAME = re.compile(r"[A-Z][\w&'-]*")


def without_names(text: str) -> str:
    """A text without the words with a capital letter that it ends on, but for its first word."""
    words = text.split()
    while len(words) > 1 and _NAME.fullmatch(words[-1]):
        words.pop()
    return " ".join(words)


def _moment(match: re.Match[str], said_at: datetime, russian: bool, ahead: bool) -> Moment | None:
    phrase = _plainly(match[0].lower(), ahead=ahead) if russian else match[0]
    if match["ahead"]:
        span = _later(phrase, said_at.date())
    elif match.groupdict().get("nth"):
        span = _nth(int(re.findall(r"\d+", phrase)[0]), said_at.date(), ahead)
    else:
        span = _read(phrase, said_at, ahead)
    if span is None or _VAGUE.search(phrase):
        return None
    if said_at.date() == span[0] and span[1] - span[0] == _DAY and not russian and phrase.lower() in ("tonight",):
        phrase = "today"
    write, phrase = (in_russian, match[0]) if russian else (in_english, phrase)
    loose = bool(match["ahead"] or _AROUND.search(phrase)) and (span[1] - span[0]) > _DAY
    day = span[0] + (span[1] - span[0]) // 2 if loose else span[0]
    at = datetime.combine(day, time(), said_at.tzinfo or UTC)
    return Moment(match.start(), match.end(), at, write(span, phrase, loose))


_IN_PLAIN_WORDS = tuple(
    (re.compile(said), meant)
    for said, meant in (
        (rf"^во? {_D_RU},? (?=(?:с |до )?\d)", ""),
        (r"^(?:с|до) (?=\d)", ""),
        (rf"(?<=[а-я])(?<!недел[юе]),? во? {_D_RU}$", ""),
        (r"(\d+)\.(\d\d)(?:\.(\d{4}))?$", "{1} {month} {3}"),
        (r"(\d)-?го\b", "{1}"),
        (r"\bминувш|\bпоследн(?=[июя])", "прошл"),
        (r"\bпрошлюю", "прошлую"),
        (r"\bближайш(?=ую|ие|их|ий|ее|ей)", "эт"),
        (r"\bэтую", "эту"),
        (r"\bэтий", "этот"),
        (r"\bэтее", "это"),
        (r"\bэтие", "эти"),
        (r"\bэтей", "этой"),
        (r"\bполтора год[а]?", "18 месяцев"),
        (r"\bполтор[аы] (?:месяца|месяцев)", "6 недель"),
        (r"\bполгода\b", "6 месяцев"),
        (r" тому назад", " назад"),
        (r"\bчерез неделю,? (?=во? )", "на следующей неделе "),
        (r"(?<=\w),? через неделю$", " на следующей неделе"),
    )
)


def _plainly(phrase: str, *, ahead: bool) -> str:
    """A Russian time in the words that are read: ``13.04`` as ``13 апреля``, ``на той неделе`` as the next."""
    phrase = re.sub(r"\bна той (?=неделе)", "на следующей " if ahead else "на прошлой ", phrase)
    for said, meant in _IN_PLAIN_WORDS:
        if match := said.search(phrase):
            month = MONTHS_RU[int(match[2]) - 1] if "{month}" in meant else ""
            put = meant.format("", *(each or "" for each in match.groups()), month=month)
            phrase = f"{phrase[: match.start()]}{put}{phrase[match.end() :]}"
    return phrase.strip()


def _read(phrase: str, said_at: datetime, ahead: bool) -> spans.Span | None:
    """What the phrase means; ahead, the next of what comes again."""
    lowered = phrase.lower()
    for word, meant in (
        ("from ", ""),
        ("starting ", ""),
        ("by ", "on "),
        ("until ", "on "),
        ("for ", "on "),
        ("будущ", "следующ"),
    ):
        lowered = lowered.replace(word, meant, 1) if lowered.startswith(word) or word == "будущ" else lowered
    lowered = re.sub(r"^(?:about|around|over|almost|nearly|примерно|около) ", "", lowered)
    lowered = re.sub(r"\bthis (?:past|coming) ", lambda m: "last " if "past" in m[0] else "next ", lowered)
    lowered = lowered if " " in lowered or "day" not in lowered[3:] or lowered in _NAMED_DAYS else f"on {lowered}"
    lowered = re.sub(rf"\b{_SHORT_DAY.lower()}$", lambda day: _DAYS[day[0][:2]], lowered)
    span = _spoken(lowered, said_at)
    if span is None or span[1] > said_at.date() or not ahead or _HAS_YEAR.search(phrase) or _LATEST.search(phrase):
        return span
    return _next(lowered, said_at) if _YEARLESS.search(phrase) else span


_DAYS = {day[:2]: day for day in "monday tuesday wednesday thursday friday saturday sunday".split()}
_NAMED_DAYS = frozenset(("yesterday", "today", "tomorrow"))


def _next(lowered: str, said_at: datetime) -> spans.Span | None:
    """The first time from the day it is said that a phrase without a year fits."""
    if re.search(rf"{_D_EN}", lowered, re.IGNORECASE):
        return _spoken(re.sub(r"^(?:on |this )?", "next ", lowered), said_at)
    if re.search(rf"{_D_RU}", lowered, re.IGNORECASE):
        past = _spoken(lowered, said_at)
        return (past[0] + 7 * _DAY, past[1] + 7 * _DAY) if past else None
    for year in (said_at.year, said_at.year + 1):
        span = _spoken(f"{lowered} {year}", said_at)
        if span is not None and span[1] > said_at.date():
            return span
    return None


def _spoken(phrase: str, said_at: datetime) -> spans.Span | None:
    found = period(phrase, said_at)
    if found is None:
        return None
    zone = said_at.tzinfo or UTC
    return from_ms(found.after).astimezone(zone).date(), from_ms(found.before).astimezone(zone).date()


def _later(phrase: str, today: date) -> spans.Span | None:
    """In two weeks; через месяц."""
    words = phrase.lower().replace("'", "").split()
    unit = next((_UNIT[word[0]] for word in reversed(words) if re.fullmatch(f"{_U_EN}|{_U_RU}", word)), None)
    count = next(
        (
            _COUNT.get(word) or (int(word) if word.isdecimal() else 0)
            for word in words[-3:]
            if word in _COUNT or word.isdecimal()
        ),
        1,
    )
    if unit is None:
        return None
    try:
        day = spans.back(today, -count, unit)
        return spans.days(day) if unit == "d" else spans.around(day, unit)
    except (ValueError, OverflowError):
        return None


def _nth(day: int, today: date, ahead: bool) -> spans.Span | None:
    """The 14th of the month: the next one, or the last."""
    months = (today.year * 12 + today.month - 1 + step for step in ((0, 1) if ahead else (0, -1)))
    for month in months:
        with suppress(ValueError):
            found = date(month // 12, month % 12 + 1, day)
            if found >= today if ahead else found <= today:
                return spans.days(found)
    return None
