"""The file of the kernel: whole transactions, and errors that say what to do."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, closing
from itertools import groupby
from pathlib import Path

import pytest

from sandbox.database import Database
from sandbox.errors import KernelClosed, SandboxError, StateTooNew, StateUnusable
from tests.files import files_with
from tests.kernel import bus_programs
from tests.kernel.buses import STATE, rows
from tests.memory.store.disk import Disk
from tests.memory.store.processes import Journal, finish, in_step, running, wait_for_end

TOGETHER = 6
WAL = f"{STATE}-wal"
KEYS = "SELECT key FROM events ORDER BY seq"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A new, open database."""
    opened = await Database.open(tmp_path / "home" / STATE)
    yield opened
    await opened.close()


def add(key: str, payload: str | None = None) -> Callable[[sqlite3.Connection], None]:
    def write(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO events (topic, key, at, payload) VALUES ('t', ?, 0, ?)", (key, payload))

    return write


def keys(connection: sqlite3.Connection) -> list[str]:
    return [row["key"] for row in connection.execute(KEYS)]


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


# --- transactions -----------------------------------------------------------------------------------------------------


async def test_a_read_cannot_write(database: Database) -> None:
    await database.read(add("a"))
    assert await database.read(keys) == []


async def test_a_closed_database_says_so(database: Database) -> None:
    """Calls that began before finish; closing twice is allowed."""
    writing = asyncio.create_task(database.write(add("a")))
    await asyncio.sleep(0)
    await database.close()
    await database.close()
    await writing
    for call in (database.write(add("b")), database.read(keys), database.forget_bytes()):
        with pytest.raises(KernelClosed, match="The kernel is closed"):
            await call
    assert rows(database.path.parent, KEYS) == [("a",)]


async def test_deleted_bytes_are_in_no_file_after_the_log_is_emptied(database: Database) -> None:
    home = database.path.parent
    await database.write(add("a", "quince " * 2000))
    await database.forget_bytes()
    await database.write(lambda connection: connection.execute("DELETE FROM events"))
    assert files_with(home, "quince") == {STATE}
    await database.forget_bytes()
    assert not files_with(home, "quince")


async def test_a_log_in_use_by_another_process_is_not_emptied(database: Database) -> None:
    await database.write(add("a"))
    await database.read(lambda raw: raw.execute("PRAGMA busy_timeout = 10").fetchone())
    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute(KEYS).fetchall()
        await database.write(add("b"))
        with pytest.raises(StateUnusable, match="another process kept it locked"):
            await database.forget_bytes()
    await database.forget_bytes()


def test_a_write_is_synced_before_it_is_acknowledged(disk: Disk) -> None:
    """A write that need not be durable is not synced."""
    disk.run(bus_programs.acknowledge_writes, disk.folder, disk.log)
    lines = [line for line in disk.lines() if line.startswith("ack") or line.endswith(WAL)]
    done = [line for line, _ in groupby(lines)]  # several writes in a row are one
    written = done[done.index("ack open") + 1 : done.index("ack last") + 1]
    durable, fast = [f"write {WAL}", f"sync {WAL}", "ack durable"], [f"write {WAL}", "ack fast"]
    assert written == [*durable * 3, *fast * 3, "ack last"]


# --- opening ----------------------------------------------------------------------------------------------------------


def test_processes_that_open_a_new_file_at_once_wait_for_each_other(tmp_path: Path) -> None:
    together = in_step(TOGETHER)
    for attempt in range(4):
        home = tmp_path / str(attempt)
        with ExitStack() as stack:
            program = (bus_programs.open_together, home, together)
            for process in [stack.enter_context(running(*program)) for _ in range(TOGETHER)]:
                wait_for_end(process)
        assert rows(home, "SELECT count(*) FROM events") == [(TOGETHER,)]


@pytest.mark.parametrize(
    ("version", "error", "told"),
    [
        (7, StateTooNew, r"kernel\.db has schema version 7, this program knows up to 2"),
        (1, StateUnusable, r"made by a version before 0\.1\.0\); move it away and start again"),
    ],
)
async def test_a_file_of_another_version_is_refused_unchanged(
    database: Database, version: int, error: type[SandboxError], told: str
) -> None:
    await database.close()
    with closing(sqlite3.connect(database.path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = database.path.read_bytes()
    with pytest.raises(error, match=told):
        await Database.open(database.path)
    assert database.path.read_bytes() == before


async def test_a_database_of_another_program_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / STATE
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE diary (page); PRAGMA user_version = 7")
    before = path.read_bytes()
    with pytest.raises(StateUnusable, match=r"of another program, and was left untouched\); name another home,"):
        await Database.open(path)
    assert path.read_bytes() == before
    assert names(tmp_path) == [STATE]


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 500, b"Dear diary,", bytes(4096)])
async def test_a_file_of_another_format_is_refused_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / STATE
    path.write_bytes(content)
    with pytest.raises(StateUnusable, match="file is not a database"):
        await Database.open(path)
    assert path.read_bytes() == content


async def test_a_damaged_file_is_reported(database: Database) -> None:
    await database.write(lambda raw: [add(str(number), "x" * 3000)(raw) for number in range(50)])
    await database.close()
    content = bytearray(database.path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    database.path.write_bytes(content)
    with pytest.raises(StateUnusable, match=r"it is damaged: .*\); move it away and start again;"):
        await read_keys(database.path)


async def read_keys(path: Path) -> list[str]:
    database = await Database.open(path)
    try:
        return await database.read(keys)
    finally:
        await database.close()


async def test_an_impossible_place_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder" / STATE).mkdir(parents=True)
    for folder, advice in (("file", "name another home, or move that away"), ("folder", "make it readable and writ")):
        with pytest.raises(StateUnusable, match=rf"kernel\.db cannot be used \(.*\); {advice}"):
            await Database.open(tmp_path / folder / STATE)


@pytest.mark.parametrize("exists", [True, False])
async def test_a_read_only_folder_is_refused(open_folder: Path, exists: bool) -> None:
    notes, home = Journal(open_folder / "notes"), open_folder / "home"
    home.mkdir()
    if exists:
        await (await Database.open(home / STATE)).close()
        (home / STATE).chmod(0o444)
    home.chmod(0o555)
    finish(bus_programs.open_as_nobody, home, notes.path)
    assert [name for name, _ in notes.values()] == ["StateUnusable", "StateUnusable"]
    assert str(home / STATE) in notes.values()[0][1]
    assert "Permission denied" in notes.values()[1][1]


def test_a_new_file_on_a_full_disk_is_reported(disk: Disk, tmp_path: Path) -> None:
    """The error says that the disk is full; with space, the file opens."""
    notes = Journal(tmp_path / "notes")
    disk.run(bus_programs.open_on_a_full_disk, disk.folder, disk.full, notes.path)
    [[_, message], [then, _]] = notes.values()
    assert "is full" in message
    assert then == "opened"


async def test_a_lasting_lock_is_reported(database: Database) -> None:
    await database.read(lambda raw: raw.execute("PRAGMA busy_timeout = 10").fetchone())
    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SandboxError, match=r"another process kept it locked .*\); end that process, or"):
            await database.write(add("a"))
        assert await database.read(keys) == []
    await database.write(add("a"))


# --- the file is taken away -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
async def test_a_write_to_a_deleted_file_is_refused(tmp_path: Path, suffix: str) -> None:
    """Somebody deleted the file, or its log, while it was open."""
    database = await Database.open(tmp_path / STATE)
    await database.write(lambda connection: connection.execute("CREATE TABLE t (x)"))
    tmp_path.joinpath(f"{STATE}{suffix}").unlink()
    for _ in range(2):
        with pytest.raises(StateUnusable, match="this was not kept"):
            await database.write(lambda connection: connection.execute("INSERT INTO t VALUES (1)"))
    await database.close()


async def test_a_replacement_of_the_file_is_not_changed(tmp_path: Path) -> None:
    """The next process that opens it does not find the log of the old file beside it."""
    theirs = await Database.open(tmp_path / "other.db")
    await theirs.write(lambda connection: connection.execute("CREATE TABLE theirs (x)"))
    await theirs.close()
    content = (tmp_path / "other.db").read_bytes()
    database = await Database.open(tmp_path / STATE)
    await database.write(lambda connection: connection.execute("CREATE TABLE t (x)"))
    (tmp_path / "other.db").replace(tmp_path / STATE)
    with pytest.raises(StateUnusable, match="another file was put in its place"):
        await database.write(lambda connection: connection.execute("INSERT INTO t VALUES (1)"))
    await database.close()
    assert (tmp_path / STATE).read_bytes() == content
    assert not (tmp_path / WAL).exists()
