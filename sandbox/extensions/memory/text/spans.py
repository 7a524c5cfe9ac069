"""Spans of the calendar: days, weeks from Monday, weekends, months, seasons of the north, years. Pure."""

from datetime import date, timedelta

Span = tuple[date, date]
"""From its first day up to the day after its last."""

DAY = timedelta(days=1)

_AROUND = {"d": (0, 1), "w": (3, 4), "m": (15, 15), "y": (182, 183)}  # days before the middle, and days from it on


def days(first: date, count: int = 1) -> Span:
    """``count`` days from the first."""
    return first, first + count * DAY


def month(year: int, number: int, length: int = 1) -> Span:
    """Some months from one; numbers outside 1 to 12 mean other years."""
    return _first_of(year, number), _first_of(year, number + length)


def season(year: int, number: int) -> Span:
    """Spring is 1; winter, 4, begins in the year's December."""
    return month(year, 3 * number, 3)


def year(number: int) -> Span:
    """A calendar year."""
    return month(number, 1, 12)


def unit(name: str, today: date, shift: int) -> Span:
    """The week (w), weekend (e), month (m) or year (y) that is ``shift`` after today's."""
    if name == "m":
        return month(today.year, today.month + shift)
    if name == "y":
        return year(today.year + shift)
    monday = today - today.weekday() * DAY + shift * 7 * DAY
    return days(monday, 7) if name == "w" else days(monday + 5 * DAY, 2)


def weekday_before(day: date, weekday: int) -> date:
    """The last Monday (0), Tuesday ... before a day."""
    return day - ((day.weekday() - weekday - 1) % 7 + 1) * DAY


def back(day: date, count: int, unit: str) -> date:
    """The day ``count`` days (d), weeks, months or years earlier; in a shorter month, its last day."""
    if unit in "dw":
        return day - count * (7 if unit == "w" else 1) * DAY
    first, end = month(day.year, day.month - count * (12 if unit == "y" else 1))
    return min(first + (day.day - 1) * DAY, end - DAY)


def around(middle: date, unit: str) -> Span:
    """The span of one unit around a day."""
    before, after = _AROUND[unit]
    return middle - before * DAY, middle + after * DAY


def part(whole: Span, number: int, parts: int) -> Span:
    """The ``number``-th, from 0, of equal parts of a span."""
    length = (whole[1] - whole[0]).days
    return whole[0] + length * number // parts * DAY, whole[0] + length * (number + 1) // parts * DAY


def _first_of(year: int, month: int) -> date:
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
