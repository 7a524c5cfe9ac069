"""A block that shows a turn also shows what the user said later of the same things, without a word of the question."""

from datetime import UTC, datetime, timedelta

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from tests.memory.hits import contents

TOLD = datetime(2026, 1, 10, 9, tzinfo=UTC)
ROOT_CANAL = "I've got to leave at two on Thursday because that's my root canal with Dr Okafor."
RECEPTIONIST = (
    "Dr Okafor's receptionist rang, she's at a conference so they've put me down for Tuesday the 2nd instead."
)
QUESTION = "when is my root canal?"
BUDGET = 200


@pytest.fixture(autouse=True)
async def others(memory: Memory) -> None:
    """More turns than a block has room for, some with words of the two."""
    said = (f"The {noun} needs {what} before Thursday, two of them" for noun in _NOUNS for what in _WHAT)
    await memory.observe_many(
        Message("user", each, f"other-{at}", TOLD + timedelta(days=at)) for at, each in enumerate(said)
    )


_NOUNS = "boiler fence cellar bicycle laptop garden printer balcony chimney piano curtain mattress carpet".split()
_WHAT = ("a new part", "some paint", "a good clean", "an inspection")


async def say(memory: Memory, text: str, session: str, days: int, scope: Scope | None = None) -> None:
    at = TOLD + timedelta(days=days)
    await memory.observe_many([Message("user", text, session, at)], scope=scope or Scope())


async def shown(memory: Memory) -> list[str]:
    return contents(await memory.context(QUESTION, budget=BUDGET, reinforce=False))


async def test_what_was_said_later_of_a_shown_turn_is_shown(memory: Memory) -> None:
    await say(memory, ROOT_CANAL, "first", 60)
    await say(memory, RECEPTIONIST, "second", 80)
    assert {ROOT_CANAL, RECEPTIONIST} <= set(await shown(memory))


async def test_what_was_said_earlier_or_by_another_user_is_not_brought(memory: Memory) -> None:
    await say(memory, RECEPTIONIST, "first", 60)
    await say(memory, ROOT_CANAL, "second", 80)
    await say(memory, RECEPTIONIST, "third", 90, Scope(user_id="somebody-else"))
    found = await shown(memory)
    assert ROOT_CANAL in found
    assert RECEPTIONIST not in found
