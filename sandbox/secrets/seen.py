"""Texts as people see them: a word that looks like "password" counts as that word, even with invisible signs or letters
of another width.
"""

import re
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

from sandbox.secrets.values import BLANK, compiled

# Variants of letters and digits: wide, mathematical, in circles, raised.
_DRESSED = (
    r"[\u00aa\u00b2\u00b3\u00b9\u00ba\u1d2c-\u1d6a\u2070-\u209c\u2102-\u2139\u2460-\u24ea\uff10-\uff19\uff21-\uff3a"
    r"\uff41-\uff5a\U0001d400-\U0001d7ff\U0001f130-\U0001f149\U0001fbf0-\U0001fbf9]"
)
_UNSEEN = (
    rf"(?:[{BLANK}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+|(?P<marked>[^\W\d_]?[\u0300-\u036f]+))"
)

# Letters of Latin and other alphabets that look alike, for words made to look like others.
_ALIKE = str.maketrans(
    "аеорсухіѕјԁһԛԝАВЕКМНОРСТХІЅЈαορνικΑΒΕΗΙΚΜΝΟΡΤΧΖ", "aeopcyxisjdhqwABEKMHOPCTXISJaopvikABEHIKMNOPTXZ"
)
_OTHERS = "".join(map(chr, _ALIKE))
_MIXED = rf"[A-Za-z][{_OTHERS}]|[{_OTHERS}][A-Za-z]"


class _Undressed(dict[int, int]):
    """For ``str.translate``: letters and digits by their code, in their plain form if that is one sign."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKC", chr(code))
        self[code] = ord(plain) if len(plain) == 1 and plain.isalnum() else code
        return self[code]


_undressed = _Undressed()


class Seen(NamedTuple):
    """A text as it is seen. From each of ``places`` to the next, offsets of the given text are larger by one of
    ``shifts``.
    """

    text: str
    places: tuple[int, ...] = (0,)
    shifts: tuple[int, ...] = (0,)

    def given(self, start: int, end: int) -> tuple[int, int]:
        """The place in the given text of a seen part."""
        return self._given(start), self._given(end - 1) + 1

    def _given(self, offset: int) -> int:
        return offset + self.shifts[bisect_right(self.places, offset) - 1]


def seen(text: str) -> Seen:
    """Read a text as people see it. The time grows linearly with the text."""
    if text.isascii() and BLANK not in text:
        return Seen(text)
    if compiled(_DRESSED).search(text):
        text = text.translate(_undressed)
    if compiled(_MIXED).search(text):
        text = compiled(r"\w+").sub(_in_latin, text)
    parts, places, shifts = [], [0], [0]
    done = length = 0
    for match in compiled(_UNSEEN).finditer(text):
        shown = _composed(match["marked"] or "")
        parts += [text[done : match.start()], shown]
        length += match.start() - done + len(shown)
        done = match.end()
        places.append(length)
        shifts.append(done - length)
    return Seen("".join((*parts, text[done:])), tuple(places), tuple(shifts)) if parts else Seen(text)


def _in_latin(word: re.Match[str]) -> str:
    """A word of several alphabets in Latin letters, if it looks the same; a word of one alphabet unchanged."""
    return word[0].translate(_ALIKE) if compiled(_MIXED).search(word[0]) else word[0]


def _composed(signs: str) -> str:
    """A letter and its marks as one letter if there is one, else the letter without them."""
    whole = unicodedata.normalize("NFC", signs)
    return whole[0] if whole[:1].isalpha() else ""
