"""The same fact with another article or ending is not learnt twice."""

from collections.abc import Sequence

import pytest

from sandbox.extensions.memory import Memory


@pytest.mark.parametrize(
    ("said", "known"),
    [
        (["I volunteer at the homeless shelter.", "I volunteer at a homeless shelter."], 1),
        (["I love dancing.", "I love dance."], 1),
        (["I love dancing.", "I love painting."], 2),
        (["I love dancing.", "I hate dancing."], 1),
        (["My sister is called Ann.", "My sister is called Anna."], 2),
    ],
)
async def test_a_repeated_statement_is_learnt_once(memory: Memory, said: Sequence[str], known: int) -> None:
    for number, turn in enumerate(said):
        await memory.observe("user", turn, session=str(number))
        await memory.consolidate(str(number))
    assert len(await memory.search("", types=["semantic", "opinion"], reinforce=False)) == known
