"""Change a value in a JSON file, with or without comments, and keep every other byte. Pure."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_SKIPPED = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]|/\*[^\n]*?\*/)*(?://[^\n]*)?")
_SCALAR = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s,:{}\[\]"]+')
_INDENT = re.compile(r"[{\[][^\S\n]*\n([ \t]+)\S")


class NotJson(Exception):
    """The text is not JSON; the message says where."""


@dataclass(slots=True)
class Span:
    """A value and its place; for an object its members by name, for an array its items."""

    start: int
    end: int
    key_start: int = -1  # of a member
    members: dict[str, "Span"] = field(default_factory=dict)
    items: list["Span"] = field(default_factory=list)

    @property
    def children(self) -> list["Span"]:
        """Members or items, in order."""
        return [*self.members.values(), *self.items]

    @property
    def begins(self) -> int:
        """The beginning, with the key."""
        return self.start if self.key_start < 0 else self.key_start


def value_of(text: str) -> Any:
    """Parse a text. Raises ``NotJson``."""
    root = _parse(text)
    return _value(text, root)


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value under a path of names; missing objects are added. Raises ``NotJson``."""
    text = text if text.strip() else "{}\n"
    at, depth = _parse(text), 0
    for depth, name in enumerate(path):
        if text[at.start] != "{":
            raise NotJson(f"{'.'.join(path[:depth]) or 'the whole'} is no object")
        if name not in at.members:
            break
        at = at.members[name]
    else:
        return text if _value(text, at) == value else text[: at.start] + _shown(text, value, depth + 1) + text[at.end :]
    for missing in reversed(path[depth + 1 :]):
        value = {missing: value}
    return _insert(text, at, depth, f"{json.dumps(path[depth])}: {_shown(text, value, depth + 1)}")


def append(text: str, path: Sequence[str], value: Any) -> str:
    """The text with one more item in the array under a path; a missing array is added. Raises ``NotJson``."""
    text = text if text.strip() else "{}\n"
    at = _find(_parse(text), path)
    if at is None:
        return put(text, path, [value])
    if text[at.start] != "[":
        raise NotJson(f"{'.'.join(path)} is no list")
    return _insert(text, at, len(path), _shown(text, value, len(path) + 1))


def drop(text: str, path: Sequence[str | int]) -> str:
    """The text without the value under a path of names and indexes. Raises ``NotJson``."""
    root = _parse(text)
    parent, gone = _find(root, path[:-1]), _find(root, path)
    if parent is None or gone is None:
        return text
    siblings = parent.children
    place = siblings.index(gone)
    begin = len(text[: gone.begins].rstrip(" \t"))
    begin -= begin > parent.start + 1 and text[begin - 1] == "\n"
    after = _skip(text, gone.end)
    if text[after] == ",":
        return text[:begin] + text[after + 1 :]
    if place == 0:
        return text[: parent.start + 1] + text[after:]
    comma = _skip(text, siblings[place - 1].end)
    return text[:comma] + text[comma + 1 : begin] + text[gone.end :]


def _insert(text: str, at: Span, depth: int, shown: str) -> str:
    """Add a member or item at the end of an object or an array."""
    unit, closing = _unit(text), at.end - 1
    margin, outer = "\n" + unit * (depth + 1), "\n" + unit * depth
    if not at.children:
        kept = text[at.start + 1 : closing].rstrip()
        return f"{text[: at.start + 1]}{kept}{margin}{shown}{outer}{text[closing:]}"
    last = at.children[-1].end
    comma = _skip(text, last)
    had_comma = text[comma] == ","
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


def _find(at: Span | None, path: Sequence[str | int]) -> Span | None:
    for step in path:
        if at is None:
            return None
        at = dict(enumerate(at.items)).get(step) if isinstance(step, int) else at.members.get(step)
    return at


def _parse(text: str) -> Span:
    root = _read(text, _skip(text, 1 if text.startswith("\N{BYTE ORDER MARK}") else 0))
    if _skip(text, root.end) != len(text):
        raise _wrong(text, _skip(text, root.end))
    return root


def _read(text: str, at: int) -> Span:
    if text[at : at + 1] not in ("{", "["):
        found = _SCALAR.match(text, at)
        if found is None:
            raise _wrong(text, at)
        try:
            json.loads(found[0])
        except ValueError:
            raise _wrong(text, at) from None
        return Span(at, found.end())
    closes = "}" if text[at] == "{" else "]"
    span, place = Span(at, at), _skip(text, at + 1)
    while text[place : place + 1] != closes:
        if closes == "}":
            key = _read(text, place)
            colon = _skip(text, key.end)
            if text[place : place + 1] != '"' or text[colon : colon + 1] != ":":
                raise _wrong(text, place)
            child = _read(text, _skip(text, colon + 1))
            child.key_start = place
            span.members[json.loads(text[place : key.end])] = child
        else:
            child = _read(text, place)
            span.items.append(child)
        place = _skip(text, child.end)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)
        elif text[place : place + 1] != closes:
            raise _wrong(text, place)
    span.end = place + 1
    return span


def _value(text: str, span: Span) -> Any:
    if text[span.start] == "{":
        return {name: _value(text, each) for name, each in span.members.items()}
    if text[span.start] == "[":
        return [_value(text, each) for each in span.items]
    return json.loads(text[span.start : span.end])


def _skip(text: str, at: int) -> int:
    found = _SKIPPED.match(text, at)
    return found.end() if found else at


def _wrong(text: str, at: int) -> NotJson:
    return NotJson(f"it is not JSON at line {text.count(chr(10), 0, at) + 1}")
