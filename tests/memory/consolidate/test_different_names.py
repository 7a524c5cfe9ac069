"""A person says that two names mean two people."""

from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.consolidate.different_names import different_names
from sandbox.extensions.memory.testing import ScriptedLanguageModel

PETROVA, IVANOVA = "Anna Petrova", "Anna Ivanova"


@pytest.fixture
async def annas(memory: Memory) -> Memory:
    """Two Annas who were merged."""
    await memory.remember("Anna Petrova lives in Porto.", subject=PETROVA)
    await memory.remember("Anna Ivanova plays chess.", subject=IVANOVA)
    await memory.merge_entities(IVANOVA, PETROVA)
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
        "Anna Petrova und Anna Ivanova sind zwei verschiedene Personen.",
    ],
)
async def test_a_told_difference_splits_two_merged_persons(annas: Memory, said: str) -> None:
    assert await kept(annas, PETROVA, IVANOVA) == {PETROVA}
    await annas.observe("user", said, session="s1")
    await annas.consolidate("s1")
    assert await kept(annas, PETROVA, IVANOVA) == {PETROVA, IVANOVA}
    facts = {fact.content for fact in (await annas.entity(PETROVA)).facts}
    assert "Anna Petrova lives in Porto." in facts
    assert "Anna Ivanova plays chess." not in facts


async def test_a_told_difference_splits_in_russian(memory: Memory) -> None:
    await memory.remember("Анна Петрова живёт в Порту.", subject="Анна Петрова")
    await memory.remember("Анна Иванова играет в шахматы.", subject="Анна Иванова")
    await memory.merge_entities("Анна Иванова", "Анна Петрова")
    await memory.observe("user", "Анна Петрова и Анна Иванова — это разные люди.", session="s1")
    await memory.consolidate("s1")
    assert await kept(memory, "Анна Петрова", "Анна Иванова") == {"Анна Петрова", "Анна Иванова"}


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


@pytest.mark.parametrize(
    ("distinct", "names"),
    [
        ([[PETROVA, IVANOVA]], {PETROVA, IVANOVA}),
        ([[PETROVA, "Anna Karenina"]], {PETROVA}),
        ("nonsense", {PETROVA}),
        ([[PETROVA]], {PETROVA}),
    ],
    ids=["said", "never said", "no list", "one name"],
)
async def test_a_model_may_split_mentioned_names(annas: Memory, tmp_path: Any, distinct: Any, names: set[str]) -> None:
    model = ScriptedLanguageModel(otherwise={"items": [], "summary": "", "distinct": distinct})
    await annas.observe("user", "You mix up Anna Petrova with Anna Ivanova, stop that.", session="s1")
    async with Memory.open(tmp_path / "memory", embedder=None, model=model) as other:
        await other.consolidate("s1")
        assert await kept(other, PETROVA, IVANOVA) == names


def test_names_at_the_beginning_of_a_sentence_are_recognised() -> None:
    assert list(different_names("But Anna Petrova and Anna Ivanova are different people.")) == [(PETROVA, IVANOVA)]
    assert list(different_names("We are two people. Robert and I are two different people.")) == []
