"""Programs on a disk that records each sync, can be full, and can kill them at any of its operations: disk.c."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_SOURCE = Path(__file__).with_name("disk.c")
_ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Disk:
    """Runs functions of ``programs.py``. It writes ``write NAME`` and ``sync NAME`` to ``log``, and is full while the
    file ``full`` exists.
    """

    library: Path
    folder: Path
    log: Path
    full: Path

    def run(self, program: Callable[..., None], *arguments: Path, seconds: float = 30) -> None:
        """Run ``program(*arguments)`` in a new process to its end; show its output if it fails."""
        ran = self.python(program.__module__, program.__name__, *map(str, arguments), seconds=seconds)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def python(self, module: str, *arguments: str, seconds: float = 30) -> subprocess.CompletedProcess[str]:
        """A module that has run as a program."""
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a process on this disk."""
        settings = {"DISK_FOLDER": self.folder, "DISK_LOG": self.log, "DISK_FULL": self.full, "PYTHONPATH": _ROOT}
        return os.environ | {"LD_PRELOAD": str(self.library)} | {name: str(each) for name, each in settings.items()}

    def lines(self) -> list[str]:
        """The recorded operations, in order."""
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


def compile_library(compiler: str, folder: Path) -> Path:
    """The library to preload."""
    library = folder / "disk.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(_SOURCE)], check=True)
    return library


def crash_after(operations: int) -> None:
    """In such a program: allow so many operations of the disk, then kill this process."""
    ctypes.CDLL(None).disk_crash_after(ctypes.c_long(operations))
