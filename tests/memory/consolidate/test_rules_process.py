"""A process of its own reads by rules; whatever text it gets, and whenever it is killed, its caller continues."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import crashes
from benchmarks.bench import Options, opened
from benchmarks.data import DataFolder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.consolidate import rules_process
from sandbox.extensions.memory.consolidate.extraction import Extraction, Turn
from tests.memory.children import children, counted

NOON = datetime(2026, 1, 3, 12, tzinfo=UTC)
TURNS = [Turn("t1", "user", "I live in Berlin and my sister lives in Oslo.", NOON, "Ann")]
OTHERS = [Turn("t2", "user", "I work at Acme.", NOON, "Zoe")]


async def _read(turns: list[Turn] = TURNS, seconds: float = 300) -> Extraction:
    _, [found] = await rules_process.read_session(turns, [], len(turns), seconds=seconds)
    return found


def _sources(found: Extraction) -> set[str]:
    return {source for each in found.proposals for source in each.sources}


def _reads(process: int) -> bool:
    """Whether a child of this process reads by rules; the tests start other children."""
    return b"sandbox.extensions.memory.consolidate.child" in Path(f"/proc/{process}/cmdline").read_bytes()


@counted
async def test_one_process_reads_for_everybody() -> None:
    """One after the other; simultaneous callers get their own answers."""
    await _read()
    before = children()
    for _ in range(5):
        assert len((await _read()).proposals) == 2
    assert children() == before
    found = await asyncio.gather(*(_read(turns) for turns in [TURNS, OTHERS] * 3))
    assert [_sources(each) for each in found] == [{"t1"}, {"t2"}] * 3


def test_the_process_outlives_an_event_loop() -> None:
    for _ in range(2):
        assert _sources(asyncio.run(_read())) == {"t1"}


@counted
async def test_a_killed_or_slow_process_is_replaced() -> None:
    await _read()
    for child in filter(_reads, children()):
        os.kill(child, signal.SIGKILL)
    assert _sources(await _read()) == {"t1"}
    with pytest.raises(TimeoutError):
        await _read(TURNS * 2_000, seconds=0.05)
    assert _sources(await _read()) == {"t1"}


async def test_a_cancelled_call_leaves_no_answer_for_the_next() -> None:
    """The call is cancelled at any moment; the next caller gets the answer about their own turns."""
    for pause in (0.0, 0.001, 0.003, 0.01, 0.03):
        asking = asyncio.create_task(_read(OTHERS * 50))
        await asyncio.sleep(pause)
        asking.cancel()
        await asyncio.wait([asking])
        assert _sources(await _read()) == {"t1"}


def test_the_process_ends_with_its_parent() -> None:
    program = """
        import asyncio, os, sys
        from sandbox.extensions.memory.consolidate import rules_process
        from tests.memory.children import children
        asyncio.run(rules_process.read_session([], [], 30))
        print(*children())
    """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True, timeout=60
    )
    for child in map(int, ran.stdout.split()):
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
    assert ran.stderr == ""


KILLS = 2  # `python -m benchmarks --only crashes` does two hundred


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
