"""``memories.jsonl``: one statement on a line."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Statement
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import broken_between, every


def memory(**fields: object) -> dict[str, Any]:
    given = {"id": "m-1", "scope": "user", "text": "Prefers rye bread", "tags": ["preference"]}
    return {**given, "ts": "2026-02-26T12:00:00Z", **fields}


def test_a_memory_is_read(jsonl_file: Callable[..., Path]) -> None:
    (statement,) = every(jsonl_file(memory(tags=["preference", "food"])), Statement)
    assert statement == Statement(
        "Prefers rye bread",
        category="preference",
        tags=("preference", "food"),
        at=datetime(2026, 2, 26, 12, tzinfo=UTC),
        source="explicit",
        key=statement.key,
    )


@pytest.mark.parametrize(
    ("tags", "category"),
    [
        (["instruction"], "instruction"),
        (["convention", "person"], "convention"),
        (["infra", "preference"], "fact"),
        ([], "fact"),
        (None, "fact"),
    ],
)
def test_the_first_tag_may_be_a_category(tags: object, category: str, jsonl_file: Callable[..., Path]) -> None:
    assert [statement.category for statement in every(jsonl_file(memory(tags=tags)), Statement)] == [category]


def test_memories_without_an_id_get_keys(jsonl_file: Callable[..., Path]) -> None:
    path = jsonl_file(memory(), memory(id=None), memory(id=None), memory(id=None, text="Bakes on Fridays"))
    assert len({statement.key for statement in every(path, Statement)}) == 4
    assert list(read(path)) == list(read(path))


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (memory(text=" "), "has no text"),
        (memory(text=None), "has no text"),
        (memory(text=["Prefers rye"]), "its text is not text"),
        (memory(tags="preference"), "its tags are not a list of texts"),
        (memory(tags=[1]), "its tags are not a list of texts"),
        (memory(ts="today"), "its ts is not a time like 2026-03-02 or 2026-03-02T18:30"),
        (memory(id={}), "its id is not text"),
    ],
)
def test_a_broken_memory_leaves_the_others(broken: object, problem: str, jsonl_file: Callable[..., Path]) -> None:
    assert broken_between(jsonl_file(memory(), broken, memory(id="m-3"))) == BrokenRecord("line 2", problem)
