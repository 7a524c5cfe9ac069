"""Long texts take a time in proportion to their length, and others are served meanwhile."""

import asyncio
import time

import pytest

from sandbox.extensions.memory import Memory

CHINESE = "".join(chr(0x4E00 + index * 7919 % 20000) for index in range(40_000))
SECONDS = 5  # of processor time, of which a twentieth is needed


@pytest.mark.parametrize("text", [CHINESE, "a" * 100_000, "не" * 50_000, "a.b-" * 25_000])
async def test_a_long_text_is_stored_quickly(memory: Memory, text: str) -> None:
    before = time.process_time()
    known = await memory.remember(text)
    await memory.correct(known, f"{text}!")
    await memory.observe("user", text)
    await memory.context(text)
    await memory.search(text)
    assert time.process_time() - before < SECONDS


async def test_both_ends_of_a_long_prompt_are_read(memory: Memory) -> None:
    cat, dog = await memory.remember("The cat is called Molly."), await memory.remember("The dog is called Rex.")
    pasted = "Lorem ipsum dolor sit amet. " * 2_000
    found = await memory.search(f"What is the cat called? {pasted} And what is the dog called?", limit=5)
    assert {cat, dog} <= {each.id for each in found}


async def test_no_turn_overtakes_a_long_one(memory: Memory) -> None:
    said = [memory.observe("user", text, session="s") for text in (f"{CHINESE}?", "First.", "Second.")]
    await asyncio.gather(*said)
    latest = await memory.search("")
    assert [each.content[:7] for each in latest] == ["Second.", "First.", CHINESE[:7]]


async def test_other_tasks_run_while_a_long_text_is_analysed(memory: Memory) -> None:
    keeping = asyncio.create_task(memory.remember(" ".join(f"word{index}" for index in range(50_000))))
    served = 0
    while not keeping.done():
        await asyncio.sleep(0.005)
        served += 1
    assert served > 5
