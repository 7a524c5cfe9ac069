"""The ASCII sign that another sign resembles. Pure.

Compatibility forms and accents are Unicode's own decompositions. The others are from Unicode's confusables
(https://www.unicode.org/Public/security/latest/confusables.txt) and from signs that people use as letters.
"""

import re
import unicodedata
from functools import lru_cache

# Beside those that Unicode calls a Latin letter of some kind.
_LETTERS = {
    "a": "αа⍺ӕᎪꓮⲁ@4",
    "e": "еєҽэε℮Ꭼꓰⲉⴹ€3",
    "i": "іιӏꙇᎥꓲⲓ!1|l",
    "l": "іιӏꙇᎥꓲⲓ!1|iᏞꓡ",
    "m": "мμᎷꓟⲙᛖ₥",
    "n": "ոռпηꓠⲛ",
    "o": "οоσօөᎾꓳჿⲟഠဝ°0٥ס०੦૦௦౦೦൦๐໐၀۵",
    "r": "гяᴦᏒᎡꓣⲅ®",
    "s": "ѕᏚꓢ$5",
    "t": "тτᎢꓔⲧ+7†",
    "u": "υսцꓴ",
    "y": "уүұγυчყᎽꓬⲩ¥ℽ",
}
_LIGATURES = {"m": "(?:rn|nn|{})"}
_LATIN = re.compile(r"\bLATIN (?:SMALL |CAPITAL )?LETTER (?:(?:SMALL|CAPITAL|TURNED|REVERSED|BARRED) )*([A-Z])\b")
_ANGLES = "<‹«˂ᐸᐊᚲ𝈶❮❬❰⟨〈⟪《≪⋘≺⋖⊰⊲⧼⦑◁◀◃◂⪡⫷⯇⏴くㄑ巜﹤＜〈"
_BRACKETS = "([{⁅"
_BLANK = "\u2800"  # the Braille pattern without a dot
_BRACKET_KINDS = ("Ps", "Sm", "So")  # opening punctuation and symbols of any script
_SLASHES = "/\\|∕⁄╱⟋⧸𝈺㇓〳ⳇノ丿⼃᜵⁁∖⟍⧵⧹𝈏𝈻㇔丶⼂¦∣⏽ǀ│┃⎸⫽⫻÷⌿⟌"

ANGLE, BRACKET, SLASH = "<[/"
"""The signs that brackets and slashes look like."""


def read_as(word: str) -> str:
    """A pattern that finds a word of lower-case ASCII letters in ``seen_as`` text, in any lookalike letters."""
    return "".join(_LIGATURES.get(letter, "{}").format(_class(letter)) for letter in word)


@lru_cache(maxsize=1 << 14)
def seen_as(sign: str) -> str:
    """What a sign looks like to a reader: one sign each for angle brackets, for other opening brackets and for slashes,
    letters without accents; empty for space, marks and punctuation, which a reader ignores.
    """
    return "".join(map(_seen, unicodedata.normalize("NFKD", sign).casefold()))


def _class(letter: str) -> str:
    return f"[{re.escape(letter + _LETTERS.get(letter, ''))}]"


def _seen(sign: str) -> str:
    if sign in _ANGLES:
        return ANGLE
    if sign in _SLASHES:
        return SLASH
    if latin := _LATIN.search(unicodedata.name(sign, "")):
        return latin[1].lower()
    if sign.isalnum() or any(sign in others for others in _LETTERS.values()):
        return sign
    is_bracket = sign in _BRACKETS or (not sign.isascii() and unicodedata.category(sign) in _BRACKET_KINDS)
    return BRACKET if is_bracket and sign not in _BLANK else ""
