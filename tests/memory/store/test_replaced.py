"""Somebody deletes, replaces or overwrites the open file: nothing is acknowledged or lost in silence."""

import asyncio
import os
import shutil
from collections.abc import Callable
from contextlib import AsyncExitStack, chdir
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import DatabaseReplaced
from sandbox.extensions.memory.memory import DATABASE
from tests.memory.store import raw

RECOVERED = "memory-recovered.db"


def other(folder: Path) -> Path:
    """The closed database of another memory."""

    async def make() -> None:
        async with Memory.open(folder.parent / "other", embedder=None) as memory:
            await memory.observe("user", "I sail.", key="theirs")

    asyncio.run(make())
    return folder.parent / "other" / DATABASE


Happens = Callable[[Path], object]


def remove(*paths: Path) -> None:
    for path in paths:
        path.unlink()


LIST = "a shopping list\n" * 40_000
LOST: dict[str, Happens] = {
    "deleted": lambda folder: remove(folder / DATABASE),
    "deleted with its log": lambda folder: remove(*folder.iterdir()),
    "moved away": lambda folder: (folder / DATABASE).rename(folder / "mine.db"),
    "replaced": lambda folder: (folder.parent / "other" / DATABASE).replace(folder / DATABASE),
    "written over": lambda folder: shutil.copyfile(folder.parent / "other" / DATABASE, folder / DATABASE),
    "written over with text": lambda folder: (folder / DATABASE).write_text(LIST),
}
KEPT: dict[str, Happens] = {
    "log deleted": lambda folder: remove(folder / f"{DATABASE}-wal"),
    "index deleted": lambda folder: remove(folder / f"{DATABASE}-shm"),
    "both deleted": lambda folder: remove(*(folder / f"{DATABASE}-{kind}" for kind in ("wal", "shm"))),
}


def keys(folder: Path, name: str = DATABASE) -> set[str]:
    """The keys in a closed database."""

    async def read() -> set[str]:
        home = folder.parent / f"look-{name}"
        home.mkdir(exist_ok=True)
        shutil.copyfile(folder / name, home / DATABASE)
        async with Memory.open(home, embedder=None) as memory:
            return {hit.key or "" for hit in await memory.search("", limit=100)}

    return asyncio.run(read())


async def observe_around(folder: Path, happens: Happens) -> None:
    """Three turns are acknowledged, something happens to the file, three turns are refused, and the check says why."""
    async with Memory.open(folder, embedder=None) as memory:
        for key in ("a", "b", "c"):
            await memory.observe("user", f"This is {key}.", key=key)
        assert next(each for each in await memory.check() if each.name == "writable").ok
        happens(folder)
        assert not next(each for each in await memory.check() if each.name == "writable").ok
        for key in ("x", "y", "z"):
            with pytest.raises(DatabaseReplaced, match="is not the file that was opened"):
                await memory.observe("user", f"This is {key}.", key=key)


@pytest.mark.parametrize("what", LOST)
def test_acknowledged_writes_are_saved_beside_a_replacement(folder: Path, what: str) -> None:
    """The new file is not changed, also by the next process that opens it."""
    other(folder)
    theirs = (folder.parent / "other" / DATABASE).read_bytes()
    asyncio.run(observe_around(folder, LOST[what]))
    assert not (folder / f"{DATABASE}-wal").exists()
    if what == "written over with text":  # pages that were not in the log are gone
        assert (folder / DATABASE).read_text() == LIST
        return
    assert keys(folder, RECOVERED) == {"a", "b", "c"}
    assert (folder / RECOVERED).stat().st_mode & 0o777 == 0o600
    if what in ("replaced", "written over"):
        assert (folder / DATABASE).read_bytes() == theirs
        assert keys(folder) == {"theirs"}


@pytest.mark.parametrize("what", KEPT)
def test_acknowledged_writes_survive_a_deleted_log(folder: Path, what: str) -> None:
    """The log is written into the database from the open file."""
    asyncio.run(observe_around(folder, KEPT[what]))
    assert list(raw.sizes(folder)) == [DATABASE]
    assert keys(folder) == {"a", "b", "c"}


def test_a_renamed_folder_keeps_acknowledged_writes(folder: Path) -> None:
    """Its database and its log moved with it."""
    there = folder.parent / "renamed"
    asyncio.run(observe_around(folder, lambda each: each.rename(there)))
    assert not folder.exists()

    async def read() -> set[str]:
        async with Memory.open(there, embedder=None) as memory:
            return {hit.key or "" for hit in await memory.search("")}

    assert asyncio.run(read()) == {"a", "b", "c"}


