"""A memory that cannot be written can be read, and no file appears."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import DatabaseReadOnly, InvalidArgument, LessTrusted
from sandbox.extensions.memory.memory import DATABASE
from tests.memory.store import programs, raw
from tests.memory.store.processes import Journal, finish


@pytest.fixture
def folder(open_folder: Path) -> Path:
    """The folder for a memory, which others can enter."""
    return open_folder / "memory"


@pytest.fixture
def journal(open_folder: Path) -> Journal:
    """What other processes report to the test, whoever runs them."""
    return Journal(open_folder / "journal")


def protect(folder: Path, *, folder_mode: int, file_mode: int = 0o444) -> None:
    for path in folder.iterdir():
        path.chmod(file_mode)
    folder.chmod(folder_mode)


def told(journal: Journal) -> dict[str, tuple[str, str]]:
    return {what: (how, message) for what, how, message in journal.values()}


@pytest.mark.parametrize(
    ("folder_mode", "file_mode"), [(0o555, 0o444), (0o555, 0o666), (0o777, 0o444)], ids=["both", "folder", "file"]
)
async def test_a_read_only_memory_can_be_read(folder: Path, journal: Journal, folder_mode: int, file_mode: int) -> None:
    """Searches and exports answer; remembering and the check say that it cannot be written; no file appears."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I moved to Berlin.")
    protect(folder, folder_mode=folder_mode, file_mode=file_mode)
    before = raw.sizes(folder)
    finish(programs.use_as_nobody, folder, journal.path)
    result = told(journal)
    assert result["search"][0] == "ok"
    assert "I moved to Berlin." in result["search"][1]
    assert "I moved to Berlin." in result["context"][1]
    assert result["export"][0] == "ok"
    if (folder_mode, file_mode) != (0o555, 0o666):
        assert result["observe"][0] == "DatabaseReadOnly"
        assert str(folder / DATABASE) in result["observe"][1]
        assert "make the folder and the file readable and writable" in result["observe"][1]
        assert "name='writable', ok=False" in result["check"][1]
    assert raw.sizes(folder) == before


async def test_a_memory_that_is_opened_for_reading_refuses_changes(folder: Path) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I moved to Berlin.")
    async with Memory.open(folder, embedder=None, read_only=True) as memory:
        assert memory.read_only
        assert await memory.nights() == ()
        assert [hit.content for hit in await memory.search("Berlin")] == ["I moved to Berlin."]
        with pytest.raises(DatabaseReadOnly):
            await memory.remember("Ann keeps bees.")


@pytest.mark.parametrize(
    ("method", "arguments", "kind"),
    [
        ("pin", {"trust": "web"}, LessTrusted),
        ("unpin", {"trust": "web"}, LessTrusted),
        ("set_importance", {"importance": 9}, InvalidArgument),
        ("set_context", {"name": "work", "priority": 5.0}, InvalidArgument),
        ("undo", {"change": 1, "trust": "web"}, LessTrusted),
    ],
)
async def test_wrong_arguments_are_named_before_the_state_of_the_file(
    folder: Path, method: str, arguments: dict[str, Any], kind: type[Exception]
) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        known = await memory.remember("Ann keeps bees.")
    if method in ("pin", "unpin", "set_importance"):
        arguments = {**arguments, "id": known}
    async with Memory.open(folder, embedder=None, read_only=True) as memory:
        with pytest.raises(kind):
            await getattr(memory, method)(**arguments)
    with pytest.raises(kind):
        await getattr(memory, method)(**arguments)


@pytest.mark.parametrize(("has_file", "name"), [(False, ""), (True, ""), (False, "below")])
def test_a_read_only_folder_without_a_memory_is_refused(
    folder: Path, journal: Journal, has_file: bool, name: str
) -> None:
    """The error names the file, or the missing folder, and says that it cannot be written."""
    folder.mkdir()
    if has_file:
        (folder / DATABASE).touch()
    protect(folder, folder_mode=0o555)
    finish(programs.use_as_nobody, folder / name, journal.path)
    how, message = told(journal)["open"]
    assert how == "DatabaseReadOnly"
    assert "cannot be written" in message
    assert str(folder / name) in message


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o755, 0o000), (0o000, 0o666)], ids=["file", "folder"])
async def test_an_unreadable_file_is_refused(folder: Path, journal: Journal, folder_mode: int, file_mode: int) -> None:
    """With an error of the memory that names the file, and says that it is not even read."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I moved to Berlin.")
    protect(folder, folder_mode=folder_mode, file_mode=file_mode)
    finish(programs.use_as_nobody, folder, journal.path)
    how, message = told(journal)["open"]
    assert how in ("DatabaseReadOnly", "StoreError"), message
    assert str(folder) in message
    assert ("cannot be read (" in message) == (file_mode == 0)


def test_the_log_of_a_crash_is_read_in_a_read_only_folder(folder: Path, journal: Journal) -> None:
    """The acknowledged turn is only in the log: it is found, or an error says why the file cannot be read."""
    finish(programs.observe_then_crash, folder)
    protect(folder, folder_mode=0o555)
    finish(programs.use_as_nobody, folder, journal.path)
    result = told(journal)
    if "open" in result:
        assert result["open"][0] == "DatabaseReadOnly"
    else:
        assert "I moved to Berlin." in result["search"][1]
        assert result["observe"][0] == "DatabaseReadOnly"
