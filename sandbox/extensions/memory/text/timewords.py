"""Words that speak of time, English, Russian and German, as symbols of one small grammar: more words, more languages.

A symbol is a letter, with a number where it has a value: ``m5`` is May in any language and case, ``D2023.5.7`` a date.
"""

import re

from sandbox.extensions.memory.text.words import fold

_READ = 600  # characters of a text that are read for time
_YEARS = range(1970, 2100)

MONTHS = (
    "january jan январь января январе januar jänner",
    "february feb февраль февраля феврале februar",
    "march март марта марте märz maerz",
    "april apr апрель апреля апреле",
    "may май мая мае mai",
    "june jun июнь июня июне juni",
    "july jul июль июля июле juli",
    "august aug август августа августе",
    "september sept sep сентябрь сентября сентябре",
    "october oct октябрь октября октябре oktober okt",
    "november nov ноябрь ноября ноябре",
    "december dec декабрь декабря декабре dezember dez",
)
_WEEKDAYS = (
    "monday понедельник понедельника montag",
    "tuesday вторник вторника dienstag",
    "wednesday среда среду mittwoch",
    "thursday четверг четверга donnerstag",
    "friday пятница пятницу пятницы freitag",
    "saturday суббота субботу субботы samstag sonnabend",
    "sunday воскресенье воскресенья sonntag",
)
NUMBERS = (
    "one один одну ein eine einem einer einen",
    "two couple два две двух пару zwei",
    "three few три трех несколько drei",
    "four четыре четырех vier",
    "five several пять пяти fünf",
    "six шесть шести sechs",
    "seven семь семи sieben",
    "eight восемь восьми acht",
    "nine девять девяти neun",
    "ten десять десяти zehn",
    "eleven одиннадцать одиннадцати elf",
    "twelve двенадцать двенадцати zwölf",
)
ORDINALS = (
    "first первый первая первое первого первой первую erste ersten erster erstes",
    "second второй вторая второе второго вторую zweite zweiten zweiter zweites",
    "third третий третья третье третьего третьей третью dritte dritten dritter drittes",
    "fourth четвертый четвертая четвертое четвертого четвертой четвертую vierte vierten vierter viertes",
)
_OTHERS = {
    "s1": "spring весна весны весну frühling frühjahr",
    "i s1": "весной",
    "s2": "summer лето лета sommer",
    "i s2": "летом",
    "s3": "autumn fall осень осени herbst",
    "i s3": "осенью",
    "s4": "winter зима зимы зиму",
    "i s4": "зимой",
    # units
    "ud": "day days день дня дней дни tag tage tagen",
    "uw": "week weeks неделя недели неделю неделе недель woche wochen",
    "um": "month months месяц месяца месяце месяцев monat monate monaten",
    "uy": "year years год года году лет jahr jahre jahren jahres",
    "ue": "weekend выходные выходных wochenende",
    "n6 um": "полгода",
    # days counted from today, and their nights
    "r-2": "позавчера vorgestern",
    "r-1": "yesterday вчера gestern",
    "r0": "today tonight сегодня heute",
    "r1": "tomorrow завтра morgen",
    "r2": "послезавтра übermorgen",
    "h": "night evening morning afternoon ночь ночью nacht abend vormittag nachmittag",
    # which of them
    "M": (
        "позапрошлый позапрошлая позапрошлое позапрошлого позапрошлой позапрошлую позапрошлом позапрошлым"
        " vorletzte vorletzten vorletzter vorletztes"
    ),
    "L": (
        "last previous прошлый прошлая прошлое прошлые прошлого прошлой прошлую прошлом прошлым прошлых"
        " letzte letzten letzter letztes letztem vorige vorigen voriger voriges"
    ),
    "P": "past последний последняя последнее последние последнюю последней последних",
    "T": "this этот эта это эти этого этой эту этом этим этих diese diesen dieser dieses diesem",
    "N": (
        "next coming следующий следующая следующее следующие следующего следующей следующую следующем"
        " nächste nächsten nächster nächstes nächstem kommende kommenden kommender kommendes"
    ),
    "A": "ago назад",
    "g": "early beginning start начало начале начала anfang",
    "k": "mid middle середина середине середины mitte",
    "e": "late end конец конце конца ende",
    "f": "half половина половине половину hälfte",
    # how they are joined
    "i": "in on at during of for over within throughout в во на за im während",
    "b": "between from между vom zwischen",
    "c": "since с со seit ab",
    "a": "and to through и по und",
    "U": "till until до bis",
    "B": "before перед",
    "V B": "vor",  # some days, weeks or months ago, or before something
    "F": "after после nach",
    "t": "the der den dem",
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

_PHRASES = re.compile(  # of German, in which one of the words alone says something else, or is an English one
    r"\b(?:(?P<i>am) (?=(?:[mdfs]\w+(?:tag|woch|abend)|wochenende)\b)|(?P<r0>heute) (?:morgen|abend|nacht)\b"
    r"|(?P<x>(?:am|guten|jeden) morgen)\b|(?P<n3>ein paar)\b|(?P<y>im jahre?) (?=\d{4}\b))"
)
_PLAIN = {"i": "im ", "r0": "heute", "x": "-", "n3": "drei", "y": "im "}

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
    return _spaced(_TOKEN.findall(_plain(folded)))


def every_symbol(text: str) -> str:
    """The same, whatever the text says."""
    return _spaced(_TOKEN.findall(_plain(fold(text[:_READ]))))


def _plain(folded: str) -> str:
    return _PHRASES.sub(lambda found: _PLAIN[found.lastgroup or ""], folded)


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
