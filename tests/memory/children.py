"""The processes that this process has started."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

counted = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="processes are counted in /proc, as Linux has it"
)
"""Marks tests that count them; what they test is not of Linux alone."""


def children() -> set[int]:
    """Their ids; a thread may end during the call."""
    found = set[int]()
    for task in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found.update(map(int, task.read_text().split()))
    return found
