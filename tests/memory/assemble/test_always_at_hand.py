"""A block holds the facts that a person needs for a prompt: in a small memory, in one where not all facts fit, and in
one that is full of talk about the same topics.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory import Memory, Message, Scope

_PEOPLE = yaml.safe_load((Path(__file__).parent / "asked.yaml").read_text(encoding="utf-8"))
_ANSWERED = 0.95
_THINGS = (("box", "grey"), ("lamp", "green"), ("vase", "blue"), ("tray", "red"))
_OTHERS = [f"The {thing} on shelf {shelf} is {colour}." for shelf in range(12) for thing, colour in _THINGS]
_TALKED_OF = ("dinner", "family", "music", "present", "training", "city")
_TALK = [
    f"Plan {number}: we talked of the {what} again, and how lucky we are."
    for number in range(20)
    for what in _TALKED_OF
]


async def _missing(
    memory: Memory, person: dict[str, Any], others: list[str], talk: list[str], scope: Scope
) -> list[str]:
    """The words that blocks lack, as ``question: word``."""
    await memory.observe_many([Message("user", said, "talk") for said in talk], scope=scope)
    for statement in person["told"]:
        await memory.remember(statement, scope=scope)
    await asyncio.gather(*(memory.remember(statement, scope=scope) for statement in others))
    await memory.wait_until_embedded()
    missing = []
    for question, words in person["asked"]:
        block = await memory.context(question, reinforce=False, scope=scope)
        text = block.text if block else ""
        missing += [f"{question}: {word}" for word in words if word not in text]
    return missing


@pytest.mark.parametrize(
    ("others", "talk"), [([], []), (_OTHERS, []), (_OTHERS, _TALK)], ids=["small", "large", "talkative"]
)
async def test_told_facts_are_in_the_block_when_needed(embedded: Memory, others: list[str], talk: list[str]) -> None:
    wanted = sum(len(words) for person in _PEOPLE for _, words in person["asked"])
    missing = [
        each
        for number, person in enumerate(_PEOPLE)
        for each in await _missing(embedded, person, others, talk, Scope(f"person {number}"))
    ]
    assert len(missing) <= (1 - _ANSWERED) * wanted, missing
