"""Markdown notes of Obsidian and basic-memory, texts that list memories, one dated line each, and saved chats.

Observations and relations of basic-memory are statements. Other prose becomes a conversation of the user alone: search
finds it, and learning reads it, section by section.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import yaml

from sandbox.extensions.memory.ingest.importers import markdown_chats, whatsapp
from sandbox.extensions.memory.ingest.importers.files import TextFile
from sandbox.extensions.memory.ingest.importers.prose import pieces, with_topic
from sandbox.extensions.memory.ingest.importers.records import (
    Broken,
    Item,
    JsonRecord,
    Keys,
    NoteNow,
    Unknown,
    category_of,
    iso,
)
from sandbox.extensions.memory.model import NOTES, Message, Statement
from sandbox.support.characters import storable
from sandbox.support.times import LOCAL
from sandbox.support.trust import Trust

_LARGEST = 16 * 1024 * 1024  # bytes of a note
_LONGEST_FRONT = 64_000  # characters of the front matter
_OBSERVATION = re.compile(r"[-*] \[([^\[\]()]{2,40})\] (?=\S)")  # not `- [ ] task`, nor a link
_RELATION = re.compile(r"[-*] (\w[\w ]{1,60}) \[\[([^\[\]]{1,200})\]\](?: \([^()]{0,500}\))?")
_TAG = re.compile(r"(?:^|(?<=\s))#([^\W\d][\w/-]*)")
_LINK = re.compile(r"!?\[\[([^\[\]|]+)(?:\|([^\[\]]+))?\]\]")  # [[note]], [[note|shown so]]
_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_DATED = re.compile(r"(?:[-*] |\d{1,5}\. )?\[(\d{4}-\d\d-\d\d|unknown)\]", re.IGNORECASE)
_RULE = "---"
_COMMENT = "%%"
_FENCE = ("```", "~~~")
_OWN_PAGE = re.compile(r"# Memory\n\nAs of [0-9-]+\. Ids stand in brackets: `memory explain ID`")  # `export --markdown`
_ADDRESSES = ("source", "url", "link", "source_url")
_TIMES = ("created", "created_at", "date", "modified", "updated", "updated_at")


def read(text: TextFile) -> tuple[str, Callable[[], Iterator[Item]]]:
    """The format of a text, and its items. Raises ``Unknown`` if it has none, or is too long for a note."""
    if text.file.size > _LARGEST:
        raise Unknown(f"it is a text of {text.file.size:,} bytes, more than the {_LARGEST:,} of a note")
    with text.open() as file:
        content = storable(file.read().lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"))
    if _OWN_PAGE.match(content):
        raise Unknown(
            "it is a page of `memory export`, to be read; a file with another ending than .md can be imported"
        )
    if markdown_chats.is_chat(content):
        return "chat in Markdown", partial(markdown_chats.read, content)
    if whatsapp.is_chat(content):
        return "WhatsApp chat", partial(whatsapp.read, content)
    if dated := _dated(content):
        return "list of memories", partial(_listed, dated)
    if text.file.suffix == ".txt":
        raise Unknown(
            "it is neither a chat of WhatsApp nor a list of memories, each after its date like [2026-03-02]; rename a"
            " note to .md"
        )
    return "Markdown note", partial(_note, text.file.name, content, text.file.modified)


def _dated(content: str) -> list[tuple[str, str]]:
    """The dates and memories of a list of dated memories; empty if most lines have no date."""
    lines = [line.strip() for line in content.splitlines()]
    lines = [line for line in lines if line and not line.startswith(_FENCE)]
    found = [
        (match[1], line[match.end() :].lstrip(" .:-\N{EN DASH}\N{EM DASH}"))
        for line in lines
        if (match := _DATED.match(line))
    ]
    return [each for each in found if each[1]] if 2 * len(found) > len(lines) else []


def _listed(dated: list[tuple[str, str]]) -> Iterator[Item]:
    keys = Keys()
    for date, said in dated:
        yield Statement(said, at=_day(date), key=f"list:{keys.derived(said)}")


def _note(name: str, content: str, modified: datetime | None) -> Iterator[Item]:
    front, body = _parted(content)
    file = PurePosixPath(name)
    session = str(file.with_suffix(""))  # two notes may have the same title
    title = str(front.get("title") or file.stem).strip()
    at = _time(front) or _day(name) or modified
    tags = _tags(front)
    keys, prose = Keys(), list[str]()
    addresses = (str(front.get(name, "")) for name in _ADDRESSES)  # a clipped web page names its address
    trust: Trust | None = "web" if any(each.startswith(("http://", "https://")) for each in addresses) else None
    in_code, lines = False, _uncommented(body).splitlines()
    for line in lines:
        in_code ^= line.lstrip().startswith(_FENCE)
        statement = None if in_code else _statement(line, title, tags, at, keys)
        if statement is None:
            prose.append(line)
        else:
            yield statement
    text = _LINK.sub(lambda link: link[2] or link[1], "\n".join(prose)).strip()
    says_more = len(prose) == len(lines) and text.strip("#* ").casefold() not in ("", title.casefold())
    told: dict[str, str] = {}
    for piece in list(pieces(text)) or [text] * says_more:  # a note may have headings alone
        said = piece if title.casefold() in piece.casefold() else f"{title}\n\n{piece}"
        told[key := keys.derived(name, said)] = said
        yield Message("user", said, session=session, at=at, key=key, source=NOTES, trust=trust)
    yield NoteNow(session, NOTES, told)


def _statement(line: str, title: str, tags: tuple[str, ...], at: datetime | None, keys: Keys) -> Statement | None:
    """The statement of a line in basic-memory's notation; None if the line has another form."""
    line = " ".join(line.split())
    if (seen := _OBSERVATION.match(line)) is not None:
        said = " ".join(_TAG.sub("", line[seen.end() :]).split())
        category = seen[1].strip().casefold()
        words = (category, *_TAG.findall(line[seen.end() :]), *tags)
        key = f"notes:{keys.derived(title, said)}"
        told = with_topic(said, seen[1].strip())
        return (
            Statement(told, category=category_of(category), subject=title, tags=words, at=at, key=key) if said else None
        )
    if (related := _RELATION.fullmatch(line)) is not None:
        said = f"{title} {related[1].replace('_', ' ')} {related[2]}."
        return Statement(said, subject=title, tags=tags, at=at, key=f"notes:{keys.derived(title, said)}")
    return None


