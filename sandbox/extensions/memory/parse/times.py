"""The times in a sentence: their place, and whether something begins or ends there. ``days.py`` says which days they
are; this module finds their words, and tells the future from the past.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache, partial
from typing import Literal

from sandbox.extensions.memory.lexicon import by_language, words
from sandbox.extensions.memory.parse.days import days_of, is_nth
from sandbox.extensions.memory.parse.pattern import TIMED
from sandbox.extensions.memory.parse.tokens import Token
from sandbox.extensions.memory.text import spans
from sandbox.extensions.memory.text.spans import Span
from sandbox.extensions.memory.text.timewords import every_symbol

Role = Literal["at", "since", "until", "from"]
Either = Literal["either"]
"""Of a word that says since when or, at the beginning of a sentence, from when on, as «с»: the nearer one is meant."""

_LONGEST = 9  # words of an expression
_COMING = 10  # years
_LEAP_YEARS = 8  # the most years between two of them
_HALF_DAY = 12  # hours
_AFTERNOON = 5  # o'clock; a smaller bare hour is not of the night
_APART = 4  # words between a day and its time of day
_TELLING = re.compile(r"^(?:[mwsrDE]-?[\d.]*|Y\d+|u[dwmye]|h|T|N|L)$")
_WITH_NO_YEAR = re.compile(r"(?<!\S)(?:m\d+|[sw]\d+|E\.|D\.)")
_NAMED_DAY = re.compile(r"(?<!\S)(?:r[1-9]|[NI](?!\S)|w\d|m\d|D\.)")  # tomorrow, next Monday, 14 June
_VAGUE = re.compile(r"c u[wmy]")
_ONE_DAY = re.compile(r"w\d|r\d")
_WEEKDAY = re.compile(r"(?:\D )*w\d(?: \D)*")  # without a date beside it
_NEVER_LAST = "iatbcUBFLPTNx"  # what joins or chooses times is part of one only before another symbol
_NTH = re.compile(r"(?:[xit]? )*o(\d{1,2})")  # the 19th, of no month
_JOINS = re.compile(r" [aU] ")
_DATED = re.compile(r"\b[mY]\d")
_UNITS = {  # how exact a date is, by its symbols: a day, a month or a year
    "d": re.compile(r"\b[no]\d"),
    "m": re.compile(r"^(?!.*\b[no]\d).*\bm\d"),
    "y": re.compile(r"^(?!.*\b[nom]\d).*\bY\d"),
}
_JOINED = re.compile(r"([12]?\d|3[01])-([12]?\d|3[01])")  # two days in one word
_DASHES, _TO = ("-", "–"), "to"
_DAY = timedelta(days=1)
_listed = partial(words, "calendar")


@cache
def _hours() -> Mapping[str, int]:
    """Words behind a time of day, with the hour to which a smaller one is added."""
    listed = by_language("calendar", "behind_hours").values()
    return {word: hour for hours in listed for hour, said in hours.items() for word in said.split()}


@cache
def _ordinal() -> re.Pattern[str]:
    return re.compile(rf"(\d{{1,2}})-?(?:{'|'.join(_listed('ordinal_endings'))})")


@cache
def _hour() -> re.Pattern[str]:
    return re.compile(rf"(\d{{1,2}})(?:[:.](\d\d))?({'|'.join(_hours())}|h)?")


@dataclass(frozen=True, slots=True)
class Moment:
    """A time between two words of a sentence: its days, and the time of day, if these are told."""

    start: int
    end: int
    role: Role
    span: Span
    symbols: str = ""
    clock: str = ""

    @property
    def begins(self) -> str:
        """A minute, a day, a month or a year."""
        first, days = self.span[0], (self.span[1] - self.span[0]).days
        said = first.isoformat() if days <= 7 else first.isoformat()[:7] if days <= 100 else first.isoformat()[:4]
        return f"{said}T{self.clock}" if self.clock and days == 1 else said

    @property
    def iso(self) -> str:
        """The form for claims, perhaps open at its beginning or end."""
        said = self.begins
        return {"at": said, "since": f"{said}/..", "from": f"{said}/..", "until": f"../{said}"}[self.role]


def moments(
    said: Sequence[Token], now: datetime, roles: Mapping[str, Role | Either], stop: frozenset[str]
) -> list[Moment]:
    """The times of a sentence, in order. ``roles`` are words that say that something begins or ends; after a word in
    ``stop``, no single day is meant (``every``).
    """
    found: list[Moment] = []
    telling = [at for at, token in enumerate(said) if _may_tell(token.lower)]
    at, last = (max(0, telling[0] - _LONGEST), telling[-1]) if telling else (0, -1)
    while at <= last:
        moment = _clock(said, at) or _moment(said, at, now, roles)
        if moment and moment.symbols[:1] == "Y" and at and said[at - 1].lower in _listed("one"):
            moment = None  # part of a name: *a 2019 Golf*
        if moment and _VAGUE.fullmatch(moment.symbols):
            moment = replace(moment, symbols="")  # *since years* says no time
        if moment is None or any(token.lower in stop for token in said[max(0, moment.start - 2) : moment.start]):
            at = at + 1 if moment is None else moment.end
            continue
        found.append(moment)
        at = moment.end
    return [end for each in _with_clocks(found, said) if each.span[1] > date.min for end in _first_and_last(each, said)]


def marks(times: Sequence[Moment]) -> set[str]:
    """The needs of patterns that these times meet; see ``pattern.needs``."""
    return {TIMED["when"], *(TIMED[each.role] for each in times if each.role in TIMED)} if times else set()


def _with_clocks(found: Sequence[Moment], said: Sequence[Token]) -> list[Moment]:
    """Join a time of day with its day in the same clause: *on Thursday the dentist at 3*, *at 3 on Thursday*."""
    days = list(found)
    for at in range(len(found) - 1):
        one, other = days[at : at + 2]
        between = said[one.end : other.start]
        day, clock = (one, other) if one.symbols else (other, one)
        is_pair = day.symbols and not day.clock and clock.clock and not clock.symbols
        is_near = len(between) <= (_APART if day is one else 0) and all(token.is_word for token in between)
        if is_pair and is_near:
            joined, rest = replace(day, clock=clock.clock), replace(clock, span=day.span, clock="")
            days[at : at + 2] = (joined, rest) if day is one else (rest, joined)
    return days


def _first_and_last(moment: Moment, said: Sequence[Token]) -> Iterator[Moment]:
    """The first and the last part of a time between two dates: *from 5 to 12 August*; another time as it is."""
    ends = _JOINS.split(moment.symbols) if _DATED.search(moment.symbols) and " u" not in moment.symbols else []
    units = [unit for end in ends for unit, sign in _UNITS.items() if sign.search(end)]
    if len(ends) == len(units) == 2 and not any("and" in token.classes for token in said[moment.start : moment.end]):
        first, last = (
            spans.days(day) if unit == "d" else spans.unit(unit, day, 0)
            for unit, day in zip(units, (moment.span[0], moment.span[1] - _DAY), strict=True)
        )
        if first < last:  # not *on 5 May from 9 to 5*
            yield replace(moment, role="from", span=first)
            yield replace(moment, role="until", span=last, start=moment.end - 1)
            return
    yield moment


def ahead(moment: Moment, now: datetime) -> Moment:
    """The moment; one without a year that is over becomes the next one: ``on Friday``, in a plan."""
    if re.search(r"(?<!\S)Y\d", moment.symbols):
        return moment
    is_weekday = _WEEKDAY.fullmatch(moment.symbols) is not None
    if moment.span[1] > now.date() + is_weekday * _DAY or not _WITH_NO_YEAR.search(moment.symbols):
        return moment
    if is_weekday:
        step = 7 * _DAY * (1 + (now.date() - moment.span[0]) // (7 * _DAY))
        return replace(moment, span=(moment.span[0] + step, moment.span[1] + step))
    start, end = moment.span
    for year in range(now.year, now.year + _LEAP_YEARS + 1):
        with suppress(ValueError):  # no 29 February
            later = start.replace(year=year)
            if later + (end - start) > now.date():
                return replace(moment, span=(later, later + (end - start)))
    return moment


def moved(old: Moment, when: Moment | None, day: int, at: str, now: datetime) -> Moment | None:
    """A moment with another day (``when``), another ``day`` of the month or another time of day (``at``); None if none
    is told. A time of day without a day belongs to the old day, and a day without a month to the old month, if it is
    not over.
    """
    if at and old.clock and (hour := int(at[:2])) < _HALF_DAY <= int(old.clock[:2]) and when is None:
        at = f"{hour + _HALF_DAY:02}{at[2:]}"
    span = when and when.span
    if day:
        first = old.span[0].replace(day=1) + (day - 1) * _DAY
        is_over = first < now.date() <= old.span[0]
        span = span if span and is_over else (first, first + _DAY)
    return replace(old, span=span or old.span, clock=at) if span or at else None


def end_of_days_to_come(times: Sequence[Moment], now: datetime) -> datetime | None:
    """The end of the last day to come: *flights are booked for 14 June*; None if there is none. A day without a year
    may have passed: the nearer one is meant.
    """
    ends = []
    for each in times:
        start, end = ahead(each, now).span
        is_nearer = each.span[0] == start or start - now.date() < now.date() - each.span[0]
        if start > now.date() and is_nearer and end - start <= _DAY and _NAMED_DAY.search(each.symbols):
            ends.append(end)
    return datetime.combine(max(ends), time.min, now.tzinfo) if ends else None


def day_of_month(said: Sequence[Token], days: Sequence[Moment]) -> int:
    """The day that ends a sentence with some days and names no month: *the 19th*; 0 if there is none."""
    found = _NTH.fullmatch(days[-1].symbols if days else " ".join(map(_symbol, said)))
    return int(found[1]) if found else 0


def _moment(said: Sequence[Token], at: int, now: datetime, roles: Mapping[str, Role | Either]) -> Moment | None:
    """The longest expression that begins at a word."""
    symbols = _symbols(said, at, now, roles)
    if len(symbols) > 1 and symbols[0][:1] == "n" and symbols[1][:1] in ("i", "r", "L", "N"):
        return None  # a number of something, followed by a time: *turned 4 yesterday*
    if said[at].lower in _listed("lasting") and any(symbol[:1] == "u" for symbol in symbols):
        return None
    found = (_expression(said, at, symbols[:end], now, roles) for end in range(len(symbols), 0, -1))
    return next(filter(None, found), None)


def _symbols(said: Sequence[Token], at: int, now: datetime, roles: Mapping[str, Role | Either]) -> list[str]:
    """The symbols of the words from one on, as far as they may be one expression; empty for words that say nothing."""
    symbols: list[str] = []
    for place, token in enumerate(said[at : at + _LONGEST], at):
        if symbols and _clock(said, place):
            break
        if token.lower in _listed("about"):
            symbols.append("")
            continue
        symbol = _symbol(token)
        if token.text in _DASHES and said[place - 1].end == token.start and place + 1 < len(said):
            symbol = _symbol_of(_TO)
        if token.lower in _listed("of_month") and symbols and symbols[-1][:1] == "n":
            symbols[-1], symbol = "t", f"o{symbols[-1][1:]}"
        if year := _short_year(token.lower, symbols, now):
            symbols[-1] = year
        if token.text == "." and symbols and (nth := _with_dot(said, len(symbols) + at - 1)):
            symbols[-1], symbol = nth, ""
        elif symbol in ("x", "") and token.lower not in roles:
            if token.text != "," or not symbols:
                break
            symbol = ""
        symbols.append(symbol)
    while symbols and (not symbols[-1] or symbols[-1].split()[-1][0] in _NEVER_LAST or symbols[-1] in ("g", "k", "e")):
        symbols.pop()
    if len(symbols) > 1 and symbols[-1][:1] == "n":
        is_last_week = [symbol[:1] for symbol in symbols[:-1]] == ["L", "u"]
        is_month = said[at + len(symbols) - 2].lower in _listed("behind_days")
        if symbols[-2][:1] in ("w", "r") or is_last_week or is_month:
            symbols.pop()  # a number of things
    return symbols


def _expression(
    said: Sequence[Token], at: int, symbols: Sequence[str], now: datetime, roles: Mapping[str, Role | Either]
) -> Moment | None:
    """The time that the words from one on say, if it is one; ``symbols`` are theirs."""
    if not any(_TELLING.match(part) for symbol in symbols for part in symbol.split()) and not is_nth(symbols):
        return None
    end = at + len(symbols)
    if len(symbols) == 1 and said[at].lower in _listed("unsure"):
        return None
    pairs = [each for each in zip(said[at:end], symbols, strict=True) if each[0].lower not in _listed("about")]
    opening = pairs[0][0].lower
    given, first = roles.get(opening, "at"), opening in roles
    role: Role = "since" if given == "either" else given
    words = ((token, symbol) for token, symbol in pairs[first:] if token.text not in (",", "."))
    phrase = " ".join(symbol[1:] if symbol[:1] == "Y" else _as_read(token) for token, symbol in words)
    span = days_of(phrase, [symbol for _, symbol in pairs[first:]], now, is_since=role == "since")
    if span is None:
        return None
    if len(pairs) < len(symbols) and span[1] - span[0] == _DAY:
        span = spans.around(span[0], "w")
    end += end < len(said) and said[end].text == "." and symbols[-1][:2] == "D."
    found = Moment(at, end, role, span, " ".join(filter(None, symbols)))
    return replace(found, role="from") if given == "either" and at <= 1 and _is_next_nearer(found, now) else found


def _is_next_nearer(moment: Moment, now: datetime) -> bool:
    """Whether the next time is no further away than the last one."""
    start, today = ahead(moment, now).span[0], now.date()
    return start > today and start - today <= abs(today - moment.span[0])


def _short_year(word: str, before: Sequence[str], now: datetime) -> str | None:
    """The symbol of a year of two digits before a word: «с 75 года», «в 98 году»; not «за 22 года»."""
    number = re.fullmatch(r"n(\d\d)", before[-1]) if before else None
    is_of = number and word in _listed("of_year") and len(before) > 1 and before[-2][:1] in ("c", "U", "m")
    if not number or not (is_of or word in _listed("in_year")):
        return None
    latest = now.year + _COMING
    return f"Y{latest - (latest - int(number[1])) % 100}"


@lru_cache(maxsize=1 << 13)
def _may_tell(word: str) -> bool:
    """Whether a word may be part of a time; a sentence without such a word has none."""
    return (
        word[0].isdecimal()
        or word in _listed("of_month")
        or any(part[0] == "o" or _TELLING.match(part) is not None for part in _symbol_of(word).split())
    )


def _symbol(token: Token) -> str:
    return _symbol_of(_as_read(token)) if token.is_word or token.text == "," else "x"


def _as_read(token: Token) -> str:
    """A word, with a word between two days that a dash joins: *5-12 August*."""
    joined = _JOINED.fullmatch(token.text)
    return f"{joined[1]} {_TO} {joined[2]}" if joined else _TO if token.text in _DASHES else token.lower


@lru_cache(maxsize=1 << 13)
def _symbol_of(word: str) -> str:
    if ordinal := _ordinal().fullmatch(word):
        return f"t o{ordinal[1]}"
    return "I" if word in _listed("after") else every_symbol(word).strip()


def _with_dot(said: Sequence[Token], at: int) -> str | None:
    """The meaning of a number with a full stop: the 20th, or a day of a month."""
    day, _, month = said[at].text.partition(".")
    if not day.isdecimal() or len(day) > 2:
        return None
    if month.isdecimal():
        return f"D.{month}.{day}"
    return None if month else f"t o{day}"


def clock(said: Sequence[Token]) -> str:
    """The first time of day in a sentence."""
    return next((found.clock for at in range(len(said)) if (found := _clock(said, at))), "")


def _clock(said: Sequence[Token], at: int) -> Moment | None:
    """A time of day: ``at 3pm``, ``15:30``, ``um 8 Uhr``, ``в 18:00``."""
    start = at + 1 if said[at].lower in _listed("before_hours") else at
    is_number = start < len(said) and said[start].lower[0].isdecimal()
    match = _hour().fullmatch(said[start].lower) if is_number else None
    if match is None:
        return None
    behind = said[start + 1].lower if start + 1 < len(said) else ""
    half = _hours().get(match[3] or "", _hours().get(behind))
    if half is None and not (match[2] and (":" in said[start].text or start > at)) and start == at:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    is_bare = half is None and not match[2] and 0 < hour <= _AFTERNOON and match[1][0] != "0"  # *at 3*
    is_afternoon = is_bare and not any(token.lower in _listed("early") for token in said)
    hour += _HALF_DAY * ((half == _HALF_DAY and hour < _HALF_DAY) or is_afternoon)
    is_behind_day = 0 < at < start and _ONE_DAY.fullmatch(_symbol(said[at - 1])) is not None
    is_one_of_something = half is None and not match[2] and not is_behind_day and not _ends(said, start + 1)
    if hour > 23 or minute > 59 or is_one_of_something:
        return None
    end = start + 1 + (match[3] is None and behind in _hours())
    return Moment(at, end, "at", (date.min, date.min), clock=f"{hour:02}:{minute:02}")


def _ends(said: Sequence[Token], at: int) -> bool:
    """Whether a number counts nothing: a mark, a word for a time or nothing follows it."""
    return at >= len(said) or not said[at].is_word or every_symbol(said[at].lower).strip() not in ("x", "")
