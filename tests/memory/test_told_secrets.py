"""The question shows that its answer is a secret, however long ago and by whom it was asked; so does an announcement by
the same speaker.
"""

import asyncio
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Message

QUESTION = "What is the gate code?"
MASKED = "[secret: code]"
CROWD = 3_000  # conversations: more than a memory keeps the ends of


async def answered(memory: Memory, text: str, session: str) -> str:
    """The stored text of an answer."""
    id = await memory.observe("user", text, session=session)
    return (await memory.explain(id)).memory.content


async def test_a_reopened_memory_knows_the_last_question_and_announcement(folder: Path) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("assistant", QUESTION, session="s")
        await memory.observe("user", "Here comes my password:", session="announced")
    async with Memory.open(folder, embedder=None) as memory:
        assert await answered(memory, "sunflower", "announced") == "[secret: password]"
        assert await answered(memory, "0451", "another") == "0451"
        assert await answered(memory, "0451", "s") == MASKED
        assert await answered(memory, "0451", "s") == "0451"
        await memory.observe("assistant", QUESTION, session="s")
    async with Memory.open(folder, embedder=None) as memory:
        said = [Message("user", "One moment.", "t"), Message("user", "0451", "s"), Message("user", "0451", "t")]
        ids = await memory.observe_many(said)
        assert [(await memory.explain(id)).memory.content for id in ids[1:]] == [MASKED, "0451"]


async def test_a_dropped_conversation_is_looked_up_when_it_continues(folder: Path) -> None:
    """Also a question that another process stored meanwhile."""
    async with Memory.open(folder, embedder=None) as memory, Memory.open(folder, embedder=None) as other:
        await memory.observe("assistant", QUESTION, session="asked here")
        await memory.observe("assistant", "Welcome.", session="asked there")
        await other.observe("assistant", QUESTION, session="asked there")
        await memory.observe_many(Message("user", "Is it?", f"s{number}") for number in range(CROWD))
        for session in ("asked here", "asked there"):
            assert await answered(memory, "0451", session) == MASKED


async def test_an_answer_in_a_bulk_is_masked_after_many_conversations(memory: Memory) -> None:
    await memory.observe("assistant", QUESTION, session="s")
    await memory.observe_many(Message("user", "Is it?", f"s{number}") for number in range(1_999))
    others = [Message("user", "Is it?", f"t{number}") for number in range(400)]
    ids = await memory.observe_many([*others, Message("user", "0451", "s")])
    assert (await memory.explain(ids[-1])).memory.content == MASKED


async def test_an_erased_question_masks_no_answer(memory: Memory) -> None:
    await memory.observe("assistant", QUESTION, session="s")
    await memory.erase(session="s")
    assert await answered(memory, "0451", "s") == "0451"


async def test_unawaited_turns_keep_their_order(memory: Memory) -> None:
    """Although the first one looks up the end of the conversation."""
    said = [str(number) for number in range(50)]
    await asyncio.gather(*(memory.observe("user", text, session="s") for text in said))
    hits = await memory.search("", limit=50)
    assert [hit.content for hit in reversed(hits)] == said


@pytest.mark.parametrize(
    ("announced", "told", "masked"),
    [
        ("Here comes my password:", "kitten99", "[secret: password]"),
        ("Here comes my password:", "sunflower", "[secret: password]"),
        ("I will tell you my password now:", "qwerty-4821", "[secret: password]"),
        ("my PIN for the bank card:", "4821", "[secret: PIN]"),
        ("ok, so my password is", "Zebra-Kite", "[secret: password]"),
        ("I send you the gate code now.", "4821#", "[secret: code]"),
        ("вот мой пароль", "barsik2011", "[secret: password]"),
        ("Save my API key 👇", "a1b2c3d4e5f6", "[secret: API key]"),
        ("Here comes my password:", "oh wait, wrong chat", "oh wait, wrong chat"),
        ("My password is too weak.", "I have 3 cats", "I have 3 cats"),
        ("I forgot my password again", "moose22 is where we are", "moose22 is where we are"),
        ("here comes my friend:", "Tom99", "Tom99"),
    ],
)
async def test_a_secret_is_recognised_by_its_speakers_announcement(
    memory: Memory, announced: str, told: str, masked: str
) -> None:
    """Others may speak between: the announcement concerns the same speaker's next message, once."""
    await memory.observe("user", announced, session="s")
    assert await answered(memory, told, "s") == masked
    assert await answered(memory, told, "s") == told
    await memory.observe("user", announced, session="s")
    await memory.observe("assistant", "Fine, please tell me.", session="s")
    assert await answered(memory, told, "s") == masked
