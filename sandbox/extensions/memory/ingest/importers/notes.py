"""Markdown notes, as Obsidian and basic-memory keep them, and texts that list memories, a dated line each.

What basic-memory calls observations and relations are statements. Other prose is a conversation with oneself: it is
found, and learnt from, section by section.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePath
from typing import Any

import yaml

from sandbox.extensions.memory.ingest.importers import cursor
from sandbox.extensions.memory.ingest.importers.files import TextFile
from sandbox.extensions.memory.ingest.importers.keys import Keys
from sandbox.extensions.memory.ingest.importers.prose import pieces
from sandbox.extensions.memory.ingest.importers.values import Broken, Item, Unknown, category_of, time_in
from sandbox.extensions.memory.model import Message, Statement, storable

_LARGEST = 16 * 1024 * 1024  # bytes of a note
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_OBSERVATION = re.compile(r"^\s*[-*]\s+\[([^\[\]()]{2,40})\]\s+(\S.*)$")  # not `- [ ] task`, nor a link
_RELATION = re.compile(r"^\s*[-*]\s+([\w][\w ]{1,60}?)\s+\[\[([^\[\]]+)\]\]\s*(?:\([^()]*\))?$")
_TAG = re.compile(r"(?:^|(?<=\s))#([^\W\d][\w/-]*)")
_LINK = re.compile(r"!?\[\[([^\[\]|]+)(?:\|([^\[\]]+))?\]\]")  # [[note]], [[note|shown so]]
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_DATED = re.compile(r"^(?:[-*]\s+|\d+\.\s+)?\[(\d{4}-\d\d-\d\d|unknown)\]\.?\s*(?:[-–—:]\s*)?(\S.*)$", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_TIMES = ("created", "created_at", "date", "modified", "updated", "updated_at")


def read(text: TextFile) -> tuple[str, Callable[[], Iterator[Item]]]:
    """What sort of text it is, and its items. Raises ``Unknown`` where it is none, or too long for a note."""
    if text.file.size > _LARGEST:
        raise Unknown(f"it is a text of {text.file.size:,} bytes, more than the {_LARGEST:,} of a note")
    with text.open() as file:
        content = storable(file.read().lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"))
    if cursor.is_export(content):
        return "Cursor chat", partial(cursor.read_export, content)
    if dated := _dated(content):
        return "list of memories", partial(_listed, dated)
    if text.file.suffix == ".txt":
        raise Unknown("it is no list of memories, each behind its date like [2026-03-02]; a note ends in .md")
    return "Markdown note", partial(_note, text.file.name, content, text.file.modified)


def _dated(content: str) -> list[re.Match[str]]:
    """The memories of a list in which each has its date; none where most lines have not."""
    lines = [line for line in content.splitlines() if line.strip() and not _FENCE.match(line)]
    found = [match for line in lines if (match := _DATED.match(line.strip()))]
    return found if 2 * len(found) > len(lines) else []


def _listed(dated: list[re.Match[str]]) -> Iterator[Item]:
    keys = Keys()
    for date, said in (match.groups() for match in dated):
        yield Statement(said, at=_day(date), key=f"list:{keys.derived(said)}")


def _note(name: str, content: str, modified: datetime | None) -> Iterator[Item]:
    front, body = _parted(content)
    title = str(front.get("title") or PurePath(name).stem).strip()
    at = _time(front) or _day(name) or modified
    tags = _tags(front)
    keys, prose = Keys(), list[str]()
    in_code = False
    for line in _COMMENT.sub("", body).splitlines():
        in_code ^= bool(_FENCE.match(line))
        statement = None if in_code else _statement(line, title, tags, at, keys)
        if statement is None:
            prose.append(line)
        else:
            yield statement
    for piece in pieces(_LINK.sub(lambda link: link[2] or link[1], "\n".join(prose))):
        said = piece if title.casefold() in piece.casefold() else f"{title}\n\n{piece}"
        yield Message("user", said, session=title, at=at, key=keys.derived(name, said), source="notes")


def _statement(line: str, title: str, tags: tuple[str, ...], at: datetime | None, keys: Keys) -> Statement | None:
    """What a line says in basic-memory's notation; None where it says nothing in it."""
    if (seen := _OBSERVATION.match(line)) is not None:
        said = _TAG.sub("", seen[2]).strip()
        category = seen[1].strip().casefold()
        words = (category, *_TAG.findall(seen[2]), *tags)
        key = f"notes:{keys.derived(title, said)}"
        return (
            Statement(said, category=category_of(category), subject=title, tags=words, at=at, key=key) if said else None
        )
    if (related := _RELATION.match(line)) is not None:
        said = f"{title} {related[1].replace('_', ' ')} {related[2]}."
        return Statement(said, subject=title, tags=tags, at=at, key=f"notes:{keys.derived(title, said)}")
    return None


def _parted(content: str) -> tuple[Mapping[str, Any], str]:
    """What stands before a note about it, and the note. What is no YAML is part of the note."""
    if (front := _FRONT.match(content)) is None:
        return {}, content
    try:
        about = yaml.safe_load(front[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}, content
    return (about, content[front.end() :]) if isinstance(about, dict) else ({}, content[front.end() :])


def _time(front: Mapping[str, Any]) -> datetime | None:
    """When a note says it is from."""
    times = {name: str(front[name]) for name in _TIMES if front.get(name)}
    try:
        return time_in(dict(times), _TIMES)
    except Broken:
        return None


def _tags(front: Mapping[str, Any]) -> tuple[str, ...]:
    tags = front.get("tags") or ()
    words = tags.replace(",", " ").split() if isinstance(tags, str) else tags if isinstance(tags, list) else ()
    return tuple(storable(str(word)).lstrip("#") for word in words if word)


def _day(text: str) -> datetime | None:
    if (named := _DAY.search(text)) is None:
        return None
    try:
        return datetime(int(named[1]), int(named[2]), int(named[3]), tzinfo=UTC)
    except ValueError:
        return None
