"""Categories in the mode `rag`: a block shows them only if a search finds them, and only a few of them."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock
from tests.memory.hits import contents

Open = Callable[..., AbstractAsyncContextManager[Memory]]

RACES = [f"The user ran the {city} marathon." for city in ("Berlin", "Vienna", "Porto", "Lyon", "Turin")]
PROMPT = "Which marathon did I run?"


@pytest.fixture
def opened(tmp_path: Path, clock: FakeClock) -> Open:
    @asynccontextmanager
    async def open_with(**config: Any) -> AsyncIterator[Memory]:
        async with Memory.open(tmp_path / "m", embedder=None, clock=clock, config=config) as memory:
            yield memory

    return open_with


async def shown(memory: Memory, prompt: str, **given: Any) -> list[str]:
    return contents(await memory.context(prompt, **given))


async def test_rag_categories_are_not_shown_unasked(opened: Open) -> None:
    """
    user: I live in Berlin, and am a nurse.   (a fact: `all`; an event: `rag`)
    """
    async with opened(rag_length={"event": 3}) as memory:
        await memory.remember("The user lives in Berlin.")
        await memory.remember("The user works as a nurse.", category="event")
        assert await shown(memory, "Good morning!") == ["The user lives in Berlin."]
        assert "The user works as a nurse." in await shown(memory, "What is my work as a nurse like?")
    async with opened() as memory:
        assert len(await shown(memory, "Good morning!")) == 2


async def test_a_block_has_the_best_hits_up_to_the_limit(opened: Open) -> None:
    async with opened(rag_length={"event": 2}) as memory:
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
    async with opened() as memory:
        assert set(RACES) <= set(await shown(memory, PROMPT))


async def test_a_named_person_brings_memories_up_to_the_limit(opened: Open) -> None:
    async with opened(rag_length={"event": 1}) as memory:
        for place in ("lake", "mill", "harbour"):
            await memory.remember(f"Ann painted the {place}.", subject="Ann", category="event")
        assert len(await shown(memory, "What about Ann?")) == 1


async def test_a_length_of_0_shows_none(opened: Open) -> None:
    async with opened(rag_length={"event": 0}) as memory:
        await memory.remember(RACES[0], category="event")
        assert await memory.search(PROMPT)
        assert await memory.context(PROMPT) is None


async def test_many_rag_memories_do_not_hide_other_facts(opened: Open) -> None:
    """A block shows all facts while they are few; those of such categories do not count."""
    async with opened(rag_length={"event": 5}) as memory:
        await memory.remember("The user owns a boat.")
        for day in range(60):
            await memory.remember(f"On day {day} the user swam {day} laps.", category="event")
        assert await shown(memory, "Good morning!") == ["The user owns a boat."]


async def test_the_fixed_block_omits_rag_categories(opened: Open) -> None:
    async with opened(rag_length={"person": 10}) as memory:
        await memory.remember("Ann is the user's boss.", category="person", subject="Ann")
        await memory.remember("The user owns a boat.")
        assert contents(await memory.fixed_block()) == ["The user owns a boat."]


async def test_pins_and_forms_of_address_override_the_mode(opened: Open) -> None:
    async with opened(rag_length={"event": 0, "fact": 0}) as memory:
        await memory.pin(await memory.remember(RACES[0], category="event"))
        await memory.remember("Call me Ana.")
        assert set(await shown(memory, "Good morning!")) == {RACES[0], "Call me Ana."}


async def test_a_wish_of_a_rag_category_is_found_by_search(opened: Open) -> None:
    async with opened(rag_length={"instruction": 1}) as memory:
        await memory.remember("Answer questions about tea in verse.", category="instruction")
        assert await shown(memory, "Good morning!") == []
        assert await shown(memory, "Which tea is best?") == ["Answer questions about tea in verse."]


async def test_recent_only_keeps_the_limit(opened: Open, clock: FakeClock) -> None:
    async with opened(rag_length={"event": 2}, context_mode="recent_only") as memory:
        for race in RACES:
            clock.advance(days=1)
            await memory.remember(race, category="event")
        assert await shown(memory, "Good morning!") == RACES[:-3:-1]
