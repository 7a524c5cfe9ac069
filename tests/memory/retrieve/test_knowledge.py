"""Knowledge beside the turns it was learnt from."""

from datetime import timedelta

from sandbox.extensions.memory import Memory, Message
from sandbox.testing import FakeClock
from tests.memory.conftest import Join
from tests.memory.hits import contents, present


async def test_a_block_does_not_repeat_a_turn(memory: Memory, clock: FakeClock) -> None:
    said = "I live in Berlin. My sister Ana works as a nurse. I'm allergic to peanuts."
    await memory.observe("user", said, session="s1", speaker="Ann")
    await memory.consolidate("s1")
    clock.moment += timedelta(days=1)
    assert contents(await memory.context("which nuts is Ann allergic to?", session="s2", reinforce=False)) == [said]


async def test_a_fact_that_rests_on_more_than_is_shown_stays(memory: Memory, clock: FakeClock, join: Join) -> None:
    await memory.observe("user", "I'm allergic to peanuts.", session="s1", speaker="Ann")
    clock.advance(minutes=1)
    (fact,) = (await memory.consolidate("s1")).learnt
    more = await memory.observe("user", "It was found at the clinic.", session="now", speaker="Ann")
    await join(fact.id, more, "derived_from")
    block = present(
        await memory.context("Is Ann allergic to peanuts?", session="now", include_session=False, reinforce=False)
    )
    assert {item.type for item in block.items} == {"episodic", "semantic"}


async def test_a_learnt_wish_stands_beside_its_turn(memory: Memory, clock: FakeClock) -> None:
    await memory.observe("user", "Please always answer in French.", session="s1", speaker="Ann")
    clock.advance(minutes=1)
    await memory.consolidate("s1")
    block = present(await memory.context("What did I say about French?", reinforce=False))
    assert {item.section for item in block.items} == {"instructions", "temporal"}


async def test_the_prompt_itself_does_not_lower_its_facts(memory: Memory, clock: FakeClock, join: Join) -> None:
    asked = "Which nuts should I leave out of the cake for my birthday on Saturday, allergic to peanuts as I am?"
    await memory.observe("user", "I'm allergic to peanuts.", session="s1", speaker="Ann")
    clock.advance(minutes=1)
    (fact,) = (await memory.consolidate("s1")).learnt
    await join(fact.id, await memory.observe("user", "It was found at the clinic.", session="s3"), "derived_from")
    await memory.observe("user", asked, session="s2", speaker="Ann")
    block = present(await memory.context(asked, reinforce=False))
    assert fact.id in [item.id for item in block.items]


async def test_procedures_do_not_crowd_out_a_fact(memory: Memory) -> None:
    fact = "Once upon a time, long before any of this, Nina was given a violin by an aunt from Genoa."
    await memory.observe_many(Message("user", f"violin, violin, violin {each}", f"s{each % 9}") for each in range(60))
    for each in range(25):
        await memory.remember(f"To tune violin {each}: loosen, turn, tighten the violin.", type="procedural")
    await memory.remember(fact)
    assert fact in contents(await memory.context("Whose violin was it?", reinforce=False))


async def test_a_fact_with_but_a_common_word_of_the_question_is_found(memory: Memory) -> None:
    fact = "The violin stays with Maria on Sundays."
    rare = " with the teacher in the hall, ticket and price and discount"
    lessons = (f"violin lesson {each}{'' if each % 25 else rare}" for each in range(3_000))
    await memory.observe_many(Message("user", each, "s1") for each in lessons)
    await memory.remember(fact)
    assert fact in contents(await memory.context("violin teacher hall ticket price discount", reinforce=False))
