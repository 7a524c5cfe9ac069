"""What the tests of the kernel share: a disk under control, folders that others may enter, notes of processes."""

from pathlib import Path

import pytest

from tests.memory.store.conftest import disk, disk_library, open_folder
from tests.memory.store.processes import Journal

__all__ = ["disk", "disk_library", "home", "notes", "open_folder"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder for a kernel."""
    return tmp_path / "home"


@pytest.fixture
def notes(tmp_path: Path) -> Journal:
    """What other processes report to the test."""
    return Journal(tmp_path / "notes")
