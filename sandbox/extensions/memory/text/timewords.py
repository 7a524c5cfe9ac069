"""Words that speak of time, English and Russian, as symbols of one small grammar; another language is more words.

A symbol is a letter, with a number where it has a value: ``m5`` is May in any language and case, ``D2023.5.7`` a date.
"""

import re

from sandbox.extensions.memory.text.words import fold

_READ = 600  # characters of a text that are read for time
_YEARS = range(1970, 2100)

MONTHS = (
    "january jan январь января январе",
    "february feb февраль февраля феврале",
    "march март марта марте",
    "april apr апрель апреля апреле",
    "may май мая мае",
    "june jun июнь июня июне",
    "july jul июль июля июле",
    "august aug август августа августе",
    "september sept sep сентябрь сентября сентябре",
    "october oct октябрь октября октябре",
    "november nov ноябрь ноября ноябре",
    "december dec декабрь декабря декабре",
)
_WEEKDAYS = (
    "monday понедельник понедельника",
    "tuesday вторник вторника",
    "wednesday среда среду",
    "thursday четверг четверга",
    "friday пятница пятницу пятницы",
    "saturday суббота субботу субботы",
    "sunday воскресенье воскресенья",
)
NUMBERS = (
    "one один одну",
    "two couple два две двух пару",
    "three few три трех несколько",
    "four четыре четырех",
    "five several пять пяти",
    "six шесть шести",
    "seven семь семи",
    "eight восемь восьми",
    "nine девять девяти",
    "ten десять десяти",
    "eleven одиннадцать одиннадцати",
    "twelve двенадцать двенадцати",
)
ORDINALS = (
    "first первый первая первое первого первой первую",
    "second второй вторая второе второго вторую",
    "third третий третья третье третьего третьей третью",
    "fourth четвертый четвертая четвертое четвертого четвертой четвертую",
)
_OTHERS = {
    "s1": "spring весна весны весну",
    "i s1": "весной",
    "s2": "summer лето лета",
    "i s2": "летом",
    "s3": "autumn fall осень осени",
    "i s3": "осенью",
    "s4": "winter зима зимы зиму",
    "i s4": "зимой",
    # units
    "ud": "day days день дня дней дни",
    "uw": "week weeks неделя недели неделю неделе недель",
    "um": "month months месяц месяца месяце месяцев",
    "uy": "year years год года году лет",
    "ue": "weekend выходные выходных",
    "n6 um": "полгода",
    # days counted from today, and their nights
    "r-2": "позавчера",
    "r-1": "yesterday вчера",
    "r0": "today tonight сегодня",
    "r1": "tomorrow завтра",
    "r2": "послезавтра",
    "h": "night evening morning afternoon ночь ночью",
    # which of them
    "M": "позапрошлый позапрошлая позапрошлое позапрошлого позапрошлой позапрошлую позапрошлом позапрошлым",
    "L": "last previous прошлый прошлая прошлое прошлые прошлого прошлой прошлую прошлом прошлым прошлых",
    "P": "past последний последняя последнее последние последнюю последней последних",
    "T": "this этот эта это эти этого этой эту этом этим этих",
    "N": "next coming следующий следующая следующее следующие следующего следующей следующую следующем",
    "A": "ago назад",
    "g": "early beginning start начало начале начала",
    "k": "mid middle середина середине середины",
    "e": "late end конец конце конца",
    "f": "half половина половине половину",
    # how they are joined
    "i": "in on at during of for over within throughout в во на за",
    "b": "between from между",
    "c": "since с со",
    "a": "and to through и по",
    "U": "till until до",
    "B": "before перед",
    "F": "after после",
    "t": "the",
}

_SYMBOLS = {
    word: symbol
    for symbol, words in (
        *((f"m{number}", words) for number, words in enumerate(MONTHS, start=1)),
        *((f"w{number}", words) for number, words in enumerate(_WEEKDAYS)),
        *((f"n{number}", words) for number, words in enumerate(NUMBERS, start=1)),
        *((f"o{number}", words) for number, words in enumerate(ORDINALS, start=1)),
        *_OTHERS.items(),
    )
    for word in words.split()
}

TELLING = frozenset(word for word, symbol in _SYMBOLS.items() if re.search(r"\b([mwsr]-?\d+|u[dwmye]|h)$", symbol)) | {
    str(year) for year in _YEARS
}
"""Words without one of which, or a date in numbers, nothing is said of time."""

_DATE = r"\d{4}-\d\d?(?:-\d\d?)?|\d\d?/\d\d?/(?:\d{4}|\d\d)|\d\d?\.\d\d?\.\d{4}|\d\d\.\d\d\.\d\d|\d\d?/\d\d?"
_TOKEN = re.compile(rf"(?<!\d)(?:{_DATE})(?![\d])|\d+(?:st|nd|rd|th)?|[^\W\d_]+")
_NUMERIC = re.compile(r"\d[-./]\d")


def symbols(text: str) -> str | None:
    """The symbols of a text, each between spaces, ``x`` for what is none; None, quickly, where it says nothing of time.
    Only the beginning of a long text is read.
    """
    folded = fold(text[:_READ])
    tokens = _TOKEN.findall(folded)
    if TELLING.isdisjoint(tokens) and not _NUMERIC.search(folded):
        return None
    return _spaced(tokens)


def every_symbol(text: str) -> str:
    """The same, whatever the text says."""
    return _spaced(_TOKEN.findall(fold(text[:_READ])))


def _spaced(tokens: list[str]) -> str:
    return f" {' '.join(map(_symbol, tokens))} "


def _symbol(token: str) -> str:
    if not token[0].isdecimal():
        return _SYMBOLS.get(token, "x")
    if token.isdecimal():
        return f"Y{token}" if len(token) == 4 and int(token) in _YEARS else f"n{token}"
    return f"o{token[:-2]}" if token[-1].isalpha() else _date([int(part) for part in re.split(r"[-./]", token)], token)


def _date(numbers: list[int], token: str) -> str:
    """``D2023.5.7``, or ``E`` where day and month could be the other way round: with slashes the month comes first,
    unless it cannot be one.
    """
    if "-" in token:
        return f"D{token.replace('-', '.')}" if len(numbers) == 3 else f"m{numbers[1]} Y{numbers[0]}"
    first, second, *rest = numbers
    year = "" if not rest else rest[0] if rest[0] > 99 else 2000 + rest[0]
    month, day = (first, second) if ("/" in token and first <= 12) or second > 12 else (second, first)
    either = "/" in token and max(first, second) <= 12 and first != second
    return f"{'E' if either else 'D'}{year}.{month}.{day}"
