"""Write a whole memory as JSON Lines, and read it back: a header, then rows: ``{"table": {"column": value}}``."""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from errno import EEXIST
from glob import escape
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from sandbox.extensions.memory.errors import (
    ExportNotAllowed,
    InvalidArgument,
    MemoryExtensionError,
    SecretInId,
    UnreadableImport,
    UnwritableExport,
)
from sandbox.extensions.memory.govern import secrets
from sandbox.extensions.memory.ingest import project
from sandbox.extensions.memory.model import FilterOptions, Scope
from sandbox.extensions.memory.reports import ExportReport
from sandbox.extensions.memory.store import entities, transfer
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot, Transaction
from sandbox.extensions.memory.store.transfer import Merged
from sandbox.support import private
from sandbox.support.times import from_ms
from sandbox.support.trust import Trust

FORMAT = "memory export"

_SIGN = "assistant_memory_export"
_ROWS, _PROJECTS = "rows", "projects"
_PART = ".part"  # ends the name of a file until it is whole
_ABANDONED = 60  # seconds without a write after which nobody writes such a file
_ENCODER = json.JSONEncoder(separators=(",", ":"))  # ASCII only, so that a program with another encoding can read it
_ANEW = "nothing was stored; export once more, or use another copy of the file"
_LONGEST = 64 * 1024 * 1024  # characters of a row


@dataclass(frozen=True, slots=True)
class ExportedMemory:
    """A memory of a filtered export, in the form of ``memories.jsonl``; the first tag is its category."""

    id: str
    text: str
    tags: tuple[str, ...]
    ts: str
    trust: Trust
    contexts: tuple[str, ...] = ()
    subject: str | None = None


def header_schema() -> dict[str, Any]:
    """The properties of the first line of a full export, as JSON Schema."""
    return {
        _SIGN: {"const": transfer.VERSION},
        "exported_at": {"type": "string", "format": "date-time"},
        _ROWS: {"type": "integer", "minimum": 0, "description": "the lines that follow"},
        _PROJECTS: {"type": "object", "description": "the repositories of projects, and their remotes"},
    }


def lines(snapshot: Snapshot, at: datetime, scope: Scope, home: Path) -> Iterator[str]:
    """The lines of a full export of a home. Raises ``ExportNotAllowed``."""
    _check_owner(snapshot, scope)
    header = {_SIGN: transfer.VERSION, "exported_at": at.isoformat(), _ROWS: transfer.count(snapshot)}
    yield _ENCODER.encode(header | {_PROJECTS: project.noted(home)})
    for table, values in transfer.rows(snapshot):
        yield _ENCODER.encode({table: values})


def check_path(path: Path) -> None:
    """Raise ``SecretInId`` if a path, which erasing has to keep, holds a secret."""
    named = path.absolute()
    kinds = dict.fromkeys(kind for part in (*named.parts, named.stem) for kind in secrets.mask_name(part).kinds)
    if kinds:
        raise SecretInId(argument="path", kinds=", ".join(kinds))


def check_part(wanted: FilterOptions) -> None:
    """Raise ``InvalidArgument`` if a filter asks for turns, which an export of a part does not have."""
    category = wanted.get("category") or ()
    for name, values in {
        "types": wanted.get("types") or (),
        "category": [category] if isinstance(category, str) else category,
    }.items():
        if "episodic" in values:
            expected = "an export of a part holds no turns; leave the filter out, or write Markdown"
            raise InvalidArgument(argument=name, value="episodic", expected=expected)


def chosen(snapshot: Snapshot, filter_: Filter) -> Iterator[str]:
    """The memories that pass a filter, one per line, in the form of ``memories.jsonl``."""
    known = list(transfer.known(snapshot, filter_))
    filed = entities.contexts_of(snapshot, [node.id for node in known], filter_.scope)
    for node in known:
        tags = [node.category or "fact", *json.loads(node.tags)]
        at = from_ms(node.event_time).isoformat()
        groups = filed.get(node.id, ())
        exported = ExportedMemory(node.public_id, node.content, tuple(tags), at, node.trust, groups, node.subject)
        yield _ENCODER.encode(asdict(exported))


