"""Limits for what assistants, tools and pages store: the length of a fact, and how many in a day or an hour."""

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import InvalidContent, TooManyFacts, TooManyFromOutside
from sandbox.testing import FakeClock

ASSISTANTS = ({"trust": "assistant"}, {"trust": "web"}, {"source": "inferred"}, {"scope": Scope(agent_id="helper")})
LONG = "Ann " + "x" * 600


@pytest.mark.parametrize("whose", ASSISTANTS)
async def test_a_fact_of_an_assistant_has_5_to_500_characters(memory: Memory, whose: Any) -> None:
    with pytest.raises(InvalidContent, match=r"has 4 characters; what an assistant stores has 5 to 500"):
        await memory.remember(" Ann. ", **whose)
    with pytest.raises(InvalidContent, match=r"has 604 characters; .* \(max_fact_characters\)"):
        await memory.remember(LONG, **whose)
    assert (await memory.list()).total == 0


async def test_a_person_stores_facts_of_any_length(memory: Memory) -> None:
    short, long = await memory.remember("Ann."), await memory.remember(LONG)
    assert await memory.correct(long, LONG + " more") == long
    with pytest.raises(InvalidContent, match="5 to 500"):
        await memory.correct(short, LONG, scope=Scope(agent_id="helper"))


@pytest.mark.settings(facts_per_day=3)
async def test_assistants_store_a_limited_number_of_facts_in_a_day(memory: Memory, clock: FakeClock) -> None:
    """A repetition does not count; the user, another user and the next day are not limited by it."""
    for number in range(3):
        await memory.remember(f"Ann keeps hive {number}.", trust="tool")
    with pytest.raises(TooManyFacts, match="have stored 3 facts of this user today, and `facts_per_day` is 3"):
        await memory.remember("Ann keeps hive 4.", source="inferred")
    await memory.remember("Ann keeps hive 1.", trust="tool")
    await memory.remember("Ann keeps hive 5.")
    await memory.remember("Bob keeps hive 6.", trust="tool", scope=Scope("bob"))
    assert (await memory.list()).total == 4
    clock.advance(days=1)
    await memory.remember("Ann keeps hive 4.", trust="tool")


# --- tools and pages, in an hour --------------------------------------------------------------------------------------

ANN, BOB = Scope("ann"), Scope("bob")

LIMITED = pytest.mark.settings(foreign_facts_per_hour=2)


@LIMITED
async def test_facts_beyond_the_limit_are_refused(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("The lamp is red.", trust="tool", scope=ANN)
    second = await memory.remember("The lamp is new.", trust="web", scope=ANN)
    with pytest.raises(TooManyFromOutside, match=r"2 statements.*last hour.*`foreign_facts_per_hour` allows 2"):
        await memory.remember("The lamp is big.", trust="tool", scope=ANN)
    assert not await memory.search("big", scope=ANN)
    with pytest.raises(TooManyFromOutside):
        await memory.correct(second, "The lamp is broken.", trust="tool", scope=ANN)
    assert (await memory.explain(second, scope=ANN)).memory.version == 1
    clock.advance(minutes=61)
    await memory.remember("The lamp is big.", trust="tool", scope=ANN)


@LIMITED
async def test_the_limit_does_not_apply_to_the_user_and_others(memory: Memory) -> None:
    ids = [await memory.remember(f"The lamp {number} is red.", trust="tool", scope=ANN) for number in range(2)]
    assert await memory.remember("The lamp 0 is red.", trust="tool", scope=ANN) == ids[0]
    await memory.correct(ids[0], "The lamp 0 is blue.", scope=ANN)
    for number in range(4):
        await memory.remember(f"The rug {number} is red.", scope=ANN)
        await memory.remember(f"The rug {number} is blue.", trust="assistant", scope=ANN)
    await memory.remember("The lamp is big.", trust="tool", scope=BOB)


@LIMITED
async def test_turns_and_imports_are_not_limited(memory: Memory, tmp_path: Path) -> None:
    told = [{"id": str(n), "text": f"The cup {n} is red.", "scope": "user", "trust": "tool"} for n in range(4)]
    file = tmp_path / "memories.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in told))
    assert (await memory.import_file(file, scope=ANN)).new == 4
    for number in range(4):
        await memory.observe("tool", f"Result {number}", scope=ANN)
