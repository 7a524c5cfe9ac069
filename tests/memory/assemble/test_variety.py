"""Many wordings of one fact do not push out other facts; a text that only looks similar keeps its place."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from sandbox.extensions.memory import Memory, Message
from tests.memory.hits import contents, present

WORDINGS = (
    "Ann is allergic to peanuts and carries a pen.",
    "Ann is really allergic to peanuts and carries a pen.",
    "Ann is very allergic to peanuts, carries a pen.",
    "Well, Ann is allergic to peanuts, and carries a pen.",
    "Ann is quite allergic to peanuts; carries a pen.",
    "Ann carries a pen: allergic to peanuts.",
    "Ann carries a pen and is allergic to peanuts.",
    "Allergic to peanuts, Ann carries a pen.",
    "To peanuts Ann is allergic, and carries a pen.",
    "As I said, Ann carries a pen and is allergic to peanuts.",
)
OTHER = "Cashews make Ann ill as well, which only came out when her cousin married and there was a cake full of them."
QUESTION = "What must Ann not eat, being allergic to peanuts?"
BUDGET = 250


async def shown(memory: Memory, question: str, budget: int) -> list[str]:
    """The contents of a block."""
    return contents(await memory.context(question, budget=budget, reinforce=False))


async def lowest(memory: Memory, question: str) -> float:
    """The lowest score in a block with room for everything, as a share of the best."""
    block = present(await memory.context(question, budget=2000, reinforce=False))
    assert len(block.items) > 3
    return min(item.score for item in block.items) / max(item.score for item in block.items)


async def say(memory: Memory, contents: Sequence[str]) -> None:
    """Turns of one person, each in a session of its own."""
    await memory.observe_many(Message("user", each, f"s{place}", speaker="Eve") for place, each in enumerate(contents))


async def test_ten_wordings_do_not_crowd_out_another_memory(memory: Memory) -> None:
    for each in (OTHER, *WORDINGS):
        await memory.remember(each, subject="Ann")
    found = await shown(memory, QUESTION, BUDGET)
    assert OTHER in found
    assert len(set(found) & set(WORDINGS)) >= 3


async def test_less_trusted_repetitions_do_not_lower_the_users_words(memory: Memory) -> None:
    """The user said it in a roundabout way, and wordings of a tool fit the question better."""
    own = "Ann, as was told lately, carries a pen and is allergic to peanuts."
    await memory.remember(own, subject="Ann")
    for each in WORDINGS[:9]:
        await memory.remember(each, subject="Ann", trust="tool")
    block = present(await memory.context(QUESTION, budget=2000, reinforce=False))
    scores = {item.content: item.score for item in block.items}
    assert scores[own] > max(scores.values()) / 2


async def test_every_wording_is_shown_if_there_is_room(memory: Memory) -> None:
    await say(memory, [OTHER, *WORDINGS])
    assert set(await shown(memory, QUESTION, 2000)) == {OTHER, *WORDINGS}


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            [f"Ann spent a lovely week in {city} with the kids." for city in "Rome Oslo Bonn Kyiv Lima".split()],
            "a lovely week with the kids",
        ),
        ([f"The staging server listens on port {port}." for port in range(5432, 5437)], "staging server port"),
        (
            [f"Анна чудесно провела неделю в городе {city} с детьми." for city in "Рим Осло Бонн Киев Лима".split()],
            "чудесная неделя с детьми",
        ),
        (
            (
                "her violin needs new strings",
                "playing violin duets cheers everybody up",
                "violin lessons cost too much",
                "somebody left a violin case outside",
                "old violin varnish smells of resin",
            ),
            "violin",
        ),
    ],
    ids=["names", "numbers", "Russian names", "one subject"],
)
async def test_other_statements_are_not_repetitions(memory: Memory, told: Sequence[str], question: str) -> None:
    await say(memory, told)
    assert await lowest(memory, question) > 0.4


async def test_repetitions_are_lowered_and_a_denial_is_none(memory: Memory) -> None:
    denied = "Ann is not allergic to peanuts and carries a pen."
    await say(memory, [denied, *WORDINGS])
    scores = {item.content: item.score for item in present(await memory.context(QUESTION, budget=2000)).items}
    assert min(scores.values()) < 0.25 * max(scores.values())
    assert scores[denied] > 0.4 * max(scores.values())


async def test_the_same_words_of_another_speaker_are_not_repetitions(memory: Memory) -> None:
    turns = [Message("user", WORDINGS[0], name, speaker=name) for name in ("Eve", "Bob", "Kim", "Lea", "Tom")]
    await memory.observe_many(turns)
    assert await lowest(memory, QUESTION) > 0.4


@settings(deadline=None, max_examples=20)
@given(order=st.permutations([OTHER, *WORDINGS]))
async def test_repetitions_are_lowered_in_any_order(
    order: Sequence[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with Memory.open(tmp_path_factory.mktemp("memory"), embedder=None) as memory:
        await say(memory, order)
        found = await shown(memory, QUESTION, BUDGET)
        assert OTHER in found
        assert len(set(found) & set(WORDINGS)) >= 3
