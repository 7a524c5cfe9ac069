"""Phrases that open a wallet (BIP-39): twelve words or more in a row that are all in one of the lists for such
phrases.
"""

import re
import unicodedata
from functools import cache
from importlib import import_module
from typing import Any

from sandbox.secrets.forms import Shape, Span
from sandbox.secrets.values import compiled

_PACKAGE = "mnemonic"
_LANGUAGES = ("english", "spanish", "french", "italian", "portuguese", "czech", "russian", "turkish")
_LENGTHS = (12, 15, 18, 21, 24)
_LEAST = min(_LENGTHS)
_DIFFERENT = 0.75  # of the words; of 24 drawn from 2,048 one in a million phrases has fewer
_NUMBER = r"\d{1,2}[.):]?"
_WORD = rf"(?:{_NUMBER}\s{{0,2}})?[^\W\d_]{{3,9}}"
# Words that are in no list, and in most sentences.
_BREAK = (
    r"(?i)[^\W\d_]{1,2}|[^\W\d_]{10,}|\W*(?:the|and|for|are|was|were|but|not|have|has|had|with|from|they|she|her|his|him"
    r"|its|our|all|some|just|out|there|which|would|как|что|это|для|или|они|она|был|уже|все|его|так)\W*"
)
_PART, _END = "w."
_ROW = _PART * _LEAST
_IN_A_ROW = rf"(?<![^\W_])(?:{_WORD}[ \t\r\n,|-]{{1,4}}){{11,}}{_WORD}(?![^\W_])"


def is_row(signs: str) -> bool:
    """Whether enough possible words follow each other; for most talk this test is enough."""
    return _ROW in signs


def signs_in_row(word: str) -> str:
    """The role of a word in a row of words: a part of it, or its end. Hyphens, commas and line breaks separate
    several.
    """
    return "".join(map(_sign, compiled(r"[,|-]").split(word)))


def _sign(word: str) -> str:
    if not word or compiled(_NUMBER).fullmatch(word):
        return ""
    if compiled(_BREAK).fullmatch(word):
        return _END
    if compiled(_WORD).fullmatch(word):
        return _PART
    return f"{_PART if word[0].isalnum() else ''}{_END}{_PART if word[-1].isalnum() else ''}"


def _phrase(match: re.Match[str]) -> Span | None:
    """Accept the longest row of words of one list. With commas, as in other lists, or with repeated words, which are
    rare among drawn words, its checksum must be correct.
    """
    words = list(re.finditer(r"[^\W\d_]+", match[0]))
    begin = known = first = last = 0
    for place, word in enumerate(words):
        languages = _lists().get(word[0].casefold(), 0)
        begin, known = (begin, known & languages) if known & languages else (place, languages)
        if known and place + 1 - begin > last - first:
            first, last = begin, place + 1
    longest = words[first:last]
    if len(longest) < _LEAST:
        return None
    said = [word[0].casefold() for word in longest]
    is_drawn = "," not in match[0] and len(set(said)) >= _DIFFERENT * len(said)
    span = match.start() + longest[0].start(), match.start() + longest[-1].end()
    return span if is_drawn or _has_checksum(said) else None


def _has_checksum(words: list[str]) -> bool:
    library: Any = import_module(_PACKAGE)
    return len(words) in _LENGTHS and any(library.Mnemonic(each).check(" ".join(words)) for each in _LANGUAGES)


@cache
def _lists() -> dict[str, int]:
    """The words of all lists, each with a bit for every language that has it."""
    from importlib import resources  # slow to import; only a text that looks like a phrase needs it

    languages = dict[str, int]()
    for place, name in enumerate(_LANGUAGES):
        words = (resources.files(_PACKAGE) / "wordlist" / f"{name}.txt").read_text(encoding="utf-8")
        for word in unicodedata.normalize("NFC", words).split():
            languages[word] = languages.get(word, 0) | 1 << place
    return languages


PHRASE = Shape("recovery phrase", "", _IN_A_ROW, _phrase)
