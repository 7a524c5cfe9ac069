"""What a person decides: which of two memories holds, and to take a decision back."""

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import NotCurrent, UnknownMemory

TEA, NO_TEA = "Ann likes tea.", "Ann does not like tea."


async def last(memory: Memory, id: str, event: str) -> int:
    """The last change of a kind of one memory."""
    return [each.seq for each in (await memory.explain(id)).changes if each.event == event][-1]


async def pairs(memory: Memory, scope: Scope | None = None) -> list[set[str]]:
    return [{each.first.id, each.second.id} for each in await memory.conflicts(scope=scope or Scope())]


async def test_possible_conflicts_are_listed_until_one_of_both_is_gone(memory: Memory) -> None:
    """The latest first; another user's are not told."""
    assert await memory.conflicts() == ()
    tea, no_tea = [await memory.remember(each) for each in (TEA, NO_TEA)]
    peru, france = [await memory.remember(f"Lee is a citizen of {each}.") for each in ("Peru", "the French Republic")]
    assert await pairs(memory) == [{peru, france}, {tea, no_tea}]
    assert len(await memory.conflicts(limit=1)) == 1
    assert await pairs(memory, Scope("bob")) == []
    await memory.forget(france)
    assert await pairs(memory) == [{tea, no_tea}]
    await memory.restore(france)
    assert await pairs(memory) == [{peru, france}, {tea, no_tea}]


async def test_both_of_a_pair_hold_where_a_person_says_so_until_they_take_it_back(memory: Memory) -> None:
    one, other = [await memory.remember(each) for each in (TEA, NO_TEA)]
    await memory.keep_both(one, other)
    assert await pairs(memory) == []
    assert (await memory.explain(one)).possible_conflicts == ()
    assert {hit.id for hit in await memory.search("tea")} == {one, other}
    of = other if (await memory.explain(other)).changes[-1].event == "unlinked" else one
    await memory.undo(await last(memory, of, "unlinked"))
    assert await pairs(memory) == [{one, other}]
    with pytest.raises(UnknownMemory):
        await memory.keep_both(one, "nothing")
    await memory.forget(other)
    with pytest.raises(NotCurrent):
        await memory.keep_both(one, other)


async def test_an_approval_is_taken_back_whole_and_waits_anew(memory: Memory) -> None:
    """What it replaced holds again; it can be approved once more."""
    await memory.remember("The user lives in Berlin.")
    id = await memory.remember("The user lives in Potsdam.", source="inferred")
    await memory.approve(id)
    undone = await memory.undo(await last(memory, id, "approved"))
    assert [each.memory.id for each in await memory.proposals()] == [id]
    profile = await memory.profile()
    assert profile.city is not None
    assert profile.city.value == "Berlin"
    assert undone.change is not None
    await memory.undo(undone.change)
    assert await memory.proposals() == ()
    profile = await memory.profile()
    assert profile.city is not None
    assert profile.city.value == "Potsdam"


async def test_a_rejection_is_taken_back(memory: Memory) -> None:
    id = await memory.remember("The user lives in Potsdam.", source="inferred")
    await memory.reject(id)
    await memory.undo(await last(memory, id, "rejected"))
    assert [each.memory.id for each in await memory.proposals()] == [id]
    await memory.approve(id)
    assert [hit.id for hit in await memory.search("Potsdam")] == [id]
