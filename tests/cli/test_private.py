"""Only the owner can read a home: every folder and file of it, whoever creates it and whatever the umask."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sandbox.kernel import Kernel
from sandbox.testing import ScriptedModel, call
from tests.cli.conftest import Cli, Pipe, wide
from tests.kernel.turn_programs import said
from tests.terminals import Terminal

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home that does not exist yet, under an umask that forbids nothing."""
    before = os.umask(0)
    yield tmp_path / "folder" / "home"
    os.umask(before)


def test_a_killed_chat_leaves_no_readable_file(home: Path) -> None:
    terminal = Terminal("-m", "sandbox.cli", "chat", MEMORY_HOME=str(home))
    terminal.ask("My bees are well.\r", "Remembered.")
    terminal.prompted()
    terminal.kill()
    names = {path.name for path in home.rglob("*")}
    assert {"kernel.db", "kernel.db-wal", "memory.db", "memory.db-wal", "memory.db-shm", "chat_history"} <= names
    assert [name for name in names if name.endswith(".lock")]
    assert wide(home) == []


async def test_a_memory_and_an_assistant_leave_no_readable_file(home: Path) -> None:
    with ScriptedModel(call("search_memory", query="bees"), "They are well.") as model:
        models = {"default": {"model": "scripted", "base_url": model.base_url}}
        async with Kernel.open(home, models=models) as kernel:
            await kernel.work()
            assert await said(kernel.conversation("test"), "How are my bees?") == ["They are well.", None]
            await kernel.settled()
            assert (home / "conversations.db").exists()
            assert wide(home) == []
    assert wide(home) == []


@pytest.mark.parametrize("arguments", [["remember", "Ann keeps bees."], ["stats"], ["doctor"]])
def test_a_command_leaves_no_readable_file(home: Path, arguments: list[str]) -> None:
    assert Cli(home)(*arguments).code == 0
    assert wide(home) == []


def test_readable_files_become_private_and_the_folder_is_reported(home: Path, piped: Pipe) -> None:
    """The owner decides about the folder; the memory decides about its files."""
    home.mkdir(parents=True)
    home.parent.chmod(0o700)
    piped(home, "My bees are well.\n")
    for path in [home, *home.iterdir()]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    doctor = Cli(home)("doctor", "--json")
    assert doctor.code == 1
    assert f'"chmod 700 {home}"' in doctor.out
    assert {each.partition(" ")[0] for each in wide(home)} == {"home", "home/kernels"}
    (home / "kernels").chmod(0o700)
    home.chmod(0o700)
    assert Cli(home)("doctor").code == 0


def test_a_file_of_another_program_keeps_its_mode(home: Path) -> None:
    home.mkdir(parents=True)
    for name in ("kernel.db", "memory.db"):
        with closing(sqlite3.connect(home / name)) as connection:
            connection.execute("CREATE TABLE a (b)")
        before = (home / name).stat().st_mode
        assert Cli(home)("doctor").code == 1
        assert (home / name).stat().st_mode == before
        (home / name).unlink()
