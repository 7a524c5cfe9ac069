"""Learning and the night are killed at random moments; in the end the graph equals that of an undisturbed run."""

from pathlib import Path

from benchmarks import crashes
from sandbox.extensions.memory import Memory

KILLS = 4  # `python -m benchmarks --only crashes` does two hundred


async def test_a_killed_reader_leaves_no_trace(tmp_path: Path) -> None:
    prepared, work = tmp_path / "prepared", tmp_path / "work"
    prepared.mkdir(mode=0o700)
    work.mkdir(mode=0o700)
    await crashes.prepare(prepared)
    ends = list(crashes.killed(prepared, work, KILLS, seed=5))
    assert ends[-1][0] == KILLS
    assert [differing for _, differing in ends] == [{}] * len(ends)
    async with Memory.open(work / "undisturbed") as memory:
        assert (await memory.statistics()).nodes.keys() >= {"episodic", "semantic"}
        assert [check for check in await memory.check() if not check.ok] == []
