"""A pinned memory stays and is always shown; an important one is kept and compared."""

from datetime import timedelta

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import LessTrusted, NotCurrent
from sandbox.testing import FakeClock


async def guessed(memory: Memory, content: str = "Ann collects stamps.") -> str:
    """A memory that fades within ten weeks."""
    return await memory.remember(content, source="inferred")


async def test_a_pinned_memory_does_not_fade_until_unpinned(memory: Memory, clock: FakeClock) -> None:
    pinned, other = await guessed(memory), await guessed(memory, "Ann keeps bees.")
    await memory.unpin(pinned)
    await memory.pin(pinned)
    await memory.pin(pinned)
    clock.advance(days=400)
    report = await memory.maintain(only=["prune"])
    assert report.pruned == (other,)
    record = (await memory.explain(pinned)).memory
    assert (record.pinned, record.fades_at, record.retired_by) == (True, None, None)
    await memory.unpin(pinned)
    record = (await memory.explain(pinned)).memory
    assert record.fades_at is not None
    assert timedelta(days=30) < record.fades_at - clock() < timedelta(days=80)
    clock.advance(days=100)
    assert (await memory.maintain(only=["prune"])).pruned == (pinned,)
    assert [each.event for each in (await memory.explain(pinned)).changes] == [  # one line for each that changed it
        "created",
        "pinned",
        "unpinned",
        "pruned",
    ]


async def test_nothing_makes_a_pinned_memory_fade(memory: Memory) -> None:
    """Recalls, repetitions and corrections compute when a memory fades; a pinned one never does."""
    id = await guessed(memory)
    await memory.pin(id)
    await memory.search("stamps")
    await memory.context("Tell me of stamps.", session="s")
    await guessed(memory)
    assert (await memory.explain(id)).memory.access_count == 2
    await memory.correct(id, "Ann collects old stamps.", confidence=0.5)
    record = (await memory.explain(id)).memory
    assert (record.version, record.pinned, record.fades_at) == (2, True, None)


async def test_a_pinned_memory_is_in_every_block(memory: Memory) -> None:
    id = await memory.remember("The boiler is in the cellar.")
    for number in range(60):
        await memory.remember(
            f"Cupboard {number} of the house holds {number + 100} cups.", subject=f"Cupboard {number}"
        )
    blocks = []
    for change in (memory.unpin, memory.pin, memory.unpin):
        await change(id)
        block = await memory.context("Which cupboard holds 130 cups?", budget=300)
        assert block is not None
        blocks.append([each.section for each in block.items if each.id == id])
        assert "wishes" not in block.text
    assert blocks == [[], ["core"], []]


async def test_only_trusted_statements_can_be_pinned(memory: Memory) -> None:
    id = await memory.remember("Ann collects stamps.")
    with pytest.raises(LessTrusted):
        await memory.pin(id, trust="web")
    with pytest.raises(LessTrusted):
        await memory.unpin(id, trust="tool")
    turn = await memory.observe("user", "I collect stamps.", session="s")
    with pytest.raises(NotCurrent, match="remember its content"):
        await memory.pin(turn)
    await memory.forget(id)
    with pytest.raises(NotCurrent, match="restore it first"):
        await memory.pin(id)
    other = await memory.remember("Bob keeps bees.", scope=Scope("bob"))
    with pytest.raises(LookupError):
        await memory.pin(other)


async def test_a_repeated_statement_keeps_the_higher_importance(memory: Memory) -> None:
    id = await memory.remember("Ann collects stamps.")
    assert (await memory.explain(id)).memory.importance == 2
    await memory.remember("Ann collects stamps.", importance=5)
    await memory.remember("Ann collects stamps.", importance=1)
    assert (await memory.explain(id)).memory.importance == 5


async def test_better_words_keep_pin_and_importance(memory: Memory) -> None:
    id = await memory.remember("Ann collects stamps.", source="inferred", trust="assistant", importance=4)
    await memory.pin(id)
    assert await memory.remember("Ann collects stamps.") == id
    record = (await memory.explain(id)).memory
    assert (record.version, record.trust, record.importance, record.pinned) == (2, "user", 4, True)


async def test_separating_a_merged_memory_takes_back_only_what_it_brought(memory: Memory) -> None:
    """The importance of 4 came with the merge; the user pinned the memory and gave it the importance 5 later."""
    part = await memory.remember("Ann collects stamps.", importance=4)
    for later in (False, True):
        keeper = await memory.remember(f"Ann has {'more' if later else 'many'} albums with stamps.")
        await memory.merge(part, keeper)
        assert (await memory.explain(keeper)).memory.importance == 4
        if later:
            await memory.pin(keeper)
            await memory.set_importance(keeper, 5)
        await memory.restore(part)
        record = (await memory.explain(keeper)).memory
        assert (record.importance, record.pinned) == ((5, True) if later else (2, False))
