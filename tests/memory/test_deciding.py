"""A person's decisions: which of two memories is valid, and undoing a decision."""

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import InvalidArgument, LessTrusted, NotCurrent, UnknownMemory
from tests.memory.hits import city, number_of, undo_again

TEA, NO_TEA = "Ann drinks tea.", "Ann does not drink tea."
BEES, SAME_BEES = "Ann keeps two hives of bees in the garden.", "Ann keeps her two hives of bees in the garden."


async def pairs(memory: Memory, scope: Scope | None = None) -> list[set[str]]:
    return [{each.first.id, each.second.id} for each in await memory.conflicts(scope=scope or Scope())]


async def test_possible_conflicts_are_listed_until_one_of_both_is_gone(memory: Memory) -> None:
    """The latest first, and none of another user."""
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


async def test_a_decision_that_both_hold_can_be_undone(memory: Memory) -> None:
    one, other = [await memory.remember(each) for each in (TEA, NO_TEA)]
    await memory.keep_both(one, other)
    assert await pairs(memory) == []
    assert (await memory.explain(one)).possible_conflicts == ()
    assert {hit.id for hit in await memory.search("tea")} == {one, other}
    of = other if (await memory.explain(other)).changes[-1].event == "unlinked" else one
    await memory.undo(await number_of(memory, "unlinked", of))
    assert await pairs(memory) == [{one, other}]
    with pytest.raises(UnknownMemory):
        await memory.keep_both(one, "nothing")
    await memory.forget(other)
    with pytest.raises(NotCurrent):
        await memory.keep_both(one, other)


async def test_an_undone_approval_waits_again(memory: Memory) -> None:
    """The replaced memory is valid again; the proposal can be approved again."""
    await memory.remember("The user lives in Berlin.")
    id = await memory.remember("The user lives in Potsdam.", source="inferred")
    await memory.approve(id)
    undone = await memory.undo(await number_of(memory, "approved", id))
    assert [each.memory.id for each in await memory.proposals()] == [id]
    assert await city(memory) == "Berlin"
    await undo_again(memory, undone)
    assert await memory.proposals() == ()
    assert await city(memory) == "Potsdam"


async def test_a_rejection_can_be_undone(memory: Memory) -> None:
    id = await memory.remember("The user lives in Potsdam.", source="inferred")
    await memory.reject(id)
    await memory.undo(await number_of(memory, "rejected", id))
    assert [each.memory.id for each in await memory.proposals()] == [id]
    await memory.approve(id)
    assert [hit.id for hit in await memory.search("Potsdam")] == [id]


async def alike(memory: Memory, scope: Scope | None = None) -> list[tuple[str, str]]:
    return [(each.first.id, each.second.id) for each in await memory.duplicates(scope=scope or Scope())]


async def test_likely_duplicates_are_listed_merged_and_split_by_undo(memory: Memory) -> None:
    """The more trusted of a pair comes first; memories of other users and projects, and turns, are not compared."""
    assert await memory.duplicates() == ()
    assistants = await memory.remember(SAME_BEES, trust="assistant", tags=["garden"])
    users = await memory.remember(BEES)
    await memory.remember(BEES, scope=Scope(project_id="shop"))
    await memory.observe("user", BEES, session="s")
    assert await alike(memory) == [(users, assistants)]
    assert 0.7 < (await memory.duplicates())[0].similarity <= 1
    assert await alike(memory, Scope("bob")) == []
    await memory.merge(assistants, users)
    assert await alike(memory) == []
    found = {hit.id for hit in await memory.search("hives of bees", types=["semantic"])}
    assert users in found
    assert assistants not in found
    await memory.undo(await number_of(memory, "merged", assistants))
    assert await alike(memory) == [(users, assistants)]


async def test_memories_told_apart_are_no_duplicates_until_undone(memory: Memory) -> None:
    """The night does not merge them either."""
    one = await memory.remember("Ann keeps the bees in a garden")
    other = await memory.remember("Ann keeps the bees in the garden")
    assert await alike(memory) == [(one, other)]
    await memory.keep_apart(other, one)
    assert await alike(memory) == []
    assert not (await memory.maintain(only=["merge"])).steps[0].counts.get("merged")
    await memory.undo(await number_of(memory, "linked", other))
    assert await alike(memory) == [(one, other)]
    assert (await memory.maintain(only=["merge"])).steps[0].counts["merged"] == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The server of Ann listens on port 8080.", "The server of Ann listens on port 9090."),
        ("Ann keeps two hives of bees in the garden.", "Ann does not keep two hives of bees in the garden."),
    ],
)
async def test_other_numbers_and_denials_are_no_duplicates(memory: Memory, one: str, other: str) -> None:
    for each in (one, other):
        await memory.remember(each)
    assert await memory.duplicates() == ()


async def test_merging_needs_one_visibility_and_enough_trust(memory: Memory) -> None:
    one, other = await memory.remember(BEES), await memory.remember(SAME_BEES)
    elsewhere = await memory.remember(BEES, scope=Scope(project_id="shop"))
    for into in (elsewhere, one):
        with pytest.raises(InvalidArgument, match="the same user, project and visibility"):
            await memory.merge(one, into, scope=Scope(project_id="shop"))
    with pytest.raises(InvalidArgument, match="another memory"):
        await memory.keep_apart(one, one)
    with pytest.raises(LessTrusted):
        await memory.merge(one, other, trust="web")
    turn = await memory.observe("user", BEES, session="s")
    with pytest.raises(NotCurrent):
        await memory.merge(turn, one)


async def test_a_change_of_importance_can_be_undone(memory: Memory) -> None:
    id = await memory.remember(BEES)
    before = (await memory.explain(id)).memory.importance
    await memory.set_importance(id, 5)
    await memory.set_importance(id, 5)
    known = await memory.explain(id)
    assert known.memory.importance == 5
    assert [each.event for each in known.changes] == ["created", "rated"]
    await memory.undo(known.changes[-1].seq)
    assert (await memory.explain(id)).memory.importance == before
    with pytest.raises(InvalidArgument, match="give 1 to 5"):
        await memory.set_importance(id, 6)
    with pytest.raises(LessTrusted):
        await memory.set_importance(id, 1, trust="web")