def test_an_emptied_file_is_reported(folder: Path) -> None:
    """Its contents are gone; nothing is written into it."""
    asyncio.run(observe_around(folder, lambda each: os.truncate(each / DATABASE, 0)))
    assert raw.sizes(folder)[DATABASE] == 0


async def test_the_last_acknowledged_write_is_saved_at_closing(folder: Path) -> None:
    """No write followed the deletion; closing reports it."""

    async def observe_and_lose() -> None:
        async with Memory.open(folder, embedder=None) as memory:
            await memory.observe("user", "I keep bees.", key="bees")
            (folder / DATABASE).unlink()

    with pytest.raises(DatabaseReplaced, match=RECOVERED):
        await observe_and_lose()
    assert await asyncio.to_thread(keys, folder, RECOVERED) == {"bees"}


async def test_an_idle_memory_loses_nothing_by_deletion(folder: Path) -> None:
    """Deleting the database of an idle memory loses nothing that it acknowledged."""
    async with Memory.open(folder, embedder=None):
        pass
    async with Memory.open(folder, embedder=None):
        (folder / DATABASE).unlink()
    assert raw.sizes(folder) == {}


async def test_an_idle_memory_saves_what_another_wrote_and_is_only_in_the_log(folder: Path) -> None:
    """The other one was not the last to close, so it left its write in the log."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I sail.", key="before")
    idle = Memory.open(folder, embedder=None)
    await idle.__aenter__()
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I keep bees.", key="acknowledged")
    (folder / DATABASE).rename(folder / "mine.db")
    with pytest.raises(DatabaseReplaced, match=RECOVERED):
        await idle.__aexit__(None, None, None)
    assert await asyncio.to_thread(keys, folder, RECOVERED) == {"before", "acknowledged"}


async def test_what_is_written_after_a_removal_that_was_cut_off_is_saved(folder: Path) -> None:
    """A removal marks the file first; this one ended before the file was gone."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I sail.", key="before")
    os.link(folder / DATABASE, folder / "still-there.db")
    Memory.remove(folder)
    (folder / "still-there.db").rename(folder / DATABASE)
    async with AsyncExitStack() as stack:
        memory = await stack.enter_async_context(Memory.open(folder, embedder=None))
        await memory.observe("user", "I keep bees.", key="acknowledged")
        (folder / DATABASE).unlink()
        with pytest.raises(DatabaseReplaced, match=RECOVERED):
            await stack.aclose()
    assert await asyncio.to_thread(keys, folder, RECOVERED) == {"before", "acknowledged"}


@pytest.mark.parametrize("read_only", [False, True])
async def test_nothing_is_answered_from_a_deleted_file(folder: Path, *, read_only: bool) -> None:
    """Somebody deleted it so that nothing of it is known any more."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.remember("I keep bees.")
    async with Memory.open(folder, embedder=None, read_only=read_only) as memory:
        assert await memory.search("bees", reinforce=False)
        shutil.rmtree(folder)
        with pytest.raises(DatabaseReplaced, match="deleted"):
            await memory.search("bees")


async def test_closing_a_lost_memory_leaves_the_next_one_in_its_place(folder: Path) -> None:
    """Otherwise whoever has the next one open would find it moved away."""
    async with AsyncExitStack() as stack:
        lost = await stack.enter_async_context(Memory.open(folder, embedder=None))
        await lost.observe("user", "I keep bees.")
        shutil.rmtree(folder)
        async with Memory.open(folder, embedder=None) as memory:
            await memory.observe("user", "I sail.")
        moved = (folder / DATABASE).stat().st_ctime_ns
        with pytest.raises(DatabaseReplaced):
            await stack.aclose()
    assert (folder / DATABASE).stat().st_ctime_ns == moved


async def test_another_current_folder_is_no_replacement(tmp_path: Path) -> None:
    """The memory was opened by a relative path."""
    (tmp_path / "elsewhere").mkdir()
    with chdir(tmp_path):
        async with Memory.open("memory", embedder=None) as memory:
            with chdir("elsewhere"):
                await memory.remember("I live in Rome.")
            assert [each.content for each in await memory.search("Rome")] == ["I live in Rome."]


async def test_a_checkpoint_by_another_process_is_no_replacement(folder: Path) -> None:
    """Two memories share a file; each checkpoints the writes of both, and one closes before the other."""
    async with Memory.open(folder, embedder=None) as one:
        for bulk in range(6):
            async with Memory.open(folder, embedder=None) as two:
                await asyncio.gather(
                    *(each.observe("user", f"turn {bulk} {n}") for n in range(300) for each in (one, two))
                )
            await asyncio.to_thread(raw.query, folder, "PRAGMA wal_checkpoint(TRUNCATE)")
        os.utime(folder / DATABASE)
        await one.observe("user", "still here")
        assert all(check.ok for check in await one.check())
