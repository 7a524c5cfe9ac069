"""Categories in the mode `rag`: a block shows them only if a search finds them, and only a few of them."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock
from tests.memory.hits import contents

RACES = [f"The user ran the {city} marathon." for city in ("Berlin", "Vienna", "Porto", "Lyon", "Turin")]
PROMPT = "Which marathon did I run?"


async def shown(memory: Memory, prompt: str, **given: Any) -> list[str]:
    return contents(await memory.context(prompt, **given))


@pytest.mark.settings(rag_length={"event": 3})
async def test_rag_categories_are_not_shown_unasked(memory: Memory, folder: Path) -> None:
    await memory.remember("The user lives in Berlin.")
    await memory.remember("The user works as a nurse.", category="event")
    assert await shown(memory, "Good morning!") == ["The user lives in Berlin."]
    assert "The user works as a nurse." in await shown(memory, "What is my work as a nurse like?")
    async with Memory.open(folder, embedder=None) as every:
        assert len(await shown(every, "Good morning!")) == 2


@pytest.mark.settings(rag_length={"event": 2})
async def test_a_block_has_the_best_hits_up_to_the_limit(memory: Memory) -> None:
    for race in RACES:
        await memory.remember(race, category="event")
    await memory.remember("The user owns marathon shoes.")
    best = [hit.content for hit in await memory.search(PROMPT, limit=10) if hit.category == "event"]
    block = await shown(memory, PROMPT)
    assert [each for each in block if each in RACES] == best[:2]
    assert "The user owns marathon shoes." in block
    assert set(RACES) <= set(best)
    weighed = await memory.explain_context(PROMPT)
    assert sum(each in RACES for each in (hit.content for hit in weighed.found)) == len(RACES)


@pytest.mark.settings(rag_length={"event": 1})
async def test_a_named_person_brings_memories_up_to_the_limit(memory: Memory) -> None:
    for place in ("lake", "mill", "harbour"):
        await memory.remember(f"Ann painted the {place}.", subject="Ann", category="event")
    assert len(await shown(memory, "What about Ann?")) == 1


@pytest.mark.settings(rag_length={"event": 0})
async def test_a_length_of_0_shows_none(memory: Memory) -> None:
    await memory.remember(RACES[0], category="event")
    assert await memory.search(PROMPT)
    assert await memory.context(PROMPT) is None


@pytest.mark.settings(rag_length={"event": 5})
async def test_many_rag_memories_do_not_hide_other_facts(memory: Memory) -> None:
    """A block shows all facts while they are few; those of such categories do not count."""
    await memory.remember("The user owns a boat.")
    for day in range(60):
        await memory.remember(f"On day {day} the user swam {day} laps.", category="event")
    assert await shown(memory, "Good morning!") == ["The user owns a boat."]


@pytest.mark.settings(rag_length={"event": 0, "fact": 0})
async def test_pins_and_forms_of_address_override_the_mode(memory: Memory) -> None:
    await memory.pin(await memory.remember(RACES[0], category="event"))
    await memory.remember("Call me Ana.")
    assert set(await shown(memory, "Good morning!")) == {RACES[0], "Call me Ana."}


@pytest.mark.settings(rag_length={"instruction": 1})
async def test_a_wish_of_a_rag_category_is_found_by_search(memory: Memory) -> None:
    await memory.remember("Answer questions about tea in verse.", category="instruction")
    assert await shown(memory, "Good morning!") == []
    assert await shown(memory, "Which tea is best?") == ["Answer questions about tea in verse."]


@pytest.mark.settings(rag_length={"event": 2}, context_mode="recent_only")
async def test_recent_only_keeps_the_limit(memory: Memory, clock: FakeClock) -> None:
    for race in RACES:
        clock.advance(days=1)
        await memory.remember(race, category="event")
    assert await shown(memory, "Good morning!") == RACES[:-3:-1]
