"""How SQLite answers: whatever the build and the statistics, nothing on the way to an answer reads a whole table."""

import re
import sqlite3
from collections.abc import Callable

import pytest

from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.assemble.context import Assembler
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.recall import Recall
from sandbox.extensions.memory.store import graph, search
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.turns import TurnCache
from sandbox.extensions.memory.text.tokens import EstimatedTokens
from sandbox.extensions.memory.times import to_ms
from tests.conftest import NOON

FILTER = Filter(
    Scope(), to_ms(NOON), types=("semantic", "episodic"), after=0, before=to_ms(NOON) + 1, quarantined=False
)
# Everything that grows with the memory; the index of standing wishes is small, and meant to be read whole.
GROWS = re.compile(r"^SCAN (n|nodes|e|edges|l|v|vectors|changes|w|entity_names)\b(?! USING INDEX nodes_always)")


@pytest.fixture(params=["without statistics", "with statistics"])
async def filled(request: pytest.FixtureRequest, memory: Memory, store: Store) -> Store:
    """Some thousand turns and facts."""
    people = ("Ann", "Bob", "Zoe", "Анна")
    await memory.observe_many(
        Message(
            "user", f"Violin lesson {index % 97} with {people[index % 4]}?", f"s{index % 40}", speaker=people[index % 3]
        )
        for index in range(2_000)
    )
    for index in range(20):
        await memory.remember(f"Violin fact {index}.", subject=people[index % 4])
    await memory.remember("Always answer in verse.", category="instruction")
    if request.param == "with statistics":
        await store.write(lambda tx: tx.execute("ANALYZE"))
    return store


async def plan(store: Store, function: Callable[[sqlite3.Connection], object]) -> dict[str, list[str]]:
    """The plan of every statement that ``function`` runs."""

    def traced(connection: sqlite3.Connection) -> dict[str, list[str]]:
        statements: dict[str, None] = {}
        connection.set_trace_callback(lambda sql: statements.setdefault(sql))
        function(connection)
        connection.set_trace_callback(None)
        return {sql: explained(connection, sql) for sql in statements}

    return await store.read(traced)


def explained(connection: sqlite3.Connection, sql: str) -> list[str]:
    """Steps of the plan; none for what is no query, nor for FTS5's reading of its own tables."""
    if "_fts_" in sql or not re.search(r"^\s*(SELECT|WITH)\b", sql, re.MULTILINE):
        return []
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]


def steps(plans: dict[str, list[str]]) -> list[str]:
    return [step for each in plans.values() for step in each]


async def test_words_are_looked_up_in_the_full_text_index_alone(filled: Store) -> None:
    plans = await plan(filled, lambda connection: search.words(connection, ["violin", "lesson"], FILTER, 20))
    matching = [each for sql, each in plans.items() if "MATCH" in sql]
    assert matching
    for each in matching:
        reads = [step for step in each if step.startswith(("SCAN", "SEARCH"))]
        assert len(reads) == 1
        assert re.match(r"SCAN nodes_fts VIRTUAL TABLE INDEX \d+:M", reads[0])


async def test_filters_look_nodes_up_by_rowid(filled: Store) -> None:
    plans = await plan(filled, lambda connection: search.allowed(connection, range(1, 500), FILTER))
    reads = [step for step in steps(plans) if re.search(r"\bn\b", step)]
    assert reads == ["SEARCH n USING INTEGER PRIMARY KEY (rowid=?)"]


@pytest.mark.parametrize("relations", [["temporal"], ["causal", "temporal"]])
async def test_neighbours_are_read_from_the_edges_of_both_ends(filled: Store, relations: list[str]) -> None:
    used = " ".join(steps(await plan(filled, lambda connection: graph.neighbours(connection, range(1, 50), relations))))
    assert "edges_forward (" in used
    assert "edges_backward (" in used
    assert not re.search(r"SCAN (e|edges)\b", used)


async def test_the_turns_around_are_read_from_the_edges_of_both_ends(filled: Store) -> None:
    used = " ".join(steps(await plan(filled, lambda connection: TurnCache().around(connection, range(1, 50), 2))))
    assert "edges_forward (" in used
    assert "edges_backward (" in used
    assert not re.search(r"SCAN (e|edges|n|nodes)\b", used)


@pytest.mark.parametrize(
    "question",
    [
        "violin",
        "when, and how, was the violin lesson with Ann?",
        "why did the violin lesson go badly?",
        "what did Анна say about violins?",
        "musical instruments",
    ],
)
async def test_no_question_reads_a_whole_table(filled: Store, question: str) -> None:
    """Search and context, from the question to the block."""
    config = Config.load({})
    recall = Recall(filled, WordLlamaEmbedder(), config)
    assembler = Assembler(filled, recall, EstimatedTokens(), config)
    statements: dict[str, None] = {}
    await filled.read(lambda connection: connection.set_trace_callback(lambda sql: statements.setdefault(sql)))
    assert await recall.find(question, FILTER, 10) or question == "musical instruments"
    assert await assembler.assemble(question, FILTER, None)
    await filled.read(lambda connection: connection.set_trace_callback(None))
    plans = await filled.read(lambda connection: {sql: explained(connection, sql) for sql in statements})
    assert any("MATCH" in sql for sql in plans)
    assert {sql: each for sql, each in plans.items() if any(GROWS.match(step) for step in each)} == {}
