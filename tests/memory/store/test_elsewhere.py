"""A memory works in the process and the event loop that opened it; others get an error, and no exit is delayed."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.memory.store import elsewhere_programs as programs, raw


def ran(program: Callable[[Path], None], folder: Path) -> list[str]:
    """The output of a program, which must end by itself and soon."""
    command = [sys.executable, "-m", programs.__name__, program.__name__, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("program", [programs.leave_open, programs.leave_blocking_open])
def test_an_unclosed_memory_lets_the_process_end(folder: Path, program: Callable[[Path], None]) -> None:
    """Its acknowledged writes are there."""
    assert ran(program, folder) == ["left"]
    assert raw.query(folder, "SELECT key FROM nodes WHERE type = 'episodic'") == [("bees",)]


@pytest.mark.skipif((3, 12) <= sys.version_info < (3, 12, 3), reason="asyncio ends with a thread, which Python refuses")
@pytest.mark.parametrize("program", [programs.use_at_exit, programs.use_after_the_main_thread])
def test_a_memory_works_until_the_process_has_ended(folder: Path, program: Callable[[Path], None]) -> None:
    assert ran(program, folder) == ["written", "closed"]
    assert raw.query(folder, "SELECT key FROM nodes WHERE type = 'episodic'") == [("bees",)]


def test_another_loop_is_refused_at_once(folder: Path) -> None:
    assert set(ran(programs.use_in_another_loop, folder)) == {"OpenedElsewhere event loop"}


@pytest.mark.parametrize("program", [programs.use_in_a_fork, programs.use_blocking_in_a_fork])
def test_a_forked_child_is_refused_at_once(folder: Path, program: Callable[[Path], None]) -> None:
    """With asyncio and without. It can end, and its parent continues."""
    assert ran(program, folder) == ["OpenedElsewhere process", "0"]
    assert raw.one(folder, "SELECT count(*) FROM nodes") == 2
