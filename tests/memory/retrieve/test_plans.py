"""Query plans: with any build and any statistics of SQLite, no query for an answer reads a whole table."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import pytest

from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.assemble.context import Assembler
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.ports import EstimatedTokens
from sandbox.extensions.memory.retrieve.recall import Recall
from sandbox.extensions.memory.store import browsing, sessions
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON, FakeClock

PEOPLE = ("Ann", "Bob", "Zoe", "Анна")
QUESTIONS = (
    "violin",
    "when, and how, was the violin lesson with Ann?",
    "why did the violin lesson go badly?",
    "what did Анна say about violins?",
    "musical instruments",
    "what about the violin since last week?",
)
EVERYTHING = Filter(Scope(), to_ms(NOON), quarantined=False)
NARROWED = replace(EVERYTHING, types=("semantic", "episodic"), only={"after": 0, "before": to_ms(NOON) + 1})
KNOWLEDGE = replace(EVERYTHING, types=("semantic",))

# Everything that grows with the memory. The index of standing wishes is small, and may be read whole.
GROWS = re.compile(r"SCAN (n|nodes|e|edges|l|p|v|vectors|changes|w|entity_names)\b(?! USING INDEX nodes_always)")

READERS = 2  # readers of a store; simultaneous requests get different ones

Plans = Mapping[str, Sequence[str]]


class Asked(NamedTuple):
    """Every query with its plan, by what was asked of a memory."""

    questions: Plans
    latest: Plans
    endings: Plans
    statistics: Plans


@pytest.fixture(scope="module", params=["without statistics", "with statistics"])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """What is read of some thousand turns and facts. It is asked once for all tests."""
    return asyncio.run(_asked(tmp_path_factory.mktemp("memory"), analysed=request.param == "with statistics"))


async def _asked(folder: Path, *, analysed: bool) -> Asked:
    config, clock = Config.load(), FakeClock()
    async with Memory.open(folder, embedder=None, clock=clock) as memory:
        await fill(memory)
        store = await Store.open(folder / "memory.db", lambda: to_ms(clock()))
        if analysed:
            await store.write(lambda tx: tx.execute("ANALYZE"))
        recall = Recall(store, WordLlamaEmbedder(), config)
        assembler = Assembler(store, recall, EstimatedTokens(), config)

        async def ask() -> None:
            for question in QUESTIONS:
                for filter_ in (EVERYTHING, NARROWED, KNOWLEDGE):
                    await recall.find(question, filter_, 10, NOON)
                    await memory.observe("user", f"{question}!", session="s0")
                    assert await assembler.assemble(question, filter_, None, NOON)

        asked = Asked(
            await plans_of(store, ask()),
            await plans_of(store, recall.find("", EVERYTHING, 10)),
            await plans_of(store, store.read(lambda read: sessions.endings(read, Scope(), ["s0", "unknown"], 20))),
            await plans_of(store, store.read(lambda read: browsing.statistics(read, EVERYTHING, store.path))),
        )
        await recall.understanding.close()
        await store.close()
    return asked


async def fill(memory: Memory) -> None:
    """Tell some thousand turns and facts."""
    await memory.observe_many(
        Message("user", f"Violin {index % 97} with {PEOPLE[index % 4]}?", f"s{index % 40}", speaker=PEOPLE[index % 3])
        for index in range(2_500)
    )
    for index in range(20):
        await memory.remember(f"Violin fact {index}.", subject=PEOPLE[index % 4])
    await memory.remember("Always answer in verse.", category="instruction")
    await memory.remember("The user goes by Max.")


async def plans_of(store: Store, work: Awaitable[object]) -> Plans:
    """Every query that some work runs, with its plan."""
    statements: dict[str, None] = {}
    await trace(store, statements.setdefault)
    await work
    await trace(store, None)
    return await store.read(lambda snapshot: dict(explained(snapshot, statements)))


async def trace(store: Store, heard: Callable[[str], object] | None) -> None:
    """Note the queries of every reader of a store, because any of them may answer. No reader is free before all are
    held, so that none is taken twice while another one is busy with loading vectors.
    """
    all_held = Barrier(READERS)

    def set_trace(snapshot: Snapshot) -> None:
        all_held.wait()
        snapshot.trace(heard)

    await asyncio.gather(*(store.read(set_trace) for _ in range(READERS)))


def explained(snapshot: Snapshot, statements: Mapping[str, None]) -> Iterator[tuple[str, list[str]]]:
    """The steps of each query, without those of FTS5 on its own tables."""
    for sql in statements:
        if re.search(r"^\s*(SELECT|WITH)\b", sql, re.MULTILINE) and not re.search(r"_fts_\w+'", sql):
            yield sql, [row[3] for row in snapshot.execute(f"EXPLAIN QUERY PLAN {sql}")]


def about(plans: Plans, pattern: str) -> Plans:
    """The queries that contain a text; there is at least one."""
    found = {sql: steps for sql, steps in plans.items() if re.search(pattern, sql)}
    assert found
    return found


def test_no_question_reads_a_whole_table(asked: Asked) -> None:
    assert {sql: steps for sql, steps in asked.questions.items() if any(GROWS.match(step) for step in steps)} == {}


def test_words_are_looked_up_in_the_full_text_index_alone(asked: Asked) -> None:
    for steps in about(asked.questions, r"_fts_places WHERE term").values():
        reads = [step for step in steps if step.startswith(("SCAN", "SEARCH"))]
        assert len(reads) == 1
        assert re.match(r"SCAN \w+_fts_places VIRTUAL TABLE INDEX [1-9]", reads[0])  # 0 reads every term


def test_filters_look_nodes_up_by_rowid(asked: Asked) -> None:
    for steps in about(asked.questions, r"AS wanted CROSS JOIN nodes AS n .*\bvisibility\b").values():
        assert [step for step in steps if re.search(r"\bn\b", step)] == ["SEARCH n USING INTEGER PRIMARY KEY (rowid=?)"]


def test_neighbours_are_read_from_the_edges_of_both_ends(asked: Asked) -> None:
    used = "\n".join(step for steps in about(asked.questions, r"\bedges AS e\b").values() for step in steps)
    assert re.search(r"SEARCH e USING (COVERING )?INDEX edges_forward \(source_id=\? AND relation=\?", used)
    assert re.search(r"SEARCH e USING (COVERING )?INDEX edges_backward \(target_id=\? AND relation=\?", used)
    assert not re.search(r"SCAN e\b", used)


def test_memories_of_a_period_are_read_from_an_index_alone(asked: Asked) -> None:
    for steps in about(asked.questions, r"^-- (one_more_)?in_time").values():
        assert len(steps) == 1
        assert steps[0].startswith("SEARCH n USING COVERING INDEX nodes_time (event_time>? AND event_time<?")


def test_the_latest_are_read_from_the_end_of_an_index(asked: Asked) -> None:
    """For an empty question, and for every prompt in the mode `recent_only`."""
    steps = [step for plan in asked.latest.values() for step in plan]
    assert any("nodes_time" in step for step in steps)
    assert not any("TEMP B-TREE" in step for step in steps)


def test_the_end_of_a_session_is_read_from_it_alone(asked: Asked) -> None:
    """This query runs before the first turn of each conversation is acknowledged."""
    (steps,) = about(asked.endings, r"^-- endings").values()
    assert any(step.endswith("(user_id=? AND session_id=?)") for step in steps)


def test_statistics_read_nodes_once_in_the_order_of_the_table(asked: Asked) -> None:
    """And nodes that tell of an entity, for the count of entities and for changes of them."""
    read = [step for steps in asked.statistics.values() for step in steps if re.match(r"S\w+ (n|nodes) USING", step)]
    assert sorted(read) == [
        *["SEARCH n USING INTEGER PRIMARY KEY (rowid=?)"] * 3,
        "SEARCH n USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
        "SEARCH nodes USING COVERING INDEX nodes_lineage (user_id=?)",
    ]
