"""Another process reads and embeds a large file: the same is stored, whatever happens to that process."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.canonical import canonical
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import EmbedderUnavailable, UnreadableImport
from sandbox.extensions.memory.reports import ImportReport
from sandbox.support.embedder import Embedder, Vector
from sandbox.testing import FakeClock
from tests.memory.children import children, counted
from tests.memory.store import raw

RECORDS = 1_200  # three bulks
BROKEN = (17, 418, 819)
NOON = datetime(2026, 1, 3, 12, tzinfo=UTC)
PADDING = "-" * 3_000  # in a field that no importer reads, so that the file is large and the work is not


def _record(number: int) -> dict[str, Any]:
    said = {2: "What is the password?", 3: f"tomato-Ladder-{number}"}
    content = said.get(number % 7, f"Turn {number}, said Ann to Bob of Lisbon.")
    record: dict[str, Any] = {"role": "user", "content": content, "speaker": ("Ann", "Bob")[number % 2]}
    if number // 40 % 3:
        record |= {"session": f"s{number // 40}", "timestamp": (NOON + timedelta(minutes=number)).isoformat()}
    return record


def _lines(padding: str, records: int) -> Iterator[str]:
    """Questions with secrets as answers, turns without a time or a session, and broken lines."""
    for number in range(records):
        yield "{broken" if number in BROKEN else json.dumps({**_record(number), "ignored": padding})


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file that another process reads."""
    return _write(tmp_path / "large" / "chat.jsonl", PADDING)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A similar file that this process reads."""
    return _write(tmp_path / "small" / "chat.jsonl", "")


def _write(path: Path, padding: str, records: int = RECORDS) -> Path:
    path.parent.mkdir()
    path.write_text("".join(f"{line}\n" for line in _lines(padding, records)), encoding="utf-8")
    return path


class Watch:
    """Notes in each bulk which processes this one has started since; ``look`` gets them."""

    def __init__(self, look: Callable[[int, set[int]], None] = lambda *_: None) -> None:
        self._before = children()
        self._look = look
        self.seen: list[int] = []
        self.done: list[int] = []

    def __call__(self, done: int, _: int | None) -> None:
        started = children() - self._before
        self.seen.append(len(started))
        self.done.append(done)
        self._look(done, started)


async def _imported(
    folder: Path, file: Path, embedder: Embedder | None, watch: Watch | None = None
) -> tuple[ImportReport, Any]:
    """The report of an import, and everything that it stored."""
    async with Memory.open(folder, embedder=embedder, clock=FakeClock()) as memory:
        report = await memory.import_file(file, progress=watch)
        await memory.wait_until_embedded()
        waiting = (await memory.statistics()).embedding_backlog
    assert (waiting == 0) == (embedder is not None)
    return report, (canonical(folder), _order(folder))


def _order(folder: Path) -> list[Any]:
    """Turns in the order they were stored, with the fields that another process could get wrong."""
    sql = "SELECT id, key, session_id, content, terms, who, asks, event_time, created_seq, trust FROM nodes ORDER BY id"
    return raw.query(folder, sql)


EMBEDDERS: dict[str, Callable[[], Embedder | None]] = {
    "embedded": WordLlamaEmbedder,
    "remote": HashEmbedder,
    "none": lambda: None,
}


@counted
@pytest.mark.parametrize("embedder", EMBEDDERS.values(), ids=EMBEDDERS)
async def test_a_large_import_equals_that_of_one_process(
    embedder: Callable[[], Embedder | None], large: Path, small: Path, tmp_path: Path
) -> None:
    alone, together = Watch(), Watch()
    expected, graph = await _imported(tmp_path / "a", small, embedder(), alone)
    report, same = await _imported(tmp_path / "b", large, embedder(), together)
    assert (report, same) == (expected, graph)
    assert [each.place for each in report.broken] == [f"line {number + 1}" for number in BROKEN]
    assert report.masked > 100
    assert together.done == alone.done == [500, 1_000, 1_200]
    assert (together.seen[0], set(alone.seen)) == (1, {0})
    assert (len(graph[0]["vectors"]) == report.new) == (embedder() is not None)
    assert not children() - together._before


@counted
async def test_a_killed_child_process_is_replaced_by_the_parent(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The file is longer than the part that the process can read ahead; it is killed early and late."""
    small, large = (
        _write(tmp_path / name / "chat.jsonl", padding, 3_500) for name, padding in (("s", ""), ("l", PADDING))
    )
    expected = await _imported(tmp_path / "a", small, WordLlamaEmbedder())
    assert not caplog.messages
    for after in (500, 1_500):

        def kill(done: int, children: set[int], after: int = after) -> None:
            if done == after:
                for child in children:
                    os.kill(child, signal.SIGKILL)

        assert await _imported(tmp_path / f"{after}", large, WordLlamaEmbedder(), Watch(kill)) == expected
        assert caplog.messages == ["the child process that read an import ended too early; its parent reads the rest"]
        caplog.clear()


