"""Legs and adjustments can be switched off; adjustments put one's own words and learnt knowledge in their order."""

from datetime import timedelta
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.adjustments import ADJUSTMENTS
from sandbox.extensions.memory.retrieve.legs import LEGS
from sandbox.testing import NOON, FakeClock
from tests.memory.conftest import Join
from tests.memory.hits import contents, present

NAMES = [*(leg.name for leg in LEGS), *(each.name for each in ADJUSTMENTS)]


def test_every_part_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES) > 8


async def test_a_disabled_leg_finds_nothing(tmp_path: Path) -> None:
    async with Memory.open(tmp_path) as memory:
        await memory.remember("Ann plays the violin.")
        await memory.wait_until_embedded()
        (hit,) = await memory.search("What does Ann play?")
        assert hit.legs.keys() >= {"fts", "vector", "entity"}
    for name in hit.legs:
        async with Memory.open(tmp_path, config=Config.load(without=[name])) as memory:
            (left,) = await memory.search("What does Ann play?")
            assert left.legs.keys() == hit.legs.keys() - {name}
            assert (await memory.context("What does Ann play?")) is not None


async def test_a_disabled_adjustment_changes_nothing(tmp_path: Path) -> None:
    names_it, plain = "In May 2021 the violin was mended.", "The violin was mended, the violin!"
    async with Memory.open(tmp_path) as memory:
        for place, said in enumerate((names_it, plain)):
            await memory.observe("user", said, session=f"s{place}", at=NOON)
        await memory.wait_until_embedded()
        lifted = {hit.content: hit.score for hit in await memory.search("When was the violin mended?", now=NOON)}
    async with Memory.open(tmp_path, config=Config.load(without=["what names a time"])) as memory:
        bare = {hit.content: hit.score for hit in await memory.search("When was the violin mended?", now=NOON)}
    assert lifted[names_it] > bare[names_it]
    assert lifted[plain] == bare[plain]


async def test_what_two_legs_find_ranks_first(tmp_path: Path) -> None:
    async with Memory.open(tmp_path) as memory:
        for place in range(30):
            await memory.observe("user", f"Something else, number {place}.", session=f"s{place}")
        await memory.observe("user", "My violin is in the cellar.", session="s")
        await memory.wait_until_embedded()
        (first, *_) = await memory.search("Where is my violin?")
    assert first.content == "My violin is in the cellar."
    assert first.legs == {"fts": 1, "vector": 1}


_SAID = {
    "en": (
        "By the way, I put four new fish into my tank.",
        "Most tanks are too small: how many fish fit into one depends on its size.",
    ),
    "de": (
        "Übrigens habe ich vier neue Fische in mein Aquarium gesetzt.",
        "Fische brauchen ein großes Aquarium.",
    ),
    "ru": (
        "Кстати, я запустил в аквариум четыре новые рыбы.",
        "Обычно они малы: сколько рыбы войдёт в аквариум, зависит от размера.",
    ),
}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many fish are in my tank?", "user"),
        ("How many fish are in the tank of the user?", "user"),
        ("Who sold me fish for a tank of this size?", "user"),
        ("How many fish live in the tank where I work?", "user"),
        ("Wie viele Fische sind in meinem Aquarium?", "user"),
        ("Wer schenkte mir Fische?", "user"),
        ("Сколько рыбы у меня в аквариуме?", "user"),
        ("Кто подарил мне рыбу в аквариум такого размера?", "user"),
        ("How many fish are in our tank?", "user"),
        ("Wie viele Fische sind in unserem Aquarium?", "user"),
        ("Сколько рыбы у нас в аквариуме?", "user"),
        ("How many fish did you say fit into my tank?", "assistant"),
        ("How many fish fit into a tank of that size?", "assistant"),
        ("Tell me about the fish: how many fit into one tank?", "assistant"),
        ("Wie viele Fische passen in ein Aquarium?", "assistant"),
        ("Сколько рыбы ты посоветовал на мой аквариум?", "assistant"),
    ],
)
async def test_own_words_come_first_unless_an_answer_is_asked_for(memory: Memory, question: str, first: str) -> None:
    for language, (own, answer) in _SAID.items():
        await memory.observe("user", own, session=language)
        await memory.observe("assistant", answer, session=f"{language}, of somebody else's tank")
    assert [hit.role for hit in await memory.search(question, limit=1)] == [first]


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
    await join(fact.id, await memory.observe("user", "It was found at the clinic.", session="now"), "derived_from")
    await memory.observe("user", asked, session="s2", speaker="Ann")
    block = present(await memory.context(asked, session="now", include_session=False, reinforce=False))
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
