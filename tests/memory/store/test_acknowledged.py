"""Acknowledged writes were synced to the disk before; a killed process and a full disk lose none."""

import asyncio
import json
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import FakeEmbeddingServer, HashEmbedder, Reply
from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.memory import DATABASE
from sandbox.testing import Request
from tests.files import bytes_of
from tests.memory.store import programs, raw
from tests.memory.store.disk import Disk
from tests.memory.store.processes import Journal, finish, kill, running, wait_until

WAL = "memory.db-wal"


@pytest.fixture
def lines(disk: Disk) -> list[str]:
    """The operations of the disk and the output of the program, in order."""
    disk.run(programs.acknowledge_writes, disk.folder, disk.log)
    return disk.lines()


def test_every_write_is_synced_before_it_is_acknowledged_and_many_share_a_sync(lines: list[str]) -> None:
    """Twenty observes one after the other, a bulk, and each other way to write: between two acknowledgements the
    write-ahead log is written and then synced, with no write after that sync. Fifty writes at once need less than fifty
    syncs.
    """
    places = [place for place, line in enumerate(lines) if line.startswith("ack ")]
    alone = [place for place in places if lines[place] != "ack together"]
    assert [lines[place] for place in alone[-7:]] == [
        *("ack observe", "ack observe_many", "ack remember", "ack correct", "ack confirm", "ack forget", "ack restore")
    ]
    for before, after in pairwise(alone):
        operations = [line for line in lines[before + 1 : after] if line.endswith(WAL)]
        assert operations, f"nothing was written before {lines[after]!r}"
        assert operations[-1] == f"sync {WAL}", f"{lines[after]!r} before the last write was synced"

    together = lines[alone[-1] + 1 : places[-1]]
    assert together.count("ack together") == programs.TOGETHER - 1
    assert 1 <= together.count(f"sync {WAL}") <= programs.TOGETHER // 5
    assert f"sync {WAL}" in together[: together.index("ack together")], "acknowledged before any sync"


async def test_a_full_disk_refuses_writes_and_loses_nothing(disk: Disk, journal: Journal) -> None:
    """Three times: ten turns; the disk is full; five turns at once and a bulk are refused, and a search answers; there
    is space again; ten more turns. At the end the disk is full while the memory closes.
    """
    folder = disk.folder / "memory"
    disk.run(programs.fill_the_disk, folder, disk.full, journal.path)

    told = journal.values()
    refused = [line for line in told if line[0] == "refused"]
    assert len(refused) == 3 * 5 + 3
    assert {line[2] for line in refused} == {"DiskFull"}
    for line in refused:
        assert "is full; what was acknowledged is safe, this write was not stored" in line[3]
        assert str(folder / "memory.db") in line[3]
    assert [line[1][0] for line in told if line[0] == "found"] == ["before0x5", "before1x5", "before2x5"]

    acknowledged = sorted(line[1] for line in told if line[0] == "acknowledged")
    assert len(acknowledged) == 3 * 20
    async with Memory.open(folder, embedder=None) as memory:
        assert sorted(hit.key or "" for hit in await memory.search("", limit=1000)) == acknowledged
        assert all(check.ok for check in await memory.check())


async def test_what_is_erased_within_a_quota_is_gone_and_its_bytes_go_later(folder: Path, journal: Journal) -> None:
    """The memory opens meanwhile."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe_many([Message("user", f"I like tea number {number}.") for number in range(1_000)])
        await memory.observe("user", "My friend is Qorlavik.", session="gone")
    finish(programs.erase_within_a_quota, folder, journal.path)
    (name, problem), found = journal.values()
    assert (name, "the disk could not write it anew" in problem) == ("ErasureIncomplete", True)
    assert found == ["I like tea number 999."]
    async with Memory.open(folder, embedder=None):
        assert b"qorlavik" not in bytes_of(folder)


def test_opening_a_new_folder_on_a_full_disk_says_that_it_is_full(disk: Disk, journal: Journal) -> None:
    """Opening fails; with space the same folder opens and works."""
    disk.run(programs.open_on_a_full_disk, disk.folder / "memory", disk.full, journal.path)
    [refused, found] = journal.values()
    assert refused[0] == "DiskFull"
    assert found == []


@pytest.mark.parametrize("before", [programs.observe_then_crash, programs.observe_and_close])
def test_opening_a_memory_on_a_full_disk_says_that_it_is_full(
    disk: Disk, journal: Journal, before: Callable[[Path], None]
) -> None:
    """It must not say that the file is damaged: a person who then restores a backup would lose memories."""
    folder = disk.folder / "memory"
    finish(before, folder)
    disk.run(programs.open_on_a_full_disk, folder, disk.full, journal.path)
    [[name, message], found] = journal.values()
    assert name != "DatabaseDamaged", message
    assert "full" in message
    assert found == ["I moved to Berlin."]


def test_a_disk_that_is_full_when_vectors_come_is_told_and_the_memories_are_stored(disk: Disk) -> None:
    """Nobody is told that the provider failed, or that the memory was not stored."""
    log = disk.python(programs.__name__, "embed_on_a_full_disk", str(disk.folder / "memory"), str(disk.full))
    assert "vectors could not be stored (DiskFull); what they belong to is stored; trying again" in log.stderr
    assert "provider" not in log.stderr
    told = "The memories are stored, but not their vectors: "
    assert log.stdout.startswith(f"{told}The disk that holds {disk.folder / 'memory' / 'memory.db'} is full")
    assert log.stdout.endswith("1 vector\n")

    class Filling(FakeEmbeddingServer):
        def answer(self, request: Request, reply: Reply) -> bytes:
            disk.full.touch()
            return super().answer(request, reply)

    with Filling() as server:
        settings = {"provider": "openai", "model": "m", "dimensions": 64, "base_url": server.base_url}
        home = disk.folder / "home"
        home.mkdir()
        (home / "config.yaml").write_text(json.dumps({"embedding": settings}))
        done = disk.python("sandbox.cli", "--home", str(home), "remember", "I live in Porto.")
    assert done.stdout.startswith("Remembered as"), done.stderr
    assert done.stderr.startswith(f"Note: {told}The disk")


def test_the_command_reads_on_a_full_disk(disk: Disk) -> None:
    """SQLite has no room there for the memory that processes share."""
    folder = disk.folder / "memory"
    finish(programs.observe_and_close, folder)

    def ran(*arguments: str) -> str:
        done = disk.python("sandbox.cli", "--home", str(folder), *arguments)
        return done.stdout + done.stderr

    ran("remember", "I live in Porto.")
    disk.full.touch()
    assert "I moved to Berlin." in ran("search", "Berlin")
    assert "I moved to Berlin." in ran("context", "When did I move to Berlin?")
    assert "I live in Porto." in disk.python(programs.__name__, "answer_a_prompt", str(folder)).stdout
    assert "Check whether the disk is full" in ran("remember", "Ann lives in Rome.")
    doctor = " ".join(ran("doctor").split())
    assert "ok file sound" in doctor
    assert "WRONG writable no" in doctor
    assert "free some space" in doctor
    disk.full.unlink()
    assert ran("remember", "Ann lives in Rome.").startswith("Remembered as")


KILLS = 30
LATEST = 0.015  # seconds after an acknowledgement: some four commits


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "memory"


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
