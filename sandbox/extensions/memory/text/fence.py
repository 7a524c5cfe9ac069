"""Put content into a fence of two tags; no content can close it. Pure."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

from sandbox.extensions.memory.text.lookalikes import ANGLE, BRACKET, SLASH, read_as, seen_as
from sandbox.support.characters import visible

MARGIN = "| "
"""Begins the second and further lines of a content, so that none of them looks like a heading, an item or a speaker."""

_LINE_BREAK = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")
_ASCII_BRACKET = re.compile(r"[<(\[{]")
_ASCII_SEEN = {code: seen_as(chr(code)) or None for code in range(128)}
_HEADING = re.compile(r"#+(?=\s|$)")
_NO_NAME = re.compile(r"[^\w.,'’&@+/()-]+|(?<![\w)])[.,'’&@+/)-]+")
_LONGEST_NAME = 80  # characters
_ROLES = ("user", "assistant", "system", "tool", "memory")


def escaping(tag: str) -> Callable[[str], str]:
    """Keeps content on its own lines and between ``<tag>`` and ``</tag>``: invisible characters are removed, further
    lines get a margin, and the bracket before anything that looks like the tag becomes an entity.
    """

    @cache
    def fence() -> re.Pattern[str]:
        return re.compile(rf"(?:{ANGLE}[{SLASH}\{BRACKET}]*|\{BRACKET}{SLASH}[{SLASH}\{BRACKET}]{{0,8}}){read_as(tag)}")

    def escape(content: str) -> str:
        if content.isascii():
            shown, may_be_fence = content.strip(), _ASCII_BRACKET.search(content)
            found = may_be_fence and fence().search(shown.translate(_ASCII_SEEN))
        else:
            shown = visible(content).strip()
            found = fence().search("".join(map(seen_as, shown)))
        return _in_lines(_unfenced(shown, fence()) if found else shown)

    return escape


def without_hook_context(text: str) -> str:
    """What a person typed, without the answer of a hook, which Gemini CLI puts into a fence before it."""
    return text.partition("</hook_context>")[2].lstrip() if text.startswith("<hook_context>") else text


@lru_cache(maxsize=1 << 12)
def plain_name(name: str) -> str:
    """A name in the form that can come before a turn: one line of letters and few signs, without the fence's tags.
    Empty if nothing is left, or if it is the name of a role ("user"), which nobody may take.
    """
    plain = _NO_NAME.sub(" ", unicodedata.normalize("NFKC", visible(name[: 4 * _LONGEST_NAME])))
    plain = " ".join(plain.split())[:_LONGEST_NAME].strip()
    return "" if _reserved().fullmatch("".join(map(seen_as, plain))) else plain


@cache
def _reserved() -> re.Pattern[str]:
    return re.compile("|".join(map(read_as, _ROLES)))


def _in_lines(text: str) -> str:
    start = rf"\{text}" if _HEADING.match(text) else text  # after "- " it would still be a heading
    if not _LINE_BREAK.search(start):
        return start
    first, *further = (line.rstrip() for line in start.splitlines() if line.strip())
    return "\n".join([first, *(line if line.startswith(MARGIN) else MARGIN + line for line in further)])


def _unfenced(text: str, fence: re.Pattern[str]) -> str:
    """The text with entities for the brackets of anything that looks like the fence's tag."""
    signs, places = list(text), [place for place, sign in enumerate(text) for _ in seen_as(sign)]
    for match in fence.finditer("".join(map(seen_as, text))):
        end = places[match.end() - 1] + 1
        after = text[end : end + 1]
        if not re.match(r"[A-Za-z0-9_]", after):  # <MemoryPool>
            bracket = places[match.start()]
            signs[bracket] = "&lt;" if seen_as(text[bracket]) == ANGLE else f"&#{ord(text[bracket])};"
    return "".join(signs)
