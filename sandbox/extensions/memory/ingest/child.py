"""The child process that reads a file for an import: see ``importing.py``."""

from sandbox.extensions.memory.ingest.reading import ImportReader
from sandbox.extensions.memory.subprocess_worker import Parent


def answer(parent: Parent) -> None:
    """Send every batch of a reading, and None at its end. After an error the parent reads by itself, and reports it."""
    reading: ImportReader = parent.receive()
    while True:
        bulk = reading.bulk()
        parent.send(bulk)
        if bulk is None:
            return
