"""Legs and adjustments are listed once; each can be switched off, and then does nothing."""

from pathlib import Path

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.adjustments import ADJUSTMENTS
from sandbox.extensions.memory.retrieve.legs import LEGS
from sandbox.testing import NOON

NAMES = [*(leg.name for leg in LEGS), *(each.name for each in ADJUSTMENTS)]


def test_every_part_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES) > 8


async def test_a_disabled_leg_finds_nothing(tmp_path: Path) -> None:
    async with Memory.open(tmp_path) as memory:
        await memory.remember("Ann plays the violin.")
        await memory.wait_until_embedded()
        (hit,) = await memory.search("What does Ann play?")
        assert hit.legs.keys() >= {"fts", "vector", "entity"}
    for name in hit.legs:
        async with Memory.open(tmp_path, config=Config.load(without=[name])) as memory:
            (left,) = await memory.search("What does Ann play?")
            assert left.legs.keys() == hit.legs.keys() - {name}
            assert (await memory.context("What does Ann play?")) is not None


async def test_a_disabled_adjustment_changes_nothing(tmp_path: Path) -> None:
    names_it, plain = "In May 2021 the violin was mended.", "The violin was mended, the violin!"
    async with Memory.open(tmp_path) as memory:
        for place, said in enumerate((names_it, plain)):
            await memory.observe("user", said, session=f"s{place}", at=NOON)
        await memory.wait_until_embedded()
        lifted = {hit.content: hit.score for hit in await memory.search("When was the violin mended?", now=NOON)}
    async with Memory.open(tmp_path, config=Config.load(without=["what names a time"])) as memory:
        bare = {hit.content: hit.score for hit in await memory.search("When was the violin mended?", now=NOON)}
    assert lifted[names_it] > bare[names_it]
    assert lifted[plain] == bare[plain]


async def test_what_two_legs_find_ranks_first(tmp_path: Path) -> None:
    async with Memory.open(tmp_path) as memory:
        for place in range(30):
            await memory.observe("user", f"Something else, number {place}.", session=f"s{place}")
        await memory.observe("user", "My violin is in the cellar.", session="s")
        await memory.wait_until_embedded()
        (first, *_) = await memory.search("Where is my violin?")
    assert first.content == "My violin is in the cellar."
    assert first.legs == {"fts": 1, "vector": 1}
