"""Laws: no file makes an importer crash, no problem quotes a message, and keys are stable."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.extensions.memory.errors import UnreadableImport
from sandbox.extensions.memory.ingest.importers import Item, read
from sandbox.extensions.memory.model import Message, Statement
from sandbox.extensions.memory.reports import BrokenRecord

SECRET = "xyzzy"

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "plausible.jsonl").read_text().splitlines()]
"""Of every format one or more, in which ``SECRET`` is what was said."""

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from(["user", "text", "a", "b", 10**30, -1e12]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value inside a JSON value, including itself."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


@st.composite
def bent(draw: st.DrawFn) -> object:
    """A plausible record in which up to two values were replaced by anything."""
    holder = {"record": copy.deepcopy(draw(st.sampled_from(RECORDS)))}
    for _ in range(draw(st.integers(0, 2))):
        *way, last = draw(st.sampled_from([path for path in places(holder) if path]))
        target: Any = holder
        for step in way:
            target = target[step]
        target[last] = draw(anything)
    return holder["record"]


def items(path: Path, content: bytes, suffix: str = "") -> list[Item]:
    """All items of a file; none of a file that cannot be read."""
    path = path.with_suffix(suffix)
    path.write_bytes(content)
    try:
        source = read(path)
    except UnreadableImport:
        return []
    found = list(source)
    assert source.total in (None, len(found))
    return found


def check(found: list[Item]) -> None:
    for item in found:
        if isinstance(item, BrokenRecord):
            assert SECRET not in item.place + item.problem
        elif isinstance(item, Message | Statement):
            texts = (
                item.content,
                item.key or "",
                *(item.tags if isinstance(item, Statement) else (item.session or "",)),
            )
            assert item.content.strip()
            assert item.key
            assert item.at is None or item.at.utcoffset() is not None
            assert "\x00" not in "".join(texts)
            "".join(texts).encode()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("anything") / "export"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=st.binary(max_size=200) | st.text().map(lambda text: f"[{text}".encode(errors="replace")))
def test_no_bytes_crash(content: bytes, path: Path) -> None:
    check(items(path, content))


marks = st.sampled_from(
    ["---\n", "# ", "- [fact] ", "- is [[", "]]", "content,role\n", ",", ";", '"', "\n", "```\n", "[2026-02-26] "]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    content=st.lists(marks | st.text(max_size=8), max_size=20).map("".join),
    suffix=st.sampled_from([".md", ".txt", ".csv", ".zip"]),
)
def test_no_text_crashes(content: str, suffix: str, path: Path) -> None:
    check(items(path, content.encode(errors="replace"), suffix))


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=60), at=st.integers(0, 400))
def test_no_archive_crashes(content: bytes, at: int, path: Path) -> None:
    """Some of its bytes are changed."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for number, record in enumerate(RECORDS[:3]):
            archive.writestr(f"{number}.json", json.dumps(record))
    whole = path.read_bytes()
    check(items(path, whole[:at] + content + whole[at + len(content) :], ".zip"))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(values=st.lists(bent() | st.sampled_from(RECORDS) | anything, max_size=5), as_lines=st.booleans())
def test_no_json_crashes(values: list[object], as_lines: bool, path: Path) -> None:
    content = "\n".join(map(json.dumps, values)) if as_lines else json.dumps(values)
    check(items(path, content.encode()))


@settings(max_examples=60, deadline=None)
@given(record=st.sampled_from(RECORDS), cut=st.integers(1, 200), junk=st.binary(max_size=4))
def test_no_half_written_file_crashes(record: object, cut: int, junk: bytes, path: Path) -> None:
    whole = json.dumps(record).encode()
    check(items(path, whole + b"\n" + whole[:cut] + junk))
    check(items(path, b"[" + whole + b"," + whole[:cut] + junk))


chat = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": st.sampled_from(["ok", "no", "-1", "ok-2"])},
    optional={"session": st.sampled_from(["a", "b"]), "timestamp": st.sampled_from([1, 2])},
)


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(chat, min_size=1, max_size=12), more=st.lists(chat, max_size=6))
def test_derived_keys_are_unique_and_hold_when_a_file_grows(
    lines: list[object], more: list[object], path: Path
) -> None:
    def keys(values: list[object]) -> list[str | None]:
        found = items(path, "\n".join(map(json.dumps, values)).encode())
        return [item.key for item in found if isinstance(item, Message)]

    before, after = keys(lines), keys(lines + more)
    assert len(set(after)) == len(after) == len(lines) + len(more)
    assert after[: len(lines)] == before
