"""The index of words gives the scores of FTS5, whatever this or another process stored, changed or erased."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

import pytest
from hypothesis import example, given, strategies as st

from sandbox.extensions.memory import Memory, Message
from sandbox.extensions.memory.store.sql import EVERYTHING
from sandbox.extensions.memory.store.sqlite.connection import driver
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.store.word_index import WordIndex

WORDS = st.sampled_from("anna berlin tea coffee река озеро 東京 c3po x".split())
ROWS = st.lists(st.tuples(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=2)), min_size=1, max_size=30)
ASKED = st.lists(WORDS, min_size=1, max_size=4, unique=True)
LONG = ["tea"] * 200 + ["x"] * 20_000  # so many that their number takes three bytes


@contextmanager
def _database() -> Iterator[sqlite3.Connection]:
    """The part of the schema that full text needs."""
    with closing(driver().module.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(
            "CREATE TABLE nodes (id INTEGER PRIMARY KEY AUTOINCREMENT, terms TEXT, who TEXT, user_id TEXT,"
            " visibility TEXT);"
            "CREATE VIRTUAL TABLE nodes_fts USING fts5"
            " (terms, who, content = 'nodes', content_rowid = 'id', tokenize = 'ascii');"
            "CREATE VIRTUAL TABLE temp.nodes_fts_places USING fts5vocab (main, nodes_fts, instance);"
        )
        yield connection


def _add(
    connection: sqlite3.Connection, rows: list[tuple[list[str], list[str]]], user: str = "ann", seen: str = "user"
) -> None:
    said = [(" ".join(terms), " ".join(who) or None, user, seen) for terms, who in rows]
    upto = connection.execute("SELECT coalesce(max(id), 0) FROM nodes").fetchone()[0]
    connection.executemany("INSERT INTO nodes (terms, who, user_id, visibility) VALUES (?, ?, ?, ?)", said)
    connection.execute(
        "INSERT INTO nodes_fts (rowid, terms, who) SELECT id, terms, who FROM nodes WHERE id > ?", (upto,)
    )


def _erase(connection: sqlite3.Connection, id: int) -> None:
    connection.execute(
        "INSERT INTO nodes_fts (nodes_fts, rowid, terms, who) SELECT 'delete', id, terms, who FROM nodes WHERE id = ?",
        (id,),
    )
    connection.execute("DELETE FROM nodes WHERE id = ?", (id,))


def _by_fts5(connection: sqlite3.Connection | Snapshot, asked: list[str]) -> dict[int, float]:
    match = " OR ".join(f'"{term}"' for term in asked)
    sql = "SELECT rowid, -bm25(nodes_fts) FROM nodes_fts WHERE nodes_fts MATCH ?"
    return {row[0]: row[1] for row in connection.execute(sql, (match,))}


def _is_exact(index: WordIndex, connection: sqlite3.Connection, asked: list[str]) -> None:
    assert index.matching(Snapshot(connection), asked, "ann").plain() == pytest.approx(
        _by_fts5(connection, asked), rel=1e-5
    )


@example([(LONG, ["anna"]), (["tea"], []), (["anna"], [])], ["tea"])  # a long text is scored by its length
@given(ROWS, ASKED)
def test_scores_are_those_of_fts5(rows: list[tuple[list[str], list[str]]], asked: list[str]) -> None:
    with _database() as connection:
        _add(connection, rows)
        _is_exact(WordIndex(EVERYTHING), connection, asked)


@given(ROWS, ROWS, ASKED, st.data())
def test_the_index_follows_additions_and_erasures(
    first: list[tuple[list[str], list[str]]],
    then: list[tuple[list[str], list[str]]],
    asked: list[str],
    data: st.DataObject,
) -> None:
    index = WordIndex(EVERYTHING)
    with _database() as connection:
        _is_exact(index, connection, asked)
        _add(connection, first)
        _is_exact(index, connection, asked[:1])
        _add(connection, then)
        _is_exact(index, connection, asked)
        _erase(connection, data.draw(st.integers(1, len(first + then))))
        _is_exact(index, connection, asked)
        _add(connection, first)
        _is_exact(index, connection, asked)


@given(st.lists(st.tuples(st.sampled_from(["ann", "ben", "all"]), ROWS), max_size=5), ASKED, st.data())
def test_scores_of_a_user_equal_those_of_a_separate_memory(
    parts: list[tuple[str, list[tuple[list[str], list[str]]]]], asked: list[str], data: st.DataObject
) -> None:
    """Asked after every part: the words of others change no score, and are unknown."""
    shared, own = WordIndex(EVERYTHING), WordIndex(EVERYTHING)
    with _database() as everybodys, _database() as anns:
        seen = list[int]()
        for whose, rows in parts:
            visibility = "global" if whose == "all" else "user"
            first = everybodys.execute("SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence").fetchone()[0]
            _add(everybodys, rows, whose, visibility)
            if whose != "ben":
                _add(anns, rows, whose, visibility)
                seen += range(first, first + len(rows))
            elif data.draw(st.booleans()):
                _erase(everybodys, first)
            answers = [
                (index.matching(snapshot, asked, "ann").plain(), index.rarity(snapshot, asked, "ann"))
                for index, snapshot in ((shared, Snapshot(everybodys)), (own, Snapshot(anns)))
            ]
            numbered = {seen[id - 1]: score for id, score in answers[1][0].items()}
            assert answers[0][0] == pytest.approx(numbered, rel=1e-5)
            assert answers[0][1] == pytest.approx(answers[1][1])
            unknown = own.unknown(Snapshot(anns), asked, "ann")
            assert shared.unknown(Snapshot(everybodys), asked, "ann") == unknown


def test_terms_have_a_rarity_and_unknown_ones_are_named() -> None:
    index = WordIndex(EVERYTHING)
    with _database() as connection:
        _add(connection, [(["tea", "tea"], ["anna"]), (["tea"], []), (["coffee"], [])])
        assert index.unknown(Snapshot(connection), ["tea", "anna", "berlin"], "ann") == {"berlin"}
        rarity = index.rarity(Snapshot(connection), ["tea", "anna", "berlin"], "ann")
        assert sorted(rarity, key=rarity.__getitem__) == ["tea", "anna", "berlin"]


async def test_the_index_follows_other_processes(hashed: Memory, store: Store) -> None:
    """Through its own connections, by an index that was used before. An older snapshot sees its own state."""
    told = (f"Turn {number} is about the {('lake', 'river', 'hill')[number % 3]}." for number in range(2_200))
    await hashed.observe_many(Message("user", each, "s1") for each in told)
    asked = ["lake", "zeppelin"]
    before = await store.read(partial(_matching, store, asked))
    await hashed.observe("user", "A zeppelin flew over the lake.", session="s2")
    found = await store.read(partial(_matching, store, asked))
    exact = await store.read(partial(_by_fts5, asked=asked))
    await hashed.erase(session="s2")
    after = await store.read(partial(_matching, store, asked))
    assert len(found) == len(before) + 1
    assert found == pytest.approx(exact, rel=1e-5)
    assert max(found, key=found.__getitem__) == max(exact, key=exact.__getitem__)
    assert after == pytest.approx(before)


async def test_postings_of_an_older_snapshot_are_not_kept(hashed: Memory, store: Store) -> None:
    await hashed.observe_many(Message("user", f"Turn {number} is about the lake.", "s1") for number in range(5))
    await hashed.observe("user", "A zeppelin flew over the lake.", session="s2")
    with closing(driver().module.connect(store.path, isolation_level=None)) as older:
        older.execute("CREATE VIRTUAL TABLE temp.nodes_fts_places USING fts5vocab (main, nodes_fts, instance)")
        older.execute("BEGIN")
        assert len(_matching(store, ["lake"], Snapshot(older))) == 6
        await hashed.observe("user", "Another zeppelin flew over the lake.", session="s2")
        assert len(await store.read(partial(_matching, store, ["lake"]))) == 7
        assert len(_matching(store, ["zeppelin"], Snapshot(older))) == 1
        assert len(await store.read(partial(_matching, store, ["zeppelin"]))) == 2


def _matching(store: Store, asked: list[str], snapshot: Snapshot) -> dict[int, float]:
    return store.words.everything.matching(snapshot, asked, "default").plain()


async def test_the_first_facts_of_a_long_memory_are_found(hashed: Memory) -> None:
    """A question comes before the first fact, and again while facts come."""
    await hashed.observe_many(Message("user", f"This is turn {number}.", "s1") for number in range(2_100))
    assert await hashed.search("parrot Kiki", types=["semantic"]) == []
    for number, fact in enumerate(("The parrot is called Kiki.", "Kiki likes mango.", "A parrot can live long.")):
        await hashed.remember(fact)
        found = [hit.content for hit in await hashed.search("parrot Kiki", types=["semantic"], reinforce=False)]
        assert len(found) == number + 1
        assert found[0] == "The parrot is called Kiki."
