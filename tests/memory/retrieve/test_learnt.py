"""What was learnt, beside the turns it was learnt from."""

from datetime import timedelta

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.retrieve.learnt import lowered
from sandbox.extensions.memory.store.scored import Scored
from sandbox.testing import FakeClock


def test_what_repeats_its_turn_stands_behind_it() -> None:
    scores = lowered(Scored.of({1: 0.8, 2: 1.0, 3: 0.5}), {2: [1]}, 0.3)
    assert scores.plain() == {1: 0.8, 2: 0.3, 3: 0.5}


def test_what_its_turns_do_not_say_stays() -> None:
    """They were not found, or not all of them, or hardly match."""
    for rests_on in ([9], [1, 9], [3]):
        assert lowered(Scored.of({1: 0.8, 2: 1.0, 3: 0.05}), {2: rests_on}, 0.3).plain()[2] == 1.0


async def test_of_knowledge_alone_nothing_is_lowered(memory: Memory, clock: FakeClock) -> None:
    """
    2026-03-02 user: I live in Berlin.
    """
    await memory.observe("user", "I live in Berlin.", session="s1", speaker="Ann")
    clock.advance(minutes=1)
    (fact,) = (await memory.consolidate("s1")).learnt
    both = await memory.search("where does Ann live? in Berlin?", reinforce=False)
    assert [hit.type for hit in both] == ["episodic", "semantic"]
    (alone,) = await memory.search("where does Ann live? in Berlin?", types=("semantic",), reinforce=False)
    assert (alone.id, alone.score > both[1].score) == (fact.id, True)


async def test_a_block_does_not_say_twice_what_a_turn_says(memory: Memory, clock: FakeClock) -> None:
    """
    2026-03-02 user: I live in Berlin. My sister Ana works as a nurse. I'm allergic to peanuts.
    """
    said = "I live in Berlin. My sister Ana works as a nurse. I'm allergic to peanuts."
    await memory.observe("user", said, session="s1", speaker="Ann")
    await memory.consolidate("s1")
    clock.moment += timedelta(days=1)
    block = await memory.context("which nuts is Ann allergic to?", session="s2", reinforce=False)
    assert block is not None
    assert [item.content for item in block.items] == [said]
