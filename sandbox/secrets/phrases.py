"""Phrases that open a wallet (BIP-39): twelve words or more in a row that all stand in the list for such phrases."""

import re
import unicodedata
from functools import cache
from importlib import import_module, resources
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
# what stands in no list, and in most sentences
_BREAK = (
    r"(?i)[^\W\d_]{1,2}|[^\W\d_]{10,}|\W*(?:the|and|for|are|was|were|but|not|have|has|had|with|from|they|she|her|his|him"
    r"|its|our|all|some|just|out|there|which|would|как|что|это|для|или|они|она|был|уже|все|его|так)\W*"
)
_PART, _END = "w."
_ROW = _PART * _LEAST
_IN_A_ROW = rf"(?<![^\W_])(?:{_WORD}[ \t\r\n,|-]{{1,4}}){{11,}}{_WORD}(?![^\W_])"


def is_row(signs: str) -> bool:
    """Say whether so many words that can stand in a phrase follow each other: of most talk this settles it."""
    return _ROW in signs


def signs_in_row(word: str) -> str:
    """What a word is in a row of them: a part, or where one ends. Between hyphens, commas or lines several stand."""
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
    """Accept the longest row of words of one list. Between commas, where lists of other things stand, and where words
    repeat, as words that are drawn hardly do, it must be a phrase by its checksum.
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
    languages = dict[str, int]()
    for place, name in enumerate(_LANGUAGES):
        words = (resources.files(_PACKAGE) / "wordlist" / f"{name}.txt").read_text(encoding="utf-8")
        for word in unicodedata.normalize("NFC", words).split():
            languages[word] = languages.get(word, 0) | 1 << place
    return languages


PHRASE = Shape("recovery phrase", ("",), _IN_A_ROW, "BIP-39", _phrase)
