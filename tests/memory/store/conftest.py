"""What the tests of the store share: a disk under control, and folders that others may enter."""

import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON
from tests.memory.store.disk import Disk, compile_library
from tests.memory.store.processes import Journal


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """What other processes report to the test."""
    return Journal(tmp_path / "journal")


@pytest.fixture
def hashing() -> HashEmbedder:
    """An embedder without a model."""
    return HashEmbedder()


@pytest.fixture
async def hashed(folder: Path, hashing: HashEmbedder) -> AsyncIterator[Memory]:
    """An empty memory with the embedder ``hashing``."""
    async with Memory.open(folder, embedder=hashing) as opened:
        yield opened


@pytest.fixture
async def store(folder: Path) -> AsyncIterator[Store]:
    """The store in the folder, opened without a memory."""
    opened = await Store.open(folder / DATABASE, lambda: to_ms(NOON))
    yield opened
    await opened.close()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of this machine can enter, unlike pytest's folders."""
    path = Path(tempfile.mkdtemp(prefix="memory-test-"))
    path.chmod(0o777)
    yield path
    for each in [path, *path.rglob("*")]:
        each.chmod(0o777)
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def disk_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled library of disk.c."""
    if not sys.platform.startswith("linux"):
        pytest.skip("LD_PRELOAD and /proc are needed: Linux only")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    return compile_library(compiler, tmp_path_factory.mktemp("disk"))


@pytest.fixture
def disk(disk_library: Path, tmp_path: Path) -> Disk:
    """A disk under control: everything below ``disk.folder`` is on it."""
    home = tmp_path / "disk"
    home.mkdir()
    return Disk(disk_library, home, tmp_path / "disk.log", tmp_path / "disk.full")
