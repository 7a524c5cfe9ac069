"""Tables with named columns (CSV): a row is a message if a column says whose it is, otherwise a memory. A sender is a
role or the name of a speaker; what a named speaker said is a message of a user.

Columns have the names of chat messages and memories, in any case, or one of the names below; other columns are left
out. The separator is a comma, a semicolon or a tab: the one that is most frequent in the first line. In dates like
3/2/2026 the whole column tells whether the day or the month comes first.
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from sandbox.extensions.memory.ingest.importers import chat_messages, records
from sandbox.extensions.memory.ingest.importers.files import TextFile
from sandbox.extensions.memory.model import Role, Statement

_NAMES: Mapping[str, tuple[str, ...]] = {
    "content": ("content", "text", "message", "memory", "body", "fact"),
    "role": ("role",),
    "sender": ("sender", "author", "from"),
    "timestamp": records.TIMES,
    "session": ("session", "session_id", "conversation", "conversation_id", "thread", "chat"),
    "speaker": ("speaker", "name", "user"),
    "key": ("key",),
    "id": ("id",),
    "category": ("category", "type"),
    "subject": ("subject", "about", "entity"),
    "tags": ("tags", "labels"),
}
_DATE = re.compile(r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4})(?!\d)")
_DAY_FIRST, _MONTH_FIRST = r"\g<year>/\g<second>/\g<first>", r"\g<year>/\g<first>/\g<second>"
_MONTHS = 12
_WHOSE = {"role", "sender", "speaker"}
_ROLES = {
    **{role: role for role in get_args(Role)},
    **{"human": "user", "person": "user", "me": "user", "ai": "assistant", "bot": "assistant", "model": "assistant"},
}


def read(text: TextFile) -> tuple[str, Callable[[], Iterator[records.Item]]]:
    """The kind of a table, and its items. Raises ``Unknown`` if no column has a name for content."""
    with text.open() as file:
        first = file.readline(10_000).lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")
    sign = max(",;\t", key=first.count)
    names = _named(next(csv.reader([first], delimiter=sign), []))
    if "content" not in names:
        known = ", ".join(_NAMES["content"])
        raise records.Unknown(f"no column holds the text; name one of its columns {known}")
    kind, read_row = ("memories", _statement) if _WHOSE.isdisjoint(names) else ("messages", chat_messages.read)
    orders = {_order(date) for entry in _entries(text, sign, names) if (date := _date(entry))} - {""}
    order = orders.pop() if len(orders) == 1 else ""
    return f"table of {kind}", lambda: records.each(read_row)(_dated(_entries(text, sign, names), order))


def _named(header: list[str]) -> list[str]:
    """The field of each column; empty for an unknown column, and for a second one of the same field."""
    found: list[str] = []
    for column in header:
        folded = column.strip().casefold().replace(" ", "_")
        name = next((name for name, others in _NAMES.items() if folded in others), "")
        found.append("" if name in found else name)
    return found


def _entries(text: TextFile, sign: str, names: list[str]) -> Iterator[records.Entry]:
    with text.open() as file:
        rows = csv.reader(file, delimiter=sign)
        next(rows, None)
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield records.Entry(f"line {rows.line_num}", problem=f"is no row ({error})")
                continue
            cells = {name: cell.strip() for name, cell in zip(names, row, strict=False) if name and cell.strip()}
            if any(cell.strip() for cell in row):
                yield records.Entry(f"line {rows.line_num}", {"content": "", **cells, **_whose(cells, names)})


def _whose(cells: Mapping[str, str], names: list[str]) -> Mapping[str, str | None]:
    """The role and the speaker of a row, as far as it tells them. Words for roles are no names."""
    given = [cells[field] for field in ("speaker", "sender") if field in cells]
    named = [name for name in given if name.casefold() not in _ROLES]
    if "role" in names:
        roles = [_ROLES.get(role, role) for role in [cells.get("role", "").casefold()] if role]
    else:
        roles = [_ROLES.get(name.casefold(), "user") for name in sorted(given, key=named.__contains__)]
    return {"role": next(iter(roles), None), "speaker": next(iter(named), None)}


def _date(entry: records.Entry) -> re.Match[str] | None:
    """The date of a row, if it could begin with the day or the month."""
    cells = entry.value
    return _DATE.match(cells.get("timestamp", "")) if isinstance(cells, dict) else None


def _order(date: re.Match[str]) -> str:
    """The date with the year first, as a template; empty if day and month could be exchanged."""
    if int(date["first"]) > _MONTHS:
        return _DAY_FIRST
    return _MONTH_FIRST if int(date["second"]) > _MONTHS else ""


def _dated(entries: Iterator[records.Entry], order: str) -> Iterator[records.Entry]:
    """The rows with their dates in the order of the column."""
    for entry in entries:
        if (date := _date(entry)) is None:
            yield entry
        elif its := _order(date) or order or (_DAY_FIRST if date["first"] == date["second"] else ""):
            cells = records.JsonRecord.of(entry.value)
            yield records.Entry(entry.place, {**cells, "timestamp": date.expand(its) + date.string[date.end() :]})
        else:
            yield records.Entry(entry.place, problem="its timestamp could be of two months; write it like 2026-03-02")


def _statement(entry: records.Entry, keys: records.Keys) -> Iterator[Statement]:
    record = entry.record
    content, at = records.said(record.text("content")), record.time("timestamp")
    tags = tuple(record.text("tags").replace(";", ",").split(","))
    key = keys.of(record, "table", content, at)
    category = records.category_of(record.text("category"))
    yield Statement(content, category=category, subject=record.id("subject"), tags=tags, at=at, key=f"table:{key}")
