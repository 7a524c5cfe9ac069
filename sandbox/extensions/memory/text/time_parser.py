"""The meaning of expressions of time on the day they are said. Pure.

Each rule gets the match of its pattern (``period``) in a string of symbols (``timewords``). The names of groups: ``n``
a number, ``m`` a month, ``Y`` a year, ``u`` a unit, ``w`` a day of the week, ``k`` and ``l`` expressions that were read
before.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from sandbox.extensions.memory.text import spans
from sandbox.extensions.memory.text.spans import DAY, Span

_SURE, _LIKELY, _UNSURE = 1.0, 0.8, 0.5
_SHIFT = {"M": -2, "L": -1, "T": 0, "N": 1}  # the one before last, last, this, next
_PARTS = "gke"  # beginning, middle, end
_REPEATS = 9  # years in which every date has come at least once

Match = re.Match[str]


class FoundTime(NamedTuple):
    """The span of an expression; without a year, also a function that gives it for any year."""

    span: Span
    certainty: float = _SURE
    in_year: Callable[[int], Span] | None = None


class TimeParser:
    """Finds the times in a text for the day on which it is said, one expression after the other; later ones can contain
    earlier ones. ``known`` is the value of ``<0>`` from the start.
    """

    def __init__(self, today: date, known: Span | None = None) -> None:
        self._today = today
        self._found = [] if known is None else [FoundTime(known, _LIKELY)]

    def place(self, rule: "Rule", match: Match) -> str:
        """The replacement for an expression: ``<0>`` for the first, ``x`` for an impossible date."""
        try:
            self._found.append(rule(self, match))
        except (ValueError, OverflowError):
            return "x"
        return f"<{len(self._found) - 1}>"

    def common(self, placed: Sequence[int]) -> FoundTime | None:
        """The intersection of some spans, or the span from the first to the last."""
        spoken = [self._found[index] for index in placed]
        return _common(spoken) if spoken else None

    # --- what comes every year ------------------------------------------------------------------------------------

    def days(self, match: Match) -> FoundTime:
        """7 May; 3 to 7 May 2023; 5/7/2023, in which the month is unclear."""
        named, month, first = match.groupdict(), int(match["m"]), int(match["n"])
        last = int(named.get("to") or first)
        found = self._yearly(match, lambda year: (date(year, month, first), date(year, month, last) + DAY))
        return found._replace(certainty=_UNSURE) if named.get("either") == "E" else found

    def month(self, match: Match) -> FoundTime:
        """In May; last May; May 2023."""
        return self._yearly(match, lambda year: spans.month(year, int(match["m"])))

    def season(self, match: Match) -> FoundTime:
        """In the summer; next summer; the summer of 2022."""
        return self._yearly(match, lambda year: spans.season(year, int(match["s"])))

    def _yearly(self, match: Match, in_year: Callable[[int], Span]) -> FoundTime:
        """In the named year; with *last*, *this* or *next* relative to today; otherwise the latest that has begun."""
        named = match.groupdict()
        if named.get("Y"):
            return FoundTime(in_year(int(named["Y"])))
        if named.get("year"):
            return FoundTime(in_year(self._today.year + _SHIFT[named["year"]]))
        return FoundTime(_pick(in_year, self._today, named.get("which")), _LIKELY, in_year)

    # --- counted from today ---------------------------------------------------------------------------------------

    def year(self, match: Match) -> FoundTime:
        """In 2023."""
        return FoundTime(spans.year(int(match["Y"])))

    def from_today(self, match: Match) -> FoundTime:
        """Yesterday; the day before yesterday."""
        return FoundTime(spans.days(self._today + int(match["r"]) * (2 if match["beyond"] else 1) * DAY))

    def night(self, match: Match) -> FoundTime:
        """Last night; this morning."""
        return FoundTime(spans.days(self._today + _SHIFT[match["which"]] * DAY))

    def ago(self, match: Match) -> FoundTime:
        """Two weeks ago: the week around that day."""
        unit = match["u"]
        return FoundTime(spans.around(spans.back(self._today, int(match["n"] or 1), unit), unit), _LIKELY)

    def until_now(self, match: Match) -> FoundTime:
        """In the last two weeks."""
        return FoundTime((spans.back(self._today, int(match["n"] or 1), match["u"]), self._today + DAY))

    def unit(self, match: Match) -> FoundTime:
        """Last week, from its Monday to its Sunday; with its beginning named, a year."""
        return FoundTime(spans.unit(match["u"], self._today, _SHIFT[match.groupdict().get("which") or "T"]))

    def before_last(self, match: Match) -> FoundTime:
        """The week before last."""
        return FoundTime(spans.unit(match["u"], self._today, _SHIFT["M"]))

    def weekend(self, _: Match) -> FoundTime:
        """The latest weekend that has begun."""
        return FoundTime(spans.days(spans.weekday_before(self._today + DAY, 5), 2), _UNSURE)

    def weekday(self, match: Match) -> FoundTime:
        """On Monday, last Monday: the latest before today. Next Monday: the first after today."""
        day = self._today + 8 * DAY if match["which"] == "N" else self._today
        return FoundTime(spans.days(spans.weekday_before(day, int(match["w"]))), _LIKELY if match["which"] else _UNSURE)

    # --- of another time ------------------------------------------------------------------------------------------

    def unit_beside(self, match: Match) -> FoundTime:
        """The week before a day; the week around the day two weeks after it."""
        (start, end), unit = self._at(match, "k").span, match["u"]
        back = -1 if match["side"] == "F" else 1
        if match["n"]:
            return FoundTime(spans.around(spans.back(start, back * int(match["n"]), unit), unit), _LIKELY)
        return FoundTime((spans.back(start, 1, unit), start) if back > 0 else (end, spans.back(end, -1, unit)), _LIKELY)

    def weekday_beside(self, match: Match) -> FoundTime:
        """The Sunday before a day."""
        start, end = self._at(match, "k").span
        before = start if match["side"] == "B" else end + 7 * DAY
        return FoundTime(spans.days(spans.weekday_before(before, int(match["w"]))), _LIKELY)

    def weekday_within(self, match: Match) -> FoundTime:
        """Tuesday last week; in a longer time the Tuesday nearest to its middle."""
        whole = self._at(match, "k")
        length = whole.span[1] - whole.span[0]
        if length <= DAY:
            return whole
        middle = whole.span[0] + length // 2
        return whole._replace(span=spans.days(spans.weekday_before(middle + 4 * DAY, int(match["w"]))))

    def third(self, match: Match) -> FoundTime:
        """The beginning, the middle, the end of a time."""
        return self._within(match, lambda span: spans.part(span, _PARTS.index(match["part"]), 3))

    def half(self, match: Match) -> FoundTime:
        """The first half of a time."""
        return self._within(match, lambda span: spans.part(span, int(match["n"]) - 1, 2))

    def week_of(self, match: Match) -> FoundTime:
        """The second week of a month."""
        return self._within(match, lambda span: spans.days(span[0] + 7 * (int(match["n"]) - 1) * DAY, 7))

    def last_of(self, match: Match) -> FoundTime:
        """The last week of a month."""
        return self._within(match, lambda span: (spans.back(span[1], 1, match["u"]), span[1]))

    def both(self, match: Match) -> FoundTime:
        """From one time to another; if only one names its year, the other gets the nearest."""
        first, second = self._at(match, "k"), self._at(match, "l")
        start, end = first.span, second.span
        if first.in_year:
            start = _pick(first.in_year, end[0])
        elif second.in_year:
            end = _pick(second.in_year, start[0], "N")
        return FoundTime((min(start[0], end[0]), max(start[1], end[1])), second.certainty)

    def since(self, match: Match) -> FoundTime:
        """Since a time, up to today."""
        start = self._at(match, "k").span[0]
        return FoundTime((start, max(start, self._today) + DAY), _LIKELY)

    def beside(self, match: Match) -> FoundTime:
        """After a time, up to today; before a time: the year before it."""
        start, end = self._at(match, "k").span
        if match["side"] == "F":
            return FoundTime((end, max(end, self._today) + DAY), _UNSURE)
        return FoundTime((spans.back(start, 1, "y"), start), _UNSURE)

    def _within(self, match: Match, part: Callable[[Span], Span]) -> FoundTime:
        whole = self._at(match, "k")
        in_year = whole.in_year
        return whole._replace(span=part(whole.span), in_year=in_year and (lambda year: part(in_year(year))))

    def _at(self, match: Match, group: str) -> FoundTime:
        return self._found[int(match[group])]


Rule = Callable[[TimeParser, Match], FoundTime]
"""Reads the expression that its pattern has found."""


def _pick(in_year: Callable[[int], Span], today: date, which: str | None = None) -> Span:
    """Of an annual span the nearest (T), the next (N), the last that is over (L, P), the one before that (M), or the
    latest that has begun.
    """
    years = range(today.year - _REPEATS, today.year + _REPEATS)
    every = [span for span in (_if_any(in_year, year) for year in years) if span]
    over = [span for span in every if span[1] <= today]
    chosen = {
        "T": sorted(every, key=lambda span: max(span[0] - today, today - span[1]))[:1],
        "N": [span for span in every if span[0] > today][:1],
        "L": over[-1:],
        "P": over[-1:],
        "M": over[-2:-1],
    }.get(which or "", [span for span in every if span[0] <= today][-1:])
    if not chosen:
        raise ValueError("no year has it")
    return chosen[0]


def _if_any(in_year: Callable[[int], Span], year: int) -> Span | None:
    try:
        return in_year(year)
    except ValueError:  # 29 February, or a year beyond the calendar
        return None


def _common(spoken: Sequence[FoundTime]) -> FoundTime:
    named = [each for each in spoken if not each.in_year]
    yearless = [each.in_year for each in spoken if each.in_year]
    if len(named) == len(yearless) == 1:  # "two years ago in the autumn"
        (start, end), certainty = named[0].span, named[0].certainty
        return FoundTime(_pick(yearless[0], start + (end - start) // 2, "T"), certainty)
    after, before = max(each.span[0] for each in spoken), min(each.span[1] for each in spoken)
    if after < before:
        return FoundTime((after, before), min(each.certainty for each in spoken))
    return FoundTime((min(each.span[0] for each in spoken), max(each.span[1] for each in spoken)), _UNSURE)
