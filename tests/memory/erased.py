"""What the tests of erasing share."""

import subprocess
from pathlib import Path

from sandbox.extensions.memory.reports import ErasureReport


def counted(report: ErasureReport) -> tuple[int, int, int]:
    """Turns, memories, and what holds again."""
    return report.turns, report.learnt, report.restored


def bytes_of(folder: Path) -> bytes:
    """Everything that stands in the files, in small letters; read by another process, since this one would let go of
    SQLite's locks.
    """
    files = map(str, sorted(each for each in folder.iterdir() if each.is_file()))
    return subprocess.run(["cat", *files], check=True, capture_output=True).stdout.lower()
