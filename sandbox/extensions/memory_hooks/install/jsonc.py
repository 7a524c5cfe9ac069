"""Change a value in a JSON file, with or without comments, and keep every other byte. Pure."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

_STRING = r'("(?:[^"\\]|\\.)*"?)'  # or comment: up to the end of the text if it is not closed
_COMMENT = re.compile(rf"{_STRING}|^\ufeff|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?", re.DOTALL)
_COMMA_AT_THE_END = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]|/\*[^\n]*?\*/)*(?://[^\n]*)?")
_SPACES = re.compile(r"\s*")
_INDENT = re.compile(r"[{\[][^\S\n]*\n([ \t]+)\S")
_decode = json.JSONDecoder().raw_decode


class NotJson(Exception):
    """The text is not JSON; the message says where."""


class Span(NamedTuple):
    """The place of a value; a member of an object ``begins`` with its name."""

    begins: int
    start: int
    end: int


def value_of(text: str) -> Any:
    """Parse a text. Raises ``NotJson``."""
    return json.loads(_plain(text))


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value under a path of names; missing objects are added. Raises ``NotJson``."""
    text = text if text.strip() else "{}\n"
    plain, depth = _plain(text), 0
    at = _root(plain)
    for depth, name in enumerate(path):
        if plain[at.start] != "{":
            raise NotJson(f"{'.'.join(path[:depth]) or 'the whole'} is no object")
        if (found := _children(plain, at).get(name)) is None:
            break
        at = found
    else:
        is_there = json.loads(plain[at.start : at.end]) == value
        return text if is_there else text[: at.start] + _shown(text, value, depth + 1) + text[at.end :]
    for missing in reversed(path[depth + 1 :]):
        value = {missing: value}
    return _insert(text, at, depth, f"{json.dumps(path[depth])}: {_shown(text, value, depth + 1)}")


def append(text: str, path: Sequence[str], value: Any) -> str:
    """The text with one more item in the array under a path; a missing array is added. Raises ``NotJson``."""
    text = text if text.strip() else "{}\n"
    at = _find(_plain(text), path)
    if at is None:
        return put(text, path, [value])
    if text[at.start] != "[":
        raise NotJson(f"{'.'.join(path)} is no list")
    return _insert(text, at, len(path), _shown(text, value, len(path) + 1))


def drop(text: str, path: Sequence[str | int]) -> str:
    """The text without the value under a path of names and indexes. Raises ``NotJson``."""
    plain, bare = _plain(text), _without_comments(text)
    parent, gone = _find(plain, path[:-1]), _find(plain, path)
    if parent is None or gone is None:
        return text
    siblings = list(_children(plain, parent).values())
    place = siblings.index(gone)
    begin = len(text[: gone.begins].rstrip(" \t"))
    begin -= begin > parent.start + 1 and text[begin - 1] == "\n"
    after = _skip(bare, gone.end)
    if bare[after] == ",":
        return text[:begin] + text[after + 1 :]
    if place == 0:
        return text[: parent.start + 1] + text[after:]
    comma = _skip(bare, siblings[place - 1].end)
    return text[:comma] + text[comma + 1 : begin] + text[gone.end :]


def _insert(text: str, at: Span, depth: int, shown: str) -> str:
    """Add a member or item at the end of an object or an array."""
    unit, closing = _unit(text), at.end - 1
    margin, outer = "\n" + unit * (depth + 1), "\n" + unit * depth
    children = list(_children(_plain(text), at).values())
    if not children:
        kept = text[at.start + 1 : closing].rstrip()
        return f"{text[: at.start + 1]}{kept}{margin}{shown}{outer}{text[closing:]}"
    last = children[-1].end
    bare = _without_comments(text)
    comma = _skip(bare, last)
    had_comma = bare[comma] == ","
    if had_comma:
        last = comma + 1
    else:
        text, closing, last = f"{text[:last]},{text[last:]}", closing + 1, last + 1
    found = _SAME_LINE.match(text, last, closing)
    end = found.end() if found else last
    before, rest = text[:end].rstrip(" \t"), text[end:closing]
    return f"{before}{margin}{shown}{',' * had_comma}{rest if chr(10) in rest else outer}{text[closing:]}"


def _shown(text: str, value: Any, depth: int) -> str:
    unit = _unit(text)
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", "\n" + unit * depth)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _find(plain: str, path: Sequence[str | int]) -> Span | None:
    at: Span | None = _root(plain)
    for step in path:
        at = _children(plain, at).get(step) if at is not None else None
    return at


def _root(plain: str) -> Span:
    start = _skip(plain, 0)
    return Span(start, start, len(plain.rstrip()))


def _children(plain: str, at: Span) -> dict[str | int, Span]:
    """The members of an object by name, or the items of an array by index."""
    found = dict[str | int, Span]()
    is_object, place = plain[at.start] == "{", _skip(plain, at.start + 1)
    while plain[at.start] in "{[" and place < at.end - 1:
        begins, name = place, len(found)
        if is_object:
            name, place = _decode(plain, place)
            place = _skip(plain, _skip(plain, place) + 1)  # beyond the colon
        _, end = _decode(plain, place)
        found[name] = Span(begins, place, end)
        place = _skip(plain, _skip(plain, end) + 1)  # beyond the comma
    return found


def _plain(text: str) -> str:
    """The text as JSON of the same length. Raises ``NotJson``."""
    plain = _COMMA_AT_THE_END.sub(_blank, _without_comments(text))
    try:
        json.loads(plain)
    except json.JSONDecodeError as error:
        raise NotJson(f"it is not JSON at line {error.lineno}") from None
    return plain


def _without_comments(text: str) -> str:
    return _COMMENT.sub(_blank, text)


def _blank(found: "re.Match[str]") -> str:
    """A string as it is; spaces in place of anything else."""
    return found[1] or re.sub(r"[^\n]", " ", found[0])


def _skip(text: str, at: int) -> int:
    """The place of the next character that is no space."""
    spaces = _SPACES.match(text, at)
    return spaces.end() if spaces else at
