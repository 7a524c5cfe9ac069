"""Who is who: namesakes, nicknames and names that come late."""

import pytest

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


async def known_of(memory: Memory, name: str) -> str:
    return " ".join(fact.content for fact in (await memory.entity(name)).facts)


async def test_two_annas_stay_two(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: Anna Petrova is my dentist.
    2026-01-25 user: Anna Schmidt is my piano teacher.
    """
    assert "dentist" in await known_of(memory, "Anna Petrova")
    assert "piano" not in await known_of(memory, "Anna Petrova")
    assert "piano" in await known_of(memory, "Anna Schmidt")
    assert not learnt.past


async def test_a_nickname(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: My brother Benjamin, we call him Benji, lives in Cork.
    2026-02-15 user: Benji is a carpenter.
    """
    assert learnt.knows("Benji", "carpenter")
    assert "carpenter" in await known_of(memory, "Benjamin")


async def test_an_alias_learnt_late(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: Elizabeth is my lawyer.
    2026-02-15 user: Liz has an office in York.
    2026-03-15 user: Liz is short for Elizabeth, by the way.
    """
    assert learnt.knows("Elizabeth", "lawyer")
    assert "lawyer" in await known_of(memory, "Liz")
    assert "York" in await known_of(memory, "Elizabeth")


async def test_one_becomes_two_again(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: Elizabeth is my lawyer.
    2026-02-15 user: Liz is short for Elizabeth.
    2026-02-20 user: Liz has an office in York.
    2026-03-15 user: I mixed something up, Liz and Elizabeth are two different people.
    """
    assert learnt.knows("Liz", "York")
    assert "York" not in await known_of(memory, "Elizabeth")
    assert "lawyer" not in await known_of(memory, "Liz")


async def test_a_first_name_is_the_person_with_that_name(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: Tomasz Nowak is our accountant.
    2026-01-15 user: Tomasz works from Krakow.
    """
    assert learnt.knows("accountant")
    known = await known_of(memory, "Tomasz Nowak")
    assert "accountant" in known
    assert "Krakow" in known


async def test_an_abbreviation(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: I work for the Northern Freight Company, NFC for short. NFC has its head office in Turku.
    """
    assert learnt.knows("Turku")
    assert "Turku" in await known_of(memory, "Northern Freight Company")


async def test_a_name_in_a_later_turn_finds_the_person(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: My neighbor Graciela teaches tango.
    2026-02-15 user: what was that thing Graciela wanted for her birthday?
    """
    assert learnt.knows("Graciela", "tango")
    timeline = (await memory.entity("Graciela")).timeline
    assert any("birthday" in turn.content for turn in timeline)


@pytest.mark.parametrize("name", ["Rose", "Mark"])
async def test_a_word_is_no_person(learnt: Learnt, memory: Memory, name: str) -> None:
    """
    2026-01-15 user: My aunt Rose lives in Perth and my boss is called Mark.
    2026-01-16 user: the sun rose at six, mark the deadline in red please
    """
    assert learnt.knows("Rose", "Perth")
    assert len((await memory.entity(name)).timeline) == 1
