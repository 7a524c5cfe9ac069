"""Clean content for a terminal, a model or a file, so that it controls nothing, hides nothing and can be stored."""

import re
import unicodedata

_SAFE: dict[int, int | str] = {code: 0x2400 + code for code in range(0x20)}  # Unicode's pictures of control characters
_SAFE |= dict.fromkeys(range(0x80, 0xA0), 0xFFFD)  # C1 controls
_SAFE |= dict.fromkeys((0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029), "\n")
_SAFE |= {0x09: "    ", 0x7F: "\N{SYMBOL FOR DELETE}"}

# Invisible signs that few need: direction controls, tags, fillers, invisible operators, variation selectors after the
# first sixteen. Unicode calls them Default_Ignorable_Code_Point; joiners and the selector of emoji stay.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# A joiner or a selector belongs to the sign before it; more than two in a row can carry hidden data.
_HIDDEN = re.compile(rf"[{_UNSEEN}]|(?<=[\u200c\u200d\ufe00-\ufe0f]{{2}})[\u200c\u200d\ufe00-\ufe0f]")
_BLANK = re.compile(rf"[\s\x00{_UNSEEN}\u200c\u200d\ufe00-\ufe0f]*")
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")  # SQLite's texts end at NUL; lone surrogates are not valid UTF-8


def visible(text: str) -> str:
    """The text without invisible signs, which can carry instructions to a model, or reverse the direction of a line."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def is_blank(text: str) -> bool:
    """Whether a text has only spaces and invisible signs."""
    return _BLANK.fullmatch(text) is not None


def printable(text: str) -> str:
    """The text without invisible signs, and with control characters made visible. Line breaks stay."""
    return visible(text.replace("\r\n", "\n")).translate(_SAFE)


def storable(text: str) -> str:
    """The text with signs replaced that SQLite or JSON does not accept."""
    return text if text.isascii() and "\x00" not in text else _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def composed(text: str) -> str:
    """The text with whole letters (NFC), as rules know them: some programs of macOS write an umlaut as two signs."""
    return unicodedata.normalize("NFC", text)
