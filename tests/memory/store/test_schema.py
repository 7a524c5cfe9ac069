"""The file: its marks, its migrations, its ids."""

from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.ingest import drafts
from sandbox.extensions.memory.memory import DATABASE
from sandbox.extensions.memory.store import nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.migrate import APPLICATION_ID, FIRST_VERSION, SCHEMA_VERSION, migrate
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON
from tests.memory.store import raw

NEXT = SCHEMA_VERSION + 1
APPLIED = list(range(FIRST_VERSION, NEXT))

ADD_MOOD = """
CREATE TABLE moods (id INTEGER PRIMARY KEY, name TEXT);
CREATE TRIGGER first_mood AFTER INSERT ON moods BEGIN
    UPDATE moods SET name = upper(name); SELECT 1;
END;
INSERT INTO moods (name) VALUES ('; not the end');
ALTER TABLE nodes ADD COLUMN mood_id INTEGER;
"""


@pytest.fixture
async def made(folder: Path) -> Path:
    """The folder of a closed memory with one turn."""
    async with Memory.open(folder, embedder=None, clock=lambda: NOON) as memory:
        await memory.observe("user", "I moved to Berlin.", key="moved")
    return folder


@pytest.fixture
def connection(made: Path) -> Iterator[Any]:
    """A connection to that file without the memory."""
    with closing(raw.connect(made)) as connected:
        yield connected


def version(connection: Any) -> tuple[int, list[int]]:
    """The schema version of the file, and the recorded migrations."""
    applied = connection.execute("SELECT version FROM migrations ORDER BY version").fetchall()
    return connection.execute("PRAGMA user_version").fetchone()[0], [row[0] for row in applied]


def test_a_file_says_what_it_is_and_which_schema_it_has(connection: Any, made: Path) -> None:
    """In its header, for other programs, and in its own record."""
    assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert (made / DATABASE).read_bytes()[68:72] == b"AMEM"
    assert version(connection) == (SCHEMA_VERSION, APPLIED)
    assert connection.execute("SELECT applied_at FROM migrations").fetchone()[0] == to_ms(NOON)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_a_migration_and_its_record_commit_together(connection: Any, made: Path) -> None:
    """A statement may contain others, and a text a semicolon. A second run changes nothing."""
    for _ in range(2):
        migrate(connection, 42, made / DATABASE, migrations={NEXT: ADD_MOOD}, target=NEXT)
        assert version(connection) == (NEXT, [*APPLIED, NEXT])
    assert connection.execute("SELECT applied_at FROM migrations WHERE version = ?", (NEXT,)).fetchone()[0] == 42
    assert [row[0] for row in connection.execute("SELECT name FROM moods")] == ["; NOT THE END"]
    assert connection.execute("SELECT content, mood_id FROM nodes").fetchone() == ("I moved to Berlin.", None)


def test_a_migration_that_fails_changes_nothing(connection: Any, made: Path) -> None:
    """Earlier statements of it are undone too, migrations before it stay, and the next attempt starts after those."""
    migrations = {NEXT: "CREATE TABLE two (id);", NEXT + 1: ADD_MOOD + "DELETE FROM nowhere;"}
    before = connection.execute("SELECT name, sql FROM sqlite_master WHERE name <> 'two'").fetchall()
    for _ in range(2):
        with pytest.raises(Exception, match="no such table: nowhere"):
            migrate(connection, 42, made / DATABASE, migrations=migrations, target=NEXT + 1)
        assert not connection.in_transaction
        assert connection.execute("SELECT name, sql FROM sqlite_master WHERE name <> 'two'").fetchall() == before
        assert connection.execute("SELECT count(*) FROM two").fetchone() == (0,)
        assert version(connection) == (NEXT, [*APPLIED, NEXT])
    migrate(connection, 42, made / DATABASE, migrations={NEXT + 1: ADD_MOOD}, target=NEXT + 1)
    assert version(connection) == (NEXT + 1, [*APPLIED, NEXT, NEXT + 1])


async def test_public_ids_are_eight_letters_and_digits_and_stay(memory: Memory) -> None:
    """Corrections, forgetting and restoring keep the id of a memory."""
    ids = await memory.observe_many(Message("user", f"turn {n}") for n in range(1000))
    known = await memory.remember("Ann lives in Berlin.")
    assert len({*ids, known}) == 1001
    assert all(len(id) == 8 and set(id) <= set(ascii_letters + digits) for id in [*ids, known])
    assert await memory.correct(known, "Ann lives in Potsdam.") == known
    await memory.forget(known)
    await memory.restore(known)
    assert [each.version for each in (await memory.explain(known)).versions] == [2, 1]


async def test_a_used_id_is_drawn_again(store: Store, folder: Path) -> None:
    """By another memory of the user, or in the same call; another user may have it."""
    draws = cycle(["AAAAAAAA", "AAAAAAAA", "BBBBBBBB", "AAAAAAAA", "CCCCCCCC", "BBBBBBBB"])

    def add(tx: Transaction, count: int, user: str) -> list[str]:
        scope = Scope(user_id=user)
        turns = [
            drafts.EpisodeMaker().episode(Message("user", "Yes."), scope, tx.now, Config.load()).draft
            for _ in range(count)
        ]
        return [each.public_id for each in nodes.add_many(tx, turns, generate=lambda count: islice(draws, count))]

    assert await store.write(lambda tx: add(tx, 1, "Ann")) == ["AAAAAAAA"]
    assert sorted(await store.write(lambda tx: add(tx, 2, "Ann"))) == ["BBBBBBBB", "CCCCCCCC"]
    assert len(set(await store.write(lambda tx: add(tx, 3, "Ben")))) == 3
    assert raw.query(folder, "SELECT user_id, count(DISTINCT public_id) FROM nodes GROUP BY 1") == [
        ("Ann", 3),
        ("Ben", 3),
    ]


LINKS = """SELECT l.entity_id, l.role, l.node_id FROM node_entities AS l JOIN nodes AS n ON n.id = l.node_id
WHERE n.type <> 'episodic' ORDER BY 1, 2, 3"""
KNOWN = "SELECT entity_id, role, node_id FROM entity_knowledge ORDER BY 1, 2, 3"


async def test_the_table_of_facts_of_an_entity_follows_its_links(folder: Path) -> None:
    """After any change of entities and memories."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I met Annie and Bob.", session="s", speaker="Ann")
        known = await memory.remember("Ann lives in Berlin.", subject="Ann")
        await memory.remember("Annie plays chess with Bob.", subject="Annie")
        await memory.correct(known, "Ann lives in Potsdam.")
        await memory.merge_entities("Annie", "Ann")
    assert raw.query(folder, LINKS) == raw.query(folder, KNOWN) != []
    async with Memory.open(folder, embedder=None) as memory:
        assert raw.query(folder, LINKS) == raw.query(folder, KNOWN) != []
        await memory.split_entity("Ann")
        await memory.erase(session="s")
    assert raw.query(folder, LINKS) == raw.query(folder, KNOWN) != []
