"""How a file's format is recognised, and the errors about files of no format."""

import codecs
import json
import tracemalloc
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from sandbox.extensions.memory.errors import InvalidArgument, UnreadableImport
from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message, Statement
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import contents, every, some
from tests.memory.importers.test_import_anything import RECORDS

CHAT, _, MEMORY, CLAUDE_CODE, _, CODEX, CHATGPT = RECORDS[:7]
FORMATS = {
    "chat messages": CHAT,
    "memories.jsonl": MEMORY,
    "Claude Code transcript": CLAUDE_CODE,
    "ChatGPT export": CHATGPT,
    "Codex rollout": CODEX,
}


@pytest.mark.parametrize(("name", "record"), FORMATS.items())
def test_a_format_is_recognised_in_every_layout(
    name: str, record: object, raw_file: Callable[[bytes], Path], tmp_path: Path
) -> None:
    """On a line, in a list, and alone, under any name. Each file can be read again from its start."""
    line, document = json.dumps(record).encode(), json.dumps(record, indent=1).encode()
    for content, total in (
        (line, None),
        (codecs.BOM_UTF8 + line, None),
        (line.decode().encode("utf-16"), None),
        (b"[" + line + b"]\n", 1),
        (b"[\n" + document + b"\n]", 1),
        (document, 1),
    ):
        source = read(raw_file(content))
        assert (source.format, source.total, len(list(source))) == (name, total, 1), content
        assert list(source) == list(source)
    source = read(raw_file(b'"half a li\n' + line).rename(tmp_path / "conversations.json"))
    broken, item = source
    assert (source.format, isinstance(item, Message | Statement)) == (name, True)
    assert isinstance(broken, BrokenRecord)
    assert broken.place == "line 1"


def test_the_format_of_most_lines_wins(jsonl_file: Callable[..., Path]) -> None:
    source = read(jsonl_file(MEMORY, CHAT, CHAT))
    assert source.format == "chat messages"
    assert [type(item) for item in source] == [BrokenRecord, Message, Message]


def test_a_missing_file_and_an_empty_folder_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UnreadableImport, match="there is no such file"):
        read(tmp_path / "nowhere.json")
    with pytest.raises(UnreadableImport, match="nothing in it is of a known format; known are"):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"[]", b"{}", b"[1, 2]", b'{"a": 1}\n{"a": 2}\n{"a": 3}\n', b'["hello"]'])
def test_an_unknown_format_names_the_known_ones(content: bytes, raw_file: Callable[[bytes], Path]) -> None:
    with pytest.raises(UnreadableImport) as caught:
        read(raw_file(content))
    assert all(name in str(caught.value) for name in FORMATS)


_NOT_JSON = "it is not JSON; known are ChatGPT export"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        *((empty, "it is empty") for empty in (b"", b" \n\r\n\t", codecs.BOM_UTF8, codecs.BOM_UTF16_LE)),
        *(
            (other, _NOT_JSON)
            for other in (b"Dear diary,\n", b"12", b'"text"', b"\x00\x01\x02", b"SQLite format 3\x00")
        ),
        *(
            (binary, "it is not text; known are ChatGPT export")
            for binary in (b"\x89PNG\r\n\x1a\n\x00\x00", b"%PDF-1.7\n\xe2\xe3\x00")
        ),
        (f"[\n{json.dumps(CHAT)}".encode(), "line 2, column"),  # not taken for lines
        pytest.param(b"[" * 100_000, "nested too deeply", id="lists"),
        pytest.param(b'{"a":' * 100_000, "nested too deeply", id="objects"),
        pytest.param(b"[" + b"9" * 5000 + b"]", "a number that is too long", id="number"),
    ],
)
def test_an_unreadable_file_is_refused_with_its_problem(
    content: bytes, problem: str, raw_file: Callable[[bytes], Path]
) -> None:
    with pytest.raises(UnreadableImport, match=problem):
        read(raw_file(content))


def test_a_document_that_breaks_off_says_where(raw_file: Callable[[bytes], Path]) -> None:
    with pytest.raises(UnreadableImport, match=r"line 3, column 18\); known are") as caught:
        read(raw_file(b'[\n{"role": "user", "content": "The bakery opens at six."},\n{"role": "user", "c'))
    assert "bakery" not in str(caught.value)


