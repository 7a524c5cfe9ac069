"""Opening: a file that is no memory is refused and not changed; a damaged one is reported as damaged."""

import asyncio
import random
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Message, errors
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store.sqlite.migrate import FIRST_VERSION, SCHEMA_VERSION
from tests.memory.store import programs, raw
from tests.memory.store.processes import finish, wait_until

PAGE = 4096


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "memory"


async def remember_berlin(folder: Path) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I moved to Berlin.", session="s", speaker="Ann", key="moved")


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "error", "told"),
    [
        (
            SCHEMA_VERSION + 1,
            errors.DatabaseTooNew,
            f"version {SCHEMA_VERSION + 1}, this program knows up to {SCHEMA_VERSION}",
        ),
        (1, errors.DatabaseTooOld, f"version 1, this program knows those from {FIRST_VERSION} on"),
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
async def test_an_unknown_version_is_refused_unchanged(
    folder: Path, version: int, error: type[errors.StoreError], told: str, read_only: bool
) -> None:
    """The message names both versions; no byte changes, and no file appears beside it."""
    await remember_berlin(folder)
    raw.query(folder, f"PRAGMA user_version = {version}")
    before = raw.contents(folder)
    with pytest.raises(error, match=told):
        async with Memory.open(folder, embedder=None, read_only=read_only):
            pass
    assert raw.contents(folder) == before


async def test_a_newer_version_in_the_write_ahead_log_is_refused(folder: Path) -> None:
    """A newer program raised the version and crashed; neither the schema nor the contents are changed."""
    await remember_berlin(folder)
    finish(programs.raise_the_version_then_crash, folder, SCHEMA_VERSION + 1)
    assert set(raw.contents(folder)) == {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"}
    with pytest.raises(errors.DatabaseTooNew, match=f"schema version {SCHEMA_VERSION + 1}"):
        await remember_berlin(folder)
    assert raw.one(folder, "PRAGMA user_version") == SCHEMA_VERSION + 1
    assert raw.query(folder, "SELECT content FROM nodes") == [("I moved to Berlin.",)]


OTHERS: dict[str, bytes | str] = {  # the bytes of a file, or SQL that makes it
    "text": b"Dear diary,\n" * 500,
    "short": b"SQLite format 3\x00",
    "one byte": b"\n",
    "zeros": bytes(PAGE),
    "another application": "PRAGMA application_id = 1; CREATE TABLE nodes (id); INSERT INTO nodes VALUES (1)",
    "a nameless application": "PRAGMA journal_mode = WAL; PRAGMA user_version = 1; CREATE TABLE nodes (id)",
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
async def test_a_file_of_another_format_is_refused_unchanged(folder: Path, content: bytes | str) -> None:
    """The message advises another folder; no byte changes, and no file appears beside it."""
    raw.replace(folder, content if isinstance(content, bytes) else b"")
    if isinstance(content, str):
        with closing(sqlite3.connect(folder / DATABASE)) as connection:
            connection.executescript(content)
    before = raw.contents(folder)
    with pytest.raises(errors.NotADatabase, match="left untouched"):
        await remember_berlin(folder)
    assert raw.contents(folder) == before


async def test_an_empty_file_becomes_a_memory(folder: Path) -> None:
    """It held nothing, so nothing is lost."""
    raw.replace(folder, b"")
    await remember_berlin(folder)
    assert raw.query(folder, "SELECT content FROM nodes") == [("I moved to Berlin.",)]


async def test_a_folder_in_place_of_the_file_is_refused(folder: Path) -> None:
    """With an error of the memory; its contents stay."""
    (folder / DATABASE / "inside").mkdir(parents=True)
    with pytest.raises(errors.StoreError, match=DATABASE):
        await remember_berlin(folder)
    assert (folder / DATABASE / "inside").is_dir()


async def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    """Also a folder below a file."""
    file = tmp_path / "diary"
    file.write_text("Dear diary")
    with pytest.raises(errors.InvalidArgument, match="it is a file; name a folder"):
        await remember_berlin(file)
    with pytest.raises(errors.DatabaseReadOnly, match="Not a directory"):
        await remember_berlin(file / "below")
    assert file.read_text() == "Dear diary"


async def test_a_new_folder_is_for_its_owner_only(folder: Path) -> None:
    """Missing parent folders are created too."""
    await remember_berlin(folder / "below")
    assert (folder / "below").stat().st_mode & 0o777 == 0o700


# --- what is opened ---------------------------------------------------------------------------------------------------


async def test_a_crashed_memory_opens_again_and_again(folder: Path) -> None:
    """Everything acknowledged before each crash is there once."""
    for _ in range(3):
        finish(programs.observe_then_crash, folder)
    async with Memory.open(folder, embedder=None) as memory:
        assert [hit.content for hit in await memory.search("Berlin")] == ["I moved to Berlin."]
        assert all(check.ok for check in await memory.check())
    assert list(raw.contents(folder)) == [DATABASE]


async def test_a_restored_backup_keeps_its_write_ahead_log_again(folder: Path, tmp_path: Path) -> None:
    """``VACUUM INTO`` and many tools write a file with a rollback journal, in which readers and writers wait."""
    await remember_berlin(folder)
    backup = tmp_path / "backup" / DATABASE
    backup.parent.mkdir()
    raw.query(folder, "VACUUM INTO ?", str(backup))
    assert raw.one(backup.parent, "PRAGMA journal_mode") == "delete"
    async with Memory.open(backup.parent, embedder=None) as memory:
        assert [hit.key for hit in await memory.search("Berlin")] == ["moved"]
    assert raw.one(backup.parent, "PRAGMA journal_mode") == "wal"


# --- what is damaged --------------------------------------------------------------------------------------------------


@pytest.fixture
async def sound(folder: Path) -> bytes:
    """The file of a memory with something of everything."""
    async with Memory.open(folder, embedder=None) as memory:
        for number in range(30):
            await memory.observe("user", f"Turn number{number}. " * 20, session="s", speaker="Ann", key=f"{number}")
        known = await memory.remember("Ann lives in Berlin.", subject="Ann", tags=("home",))
        await memory.correct(known, "Ann lives in Potsdam.")
        await memory.consolidate()  # the night of each test has only what is new to learn from
    return (folder / DATABASE).read_bytes()


async def use(folder: Path) -> list[errors.MemoryExtensionError]:
    """Call everything; return the errors of the memory, and raise all others."""
    problems: list[errors.MemoryExtensionError] = []
    try:
        async with Memory.open(folder, embedder=None) as memory:
            for attempt in (
                lambda: memory.search("number7 Berlin Ann"),
                lambda: memory.search(""),
                lambda: memory.context("Where does Ann live?"),
                lambda: memory.entity("Ann"),
                lambda: memory.weak(),
                lambda: memory.statistics(),
                lambda: memory.observe("user", "Something new.", session="s", speaker="Ann", key="new"),
                lambda: memory.remember("Ann lives in Bonn.", subject="Ann"),
                lambda: memory.maintain(),
            ):
                try:
                    await attempt()
                except errors.MemoryExtensionError as error:
                    problems.append(error)
            if unsound := [check for check in await memory.check() if not check.ok]:
                problems.append(errors.DatabaseDamaged(path=folder, problem=unsound[0].detail))
    except errors.MemoryExtensionError as error:
        problems.append(error)
    return problems


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
async def test_a_truncated_file_is_reported_as_damaged(folder: Path, sound: bytes, share: float) -> None:
    """It is neither called empty nor filled up."""
    cut = sound[: int(len(sound) * share)]
    raw.replace(folder, cut)
    with pytest.raises(errors.DatabaseDamaged, match="Restore it from a backup"):
        await remember_berlin(folder)
    assert (folder / DATABASE).read_bytes() == cut


@pytest.mark.parametrize(
    ("garbage", "first"), [(bytes(PAGE), 1), (random.Random(7).randbytes(PAGE), 2)], ids=["zeros", "noise"]
)
async def test_a_damaged_page_is_reported_or_harmless(folder: Path, sound: bytes, garbage: bytes, first: int) -> None:
    """One page after the other is overwritten, odd ones with zeros, even ones with noise. Every call then returns or
    raises an error of the memory; nothing hangs or crashes. Most damage is found, at the latest by the check.
    """
    pages = range(first, len(sound) // PAGE, 2)
    noticed = 0
    for page in pages:
        raw.replace(folder, sound[: page * PAGE] + garbage + sound[(page + 1) * PAGE :])
        noticed += bool(await use(folder))
    assert noticed > len(pages) * 0.8


@pytest.mark.parametrize("column", ["attributes", "tags"])
async def test_a_damaged_field_of_a_result_is_reported(folder: Path, sound: bytes, column: str) -> None:
    raw.replace(folder, sound)
    raw.query(folder, f"UPDATE nodes SET {column} = ''")
    async with Memory.open(folder, embedder=None) as memory:
        with pytest.raises(errors.DatabaseDamaged):
            await memory.search("Ann")


async def test_checking_a_damaged_memory_reports_the_damage(folder: Path, sound: bytes) -> None:
    """The error refers to ``memory doctor``, so the check must not fail with that error."""
    root = raw.one(folder, "SELECT rootpage FROM sqlite_master WHERE name = 'nodes_time'")
    damaged = sound[: (root - 1) * PAGE] + bytes(PAGE) + sound[root * PAGE :]
    raw.replace(folder, damaged)
    async with Memory.open(folder, embedder=None) as memory:
        unsound = [check for check in await memory.check() if not check.ok]
    assert "file" in [check.name for check in unsound]
    assert all(check.advice for check in unsound)


def test_a_failed_opening_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program opens a bad file and ends: no thread stays, and none prints a traceback at the end."""
    complaints: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda arguments: complaints.append(arguments.exc_value))
    asyncio.run(remember_berlin(folder))
    before = threading.active_count()
    (folder / DATABASE).write_bytes((folder / DATABASE).read_bytes()[: 20 * PAGE])
    for _ in range(20):
        with pytest.raises(errors.DatabaseDamaged):
            asyncio.run(remember_berlin(folder))
    wait_until(lambda: threading.active_count() <= before)
    assert complaints == []


async def test_an_interrupted_checkpoint_is_no_damage(tmp_path: Path) -> None:
    """The first page is in the file, and the others are only in the log: after a crash, or for another process that
    opens the file meanwhile.
    """
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    cut.mkdir(mode=0o700)
    async with Memory.open(whole, embedder=None) as memory:
        await memory.observe_many(Message("user", f"violin {index}") for index in range(300))
        for name in ("memory.db", "memory.db-wal"):
            shutil.copy(whole / name, cut / name)
    with (whole / "memory.db").open("rb") as folded, (cut / "memory.db").open("r+b") as file:
        file.write(folded.read(PAGE))
    async with Memory.open(cut, embedder=None) as memory:
        assert len(await memory.search("violin", limit=500)) == 300
        assert all(check.ok for check in await memory.check())


@pytest.mark.parametrize("folder", ["", " "])
async def test_an_empty_name_is_no_folder(folder: str) -> None:
    with pytest.raises(errors.InvalidArgument, match="name a folder"):
        async with Memory.open(folder, embedder=None):
            pytest.fail("it was opened")
