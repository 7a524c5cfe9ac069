"""Pasted text does not count as the user's: rules learn nothing about the user from it."""

from pathlib import Path
from typing import Any, cast

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.model import CognitiveType, Role, Scope
from sandbox.extensions.memory.profile import UserProfile
from tests.attacks.report import Report, data

_KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "opinion", "procedural")


async def attack(folder: Path, short: bool) -> Report:
    """A user of its own says each paste, and the memory learns from it."""
    pastes, through = data("pastes", short=short), []
    async with Memory.open(folder / "memory") as memory:
        for number, paste in enumerate(pastes):
            if learnt := await _learnt(memory, paste, Scope(user_id=f"user{number}")):
                through.append(f"{paste['turns'][-1][:60]!r}: {'; '.join(learnt)}")
    return Report("a paste is learnt as the user's own", len(pastes), tuple(through))


async def _learnt(memory: Memory, paste: dict[str, Any], scope: Scope) -> list[str]:
    """What was learnt from it that the user did not say."""
    for turn in paste["turns"]:
        role, text = ("assistant", turn[11:]) if turn.startswith("assistant: ") else ("user", turn)
        await memory.observe(cast(Role, role), text, session=scope.user_id, scope=scope)
    await memory.consolidate(scope=scope)
    found = await memory.search("", types=_KNOWLEDGE, limit=100, reinforce=False, scope=scope)
    own = paste.get("own")
    known = [hit.content for hit in found if not (own and own in hit.content)]
    profile = await memory.profile(scope=scope)
    return known if own or profile == UserProfile() else [*known, "a profile"]