class Talkative(WordLlamaEmbedder):
    """A model that prints its progress, as many do."""

    def embed_here(self, texts: Sequence[str]) -> Vector:
        print("embedding", flush=True)
        os.write(1, b"100%\r")
        return super().embed_here(texts)


async def test_output_of_an_embedder_is_not_taken_for_an_answer(
    large: Path, small: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    expected = await _imported(tmp_path / "a", small, WordLlamaEmbedder())
    assert await _imported(tmp_path / "b", large, Talkative()) == expected
    assert not caplog.messages


ALONE = """
import asyncio, sys
from sandbox.extensions.memory import Memory

async def main(folder, file):
    async with Memory.open(folder, embedder=None) as memory:
        print((await memory.import_file(file)).new)

sys.executable = sys.argv[3]
asyncio.run(main(*sys.argv[1:3]))
"""


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false"])
async def test_a_file_is_read_without_a_child_process_if_none_starts(python: str, large: Path, tmp_path: Path) -> None:
    """The program does not exist, or ends at once."""
    command = (sys.executable, "-c", ALONE, str(tmp_path / "m"), str(large), python)
    ran = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
    assert ran.stdout == f"{RECORDS - len(BROKEN)}\n"
    assert ran.stderr in ("", "the child process that read an import ended too early; its parent reads the rest\n")


async def test_the_child_process_imports_nothing_from_its_folder(large: Path, tmp_path: Path) -> None:
    """It does not run the main module of its parent either."""
    (tmp_path / "json.py").write_text("raise SystemExit")
    script = tmp_path / "elsewhere" / "script.py"
    script.parent.mkdir()
    script.write_text(ALONE + "print('once')")
    command = (sys.executable, "-P", str(script), str(tmp_path / "m"), str(large), sys.executable)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment
    )
    assert (ran.stdout, ran.stderr) == (f"{RECORDS - len(BROKEN)}\nonce\n", "")


async def test_importing_it_again_adds_nothing(large: Path, tmp_path: Path) -> None:
    """Erased turns stay erased, and have no vector either."""
    before, graph = await _imported(tmp_path / "m", large, WordLlamaEmbedder())
    again, same = await _imported(tmp_path / "m", large, WordLlamaEmbedder())
    assert (again.new, again.known) == (0, before.new)
    assert same == graph
    async with Memory.open(tmp_path / "m") as memory:
        await memory.erase(session="s1")
        again = await memory.import_file(large)
        await memory.wait_until_embedded()
        statistics = await memory.statistics()
    assert (again.new, again.known, again.erased) == (0, before.new - 40, 40)
    assert statistics.vectors == before.new - 40


async def test_turns_wait_for_the_configured_model(large: Path, tmp_path: Path) -> None:
    """The embedder was away when the memory was opened; later it embeds the old and the new turns."""
    hashing = HashEmbedder()
    async with Memory.open(tmp_path / "m", embedder=hashing) as memory:
        await memory.observe("user", "Before.", key="before")
        await memory.wait_until_embedded()
    report, (graph, _) = await _imported(tmp_path / "m", large, WordLlamaEmbedder())
    assert len(graph["vectors"]) == report.new + 1
    assert raw.query(tmp_path / "m", "SELECT name FROM embedding_models") == [("wordllama/l2_supercat/256",)]


async def test_an_unreadable_model_does_not_prevent_storing(large: Path, tmp_path: Path) -> None:
    """Waiting for the vectors reports it."""
    async with Memory.open(tmp_path / "m", embedder=WordLlamaEmbedder(folder=tmp_path)) as memory:
        report = await memory.import_file(large)
        assert (await memory.statistics()).embedding_backlog == report.new > 0
        with pytest.raises(EmbedderUnavailable, match="ModelUnreadable"):
            await memory.wait_until_embedded()


@counted
async def test_a_cancelled_import_leaves_no_process(large: Path, tmp_path: Path) -> None:
    """Whole bulks are stored, with their vectors or in the backlog; the next import brings the rest."""
    before = children()
    async with Memory.open(tmp_path / "m") as memory:
        begun = asyncio.Event()
        importing = asyncio.create_task(memory.import_file(large, progress=lambda *_: begun.set()))
        await begun.wait()
        importing.cancel()
        await asyncio.wait([importing])
        assert children() <= before  # one that waited for work may have ended meanwhile
        stored = (await memory.statistics()).nodes["episodic"]
        report = await memory.import_file(large)
        await memory.wait_until_embedded()
    assert (report.known, report.new + stored) == (stored, RECORDS - len(BROKEN))
    assert raw.one(tmp_path / "m", "SELECT count(*) FROM vectors") == RECORDS - len(BROKEN)


@counted
async def test_a_large_file_of_another_format_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large.txt"
    file.write_text("not JSON\n" * 500_000)
    before = children()
    async with Memory.open(tmp_path / "m", embedder=None) as memory:
        with pytest.raises(UnreadableImport):
            await memory.import_file(file)
    assert children() <= before
