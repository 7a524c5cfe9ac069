"""The child process that reads by rules: see ``rules_process.py``."""

from collections.abc import Callable, Mapping
from typing import Any

from sandbox.extensions.memory.consolidate.own_words import own_words
from sandbox.extensions.memory.consolidate.rules import read
from sandbox.extensions.memory.subprocess_worker import Parent, serve

_WORK: Mapping[str, Callable[..., Any]] = {"own_words": own_words, "read": read}


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
