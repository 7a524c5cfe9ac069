"""Compressed files: Codex compresses rollouts that are a week old."""

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from backports import zstd

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import UnreadableImport
from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import contents, some
from tests.memory.importers.test_import_codex import WRITTEN_BY_CODEX

ROLLOUT = WRITTEN_BY_CODEX.read_bytes()


def test_a_compressed_rollout_is_read_anywhere(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    file = folder / "rollout-a.jsonl.zst"
    file.write_bytes(zstd.compress(ROLLOUT))
    with ZipFile(tmp_path / "sessions.zip", "w") as archive:
        archive.write(file, file.name)
    for path in (file, folder, tmp_path / "sessions.zip"):
        source = read(path)
        assert (source.format, source.size, source.left_out) == ("Codex rollout", len(ROLLOUT), ())
        assert contents(path) == contents(WRITTEN_BY_CODEX)
        assert list(source) == list(source)


async def test_a_rollout_imported_before_its_compression_is_known(tmp_path: Path, memory: Memory) -> None:
    (tmp_path / "rollout-a.jsonl").write_bytes(ROLLOUT)
    assert (await memory.import_file(tmp_path / "rollout-a.jsonl")).new == 6
    (tmp_path / "rollout-a.jsonl.zst").write_bytes(zstd.compress(ROLLOUT))
    again = await memory.import_file(tmp_path / "rollout-a.jsonl.zst")
    assert (again.new, again.known) == (0, 6)


@pytest.mark.parametrize(
    "damaged", [zstd.compress(ROLLOUT)[:-20], ROLLOUT, b"\x28\xb5\x2f\xfd" * 9], ids=["half", "plain", "garbage"]
)
def test_a_damaged_file_is_named_and_the_others_are_read(damaged: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rollout-a.jsonl.zst"
    path.write_bytes(damaged)
    with pytest.raises(UnreadableImport, match="cannot be imported: it is damaged"):
        read(path)
    (tmp_path / "talk.jsonl").write_text(json.dumps({"role": "user", "content": "hello"}))
    assert [item.content for item in some(tmp_path, Message)] == ["hello"]
    assert some(tmp_path, BrokenRecord) == [BrokenRecord("rollout-a.jsonl.zst", "cannot be read; it is damaged")]


def test_a_file_of_extreme_compression_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rollout-a.jsonl.zst"
    path.write_bytes(zstd.compress(b" " * (80 * 1024 * 1024)))
    with pytest.raises(UnreadableImport, match="times its size, as no export does"):
        read(path)


def test_other_compressed_files_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "home.tar.zst").write_bytes(zstd.compress(b"no text"))
    (tmp_path / "rollout-a.jsonl.zst").write_bytes(zstd.compress(ROLLOUT))
    assert read(tmp_path).left_out == ("home.tar.zst",)


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "rollout-a.jsonl.zst").write_bytes(zstd.compress(ROLLOUT))
    (tmp_path / "talk.jsonl").write_text(json.dumps({"role": "user", "content": "hello"}))
    script = "import sys; sys.modules['backports.zstd'] = None; from sandbox.cli import main; main()"
    home = str(tmp_path / "home")
    done = subprocess.run(
        [sys.executable, "-c", script, "--home", home, "import", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    said = " ".join((done.stdout + done.stderr).split())
    assert "rollout-a.jsonl.zst it is compressed with Zstandard, and the package backports.zstd is not" in said, said
    assert "`pip install '.[zstd]'`" in said