def _uncommented(text: str) -> str:
    """The text without Obsidian's comments."""
    kept = text.split(_COMMENT)
    if len(kept) % 2 == 0:  # the last sign has no partner
        kept[-2:] = [_COMMENT.join(kept[-2:])]
    return "".join(kept[::2])


def _parted(content: str) -> tuple[Mapping[str, Any], str]:
    """The front matter and the text of a note. Front matter that is not valid YAML belongs to the text."""
    lines = content.split("\n")
    ends = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == _RULE), None)
    if lines[0].rstrip() != _RULE or ends is None:
        return {}, content
    front = "\n".join(lines[1:ends])
    if len(front) > _LONGEST_FRONT:
        return {}, content
    try:
        about = yaml.load(front, _Plain)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}, content
    return (about if isinstance(about, dict) else {}), "\n".join(lines[ends + 1 :])


class _Plain(yaml.SafeLoader):
    """YAML without aliases, which could expand without end."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """The next node."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias")
        return super().compose_node(parent, index)


def _time(front: Mapping[str, Any]) -> datetime | None:
    """The date in the front matter of a note."""
    times = JsonRecord({name: str(front[name]) for name in _TIMES if front.get(name)})
    try:
        return times.time(*_TIMES)
    except Broken:
        return None


def _tags(front: Mapping[str, Any]) -> tuple[str, ...]:
    tags = front.get("tags") or ()
    words = tags.replace(",", " ").split() if isinstance(tags, str) else tags if isinstance(tags, list) else ()
    return tuple(storable(str(word)).lstrip("#") for word in words if word)


def _day(text: str) -> datetime | None:
    if (named := _DAY.search(iso(text))) is None:
        return None
    try:
        return datetime(int(named[1]), int(named[2]), int(named[3]), tzinfo=LOCAL)
    except ValueError:
        return None
