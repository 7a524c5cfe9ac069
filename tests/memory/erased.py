"""What the tests of erasing share."""

import subprocess
from pathlib import Path

from sandbox.extensions.memory.reports import ErasureReport


def counted(report: ErasureReport) -> tuple[int, int, int]:
    """The numbers of turns, of memories, and of those that are valid again."""
    return report.turns, report.learnt, report.restored


def bytes_of(folder: Path) -> bytes:
    """All bytes of the files, in small letters. Another process reads them, because this one would give up SQLite's
    locks.
    """
    files = map(str, sorted(each for each in folder.iterdir() if each.is_file()))
    return subprocess.run(["cat", *files], check=True, capture_output=True).stdout.lower()
