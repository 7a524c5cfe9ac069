"""A reason is joined with what it explains, also within one turn."""

from pathlib import Path

import pytest

from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import item, reader

SAID = "The flour comes on Wednesday, because Bartek works at the mill on Tuesdays."
EFFECT = "The flour comes on Wednesday."
REASON = "Bartek works at the mill on Tuesdays."


async def test_a_why_question_finds_the_reason(tmp_path: Path, clock: FakeClock) -> None:
    async with reader(tmp_path, clock, [item(EFFECT, because=2), item(REASON)]) as reading:
        await reading.read(SAID)
        found = await reading.memory.search("Why does the flour come on Wednesday?", types=["semantic"])
        [hit] = [each for each in found if each.content == REASON]
        effect = next(each for each in found if each.content == EFFECT)
        assert [(edge.relation, edge.seed) for edge in hit.edges] == [("causal", effect.id)]


async def test_a_known_reason_is_linked_to_its_effect(tmp_path: Path, clock: FakeClock) -> None:
    async with reader(tmp_path, clock, [item(REASON)], [item(EFFECT, because=2), item(REASON)]) as reading:
        await reading.read(REASON)
        await reading.read(SAID)
        found = await reading.memory.search("Why does the flour come on Wednesday?", types=["semantic"])
        assert [edge.relation for each in found if each.content == REASON for edge in each.edges] == ["causal"]


@pytest.mark.parametrize("because", [None, 1, 9, 0, "soon", [3]])
async def test_an_invalid_reason_links_nothing(tmp_path: Path, clock: FakeClock, because: object) -> None:
    """The item itself, an item that does not exist, and one that is refused."""
    answer = [item(EFFECT, because=because), item(REASON), item("The mill burnt down in 1987.")]
    async with reader(tmp_path, clock, answer, answer[2:]) as reading:
        await reading.read(SAID)
        assert await reading.contents() == [REASON, EFFECT]
        found = await reading.memory.search("Why does the flour come on Wednesday?", types=["semantic"])
        assert [edge for each in found for edge in each.edges] == []
