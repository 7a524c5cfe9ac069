"""A memory for programs without `async`: it works beside any event loop, and refuses what would wait for ever."""

import asyncio
from pathlib import Path

import pytest

from assistant_memory import Blocking, Memory, blocking
from assistant_memory.errors import OpenedElsewhere, StoreClosed


async def test_it_works_where_an_event_loop_runs(folder: Path) -> None:
    """As in a cell of a notebook."""
    with blocking(folder) as opened:
        opened.run(opened.memory.observe("user", "I keep bees."))
        assert len(opened.run(opened.memory.search("bees"))) == 1


def test_a_closed_memory_is_refused(folder: Path) -> None:
    with blocking(folder, embedder=None) as opened:
        pass
    with pytest.raises(StoreClosed):
        opened.run(opened.memory.search("bees"))
    with pytest.raises(StoreClosed):
        asyncio.run(opened.wait(opened.memory.search("bees")))


def test_a_loop_that_stands_still_is_refused(folder: Path) -> None:
    opening = Memory.open(folder, embedder=None)
    with asyncio.Runner() as runner:
        memory = runner.run(opening.__aenter__())
        opened = Blocking(memory)
        with pytest.raises(OpenedElsewhere):
            opened.run(memory.search("bees"))
        with pytest.raises(OpenedElsewhere):
            asyncio.run(opened.wait(memory.search("bees")))
        assert runner.run(opened.wait(memory.search("bees"))) == []
        runner.run(opening.__aexit__(None, None, None))


def test_it_takes_what_the_opening_of_a_memory_takes(folder: Path) -> None:
    with blocking(folder, embedder=None, read_only=False) as opened:
        assert not opened.memory.read_only
    with pytest.raises(TypeError, match="reed_only"), blocking(folder, reed_only=True):  # type: ignore[call-arg]
        pass
