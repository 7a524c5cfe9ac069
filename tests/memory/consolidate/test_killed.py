"""Learning and the night are killed at random moments; in the end the graph equals that of an undisturbed run."""

import asyncio
from pathlib import Path

from benchmarks import crashes
from benchmarks.bench import Options, opened
from benchmarks.data import DataFolder
from sandbox.extensions.memory import Memory

KILLS = 4  # `python -m benchmarks --only crashes` does two hundred


def test_a_killed_reader_leaves_no_trace(tmp_path: Path) -> None:
    with opened(DataFolder(tmp_path), Options(kills=KILLS, seed=5), None) as bench:
        [differing] = crashes.measure(bench)
        assert differing.note.startswith(f"{KILLS} kills")
        assert differing.value == 0
        (undisturbed,) = bench.work.glob("*/undisturbed")
        asyncio.run(_is_whole(undisturbed))


async def _is_whole(folder: Path) -> None:
    async with Memory.open(folder) as memory:
        assert (await memory.statistics()).nodes.keys() >= {"episodic", "semantic"}
        assert [check for check in await memory.check() if not check.ok] == []
