"""Folders and ZIP archives: every known file in them is read without unpacking, and dangerous archives are refused."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from sandbox.extensions.memory.errors import UnreadableImport
from sandbox.extensions.memory.ingest.importers import files, read
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import every, some, turns
from tests.memory.importers.test_import_chatgpt import conversation, message


def archive(path: Path, members: Iterable[tuple[str | ZipInfo, bytes]]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as opened:
        for name, content in members:
            opened.writestr(name, content)
    return path


def said(text: str) -> bytes:
    return json.dumps({"role": "user", "content": text}).encode()


def test_a_downloaded_chatgpt_archive_is_read(tmp_path: Path) -> None:
    tree = conversation(message("user", "How long does rye dough rest?"), message("assistant", "An hour."))
    other = conversation(message("user", "And wheat?"), conversation_id="c-2")
    path = archive(
        tmp_path / "export.zip",
        [
            ("chat.html", b"<html><script>var jsonData = []</script></html>"),
            ("conversations-000.json", json.dumps([tree]).encode()),
            ("conversations-001.json", json.dumps([other]).encode()),
            ("message_feedback.json", b'[{"id": "f", "conversation_id": "c-1", "rating": "up", "content": "{}"}]'),
            ("model_comparisons.json", b"[]"),
            ("group_chats.json", b'{"chats": []}'),
            ("shopping.json", b"[]"),
            ("sora.json", b"{}"),
            ("shared_conversations.json", b'[{"id": "s", "conversation_id": "c-1", "title": "Bread"}]'),
            ("user.json", b'{"id": "user-1", "email": "ines@example.com", "chatgpt_plus_user": false}'),
            ("user-1/file_00ab-oven.png", b"\x89PNG"),
            ("__MACOSX/._conversations-000.json", b"\x00\x05\x16\x07"),
        ],
    )
    source = read(path)
    assert (source.format, source.total) == ("ChatGPT export (2 files)", 3)
    assert turns(path) == ["How long does rye dough rest?", "An hour.", "And wheat?"]
    assert source.left_out == ("user-1/file_00ab-oven.png",)
    assert list(source) == list(source)


def test_files_that_the_user_and_chatgpt_made_are_no_memories(tmp_path: Path) -> None:
    """An export holds what the user showed ChatGPT, under its name behind an id, and the documents of its canvas."""
    canvas = {"id": "t-1", "title": "Story", "content": "I live on Mars.", "created_at": "2025-05-02T10:00:00Z"}
    name = "file-Ab3dEfGhIjKlMnOpQrStUv-people.csv"
    path = archive(
        tmp_path / "export.zip",
        [
            ("conversations.json", json.dumps([conversation(message("user", "Q"))]).encode()),
            (name, b"text,subject\nMia lives in Faro.,Mia\n"),
            ("textdocs/t-1.json", json.dumps(canvas).encode()),
            ("file-of-my-notes-2025-and-before.md", b"Mia is a cat."),
        ],
    )
    assert turns(path) == ["Q", "file-of-my-notes-2025-and-before\n\nMia is a cat."]
    assert read(path).left_out == (name, "textdocs/t-1.json")


def test_a_folder_of_many_formats_is_read(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "deep.jsonl").write_bytes(said("deep"))
    (tmp_path / "top.json").write_bytes(said("top"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "nothing.md").write_bytes(b"\n")
    (tmp_path / "projects.json").write_bytes(b"[]")
    (tmp_path / ".hidden.json").write_bytes(said("hidden"))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.json").write_bytes(said("hidden"))
    archive(tmp_path / "older.zip", [("old.json", said("old"))])
    source = read(tmp_path)
    assert set(turns(tmp_path)) == {"deep", "top", "old"}
    assert source.left_out == ("picture.png",)
    assert {part.name for part in source.parts} == {"a/b/deep.jsonl", "top.json", "older.zip/old.json"}


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.json").write_bytes(said("not for you"))
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "mine.json").write_bytes(said("mine"))
    (inside / "file.json").symlink_to(outside / "secret.json")
    (inside / "folder").symlink_to(outside)
    assert turns(inside) == ["mine"]
    link = ZipInfo("link.md")
    link.external_attr = 0o120777 << 16
    assert turns(archive(tmp_path / "a.zip", [(link, b"/etc/passwd"), ("b.json", said("b"))])) == ["b"]


def test_a_broken_file_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'[{"role": "user", "content": "brea')
    (tmp_path / "b.md").write_bytes("Café".encode("cp1252"))
    (tmp_path / "c.jsonl").write_bytes(said("c") + b"\n" + b"{half\n")
    broken = some(tmp_path, BrokenRecord)
    assert turns(tmp_path) == ["c"]
    assert [each.place for each in broken] == ["a.json", "b.md", "c.jsonl, line 2"]
    assert "it is not JSON (Unterminated string" in broken[0].problem
    assert "line 1 is not UTF-8, at byte 4 of the file" in broken[1].problem


@pytest.mark.parametrize("name", ["../out.json", "/etc/out.json", "a/../../out.json", "..\\out.json", "C:\\out.json"])
def test_an_archive_that_points_outside_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableImport, match="it names a file outside itself"):
        read(archive(tmp_path / "a.zip", [("good.json", said("x")), (name, said("x"))]))
    assert not (tmp_path.parent / "out.json").exists()


def test_an_archive_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [("conversations.json", b"[" + b" " * 100_000_000 + b"]")])
    with pytest.raises(UnreadableImport, match="it would become 100,000,002 bytes"):
        read(path)


def test_an_archive_gives_no_more_bytes_than_it_declares(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [("a.jsonl", (said("a") + b"\n") * 50), ("b.json", said("b"))])
    raw = bytearray(path.read_bytes())
    size = (len(said("a")) + 1) * 50
    place = raw.rindex(size.to_bytes(4, "little"))
    raw[place : place + 4] = (100).to_bytes(4, "little")
    path.write_bytes(raw)
    assert some(path, BrokenRecord) == [BrokenRecord("a.jsonl", "cannot be read; it is damaged")]
    assert turns(path) == ["b"]


def test_an_incomplete_archive_is_reported(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [("a.json", said("a") * 100)])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(UnreadableImport, match="it is a ZIP archive that is not whole"):
        read(path)


def test_an_archive_with_a_password_is_reported(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [("a.json", said("a"))])
    raw = bytearray(path.read_bytes())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(sign) + offset] |= 1
    path.write_bytes(raw)
    with pytest.raises(UnreadableImport, match="locked with a password"):
        read(path)


def test_a_damaged_member_of_an_archive_leaves_the_others(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [("a.json", said("a" * 300)), ("b.json", said("b"))])
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"a.json") + 20] ^= 0xFF
    path.write_bytes(raw)
    assert turns(path) == ["b"]


def test_a_note_in_an_archive_has_its_time_of_writing(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", [(ZipInfo("Rye.md", (2025, 4, 5, 6, 7, 8)), b"Rye needs no kneading.")])
    (note,) = every(path, Message)
    assert note.at == datetime(2025, 4, 5, 6, 7, 8, tzinfo=UTC)


def test_a_streamed_list_keeps_its_places(tmp_path: Path) -> None:
    """A list that is read in parts gives the same items, and the right place of each problem."""
    text = "é" * 100_000
    path = tmp_path / "a.json"
    values = [{"role": "user", "content": f"{text}{number}", "n": 1.5e300} for number in range(12)]
    path.write_text(json.dumps(values, indent=1, ensure_ascii=False), encoding="utf-8")
    source = read(path)
    assert (source.total, len(turns(path))) == (12, 12)
    assert turns(path)[11] == f"{text}11"
    path.write_text("[\n" + ",\n".join(json.dumps(value) for value in values) + "\n  x]")
    with pytest.raises(UnreadableImport, match=r"Expecting ',' delimiter: line 14, column 3"):
        read(path)


def test_a_too_large_document_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        file.write(b'{\n"a": \n"')
        file.truncate(files.LARGEST + 1)
    with pytest.raises(UnreadableImport, match="more than the 536,870,912 that are read at once"):
        read(path)
