"""A person says that two names mean two people."""

from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.testing import ScriptedLanguageModel

PETROVA, IVANOVA = ENGLISH = "Anna Petrova", "Anna Ivanova"
RUSSIAN = "Анна Петрова", "Анна Иванова"


@pytest.fixture
async def annas(memory: Memory) -> Memory:
    """Two Annas who were merged, and so in Russian."""
    for one, other in (ENGLISH, RUSSIAN):
        await memory.remember(f"{one} lives in Porto.", subject=one)
        await memory.remember(f"{other} plays chess.", subject=other)
        await memory.merge_entities(other, one)
    return memory


async def kept(memory: Memory, *names: str) -> set[str]:
    return {(await memory.entity(name)).name for name in names}


@pytest.mark.parametrize(
    "said",
    [
        "No, Anna Petrova is somebody else than Anna Ivanova.",
        "Anna Petrova and Anna Ivanova are two different people!",
        "Anna Ivanova isn't the same person as Anna Petrova.",
        "By the way, I know two Annas: Anna Petrova and Anna Ivanova.",
        "But Anna Petrova and Anna Ivanova are different people.",
        "Anna Petrova und Anna Ivanova sind zwei verschiedene Personen.",
        "Анна Петрова и Анна Иванова — это разные люди.",
    ],
)
async def test_a_told_difference_splits_two_merged_persons(annas: Memory, said: str) -> None:
    one, other = ENGLISH if PETROVA in said else RUSSIAN
    assert await kept(annas, one, other) == {one}
    await annas.observe("user", said, session="s1")
    await annas.consolidate("s1")
    assert await kept(annas, one, other) == {one, other}
    facts = {fact.content for fact in (await annas.entity(one)).facts}
    assert f"{one} lives in Porto." in facts
    assert f"{other} plays chess." not in facts


@pytest.mark.parametrize(
    "said",
    [
        "Are Anna Petrova and Anna Ivanova two different people?",
        "If Anna Petrova and Anna Ivanova are different people, I am confused.",
        "Anna Petrova and Anna Ivanova are very different.",
        "Anna Petrova is different from Anna Ivanova in many ways.",
    ],
)
async def test_questions_and_suppositions_split_nobody(annas: Memory, said: str) -> None:
    await annas.observe("user", said, session="s1")
    await annas.consolidate("s1")
    assert await kept(annas, PETROVA, IVANOVA) == {PETROVA}


async def test_other_merges_are_not_changed(annas: Memory) -> None:
    """The last merge concerned neither of the names that the person separates."""
    await annas.remember("Anya likes tea.", subject="Anya")
    await annas.merge_entities("Anya", PETROVA)
    await annas.observe("user", "Anna Petrova and Anna Ivanova are two people.", session="s1")
    await annas.consolidate("s1")
    assert await kept(annas, PETROVA, IVANOVA, "Anya") == {PETROVA}


async def test_the_night_does_not_merge_persons_told_apart(memory: Memory) -> None:
    facts = ("{} works at Acme as a plumber.", "{} lives in Berlin.")
    for name in ("Robert", "Bob"):
        for fact in facts:
            await memory.remember(fact.format(name), subject=name)
    await memory.observe("user", "Robert and Bob are two different people.", session="s1")
    await memory.consolidate("s1")
    await memory.maintain(only=["identity"])
    assert await kept(memory, "Robert", "Bob") == {"Robert", "Bob"}


async def test_names_are_told_apart_where_a_model_reads(annas: Memory, tmp_path: Any) -> None:
    model = ScriptedLanguageModel(otherwise={"items": [], "summary": ""})
    await annas.observe("user", "Anna Petrova and Anna Ivanova are two different people.", session="s1")
    async with Memory.open(tmp_path / "memory", embedder=None, model=model) as other:
        await other.consolidate("s1")
        assert await kept(other, PETROVA, IVANOVA) == {PETROVA, IVANOVA}
