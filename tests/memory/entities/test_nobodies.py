"""The night removes entities whose name is only a small word, and keeps all others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.consolidate.mentions import found, is_name
from sandbox.extensions.memory.errors import UnknownEntity
from sandbox.extensions.memory.text.names import Mention
from tests.memory.entities.conftest import Mentioned

WORDS = ("It", "But", "Tues", "Let's", "The", "Но", "Он")


async def forgotten(memory: Memory, *, dry_run: bool = False) -> int:
    """How many entities a night removes."""
    (step,) = (await memory.maintain(only=["prune"], dry_run=dry_run)).steps
    return step.counts.get("no names", 0)


async def is_known(memory: Memory, name: str) -> bool:
    try:
        return (await memory.entity(name)).name == name
    except UnknownEntity:
        return False


async def test_a_function_word_taken_for_a_name_is_removed(memory: Memory, mentioned: Mentioned) -> None:
    """The memories with it stay."""
    turn = await memory.observe("user", "It was late. But Tues is fine.", session="s")
    await mentioned(turn, *map(Mention, WORDS), Mention("Rex"))
    assert await forgotten(memory, dry_run=True) == len(WORDS)
    assert await is_known(memory, "It")
    assert await forgotten(memory) == len(WORDS)
    assert [name for name in (*WORDS, "Rex") if await is_known(memory, name)] == ["Rex"]
    assert (await memory.explain(turn)).entities == ("Rex",)
    assert await forgotten(memory) == 0


@pytest.mark.parametrize("name", ["Rex", "IT", "US", "Will", "#but", "@it", "https://it.is"])
async def test_a_possible_name_stays(memory: Memory, mentioned: Mentioned, name: str) -> None:
    await mentioned(await memory.observe("user", "Hello."), Mention(name))
    assert await forgotten(memory) == 0
    assert await is_known(memory, name)


async def test_an_entity_with_facts_or_turns_stays(memory: Memory, mentioned: Mentioned) -> None:
    """They have facts, turns or another name, or they are a person."""
    turn = await memory.observe("user", "Hello.", speaker="So")
    await memory.remember("It is a novel by King.", subject="It")
    await mentioned(turn, Mention("That", aliases=("That Company",)), Mention("An", "person"))
    assert await forgotten(memory) == 0
    assert [name for name in ("So", "It", "That", "An") if not await is_known(memory, name)] == []


async def test_a_merged_entity_stays(memory: Memory, mentioned: Mentioned) -> None:
    await mentioned(await memory.observe("user", "Hello."), Mention("But"), Mention("Butt"))
    await memory.merge_entities("Butt", "But")
    assert await forgotten(memory) == 0
    await memory.split_entity("But")
    assert await is_known(memory, "Butt")


@given(
    st.lists(
        st.sampled_from(
            [*WORDS, "Rex", "IT", "#but", "@it", "https://it.is", "Red", "Cross", "Аня", "Вами", "said,", "in"]
        )
    )
)
def test_no_name_found_by_rules_is_removed(words: list[str]) -> None:
    assert all(is_name(mention.name) for mention in found(f"She said {' '.join(words)} to us."))
