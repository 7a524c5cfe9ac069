"""The process that reads by rules for another: see ``rules_process.py``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sandbox.extensions.memory.consolidate.own_words import own_words
from sandbox.extensions.memory.consolidate.proposal import Extraction, Turn, Unread
from sandbox.extensions.memory.consolidate.rules import read
from sandbox.extensions.memory.subprocess_worker import Parent, serve


def read_sessions(
    sessions: Sequence[Unread], size: int, max_per_turn: int, max_characters: int
) -> list[list[Extraction] | Exception]:
    """What rules find in some sessions, in chunks of so many turns, or what they raise at one."""
    return [answered("read_session", *session, size, max_per_turn, max_characters) for session in sessions]


def read_session(
    turns: Sequence[Turn], before: Sequence[Turn], size: int, max_per_turn: int, max_characters: int
) -> list[Extraction]:
    """Of a turn that is read which its speaker says: what somebody pastes teaches nothing."""
    said = own_words(turns, before)
    return [read(said[at : at + size], max_per_turn, max_characters) for at in range(0, len(said), size)]


_WORK: Mapping[str, Callable[..., Any]] = {"read_sessions": read_sessions, "read_session": read_session, "read": read}


def answered(name: str, *arguments: Any) -> Any:
    """What a function of these says; what it raises, where it does."""
    try:
        return _WORK[name](*arguments)
    except Exception as error:
        return error


def answer(parent: Parent) -> None:
    """Answer for as long as somebody asks."""
    while True:
        parent.send(answered(*parent.receive()))


if __name__ == "__main__":
    serve(answer)
