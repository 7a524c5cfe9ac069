"""Chat messages, on lines or in an array."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import broken_between, contents, every

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def said(content: object = "The bakery opens at six.", **more: object) -> dict[str, Any]:
    return {"role": "user", "content": content, "timestamp": "2024-03-01T12:00:00Z", "session": "s1", **more}


def keys(path: Path) -> list[str]:
    return [message.key or "" for message in every(path, Message)]


def test_every_field_is_read(jsonl_file: Callable[..., Path]) -> None:
    read_ = list(read(jsonl_file(said(speaker="Ines", source="telegram", key="k-1", id="ignored"))))
    assert read_ == [Message("user", "The bakery opens at six.", "s1", NOON, "Ines", "k-1", "telegram")]


def test_only_role_and_content_are_needed(jsonl_file: Callable[..., Path]) -> None:
    (message,) = every(jsonl_file({"role": "assistant", "content": "Good morning!"}), Message)
    assert message == Message("assistant", "Good morning!", key=message.key, source="import")
    assert message.key


def test_every_role_is_read(jsonl_file: Callable[..., Path]) -> None:
    roles = ["user", "assistant", "system", "tool"]
    path = jsonl_file(*(said(role=role) for role in roles))
    assert [message.role for message in every(path, Message)] == roles


@pytest.mark.parametrize(
    "timestamp",
    [
        "2024-03-01T12:00:00Z",
        "2024-03-01T12:00:00",
        "2024-03-01 12:00",
        "2024-03-01T13:00:00+01:00",
        "2024-03-01T06:30:00.000-05:30",
        1709294400,
        1709294400.0,
        1709294400000,
    ],
)
def test_every_form_of_time_is_read(timestamp: object, jsonl_file: Callable[..., Path]) -> None:
    timed, untimed = every(jsonl_file(said(timestamp=timestamp), said(timestamp=None)), Message)
    assert timed.at == NOON
    assert timed.at.tzinfo is UTC
    assert untimed.at is None


@pytest.mark.parametrize("name", ["time", "date", "at", "created_at", "created", "createdAt", "ts"])
def test_a_time_may_have_the_names_that_columns_may_have(name: str, jsonl_file: Callable[..., Path]) -> None:
    (message,) = every(jsonl_file({"role": "user", "content": "Hi!", name: "2024-03-01T12:00:00Z"}), Message)
    assert message.at == NOON


@pytest.mark.parametrize(
    "timestamp",
    [
        "99999-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "yesterday",
        "",
        "\ud800",
        float("nan"),
        float("inf"),
        True,
        10**17,
        -(10**400),
        1e300,
        [],
        {},
    ],
)
def test_an_invalid_time_is_refused(timestamp: object, jsonl_file: Callable[..., Path]) -> None:
    assert list(read(jsonl_file(said(timestamp=timestamp)))) == [
        BrokenRecord("line 1", "its timestamp is not a time like 2026-03-02 or 2026-03-02T18:30")
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (["Two", "parts"], "Two\nparts"),
        ([{"type": "text", "text": "Rye"}, {"type": "image_url", "image_url": {}}, {"text": "bread"}], "Rye\nbread"),
        ([{"type": "output_text", "text": "Rye"}, {"type": "reasoning", "text": "hmm"}, 7, None, {"type": []}], "Rye"),
        ("  kept as it is \n", "  kept as it is \n"),
    ],
)
def test_content_in_parts_is_joined(content: object, text: str, jsonl_file: Callable[..., Path]) -> None:
    assert contents(jsonl_file(said(content))) == [text]


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ({"content": "secret-word"}, "has no role"),
        (said("secret-word", role="wizard"), "its role is none of user, assistant, system, tool"),
        (said("secret-word", role=["user"]), "its role is none of user, assistant, system, tool"),
        ({"role": "user"}, "has no content"),
        (said(None), "has no content"),
        (said(5), "has no text or list of parts as content"),
        (said({"text": "secret-word"}), "has no text or list of parts as content"),
        (said(""), "has no text"),
        (said(" \t\n"), "has no text"),
        (said([{"type": "image", "text": "secret-word"}]), "has no text"),
        (said("secret-word", session=["s1"]), "its session is not text"),
        (said("secret-word", speaker=True), "its speaker is not text"),
        (said("secret-word", source={}), "its source is not text"),
        (said("secret-word", key=1.5), "its key is not text"),
    ],
)
def test_a_broken_record_leaves_the_others(broken: object, problem: str, jsonl_file: Callable[..., Path]) -> None:
    assert broken_between(jsonl_file(said("Before"), broken, said("After"))) == BrokenRecord("line 2", problem)


def test_broken_records_of_an_array_are_named_by_place(json_file: Callable[..., Path]) -> None:
    _, broken = read(json_file([said(), said("")]))
    assert broken == BrokenRecord("message 2", "has no text")


async def test_ids_of_two_files_may_be_the_same(memory: Memory, jsonl_file: Callable[..., Path]) -> None:
    """Many programs count their messages from 1."""
    for text in ("I like rye.", "I keep bees.", "I like rye."):
        await memory.import_file(jsonl_file(said(text, id=1)))
    assert (await memory.statistics()).nodes["episodic"] == 2


def test_derived_keys_survive_added_messages(jsonl_file: Callable[..., Path]) -> None:
    lines = [said("ok"), said("ok"), said("ok", session="s2")]
    before = keys(jsonl_file(*lines))
    after = keys(jsonl_file(said("Earlier"), *lines[:2], said("Between"), lines[2], said("ok")))
    assert [after[1], after[2], after[4]] == before
    assert len(set(after)) == 6


def test_derived_keys_do_not_depend_on_how_a_time_is_written(jsonl_file: Callable[..., Path]) -> None:
    assert keys(jsonl_file(said())) == keys(jsonl_file(said(timestamp=1709294400)))


def test_a_key_given_to_two_different_messages_is_reported(jsonl_file: Callable[..., Path]) -> None:
    """Otherwise only the first one would be stored, without a word."""
    items = list(
        read(jsonl_file(said("One", key=1), said("One", key=1), said("Two", key=1), said("Two", key=1, source="b")))
    )
    assert [type(item) for item in items] == [Message, Message, BrokenRecord, Message]
    assert items[2] == BrokenRecord("line 3", "has the key of an earlier, different record")
