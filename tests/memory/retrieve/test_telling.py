"""A question's rare words weigh more in meaning, and what both words and meaning find comes first."""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.text.words import content_words


def test_content_words_are_the_analysed_words() -> None:
    assert content_words("What is Ann's dog called?") == [("Ann's", ("ann",)), ("dog", ("dog",)), ("called", ("call",))]
    assert content_words("getUserName") == [("getUserName", ("getusernam", "get", "user", "name"))]
    assert content_words("кого зовут Анна?") == [("зовут", ("зовут",)), ("Анна", ("ан",))]
    assert content_words("is it?") == []


async def test_a_frequent_name_does_not_hide_the_answer(embedded: Memory) -> None:
    """Only the name is common to the question and the turns."""
    for place in range(40):
        await embedded.observe("user", f"Caroline said hello to number {place}.", session=f"s{place}")
    await embedded.observe("user", "A violin is the instrument.", session="other")
    await embedded.wait_until_embedded()
    hits = await embedded.search("Which music does Caroline play on a cello?", limit=50)
    assert [hit.content for hit in hits if hit.legs.get("vector") == 1] == ["A violin is the instrument."]


@pytest.mark.parametrize("fusion", ["scores", "ranks"])
async def test_both_fusions_rank_the_answer_first(tmp_path: Path, fusion: str) -> None:
    async with Memory.open(tmp_path, config={"fusion": fusion}) as memory:
        for place in range(30):
            await memory.observe("user", f"Something else, number {place}.", session=f"s{place}")
        await memory.observe("user", "My violin is in the cellar.", session="s")
        await memory.wait_until_embedded()
        (first, *_) = await memory.search("Where is my violin?")
    assert first.content == "My violin is in the cellar."
    assert first.legs == {"fts": 1, "vector": 1}
