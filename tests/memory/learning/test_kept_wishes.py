"""A wish that an assistant stored on purpose, and what rules learn from the same turn."""

import pytest

from sandbox.extensions.memory import Memory

SAID = "Always answer in metric units, please."


@pytest.mark.parametrize("kept", [True, False])
async def test_a_stored_wish_is_not_learnt_again(memory: Memory, *, kept: bool) -> None:
    turn = await memory.observe("user", SAID, session="units")
    told = "Nell wants metric units and the 24-hour clock in every answer."
    if kept:
        await memory.remember(told, category="instruction", rests_on=[turn])
    await memory.consolidate("units")
    known = await memory.search("", types=["semantic", "opinion"], reinforce=False)
    assert len(known) == 1
    assert (known[0].content == told) is kept
