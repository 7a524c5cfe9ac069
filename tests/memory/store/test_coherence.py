"""Indexes in memory never change an answer: it is that of the file, whoever wrote to it."""

from pathlib import Path
from random import Random

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory, Message, Scope

THINGS = ("violin", "piano", "garden", "bicycle", "harbour", "lighthouse")
QUESTIONS = ("Who has a violin in the garden?", "When was the bicycle at the harbour?")
SCOPES = (Scope(), Scope(user_id="another"), Scope(project_id="p", visibility="project"))

Answers = list[list[tuple[str, float]]]


async def answers(memory: Memory) -> Answers:
    """The results and scores in each scope, from a memory with an empty backlog."""
    await memory.wait_until_embedded()
    return [
        [(hit.content, round(hit.score, 5)) for hit in await memory.search(question, reinforce=False, scope=scope)]
        for question in QUESTIONS
        for scope in SCOPES
    ]


async def afresh(folder: Path) -> Answers:
    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        return await answers(memory)


async def write(memory: Memory, ids: list[str], random: Random) -> None:
    """Say, learn, forget or restore something."""
    words = " ".join(random.choices(THINGS, k=3))
    scope = random.choice(SCOPES)
    act = random.choice(("say", "say", "say together", "learn", "replace", "forget", "restore"))
    if act == "say":
        await memory.observe("user", f"The {words}.", session=random.choice("ab"), speaker="Ann", scope=scope)
    elif act == "say together":
        said = [Message("user", f"Is there a {words} {number}?", random.choice("ab")) for number in range(4)]
        await memory.observe_many(said, scope=scope)
    elif act == "learn":
        ids.append(await memory.remember(f"There is a {words}.", subject="Ann"))
    elif act == "replace":
        ids.append(await memory.remember(f"Ann's harbour is {random.choice(THINGS)}.", subject="Ann"))
    elif ids and act == "forget":
        await memory.forget(random.choice(ids))
    elif ids and act == "restore":
        await memory.restore(random.choice(ids))


@pytest.mark.parametrize("seed", range(2))
async def test_a_long_open_memory_answers_like_a_new_one(folder: Path, seed: int) -> None:
    """Two memories have the folder open; either one writes, and both answer as a third one that was just opened."""
    random, ids = Random(seed), list[str]()
    embedder = HashEmbedder()
    async with Memory.open(folder, embedder=embedder) as one, Memory.open(folder, embedder=embedder) as other:
        for _ in range(20):
            await write(random.choice((one, other)), ids, random)
            expected = await afresh(folder)
            assert await answers(one) == expected
            assert await answers(other) == expected


async def test_the_right_one_of_many_new_memories_is_found(folder: Path) -> None:
    """More than are compared one by one, and more than the index of words keeps."""
    async with Memory.open(folder, embedder=None) as reader, Memory.open(folder, embedder=None) as writer:
        await writer.observe_many(Message("user", f"A violin {number}.", "a") for number in range(40))
        assert len(await reader.search("violin", limit=100)) == 40
        await writer.observe_many(Message("user", f"A piano {number}.", f"s{number % 7}") for number in range(3_000))
        last = await writer.observe("user", "And a violin in a lighthouse.", session="a")
        [first, *_] = await reader.search("violin lighthouse", limit=100)
        assert first.id == last
        assert len(await reader.search("violin", limit=100, reinforce=False)) >= 41
