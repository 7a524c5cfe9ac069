"""What was stored last is scored as FTS5 scores it, without asking it."""

import sqlite3
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.store.connection import driver
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.fulltext import EVERYTHING, Extent
from sandbox.extensions.memory.store.recent import Recent
from sandbox.extensions.memory.store.snapshot import Snapshot

WORDS = st.sampled_from("anna berlin tea coffee река озеро 東京 c3po x".split())
ROWS = st.lists(st.tuples(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=2)), min_size=1, max_size=30)
ASKED = st.lists(WORDS, min_size=1, max_size=4, unique=True)


def _filled(rows: list[tuple[list[str], list[str]]]) -> sqlite3.Connection:
    """What of the schema full text needs, with some rows."""
    connection: sqlite3.Connection = driver().module.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE nodes (id INTEGER PRIMARY KEY, terms TEXT, who TEXT)")
    connection.execute(
        "CREATE VIRTUAL TABLE nodes_fts USING fts5"
        " (terms, who, content = 'nodes', content_rowid = 'id', tokenize = 'ascii')"
    )
    connection.executemany(
        "INSERT INTO nodes (terms, who) VALUES (?, ?)",
        [(" ".join(terms), " ".join(who) or None) for terms, who in rows],
    )
    connection.execute("INSERT INTO nodes_fts (rowid, terms, who) SELECT id, terms, who FROM nodes")
    return connection


def _by_fts5(connection: sqlite3.Connection, asked: list[str]) -> dict[int, float]:
    match = " OR ".join(f'"{term}"' for term in asked)
    sql = "SELECT rowid, -bm25(nodes_fts) FROM nodes_fts WHERE nodes_fts MATCH ?"
    return {row[0]: row[1] for row in connection.execute(sql, (match,))}


@given(ROWS, ASKED)
def test_scores_are_those_of_fts5(rows: list[tuple[list[str], list[str]]], asked: list[str]) -> None:
    connection = _filled(rows)
    recent = Recent(EVERYTHING)
    recent.read(Snapshot(connection), len(rows))
    found = recent.matching(asked, [0] * len(asked), len(rows))
    assert found is not None
    assert found.plain() == pytest.approx(_by_fts5(connection, asked), rel=1e-5)
    connection.close()


@given(ROWS, ROWS, ASKED)
def test_what_came_in_two_readings_is_found_like_what_came_in_one(
    first: list[tuple[list[str], list[str]]], then: list[tuple[list[str], list[str]]], asked: list[str]
) -> None:
    connection = _filled(first + then)
    at_once, bit_by_bit = Recent(EVERYTHING), Recent(EVERYTHING)
    bit_by_bit.read(Snapshot(connection), len(first))
    for recent in (at_once, bit_by_bit):
        recent.read(Snapshot(connection), len(first + then))
    known, last = [0] * len(asked), len(first + then)
    one, other = at_once.matching(asked, known, last), bit_by_bit.matching(asked, known, last)
    assert one is not None
    assert other is not None
    assert one.plain() == other.plain()
    connection.close()


def test_a_term_that_is_several_words_for_fts5_is_left_to_it() -> None:
    assert Recent(EVERYTHING).matching(["a-b"], [0], 0) is None


@given(ROWS)
def test_the_extent_is_what_fts5_says_of_itself(rows: list[tuple[list[str], list[str]]]) -> None:
    connection = _filled(rows)
    tokens = sum(len(terms) + len(who) for terms, who in rows)
    assert Extent.read(Snapshot(connection), EVERYTHING) == Extent(len(rows), tokens)
    connection.close()


async def test_what_was_said_last_is_found_with_what_was_said_first(hashed: Memory, folder: Path) -> None:
    """In a long memory, of which most is in memory: the scores are within a few percent of what FTS5 says of all."""
    told = (f"Turn {number} is about the {('lake', 'river', 'hill')[number % 3]}." for number in range(2_200))
    await hashed.observe_many(Message("user", each, "s1") for each in told)
    asked = ["lake", "zeppelin"]
    reading = await Store.open(folder / "memory.db", lambda: 0, 0.05)
    before = await reading.read(partial(_matching, reading, asked))
    await hashed.observe("user", "A zeppelin flew over the lake.", session="s1")
    found = await reading.read(partial(_matching, reading, asked))
    exact = await reading.read(partial(_by_fts5, asked=asked))
    await reading.close()
    assert len(found) == len(before) + 1
    assert found == pytest.approx(exact, rel=0.02)
    assert max(found, key=found.__getitem__) == max(exact, key=exact.__getitem__)


def _matching(store: Store, asked: list[str], snapshot: Snapshot) -> dict[int, float]:
    last = snapshot.execute("SELECT max(id) FROM nodes").fetchone()[0]
    return store.words.everything.matching(snapshot, asked, last).plain()


async def test_the_first_facts_of_a_long_memory_are_found(hashed: Memory) -> None:
    """Asked for before there was one, and again while they come."""
    await hashed.observe_many(Message("user", f"This is turn {number}.", "s1") for number in range(2_100))
    assert await hashed.search("parrot Kiki", types=["semantic"]) == []
    for number, fact in enumerate(("The parrot is called Kiki.", "Kiki likes mango.", "A parrot can live long.")):
        await hashed.remember(fact)
        found = [hit.content for hit in await hashed.search("parrot Kiki", types=["semantic"], reinforce=False)]
        assert len(found) == number + 1
        assert found[0] == "The parrot is called Kiki."