def write(path: Path, written: Iterable[str]) -> ExportReport:
    """Write lines to a file that only its owner can read. The file appears whole or not at all, in place of a file of
    its name, but of nothing else, such as a device. What a killed export left there is removed, and not what another
    export is writing. Raises ``UnwritableExport``.
    """
    count, beginning = 0, f".{path.name}-"
    try:
        if path.exists() and not path.is_file():
            raise FileExistsError(EEXIST, "it is there and is no file")
        for left in path.parent.glob(f"{escape(beginning)}????????{_PART}"):
            with suppress(FileNotFoundError):  # another export has just ended
                if time.time() - left.stat().st_mtime > _ABANDONED:
                    left.unlink()
        with NamedTemporaryFile(
            "w", dir=path.parent, prefix=beginning, suffix=_PART, encoding="utf-8", newline="\n", delete=False
        ) as file:
            try:
                for line in written:
                    count += 1
                    file.write(f"{line}\n")
                file.flush()
                private.sync(file.fileno())
                size = file.tell()
                file.close()  # Windows neither moves nor removes an open file
                Path(file.name).replace(path)
            except BaseException:
                with suppress(OSError):  # what is not written yet does not fit on the disk either
                    file.close()
                Path(file.name).unlink(missing_ok=True)
                raise
    except (OSError, ValueError) as error:
        problem = (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
        raise UnwritableExport(path=path, problem=problem) from error
    return ExportReport(str(path), count, size)


def note_projects(path: Path, home: Path) -> None:
    """Note the repositories of a full export in a home, whose projects have their names."""
    with path.open(encoding="utf-8") as file:
        project.note(home, _object(file.readline(_LONGEST)).get(_PROJECTS))


def is_export(path: Path) -> bool:
    """Whether a file begins like a full export."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SIGN) + 3) == f'{{"{_SIGN}"'.encode()
    except (OSError, ValueError):  # the path is no name of a file
        return False


def _check_owner(snapshot: Snapshot, scope: Scope) -> None:
    if not scope.administrator and transfer.holds_of_others(snapshot, scope):
        raise ExportNotAllowed(user=scope.user_id)


def restore(tx: Transaction, path: Path, scope: Scope, *, erased: bool) -> Merged:
    """Store the content of a full export, all or nothing: unchanged into an empty memory, otherwise only what is new.
    Raises ``UnreadableImport``, ``ExportNotAllowed``.
    """
    place = [0]
    try:
        if not transfer.is_empty(tx):
            merged = transfer.merge(tx, lambda: _own(transfer.fitting(tx, _rows(path, place)), scope), erased=erased)
            transfer.check_whole(tx)
            return merged
        merged = Merged(new=transfer.restore(tx, transfer.fitting(tx, _rows(path, place))))
        _check_owner(tx, scope)
        return merged
    except transfer.Unfit as unfit:
        raise UnreadableImport(path=path, problem=f"line {place[0]} {unfit}; {_ANEW}") from None
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise UnreadableImport(path=path, problem=f"what follows line {place[0]} is not UTF-8; {_ANEW}") from None
        if isinstance(error, MemoryExtensionError):
            raise
        problem = f"line {place[0]} lacks a value, or has one of a wrong kind; {_ANEW}"
        raise UnreadableImport(path=path, problem=problem) from None


def _own(rows: Iterable[transfer.Row], scope: Scope) -> Iterator[transfer.Row]:
    """The rows, if all of them belong to the scope's user. Raises ``ExportNotAllowed``."""
    for table, values in rows:
        is_others = values.get("user_id", scope.user_id) not in ("", scope.user_id)
        if not scope.administrator and (is_others or values.get("visibility") == "global"):
            raise ExportNotAllowed(user=scope.user_id)
        yield table, values


def _rows(path: Path, place: list[int]) -> Iterator[transfer.Row]:
    """The rows of an export; ``place`` has the number of the current line, for messages of errors."""
    with path.open(encoding="utf-8") as file:
        header = _object(file.readline(_LONGEST))
        version, rows = header.get(_SIGN), header.get(_ROWS)
        if not isinstance(version, int) or version > transfer.VERSION:
            known = f"this one knows up to {transfer.VERSION}"
            problem = f"it was written by a newer version ({version}; {known}); upgrade first"
            raise UnreadableImport(path=path, problem=problem)
        place[0] = 1
        while line := file.readline(_LONGEST):
            place[0] += 1
            record = _object(line)
            table, values = next(iter(record.items()), ("", None))
            if len(record) != 1 or not isinstance(values, dict):
                raise transfer.Unfit("is no row of an export")
            yield table, values
    if isinstance(rows, int) and rows != place[0] - 1:  # older versions did not write it
        problem = f"it holds {place[0] - 1:,} of its {rows:,} rows; {_ANEW}"
        raise UnreadableImport(path=path, problem=problem)


def _object(line: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}
