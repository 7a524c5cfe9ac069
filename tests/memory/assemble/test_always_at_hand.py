"""A block holds the facts that a person needs for a prompt: in a small memory, in one where not all facts fit, and in
one that is full of talk about the same topics.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.testing import FakeClock

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


_NAMES = "Abel Bo Cleo Dora Emil Finn Gus Hana Ines Jan Kim Lea Mia Nils Olga Paul Rex Sam Theo Uma Vito Wim".split()
_TASTES = "dill mint lime kale beet leek peas oats figs corn rice eggs soup tofu miso plums pears".split()
_LATER = [
    *(f"My {kin} is called {name}." for kin in ("cat", "sister", "cousin") for name in _NAMES),
    *(f"I like {taste}." for taste in _TASTES),
    *(f"I live in {city}." for city in "Bonn Genoa Lyon Porto Turin Ghent".split()),
    *(f"My goal is to read {number} books." for number in range(50)),
]


async def test_facts_of_long_ago_are_not_crowded_out_by_later_ones(embedded: Memory, clock: FakeClock) -> None:
    await embedded.observe_many(Message("user", said, "talk") for said in _TALK)
    told = ("I'm allergic to hazelnuts.", "My wife is called Nadine.", "Always answer me in metric units.")
    for statement in (*told, *_OTHERS, *_LATER):
        await embedded.remember(statement)
        clock.advance(days=1)
    await embedded.wait_until_embedded()
    for question, word in (
        ("What should I cook for dinner?", "hazelnuts"),
        ("Write a short poem.", "hazelnuts"),
        ("Write a short poem.", "Nadine"),
        ("Write a short poem.", "metric"),
    ):
        block = await embedded.context(question, reinforce=False)
        assert block is not None
        assert word in block.text


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
