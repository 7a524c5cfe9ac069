"""Who is who: namesakes, nicknames and names that come late, in Russian."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


async def known_of(memory: Memory, name: str) -> str:
    return " ".join(fact.content for fact in (await memory.entity(name)).facts)


async def test_two_annas_stay_two(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: Анна Петрова — мой стоматолог.
    2026-01-25 user: Анна Шмидт — моя учительница музыки.
    """
    assert not learnt.past
    assert "стоматолог" in await known_of(memory, "Анна Петрова")
    assert "музык" not in await known_of(memory, "Анна Петрова")
    assert "музык" in await known_of(memory, "Анна Шмидт")


async def test_a_name_in_another_case_is_the_same_person(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: Моя коллега Марина любит орхидеи.
    2026-02-15 user: что подарить Марине?
    """
    assert learnt.knows("Марин", "орхиде")
    assert any("подарить" in turn.content for turn in (await memory.entity("Марина")).timeline)


async def test_an_alias_learnt_late(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-15 user: Елизавета — мой юрист.
    2026-03-15 user: Лиза — это Елизавета, если что.
    """
    assert learnt.knows("Елизавет", "юрист")
    assert "юрист" in await known_of(memory, "Лиза")
