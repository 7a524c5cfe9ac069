"""The process that reads by rules for another: see ``apart.py``."""

from sandbox.extensions.memory.apart import Parent, serve
from sandbox.extensions.memory.consolidate.proposal import Extraction
from sandbox.extensions.memory.consolidate.rules import read


def answer(parent: Parent) -> None:
    """Read for as long as somebody asks."""
    while True:
        turns, max_per_turn, max_characters = parent.receive()
        try:
            found: Extraction | Exception = read(turns, max_per_turn=max_per_turn, max_characters=max_characters)
        except Exception as error:
            found = error
        parent.send(found)


if __name__ == "__main__":
    serve(answer)
