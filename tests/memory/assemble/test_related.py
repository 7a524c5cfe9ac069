"""A block shows a few memories that are related with the others, in the room that is left."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sandbox.extensions.memory import Block, Memory, Scope
from sandbox.extensions.memory.store import graph
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.testing import FakeClock
from tests.memory.conftest import NodeId

VIOLIN, CELLAR, RAIN, LAMP = "Ann plays the violin.", "The cellar is damp.", "It rains often.", "The lamp is broken."

Relate = Callable[[str, str, float], Awaitable[None]]


@pytest.fixture(autouse=True)
async def others(memory: Memory) -> None:
    """More facts than fit into a block, none of them relevant."""
    for number in range(50):
        await memory.remember(f"Server number {number} listens on port {5400 + number}.")


@pytest.fixture
def relate(store: Store, node_id: NodeId) -> Relate:
    """Join two memories by similarity."""

    async def join(one: str, other: str, similarity: float) -> None:
        first, second = sorted([await node_id(each, Scope(session_id="s1")) for each in (one, other)])
        await store.write(lambda tx: graph.relate(tx, {(first, second): similarity}))

    return join


def accompanying(block: Block | None) -> list[str]:
    return [item.content for item in block.items if item.section == "related"] if block else []


async def test_the_two_nearest_related_memories_are_shown_and_marked(memory: Memory, relate: Relate) -> None:
    violin, *others = [await memory.remember(each) for each in (VIOLIN, CELLAR, RAIN, LAMP)]
    for other, similarity in zip(others, (0.76, 0.9, 0.8), strict=True):
        await relate(violin, other, similarity)
    block = await memory.context("Who plays the violin?")
    assert block is not None
    assert accompanying(block) == [RAIN, LAMP]
    lines = block.text.splitlines()
    assert lines.index("## Known") < lines.index("## Related")
    assert lines[lines.index("## Related") + 1].startswith(f"- {RAIN} ({others[1]}, ")


async def test_memories_of_rag_categories_are_not_shown_as_related(
    memory: Memory, relate: Relate, folder: Path, clock: FakeClock
) -> None:
    violin = await memory.remember(VIOLIN)
    await relate(violin, await memory.remember(CELLAR, category="event"), 0.8)
    assert accompanying(await memory.context("Who plays the violin?")) == [CELLAR]
    config = {"rag_length": {"event": 5}}
    async with Memory.open(folder, embedder=None, clock=clock, config=config) as rag:
        assert not accompanying(await rag.context("Who plays the violin?"))


async def test_related_memories_take_no_room_from_hits(memory: Memory, relate: Relate) -> None:
    """At every budget the other memories are those of a block without related memories."""
    violin, cellar = [await memory.remember(each) for each in (VIOLIN, CELLAR)]
    for number in range(20):
        await memory.observe("user", f"The violin lesson, number {number}.", session="s1")
    budgets = range(40, 700, 24)
    before = [await memory.context("violin", budget=each, reinforce=False) for each in budgets]
    await relate(violin, cellar, 0.8)
    after = [await memory.context("violin", budget=each, reinforce=False) for each in budgets]
    for old, new, budget in zip(before, after, budgets, strict=True):
        assert (old is None) == (new is None)
        if old and new:
            assert [item for item in new.items if item.section != "related"] == list(old.items)
            assert new.tokens <= budget
    assert {len(accompanying(block)) for block in after if block} == {0, 1}


async def test_a_possible_conflict_is_not_related(memory: Memory) -> None:
    porto = await memory.remember("Ann lives in Porto.")
    madrid = await memory.remember("Ann is based in Madrid, Spain.")
    assert [each.id for each in (await memory.explain(porto)).possible_conflicts] == [madrid]
    for asked in ("Porto", "Madrid"):
        assert accompanying(await memory.context(asked)) == []


async def test_invisible_and_ended_memories_are_not_shown_as_related(memory: Memory, relate: Relate) -> None:
    violin = await memory.remember(VIOLIN)
    private = await memory.remember(CELLAR, scope=Scope(session_id="s1", visibility="session"))
    gone, procedure = await memory.remember(RAIN), await memory.remember(LAMP, type="procedural")
    for other in (private, gone, procedure):
        await relate(violin, other, 0.8)
    await memory.forget(gone)
    assert accompanying(await memory.context("violin")) == []
    assert accompanying(await memory.context("violin", session="s1")) == [CELLAR]


async def test_facts_of_a_shown_turn_are_not_shown_as_related(memory: Memory, relate: Relate) -> None:
    turn = await memory.observe("user", "The violin stands in the cellar, which is damp.")
    violin, cellar = await memory.remember(VIOLIN), await memory.remember(CELLAR, rests_on=[turn])
    await relate(violin, cellar, 0.8)
    assert accompanying(await memory.context("violin")) == []
