"""A secret that is told in answer to a question is known by the question, however long ago and by whom it was asked."""

import asyncio
from pathlib import Path

from sandbox.extensions.memory import Memory, Message

QUESTION = "What is the gate code?"
MASKED = "[secret: code]"
CROWD = 3_000  # conversations: more than a memory keeps the ends of


async def answered(memory: Memory, text: str, session: str) -> str:
    """What is stored of an answer."""
    id = await memory.observe("user", text, session=session)
    return (await memory.explain(id)).memory.content


async def test_a_memory_that_was_closed_meanwhile_knows_what_was_asked(tmp_path: Path) -> None:
    async with Memory.open(tmp_path, embedder=None) as memory:
        await memory.observe("assistant", QUESTION, session="s")
    async with Memory.open(tmp_path, embedder=None) as memory:
        assert await answered(memory, "0451", "another") == "0451"
        assert await answered(memory, "0451", "s") == MASKED
        assert await answered(memory, "0451", "s") == "0451"
        await memory.observe("assistant", QUESTION, session="s")
    async with Memory.open(tmp_path, embedder=None) as memory:
        said = [Message("user", "One moment.", "t"), Message("user", "0451", "s"), Message("user", "0451", "t")]
        ids = await memory.observe_many(said)
        assert [(await memory.explain(id)).memory.content for id in ids[1:]] == [MASKED, "0451"]


async def test_what_is_dropped_of_many_conversations_is_looked_up_when_one_goes_on(tmp_path: Path) -> None:
    """What another process asked meanwhile too, of which one that keeps all it ever heard would not know."""
    async with Memory.open(tmp_path, embedder=None) as memory, Memory.open(tmp_path, embedder=None) as other:
        await memory.observe("assistant", QUESTION, session="asked here")
        await memory.observe("assistant", "Welcome.", session="asked there")
        await other.observe("assistant", QUESTION, session="asked there")
        await memory.observe_many(Message("user", "Is it?", f"s{number}") for number in range(CROWD))
        for session in ("asked here", "asked there"):
            assert await answered(memory, "0451", session) == MASKED


async def test_what_a_bulk_answers_is_not_dropped_by_what_stands_before_it(tmp_path: Path) -> None:
    async with Memory.open(tmp_path, embedder=None) as memory:
        await memory.observe("assistant", QUESTION, session="s")
        await memory.observe_many(Message("user", "Is it?", f"s{number}") for number in range(1_999))
        others = [Message("user", "Is it?", f"t{number}") for number in range(400)]
        ids = await memory.observe_many([*others, Message("user", "0451", "s")])
        assert (await memory.explain(ids[-1])).memory.content == MASKED


async def test_nothing_of_what_was_erased_is_kept_to_answer(tmp_path: Path) -> None:
    async with Memory.open(tmp_path, embedder=None) as memory:
        await memory.observe("assistant", QUESTION, session="s")
        await memory.erase_session("s")
        assert await answered(memory, "0451", "s") == "0451"


async def test_turns_that_nobody_waits_for_keep_their_order(tmp_path: Path) -> None:
    """Though the first of them looks up where the conversation stopped."""
    async with Memory.open(tmp_path, embedder=None) as memory:
        said = [str(number) for number in range(50)]
        await asyncio.gather(*(memory.observe("user", text, session="s") for text in said))
        hits = await memory.search("", limit=50)
        assert [hit.content for hit in reversed(hits)] == said
