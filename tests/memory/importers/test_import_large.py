"""A file of several batches is embedded while it is read, and stored once, whatever happens in between."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.canonical import canonical
from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.embedding.testing import HashEmbedder
from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.errors import EmbedderUnavailable
from sandbox.extensions.memory.reports import ImportReport
from sandbox.support.embedder import Embedder
from sandbox.testing import FakeClock
from tests.memory.store import raw

RECORDS = 1_200  # three batches
BROKEN = (17, 418, 819)
NOON = datetime(2026, 1, 3, 12, tzinfo=UTC)


def _record(number: int) -> dict[str, Any]:
    said = {2: "What is the password?", 3: f"tomato-Ladder-{number}"}
    content = said.get(number % 7, f"Turn {number}, said Ann to Bob of Lisbon.")
    record: dict[str, Any] = {"role": "user", "content": content, "speaker": ("Ann", "Bob")[number % 2]}
    if number // 40 % 3:
        record |= {"session": f"s{number // 40}", "timestamp": (NOON + timedelta(minutes=number)).isoformat()}
    return record


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file of three batches: questions with secrets as answers, turns without a time or a session, broken lines."""
    lines = ["{broken" if number in BROKEN else json.dumps(_record(number)) for number in range(RECORDS)]
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


async def _imported(folder: Path, file: Path, embedder: Embedder | None) -> tuple[ImportReport, Any]:
    """The report of an import, and everything that it stored."""
    done: list[int] = []
    async with Memory.open(folder, embedder=embedder, clock=FakeClock()) as memory:
        report = await memory.import_file(file, progress=lambda records, _: done.append(records))
        await memory.wait_until_embedded()
        waiting = (await memory.statistics()).embedding_backlog
    assert (waiting == 0) == (embedder is not None)
    assert done == [500, 1_000, 1_200]
    return report, canonical(folder)


@pytest.mark.parametrize("embedder", [WordLlamaEmbedder, HashEmbedder, lambda: None])
async def test_several_batches_are_stored_and_embedded(
    embedder: Callable[[], Embedder | None], large: Path, tmp_path: Path
) -> None:
    report, graph = await _imported(tmp_path / "m", large, embedder())
    assert [each.place for each in report.broken] == [f"line {number + 1}" for number in BROKEN]
    assert report.masked > 100
    assert (len(graph["vectors"]) == report.new) == (embedder() is not None)


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
    report, graph = await _imported(tmp_path / "m", large, WordLlamaEmbedder())
    assert len(graph["vectors"]) == report.new + 1
    assert raw.query(tmp_path / "m", "SELECT name FROM embedding_models") == [("wordllama/l2_supercat/256",)]


async def test_an_unreadable_model_does_not_prevent_storing(large: Path, tmp_path: Path) -> None:
    """Waiting for the vectors reports it."""
    async with Memory.open(tmp_path / "m", embedder=WordLlamaEmbedder(folder=tmp_path)) as memory:
        report = await memory.import_file(large)
        assert (await memory.statistics()).embedding_backlog == report.new > 0
        with pytest.raises(EmbedderUnavailable, match="ModelUnreadable"):
            await memory.wait_until_embedded()


async def test_after_a_cancelled_import_the_next_one_brings_the_rest(large: Path, tmp_path: Path) -> None:
    """Whole batches are stored, with their vectors or in the backlog."""
    async with Memory.open(tmp_path / "m") as memory:
        begun = asyncio.Event()
        importing = asyncio.create_task(memory.import_file(large, progress=lambda *_: begun.set()))
        await begun.wait()
        importing.cancel()
        await asyncio.wait([importing])
        stored = (await memory.statistics()).nodes["episodic"]
        report = await memory.import_file(large)
        await memory.wait_until_embedded()
    assert (report.known, report.new + stored) == (stored, RECORDS - len(BROKEN))
    assert raw.one(tmp_path / "m", "SELECT count(*) FROM vectors") == RECORDS - len(BROKEN)
