"""A killed process loses nothing that it acknowledged."""

import asyncio
import random
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.memory import DATABASE
from tests.memory.store import programs, raw
from tests.memory.store.disk import Disk
from tests.memory.store.processes import Journal, kill, running, wait_until

KILLS = 30
LATEST = 0.015  # seconds after an acknowledgement: some four commits


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "new"


def wait_for_values(journal: Journal, count: int) -> None:
    wait_until(lambda: journal.count() >= count)


async def test_a_killed_memory_keeps_every_acknowledged_turn_once(folder: Path, journal: Journal) -> None:
    """A process observes four turns at a time and is killed; the next one opens the same folder; thirty times. After
    each kill every acknowledged turn is there once under its id, and the file is sound. At the end words find all
    turns, and the backlog is embedded.
    """
    moments = random.Random(20260302)
    for run in range(KILLS):
        enough = journal.count() + moments.randrange(1, 12)
        with running(programs.observe_for_ever, folder, journal.path, run) as process:
            wait_for_values(journal, enough)
            await asyncio.sleep(moments.uniform(0, LATEST))
            kill(process)
        async with Memory.open(folder, embedder=None) as memory:
            assert all(check.ok for check in await memory.check())
        acknowledged = dict(journal.values())
        stored = raw.query(folder, "SELECT key, public_id FROM nodes")
        assert len(stored) == len(dict(stored))
        assert acknowledged.items() <= dict(stored).items()

    for who in range(4):
        raw.temporal_chain(folder, f"s{who}")
    async with Memory.open(folder, embedder=HashEmbedder()) as memory:
        await memory.wait_until_embedded()
        held = await memory.statistics()
        assert held.embedding_backlog == 0
        assert held.vectors == sum(held.nodes.values()) >= len(acknowledged) >= KILLS
        for key in moments.sample(sorted(acknowledged), 25):
            [first, *_] = await memory.search(f"Which word is {key}?")
            assert first.id == acknowledged[key]
            assert {"fts", "vector"} <= first.legs.keys()


async def test_a_memory_killed_while_it_is_made_opens(disk: Disk, journal: Journal) -> None:
    """A new memory is opened, observes one turn and closes; it is killed before the first operation of the disk, before
    the second, and so on. Each folder then opens as a sound memory with all acknowledged turns, and keeps its
    write-ahead log.
    """
    disk.run(programs.crash_at_every_operation, disk.folder, journal.path)
    crashes = [int(path.name) for path in disk.folder.iterdir()]
    acknowledged = journal.values()
    assert len(crashes) > 15
    assert 1 < len(acknowledged) < len(crashes)
    for number in sorted(crashes):
        folder = disk.folder / str(number)
        left = raw.sizes(folder)
        async with Memory.open(folder, embedder=None) as memory:
            unsound = [check for check in await memory.check() if not check.ok]
            found = [hit.key for hit in await memory.search("Where did I move?")]
        assert not unsound, f"killed before operation {number}, which left {left}"
        assert found == ["first"] or (found == [] and number not in acknowledged), f"killed before operation {number}"
        assert raw.one(folder, "PRAGMA journal_mode") == "wal", f"killed before operation {number}, which left {left}"
        assert list(raw.sizes(folder)) == [DATABASE]
