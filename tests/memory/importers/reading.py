"""What the tests of importers share."""

from pathlib import Path

from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message


def messages(path: Path) -> list[Message]:
    """The messages of a file, which must contain nothing else."""
    items = list(read(path))
    assert all(isinstance(item, Message) for item in items)
    return [item for item in items if isinstance(item, Message)]


def contents(path: Path) -> list[str]:
    """The contents of these messages."""
    return [message.content for message in messages(path)]
