"""Limits for what assistants, tools and pages store: the length of a fact, and how many in a day."""

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import InvalidContent, TooManyFacts
from sandbox.testing import FakeClock

ASSISTANTS = ({"trust": "assistant"}, {"trust": "web"}, {"source": "inferred"}, {"scope": Scope(agent_id="helper")})
LONG = "Ann " + "x" * 600


@pytest.mark.parametrize("whose", ASSISTANTS)
async def test_a_fact_of_an_assistant_has_5_to_500_characters(memory: Memory, whose: Any) -> None:
    with pytest.raises(InvalidContent, match=r"has 4 characters; what an assistant stores has 5 to 500"):
        await memory.remember(" Ann. ", **whose)
    with pytest.raises(InvalidContent, match=r"has 604 characters; what an assistant stores has 5 to 500"):
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


@pytest.mark.settings(facts_per_day=2)
async def test_a_correction_by_an_assistant_is_a_fact_of_the_day(memory: Memory) -> None:
    hive = await memory.remember("Ann keeps hive 1.", trust="tool")
    await memory.correct(hive, "Ann keeps hive 2.", trust="tool")
    with pytest.raises(TooManyFacts):
        await memory.correct(hive, "Ann keeps hive 3.", trust="tool")
    assert (await memory.explain(hive)).memory.content == "Ann keeps hive 2."
    await memory.correct(hive, "Ann keeps hive 4.")


@pytest.mark.settings(facts_per_day=1)
async def test_statements_that_rest_on_pages_are_limited_and_imports_are_not(memory: Memory, tmp_path: Path) -> None:
    page = await memory.observe("tool", "The cups are red. The rugs are blue.", trust="web")
    await memory.remember("The cups are red.", rests_on=[page])
    with pytest.raises(TooManyFacts):
        await memory.remember("The rugs are blue.", rests_on=[page])
    told = [{"id": str(n), "text": f"The cup {n} is red.", "scope": "user", "trust": "tool"} for n in range(4)]
    file = tmp_path / "memories.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in told))
    assert (await memory.import_file(file)).new == 4
