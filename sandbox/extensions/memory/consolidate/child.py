"""The child process that reads by rules: see ``rules_process.py``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.consolidate.extraction import Extraction, Turn
from sandbox.extensions.memory.consolidate.own_words import own_words
from sandbox.extensions.memory.consolidate.rules import read
from sandbox.extensions.memory.subprocess_worker import Parent, serve


def read_session(
    turns: Sequence[Turn], before: Sequence[Turn], chunk: int, *limits: int
) -> tuple[list[Turn], list[Extraction]]:
    """The turns with their speakers' own words, and what rules find in each ``chunk`` of them."""
    own = own_words(turns, before)
    return own, [read(own[start : start + chunk], *limits) for start in range(0, len(own), chunk)]


_WORK: Mapping[str, Callable[..., Any]] = {"own_words": own_words, "read": read, "read_session": read_session}


def answered(name: str, *arguments: Any) -> Any:
    """Runs a function, and returns its result or its error."""
    try:
        return _WORK[name](*arguments)
    except Exception as error:
        return error


def answer(parent: Parent) -> None:
    """Answer until the parent ends."""
    while True:
        parent.send(answered(*parent.receive()))


if __name__ == "__main__":
    serve(answer)
