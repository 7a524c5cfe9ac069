"""Spans of days written out, with the words English and Russian have for them. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.text.spans import Span

MONTHS_EN = "January February March April May June July August September October November December".split()
MONTHS_RU = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()
_IN_MONTH_RU = "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре".split()
_SEASONS = {3: ("spring", "весной"), 6: ("summer", "летом"), 9: ("autumn", "осенью"), 12: ("winter", "зимой")}


@dataclass(frozen=True, slots=True)
class _Wording:
    """How one language names a span: patterns with ``{day}``, ``{month}``, ``{within}`` (in which month), ``{year}``
    and ``{season}``.
    """

    months: Sequence[str]
    within: Sequence[str]
    season: int  # its place in ``_SEASONS``
    one_day: str
    around: tuple[str, str, str]  # a day, a month, a year
    weekend: str
    week: str
    in_month: str
    in_season: str
    in_year: str


_IN_ENGLISH = _Wording(
    MONTHS_EN,
    MONTHS_EN,
    0,
    "{day} {month} {year}",
    ("around {day} {month} {year}", "around {month} {year}", "around {year}"),
    "on the weekend of {day} {month} {year}",
    "in the week of {day} {month} {year}",
    "in {within} {year}",
    "in the {season} of {year}",
    "in {year}",
)
_IN_RUSSIAN = _Wording(
    MONTHS_RU,
    _IN_MONTH_RU,
    1,
    "{day} {month} {year} года",
    ("около {day} {month} {year} года", "около {month} {year} года", "около {year} года"),
    "в выходные {day} {month} {year} года",
    "на неделе {day} {month} {year} года",
    "в {within} {year} года",
    "{season} {year} года",
    "в {year} году",
)


def in_english(span: Span, phrase: str, loose: bool) -> str:
    """A span written out; ``phrase`` is how it was said, ``loose`` tells that it was only about then."""
    before = re.match(r"(by|until|for)\b", phrase, re.IGNORECASE)
    return _worded(span, loose, _IN_ENGLISH, f"{before[1].lower() if before else 'on'} ")


def in_russian(span: Span, phrase: str, loose: bool) -> str:
    """A span written out; ``phrase`` is how it was said, ``loose`` tells that it was only about then."""
    phrase = phrase.lower()
    part = re.match(r"в (?:начале|середине|конце) ", phrase)
    if part and (span[1] - span[0]).days < 15:
        return f"{part[0]}{MONTHS_RU[span[0].month - 1]} {span[0].year} года"
    return _worded(span, loose, _IN_RUSSIAN, before[0] if (before := re.match(r"(?:до|с) ", phrase)) else "")


def _worded(span: Span, loose: bool, words: _Wording, before: str) -> str:
    """A span as a language names it, a single day after ``before``."""
    start, length = span[0], (span[1] - span[0]).days
    named = start + (span[1] - start) // 2 if loose and length > 1 else start
    season = _SEASONS.get(named.month)
    return (before * (length <= 1) + _pattern(length, loose, season is not None, words)).format(
        day=named.day,
        month=words.months[named.month - 1],
        within=words.within[named.month - 1],
        year=named.year,
        season=season[words.season] if season else "",
    )


def _pattern(length: int, loose: bool, is_season: bool, words: _Wording) -> str:
    if length <= 1:
        return words.one_day
    if loose:
        return words.around[(length > 8) + (length > 40)]
    if length <= 8:
        return words.weekend if length == 2 else words.week
    if length <= 31:
        return words.in_month
    return words.in_season if length <= 93 and is_season else words.in_year
