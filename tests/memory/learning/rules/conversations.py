"""Turns to read, written shortly: ``assistant: ...`` is said by an assistant, ``Ana: ...`` by a person of that name."""

import re
from datetime import UTC, datetime

from sandbox.extensions.memory.consolidate.own_words import own_words
from sandbox.extensions.memory.consolidate.proposal import Extraction, Replaced, Turn
from sandbox.extensions.memory.consolidate.rules import read
from sandbox.extensions.memory.model import Role

NOW = datetime(2026, 3, 12, 12, tzinfo=UTC)  # a Thursday

_SPOKEN = re.compile(r"(assistant|system|tool|[A-ZА-Я]\w+): (.*)", re.DOTALL)


def turns(*said: str) -> list[Turn]:
    """One turn each, all at the same time."""
    return [_turn(number, text) for number, text in enumerate(said)]


def learnt(*said: str) -> list[str]:
    """What reading them teaches."""
    return [proposal.content for proposal in reading(*said).proposals]


def reading(*said: str) -> Extraction:
    """The whole extraction."""
    return read(own_words(turns(*said)))


def ended(replaced: Replaced) -> list[str]:
    """What a statement ends, in each of the ways it may be known; ``...`` stands for whatever was known."""
    if not replaced.verbs:
        return [replaced.statement or ""]
    whose, value = replaced.statement or "...", replaced.value or "..."
    return [f"{whose} {verb} {value}." for verb in replaced.verbs]


def _turn(number: int, text: str) -> Turn:
    match = _SPOKEN.fullmatch(text)
    if match is None:
        return Turn(f"t{number}", "user", text, NOW)
    roles: dict[str, Role] = {"assistant": "assistant", "system": "system", "tool": "tool"}
    if match[1] in roles:
        return Turn(f"t{number}", roles[match[1]], match[2], NOW)
    return Turn(f"t{number}", "user", match[2], NOW, match[1])
