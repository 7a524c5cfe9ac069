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
from sandbox.extensions.memory.store.memories import nodes
from sandbox.extensions.memory.store.sqlite.database import Store
from sandbox.extensions.memory.store.sqlite.migrate import APPLICATION_ID, SCHEMA_VERSION, migrate
from sandbox.extensions.memory.store.sqlite.snapshot import Transaction
from sandbox.extensions.memory.times import to_ms
from sandbox.testing import NOON
from tests.memory.store import raw

NEXT = SCHEMA_VERSION + 1
APPLIED = list(range(1, NEXT))

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


async def test_a_file_of_the_first_version_is_migrated(folder: Path) -> None:
    """Its contents stay, and everything of the newer version works."""
    raw.replace(folder, b"")
    with closing(raw.connect(folder)) as connected:
        migrate(connected, 42, folder / DATABASE, target=1)
        assert version(connected) == (1, [1])
        connected.execute(
            "INSERT INTO sessions (user_id, session_id, first_seen_at, last_seen_at) VALUES ('default', 's0', 1, 1)"
        )
        connected.commit()
    async with Memory.open(folder, embedder=None, clock=lambda: NOON) as memory:
        await memory.observe("user", "I live in Berlin.", session="s0", speaker="Ann")
        assert len((await memory.consolidate("s0")).learnt) == 1
        assert (await memory.statistics()).sessions == 1


TURN = """INSERT INTO nodes (type, user_id, visibility, project_id, session_id, event_time, public_id, valid_from,
    created_at, created_seq, updated_at, anchored_at, trust, source, role, key, content, terms)
VALUES ('episodic', 'default', ?, ?, 's', 1, ?, 1, 1, 1, 1, 1, 'user', 'conversation', 'user', ?, ?, ?)"""


async def test_a_session_of_the_third_version_is_split_by_scope(folder: Path) -> None:
    """The turns that were read stay read; new knowledge is visible where it was said."""
    raw.replace(folder, b"")
    with closing(raw.connect(folder)) as connected:
        migrate(connected, 42, folder / DATABASE, target=3)
        for place, (visibility, project) in enumerate(
            [("user", None), ("project", "a"), ("user", None), ("project", "a")]
        ):
            content = f"I live in {('Oslo', 'Lima', 'Rome', 'Kyiv')[place]}."
            connected.execute(TURN, (visibility, project, f"turn{place}", f"key{place}", content, "live"))
        connected.execute(
            "INSERT INTO sessions (user_id, session_id, first_seen_at, last_seen_at, last_node_id, episode_count,"
            " consolidated_node_id, consolidated_by) VALUES ('default', 's', 1, 1, 4, 4, 2, 'rules')"
        )
        connected.commit()
    in_a = Scope(project_id="a", visibility="project")
    async with Memory.open(folder, embedder=None, clock=lambda: NOON) as memory:
        for scope, learnt in ((Scope(), "The user lives in Rome."), (in_a, "The user lives in Kyiv.")):
            assert [each.content for each in (await memory.consolidate("s", scope=scope)).learnt] == [learnt]
        again = await memory.observe("user", "I live in Lima.", session="s", key="key1", scope=in_a)
        assert again == "turn1"
        assert await memory.observe("user", "I live in Lima.", session="s", key="key1") != "turn1"


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
TO_VERSION_2 = """DROP TRIGGER nodes_state; DROP TABLE past_states; ALTER TABLE changes DROP COLUMN interface;
DROP TABLE document_vectors; DROP TABLE documents;
DROP INDEX entities_merged; DROP TABLE claims; DROP INDEX sessions_home;
ALTER TABLE entity_names DROP COLUMN node_id;
ALTER TABLE entity_merges DROP COLUMN node_id;
DROP TABLE profile_values; DROP TRIGGER entity_knowledge_insert; DROP TRIGGER entity_knowledge_delete;
DROP TABLE nights; DROP TABLE exports;
DROP TABLE entity_knowledge; DELETE FROM migrations WHERE version > 2; PRAGMA user_version = 2;"""


async def test_the_table_of_facts_of_an_entity_follows_its_links(folder: Path) -> None:
    """After any change of entities and memories, and in a file of version 2."""
    async with Memory.open(folder, embedder=None) as memory:
        await memory.observe("user", "I met Annie and Bob.", session="s", speaker="Ann")
        known = await memory.remember("Ann lives in Berlin.", subject="Ann")
        await memory.remember("Annie plays chess with Bob.", subject="Annie")
        await memory.correct(known, "Ann lives in Potsdam.")
        await memory.merge_entities("Annie", "Ann")
    assert raw.query(folder, LINKS) == raw.query(folder, KNOWN) != []
    with closing(raw.connect(folder)) as connected:
        connected.executescript(TO_VERSION_2)
    async with Memory.open(folder, embedder=None) as memory:
        assert raw.query(folder, LINKS) == raw.query(folder, KNOWN) != []
        await memory.split_entity("Ann")
        await memory.erase(session="s")
    assert raw.query(folder, LINKS) == raw.query(folder, KNOWN) != []
