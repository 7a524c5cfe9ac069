"""A procedure that a model learnt is shown for a prompt that asks how to do it."""

from pathlib import Path

import pytest

from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import item, reader

FEEDING = "To feed the rye starter: 1. Take 100 g starter, 100 g rye flour and 100 g water. 2. Keep it at 28 degrees."


@pytest.mark.parametrize(("asked", "is_shown"), [("How is the rye starter fed?", True), ("Who fed my starter?", False)])
async def test_a_learnt_procedure_is_in_the_block_of_a_how(
    tmp_path: Path, clock: FakeClock, asked: str, is_shown: bool
) -> None:
    async with reader(tmp_path, clock, [item(FEEDING, type="procedural")]) as reading:
        await reading.read("I feed my rye starter 100 g starter, 100 g rye flour and 100 g water at 28 degrees.")
        clock.advance(days=3)
        block = await reading.memory.context(asked)
        assert block is not None
        assert (FEEDING in block.text) is is_shown
