"""A clock that is set back: what was recorded is known, and what is told later wins."""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.testing import FakeClock
from tests.memory.hits import contents, present

WHERE = "Where does the user live?"


async def tell(memory: Memory, way: str, said: str) -> None:
    """Tell where the user lives, on purpose or in a conversation."""
    if way == "remember":
        await memory.remember(said)
    else:
        await memory.observe("user", said, session=said)
        await memory.consolidate(said)


@pytest.mark.parametrize("hours", [1, 20])
async def test_what_was_told_before_is_known(memory: Memory, clock: FakeClock, hours: int) -> None:
    await memory.remember("The user lives in Oslo.")
    clock.advance(minutes=1)
    await memory.remember("The user lives in Rome.")
    clock.advance(hours=-hours)
    assert contents(await memory.search(WHERE, now=clock())) == ["The user lives in Rome."]
    assert "Rome" in present(await memory.context(WHERE, now=clock())).text


@pytest.mark.parametrize("hours", [1, 20])
@pytest.mark.parametrize("way", ["remember", "observe"])
async def test_what_is_told_later_wins(folder: Path, clock: FakeClock, way: str, hours: int) -> None:
    """In the same process and in the next one."""
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        await tell(memory, way, "I live in Oslo.")
        clock.advance(hours=-hours)
        await tell(memory, way, "I live in Rome.")
        assert all("Rome" in each for each in contents(await memory.search(WHERE, types=["semantic"])))
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        clock.advance(minutes=-10)
        await tell(memory, way, "I live in Lima.")
        for days in (0, 1):
            clock.advance(days=days)
            (found,) = contents(await memory.search(WHERE, types=["semantic"]))
            assert "Lima" in found


@pytest.mark.parametrize("way", ["correct", "confirm", "pin", "matter", "forget", "remember", "hear"])
async def test_what_is_changed_after_that_stays(memory: Memory, clock: FakeClock, way: str) -> None:
    id = await memory.remember("The user works at Acme.")
    clock.advance(days=-9)
    match way:
        case "correct":
            await memory.correct(id, "The user works at Acme Corp.")
        case "confirm":
            await memory.confirm(id, by_person=True)
        case "pin":
            await memory.pin(id)
        case "matter":
            await memory.set_importance(id, 5)
        case "forget":
            await memory.forget(id)
            await memory.restore(id)
        case "remember":
            await memory.remember("The user works at Acme.", importance=5)
        case _:
            await tell(memory, "observe", "I work at Acme.")
    assert any(
        "Acme" in each for each in contents(await memory.search("Where does the user work?", types=["semantic"]))
    )


async def test_a_second_back_changes_no_order_and_hides_no_correction(memory: Memory, clock: FakeClock) -> None:
    said = ("Where do herons nest?", "Behind the hill.", "Thanks!")
    for each in said:
        await memory.observe("user", each, session="s")
        clock.advance(seconds=-1)
    assert [each.turn.content for each in (await memory.turns("s")).turns] == [*said]
    id = await memory.remember("Ann likes tea.")
    clock.advance(seconds=-1)
    await memory.correct(id, "Ann likes coffee.")
    assert contents(await memory.search("Ann", types=["semantic"])) == ["Ann likes coffee."]
