"""Tables with named columns (CSV): a row is a message if a column names the speaker, otherwise a memory.

Columns have the names of chat messages and memories, in any case, or one of the names below; other columns are left
out. The separator is a comma, a semicolon or a tab: the one that is most frequent in the first line.
"""

import csv
from collections.abc import Callable, Iterator, Mapping

from sandbox.extensions.memory.ingest.importers import chatlines
from sandbox.extensions.memory.ingest.importers.files import TextFile
from sandbox.extensions.memory.ingest.importers.keys import Keys, each
from sandbox.extensions.memory.ingest.importers.values import Entry, Item, Unknown, category_of, said
from sandbox.extensions.memory.model import Statement

_NAMES: Mapping[str, tuple[str, ...]] = {
    "content": ("content", "text", "message", "memory", "body", "fact"),
    "role": ("role", "sender", "author", "from"),
    "timestamp": ("timestamp", "time", "date", "at", "created_at", "created", "ts"),
    "session": ("session", "session_id", "conversation", "conversation_id", "thread", "chat"),
    "speaker": ("speaker", "name", "user"),
    "key": ("key", "id"),
    "category": ("category", "type"),
    "subject": ("subject", "about", "entity"),
    "tags": ("tags", "labels"),
}
_ROLES = {"human": "user", "person": "user", "me": "user", "ai": "assistant", "bot": "assistant", "model": "assistant"}


def read(text: TextFile) -> tuple[str, Callable[[], Iterator[Item]]]:
    """The kind of a table, and its items. Raises ``Unknown`` if no column has a name for content."""
    with text.open() as file:
        first = file.readline(10_000).lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")
    sign = max(",;\t", key=first.count)
    names = _named(next(csv.reader([first], delimiter=sign), []))
    if "content" not in names:
        known = ", ".join(_NAMES["content"])
        raise Unknown(f"no column holds the text; name one of its columns {known}")
    kind, read_row = ("messages", chatlines.read) if "role" in names else ("memories", _statement)
    return f"table of {kind}", lambda: each(read_row)(_entries(text, sign, names))


def _named(header: list[str]) -> list[str]:
    """The field of each column; empty for an unknown column, and for a second one of the same field."""
    found: list[str] = []
    for column in header:
        folded = column.strip().casefold().replace(" ", "_")
        name = next((name for name, others in _NAMES.items() if folded in others), "")
        found.append("" if name in found else name)
    return found


def _entries(text: TextFile, sign: str, names: list[str]) -> Iterator[Entry]:
    with text.open() as file:
        rows = csv.reader(file, delimiter=sign)
        next(rows, None)
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield Entry(f"line {rows.line_num}", problem=f"is no row ({error})")
                continue
            cells = {name: cell.strip() for name, cell in zip(names, row, strict=False) if name and cell.strip()}
            if role := cells.get("role", "").casefold():
                cells["role"] = _ROLES.get(role, role)
            if any(cell.strip() for cell in row):
                yield Entry(f"line {rows.line_num}", {"content": "", **cells})


def _statement(entry: Entry, keys: Keys) -> Iterator[Statement]:
    record = entry.record
    content, at, given = said(record.text("content")), record.time("timestamp"), record.id("key")
    tags = tuple(record.text("tags").replace(";", ",").split(","))
    key = keys.derived(content, at) if given is None else keys.given("table", given, content, at)
    category = category_of(record.text("category"))
    yield Statement(content, category=category, subject=record.id("subject"), tags=tags, at=at, key=f"table:{key}")
