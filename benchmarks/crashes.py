"""Learning, killed at random moments: in the end the graph is what it is when nobody disturbs.

Started as a program, this learns from the store in a folder and does a night.
"""

import asyncio
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.canonical import canonical, differences
from benchmarks.floors import floor
from benchmarks.report import Figure
from sandbox.extensions.memory import Memory

_ROOT = Path(__file__).parents[1]
_LATER = datetime(2026, 4, 1, 3, tzinfo=UTC)  # of the bundled history: the night after it


def measure(bench: Bench) -> list[Figure]:
    """So many kills, on as many copies of one store as it takes."""
    prepared = bench.fresh()
    asyncio.run(prepare(prepared))
    ends = list(killed(prepared, bench.fresh(), bench.options.kills, bench.options.seed))
    wrong = sum(bool(differing) for _, differing in ends)
    note = f"{ends[-1][0]} kills, {len(ends)} times to the end"
    return [Figure("ends that differ", wrong, floor=floor("ends that differ"), note=note)]


async def prepare(folder: Path) -> None:
    """A store with two weeks of conversations that nothing was learnt from yet."""
    with (files("sandbox.cli") / "demo_data" / "history.jsonl").open("rb") as history:
        (folder / "history.jsonl").write_bytes(history.read())
    async with Memory.open(folder, clock=lambda: _LATER) as memory:
        await memory.import_file(folder / "history.jsonl")
        await memory.wait_until_embedded()


def killed(prepared: Path, work: Path, kills: int, seed: int) -> Iterator[tuple[int, dict[str, object]]]:
    """(kills so far, how the graph differs from the undisturbed one) for each copy that came to its end."""
    undisturbed = work / "undisturbed"
    shutil.copytree(prepared, undisturbed)
    started = time.perf_counter()
    _run(undisturbed).wait()
    seconds, wanted = time.perf_counter() - started, canonical(undisturbed)
    draw, done, copies = random.Random(seed), 0, 0
    while done < kills:
        folder, copies = work / f"copy-{copies}", copies + 1
        shutil.copytree(prepared, folder)
        while done < kills and not _finishes(_run(folder), draw.uniform(0, seconds)):
            done += 1
        if _run(folder).wait():
            raise RuntimeError("learning failed in its process")
        yield done, dict(differences(wanted, canonical(folder)))
        shutil.rmtree(folder)


def _finishes(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Whether it comes to its end before it is killed."""
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False


def _run(folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "benchmarks.crashes", str(folder)], cwd=_ROOT)


async def _learn(folder: Path) -> None:
    async with Memory.open(folder, clock=lambda: _LATER) as memory:
        await memory.consolidate()
        await memory.wait_until_embedded()
        await memory.maintain()
        await memory.wait_until_embedded()


if __name__ == "__main__":
    asyncio.run(_learn(Path(sys.argv[1])))
