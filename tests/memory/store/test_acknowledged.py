"""Acknowledged writes were synced to the disk before."""

from itertools import pairwise

import pytest

from tests.memory.store import programs
from tests.memory.store.disk import Disk

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