def test_windows_line_ends_blank_lines_and_a_half_written_line_are_read(raw_file: Callable[[bytes], Path]) -> None:
    line = json.dumps(CHAT)
    path = raw_file(f"\r\n{line}\r\n\r\n  \r\n{line}\r\nnot json\r\n{line[:30]}".encode())
    assert [type(item) for item in read(path)] == [Message, Message, BrokenRecord, BrokenRecord]
    assert [broken.place for broken in some(path, BrokenRecord)] == ["line 6", "line 7"]
    assert all(broken.problem.startswith("is not JSON (") for broken in some(path, BrokenRecord))


def test_invalid_lines_are_named(jsonl_file: Callable[..., Path]) -> None:
    items = list(read(jsonl_file(CHAT, CHAT, CHAT, CHAT, "17", "[" * 100_000, f'{{"n": {"9" * 5000}}}', "\x00")))
    assert items[4:] == [
        BrokenRecord("line 5", "is not a JSON object"),
        BrokenRecord("line 6", "is nested too deeply"),
        BrokenRecord("line 7", "holds a number that is too long"),
        BrokenRecord("line 8", "is not JSON (Expecting value: column 1)"),
    ]


CAFE = '{"role": "user", "content": "un café crème à 2 € — Привет"}\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
@pytest.mark.parametrize("count", [1, 3])
def test_unicode_is_read_however_it_is_encoded(raw_file: Callable[[bytes], Path], encoding: str, count: int) -> None:
    assert contents(raw_file((CAFE * count).encode(encoding))) == ["un café crème à 2 € — Привет"] * count


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("un café crème", "latin-1"),
        ("2 € un café", "cp1252"),
        ("Привет", "cp1251"),
        ("Привет", "koi8-r"),
        ("日本", "shift-jis"),
        ("x" * 300_000 + "é", "latin-1"),
    ],
)
@pytest.mark.parametrize("layout", ["{}\n{}", "[{},\n{}]"])
def test_an_undecodable_file_is_refused(
    raw_file: Callable[[bytes], Path], layout: str, content: str, encoding: str
) -> None:
    """A file that is not UTF-8 is refused with the place, and read with a named encoding."""
    records = [f'{{"role": "user", "content": "{each}"}}' for each in ("first, in plain ASCII letters.", content)]
    encoded = layout.format(*records).encode(encoding)
    place = next(number for number, byte in enumerate(encoded, 1) if byte > 127)
    path = raw_file(encoded)
    with pytest.raises(UnreadableImport) as refused:
        read(path)
    advice = "say which encoding it is in, for example `--encoding cp1252`"
    assert f"line 2 is not UTF-8, at byte {place:,} of the file; {advice}" in str(refused.value)
    *_, last = read(path, encoding)
    assert isinstance(last, Message)
    assert last.content == content


@pytest.mark.parametrize("encoding", ["klingon", "", "rot13", "base64", "\0", "hex"])
def test_an_unknown_encoding_is_refused(raw_file: Callable[[bytes], Path], encoding: str) -> None:
    with pytest.raises(InvalidArgument, match="name one that Python knows"):
        read(raw_file(CAFE.encode()), encoding)


@pytest.mark.parametrize("encoding", ["ascii", "utf-16", "utf-7", "idna", "punycode", "cp1252"])
def test_a_wrong_encoding_is_refused(raw_file: Callable[[bytes], Path], encoding: str) -> None:
    with pytest.raises(UnreadableImport):
        read(raw_file(CAFE.encode() + b"\x81\n"), encoding)


def test_nul_and_lone_surrogates_become_replacement_characters(raw_file: Callable[[bytes], Path]) -> None:
    line = rb'{"role": "user", "content": "a\ud800b\u0000c \ud83c\udf5e", "session": "\udfff", "speaker": "\u0000"}'
    (message,) = every(raw_file(line), Message)
    assert (message.content, message.session, message.speaker) == ("a\ufffdb\ufffdc \U0001f35e", "\ufffd", "\ufffd")


def test_lines_are_streamed(raw_file: Callable[[bytes], Path]) -> None:
    line = json.dumps(CHAT | {"content": "bread " * 500})
    path = raw_file(f"{line}\n".encode() * 3000)
    tracemalloc.start()
    try:
        assert sum(1 for _ in read(path)) == 3000
        assert tracemalloc.get_traced_memory()[1] < path.stat().st_size / 5
    finally:
        tracemalloc.stop()


def test_the_first_records_come_before_the_last_are_read(jsonl_file: Callable[..., Path]) -> None:
    path = jsonl_file(*[CHAT] * 2000)
    source = read(path)
    with path.open("a") as file:
        file.write("added later\n")
    assert len(list(islice(source, 10))) == 10
    *_, last = source
    assert last == BrokenRecord("line 2001", "is not JSON (Expecting value: column 1)")
