"""An agent's history of sessions, read and cut without the package that writes it."""

import asyncio
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from sandbox.errors import StateUnusable
from sandbox.extensions.assistant.history import History


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "conversations.db"


async def written(file: Path, said: Sequence[tuple[str, str]]) -> History:
    """A file that the package wrote; each pair is a session and its messages."""
    from agents import SQLiteSession

    for session in ("a", "b"):
        await History(file).rewind(session, 0)
    for name, text in said:
        with closing(SQLiteSession(name, file)) as session_:
            await session_.add_items([{"role": "user", "content": text}])
    return History(file)


async def items(file: Path, session: str) -> list[Any]:
    """The items that the package finds in it."""
    from agents import SQLiteSession

    with closing(SQLiteSession(session, file)) as session_:
        return [*await session_.get_items()]


def content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


async def test_an_empty_history_has_no_items(file: Path) -> None:
    history = History(file)
    await history.rewind("s", 0)
    await history.forget("s")
    assert await history.size("s") == 0
    assert content(file) is None


async def test_a_file_of_another_program_is_not_changed(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = content(file)
    await History(file).forget("s")
    assert await History(file).size("s") == 0
    assert content(file) == before


def test_a_file_of_another_format_is_reported(file: Path) -> None:
    file.write_bytes(b"no database" * 100)
    with pytest.raises(StateUnusable, match="file is not a database"):
        asyncio.run(History(file).size("s"))


said = st.lists(st.tuples(st.sampled_from(["a", "b"]), st.text(st.characters(codec="utf-8"), max_size=9)), max_size=8)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said, st.integers(0, 9))
async def test_rewinding_keeps_the_first_items_and_other_sessions(
    file: Path, said: list[tuple[str, str]], size: int
) -> None:
    history = await written(file, said)
    await history.rewind("a", size)
    for session, kept in (("a", size), ("b", None)):
        texts = [text for name, text in said if name == session][:kept]
        assert [item["content"] for item in await items(file, session)] == texts
        assert await history.size(session) == len(texts)


async def test_forgotten_items_are_gone_from_the_file(file: Path) -> None:
    """With what was taken back before, long and short, among the rest; the log has nothing of it either."""
    history = await written(
        file, [(name, f"{name} said {number} " * number**3) for number in range(1, 12) for name in ("gone", "kept")]
    )
    kept = await items(file, "kept")
    await history.rewind("gone", 5)
    await history.forget("gone")
    assert not any(b"gone" in each.read_bytes() for each in file.parent.iterdir())
    assert await items(file, "kept") == kept
    assert json.dumps(kept).count("kept said") == sum(number**3 for number in range(1, 12))
