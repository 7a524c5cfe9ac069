"""What the tests of importers share."""

from pathlib import Path
from typing import TypeVar

from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.ingest.importers.records import NoteNow, TakenBack
from sandbox.extensions.memory.model import Message, Statement
from sandbox.extensions.memory.reports import BrokenRecord

T = TypeVar("T", Message, Statement, BrokenRecord, TakenBack)


def some(path: Path, kind: type[T]) -> list[T]:
    """The items of one kind in a file."""
    return [item for item in read(path) if isinstance(item, kind)]


def every(path: Path, kind: type[T]) -> list[T]:
    """The items of a file, which must all be of one kind, but for marks of what was taken back."""
    found = some(path, kind)
    assert found == [item for item in read(path) if not isinstance(item, NoteNow | TakenBack)]
    return found


def contents(path: Path) -> list[str]:
    """The contents of the messages of a file, which must contain nothing else."""
    return [message.content for message in every(path, Message)]


def turns(path: Path) -> list[str]:
    """The contents of its messages, whatever else it contains."""
    return [message.content for message in some(path, Message)]


def told(path: Path) -> list[tuple[str, str]]:
    """The roles and contents of these messages."""
    return [(message.role, message.content) for message in every(path, Message)]


def broken_between(path: Path) -> BrokenRecord:
    """The second of three records of a file; the first and the third must be read."""
    first, broken, third = read(path)
    assert not isinstance(first, BrokenRecord)
    assert isinstance(broken, BrokenRecord)
    assert not isinstance(third, BrokenRecord)
    return broken
