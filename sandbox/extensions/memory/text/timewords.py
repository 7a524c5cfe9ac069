"""Words of time of every language as symbols of one small grammar: ``calendar.yaml`` in their folders.

A symbol is a letter, with a value if it has one: ``m5`` is May in any language and case, ``D2023.5.7`` a date.

m month    w weekday   s season    n number    o ordinal   Y year      D date      E date whose month is unclear
u unit: d day, w week, m month, y year, e weekend          r days from today       h night, morning
L last     M before last           P past      T this      N next      A ago       I in so many days, in one word
g beginning            k middle    e end       f half      t the       i in, on    x another word
b between  c since     a and       U until     B before    F after     V: the B behind it may mean *ago*
"""

import re
from collections.abc import Mapping
from functools import cache

from sandbox.extensions.memory.lexicon import by_language
from sandbox.extensions.memory.text.words import fold

_READ = 600  # characters of a text that are searched for times
_YEARS = range(1970, 2100)
# the number of their first word
_COUNTED = (("months", "m", 1), ("weekdays", "w", 0), ("numbers", "n", 1), ("ordinals", "o", 1))
_TELLS = re.compile(r"\b([mwsr]-?\d+|u[dwmye]|h)$")


@cache
def rows(name: str) -> tuple[str, ...]:
    """The words of every language for each of the ``months``, ``weekdays`` (from Monday), ``numbers`` or
    ``ordinals``.
    """
    return tuple(" ".join(each) for each in zip(*by_language("calendar", name).values(), strict=True))


@cache
def larger() -> Mapping[str, int]:
    """Words of numbers above twelve."""
    every = by_language("calendar", "larger").values()
    return {word: number for found in every for number, words in found.items() for word in words.split()}


@cache
def telling() -> frozenset[str]:
    """Words of which a time has at least one, if it has no date in numbers."""
    said = {word for word, symbol in _symbols().items() if _TELLS.search(symbol)}
    return frozenset(said) | {str(year) for year in _YEARS}


@cache
def _symbols() -> Mapping[str, str]:
    """Symbols by word."""
    counted = (
        (f"{letter}{number}", words)
        for name, letter, first in _COUNTED
        for number, words in enumerate(rows(name), first)
    )
    others = (each for found in by_language("calendar", "symbols").values() for each in found.items())
    return {word: symbol for symbol, words in (*counted, *others) for word in words.split()}


@cache
def _phrases() -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Phrases in which a word has another meaning than alone, each with its replacement."""
    found = [each for listed in by_language("calendar", "phrases").values() for each in listed]
    return re.compile(rf"\b(?:{'|'.join(f'({said})' for said, _ in found)})"), tuple(plain for _, plain in found)


_DATE = r"\d{4}-\d\d?(?:-\d\d?)?|\d\d?/\d\d?/(?:\d{4}|\d\d)|\d\d?\.\d\d?\.\d{4}|\d\d\.\d\d\.\d\d|\d\d?/\d\d?"
_TOKEN = re.compile(rf"(?<!\d)(?:{_DATE})(?![\d])|\d+(?:st|nd|rd|th)?|[^\W\d_]+")
_NUMERIC = re.compile(r"\d[-./]\d")


def symbols(text: str) -> str | None:
    """The symbols of a text, each between spaces, ``x`` for other words; None, quickly, if the text names no time. Only
    the beginning of a long text is read.
    """
    folded = fold(text[:_READ])
    tokens = _TOKEN.findall(folded)
    if telling().isdisjoint(tokens) and not _NUMERIC.search(folded):
        return None
    return every_symbol(text)


def every_symbol(text: str) -> str:
    """The symbols of any text."""
    pattern, plain = _phrases()
    said = pattern.sub(lambda found: plain[(found.lastindex or 1) - 1], fold(text[:_READ]))
    return f" {' '.join(map(_symbol, _TOKEN.findall(said)))} "


def _symbol(token: str) -> str:
    if not token[0].isdecimal():
        return _symbols().get(token, "x")
    if token.isdecimal():
        return f"Y{token}" if len(token) == 4 and int(token) in _YEARS else f"n{token}"
    return f"o{token[:-2]}" if token[-1].isalpha() else _date([int(part) for part in re.split(r"[-./]", token)], token)


def _date(numbers: list[int], token: str) -> str:
    """``D2023.5.7``, or ``E`` if day and month could be exchanged. With slashes the month comes first, if it can be
    one.
    """
    if "-" in token:
        return f"D{token.replace('-', '.')}" if len(numbers) == 3 else f"m{numbers[1]} Y{numbers[0]}"
    first, second, *rest = numbers
    year = "" if not rest else rest[0] if rest[0] > 99 else 2000 + rest[0]
    month, day = (first, second) if ("/" in token and first <= 12) or second > 12 else (second, first)
    either = "/" in token and max(first, second) <= 12 and first != second
    return f"{'E' if either else 'D'}{year}.{month}.{day}"
