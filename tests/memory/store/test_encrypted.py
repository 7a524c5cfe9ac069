"""An encrypted memory: without its key nothing can be read, and with it everything works."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import EncryptionUnchanged, InUse, InvalidArgument, KeyMissing, KeyRefused
from tests.memory.store import raw

PASSPHRASE = "four geese on a frozen lake"


@contextmanager
def key(passphrase: str) -> Iterator[None]:
    """During the block the environment has this key; an empty one is none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMORY_KEY", passphrase)
        yield


@pytest.fixture(autouse=True)
def the_key() -> Iterator[None]:
    with key(PASSPHRASE):
        yield


@pytest.fixture
async def encrypted(folder: Path) -> Path:
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I keep zanzibarian geese.", session="a")
        await memory.remember("Ann lives in Potsdam.", subject="Ann")
    await Memory.encrypt(folder)
    return folder


def _says(folder: Path, word: str) -> list[str]:
    return [place for place, content in raw.contents(folder).items() if word.encode() in content.lower()]


async def test_an_encrypted_memory_works_and_has_no_clear_text(encrypted: Path) -> None:
    async with Memory.open(encrypted, embedder=None) as memory:
        assert "geese" in str(await memory.search("zanzibarian"))
        id = await memory.remember("Bob plays the theremin.", subject="Bob")
        await memory.forget(id)
        assert not _says(encrypted, "theremin")  # the write-ahead log is encrypted, too
        checks = {each.name: each for each in await memory.check()}
        assert all(each.ok for each in checks.values())
        assert "is encrypted" in checks["encryption"].detail
    assert not _says(encrypted, "zanzibarian")
    assert not _says(encrypted, "potsdam")
    assert not _says(encrypted, PASSPHRASE)
    with closing(sqlite3.connect(encrypted / "memory.db")) as plain, pytest.raises(sqlite3.DatabaseError):
        plain.execute("SELECT count(*) FROM nodes")


async def test_erasing_and_exporting_work(encrypted: Path, tmp_path: Path) -> None:
    async with Memory.open(encrypted, embedder=None) as memory:
        await memory.export(tmp_path / "all.jsonl")
        assert (await memory.erase(session="a")).turns == 1
        assert await memory.search("zanzibarian") == []
    async with Memory.open(tmp_path / "other", embedder=None) as memory:
        await memory.import_file(tmp_path / "all.jsonl")
        assert "geese" in str(await memory.search("zanzibarian"))


async def test_a_missing_or_wrong_key_opens_and_changes_nothing(encrypted: Path) -> None:
    before = raw.contents(encrypted)
    with key(""), pytest.raises(KeyMissing, match="MEMORY_KEY"):
        async with Memory.open(encrypted, embedder=None):
            pass
    with key("three geese"), pytest.raises(KeyRefused, match="MEMORY_KEY"):
        async with Memory.open(encrypted, embedder=None):
            pass
    with key("three geese"), pytest.raises(KeyRefused):
        await Memory.decrypt(encrypted)
    assert raw.contents(encrypted) == before


async def test_decrypting_gives_what_was_encrypted(encrypted: Path) -> None:
    await Memory.decrypt(encrypted)
    assert list(raw.contents(encrypted)) == ["memory.db"]
    with key(""):
        async with Memory.open(encrypted, embedder=None) as memory:
            assert "geese" in str(await memory.search("zanzibarian"))
            assert "none" in {each.name: each.detail for each in await memory.check()}["encryption"]


async def test_an_open_memory_is_not_converted(folder: Path) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        await memory.remember("Ann lives in Potsdam.", subject="Ann")
        with pytest.raises(InUse, match="another program"):
            await Memory.encrypt(folder)
        assert "Potsdam" in str(await memory.search("Ann"))
    await Memory.encrypt(folder)
    with pytest.raises(EncryptionUnchanged):
        await Memory.encrypt(folder)


async def test_an_impossible_conversion_is_explained(folder: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"memory\.db"):
        await Memory.encrypt(folder / "nothing")
    with pytest.raises(EncryptionUnchanged, match="not encrypted"):
        await Memory.decrypt(folder)


async def test_a_second_name_of_the_database_does_not_cost_it_its_content(encrypted: Path, tmp_path: Path) -> None:
    """A conversion that was cut off left one, before it replaced the database; and a backup is one."""
    await Memory.decrypt(encrypted)
    left = encrypted / ".encrypting-abc"
    left.mkdir()
    for name in (left / "old", tmp_path / "backup.db"):
        name.hardlink_to(encrypted / "memory.db")
    await Memory.encrypt(encrypted)
    assert not left.exists()
    async with Memory.open(encrypted, embedder=None) as memory:
        assert "geese" in str(await memory.search("zanzibarian"))
    with closing(sqlite3.connect(tmp_path / "backup.db")) as backup:
        assert backup.execute("SELECT count(*) FROM nodes").fetchone()[0] > 0


async def test_an_interrupted_conversion_is_repeated(encrypted: Path) -> None:
    """The mark was written, and the database was not yet replaced."""
    mark = encrypted / "memory.encryption.json"
    kept = mark.read_bytes()
    await Memory.decrypt(encrypted)
    mark.write_bytes(kept)
    left = encrypted / ".encrypting-abc"
    left.mkdir()
    (left / "memory.db").write_bytes(b"zanzibarian")
    with pytest.raises(KeyRefused, match="cut off"):
        async with Memory.open(encrypted, embedder=None):
            pass
    await Memory.encrypt(encrypted)
    assert not left.exists()
    async with Memory.open(encrypted, embedder=None) as memory:
        assert "geese" in str(await memory.search("zanzibarian"))
