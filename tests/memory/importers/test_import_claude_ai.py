"""The export of Claude.ai: conversations with edits and abandoned answers, memories, projects."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.model import Message, Statement
from tests.memory.importers.reading import broken_between, contents, every, some

NOBODY = "00000000-0000-4000-8000-000000000000"
AT = "2025-09-01T10:00:00.123456Z"


def message(uuid: str, sender: str, *content: Any, parent: str | None = None, **more: object) -> dict[str, Any]:
    parts = [{"type": "text", "text": part, "citations": []} if isinstance(part, str) else part for part in content]
    given: dict[str, Any] = {"uuid": uuid, "sender": sender, "content": parts, "text": "", "created_at": AT}
    return {**given, "updated_at": AT, "attachments": [], "files": [], "parent_message_uuid": parent, **more}


def conversation(*messages: object, **more: object) -> dict[str, Any]:
    about = {"uuid": "c-1", "name": "Bread", "summary": "", "created_at": AT, "updated_at": AT}
    return {**about, "account": {"uuid": "acc"}, "chat_messages": list(messages), **more}


def test_a_conversation_is_read(json_file: Callable[..., Path]) -> None:
    """With thoughts, a tool, a picture and a voice note; an empty conversation beside it."""
    tool = {"type": "tool_use", "id": "t", "name": "web_search", "input": {"query": "rye"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "Rye is a grain"}]}
    thinking = {"type": "thinking", "thinking": "hm", "summaries": []}
    source = read(
        json_file(
            [
                conversation(
                    message("m1", "human", "How long does rye rest?", files=[{"file_name": "oven.png"}]),
                    message("m2", "assistant", thinking, tool, result, "An hour.", parent="m1"),
                    message("m3", "human", {"type": "voice_note", "title": "Note", "text": "Thank you"}, parent="m2"),
                ),
                conversation(uuid="c-2", name=""),
            ]
        )
    )
    at = datetime(2025, 9, 1, 10, 0, 0, 123_456, tzinfo=UTC)
    assert (source.format, source.total) == ("Claude.ai export", 3)
    assert list(source) == [
        Message("user", "How long does rye rest?", "c-1", at, None, "m1", "claude.ai"),
        Message("assistant", "An hour.", "c-1", at, None, "m2", "claude.ai"),
        Message("user", "Thank you", "c-1", at, None, "m3", "claude.ai"),
    ]


def test_only_the_branch_last_shown_is_read(json_file: Callable[..., Path]) -> None:
    """The user rephrased a question, and the first answer is on a branch of its own."""
    later = "2025-09-01T11:00:00Z"
    tree = [
        message("m1", "human", "Wheat?", parent=NOBODY),
        message("m2", "assistant", "Wheat, yes.", parent="m1"),
        message("m3", "human", "Rye?", parent=NOBODY, created_at=later),
        message("m4", "assistant", "Rye, yes.", parent="m3", created_at=later),
    ]
    assert contents(json_file([conversation(*tree)])) == ["Rye?", "Rye, yes."]
    assert contents(json_file([conversation(*tree, current_leaf_message_uuid="m2")])) == ["Wheat?", "Wheat, yes."]


def test_exports_without_parents_are_read_as_they_stand(json_file: Callable[..., Path]) -> None:
    old = [{"uuid": "m1", "sender": "human", "text": "Rye?", "created_at": AT}]
    old.append({"uuid": "m2", "sender": "assistant", "text": "Yes.", "created_at": AT})
    assert contents(json_file([conversation(*old)])) == ["Rye?", "Yes."]


def test_a_cycle_of_parents_ends(json_file: Callable[..., Path]) -> None:
    tree = [message("m1", "human", "Rye?", parent="m2"), message("m2", "assistant", "Yes.", parent="m1")]
    assert len(contents(json_file([conversation(*tree, current_leaf_message_uuid="m2")]))) == 2


def test_an_attachment_stands_for_an_empty_message(json_file: Callable[..., Path]) -> None:
    pasted = {"file_name": "", "file_type": "txt", "file_size": 9, "extracted_content": "I live in Berlin, and so on"}
    sent = pasted | {"file_name": "letter.pdf", "extracted_content": "Dear Ines"}
    assert contents(json_file([conversation(message("m1", "human", attachments=[pasted, sent]))])) == [
        "I live in Berlin, and so on"
    ]
    assert contents(json_file([conversation(message("m1", "human", "Read", attachments=[pasted]))])) == ["Read"]


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (5, "is not a JSON object"),
        (message("m9", "robot", "x"), "its sender is neither human nor assistant"),
        (
            message("m9", "human", "x", created_at="never"),
            "its created_at is not a time like 2026-03-02 or 2026-03-02T18:30",
        ),
    ],
)
def test_a_broken_message_leaves_the_others(broken: object, problem: str, json_file: Callable[..., Path]) -> None:
    said = [message("m1", "human", "Rye?"), broken, message("m3", "assistant", "Yes.")]
    assert broken_between(json_file([conversation(*said)])).problem == problem


MEMORIES = {
    "conversations_memory": "**Work context**\n\nInes runs a bakery\nin Potsdam.\n\n"
    "**Personal**\n\nShe has two\nchildren.\n\n**History**\n\n*Recent months*\n\n- Planned a trip\n",
    "project_memories": {"p-1": "The oven is new.\n\n**Tools**\n- Postgres 16"},
    "memory_files": [{"path": "/profile.md", "content": "# Profile\n- Prefers grams", "updated_at": AT}],
    "account_uuid": "acc",
}


@pytest.mark.parametrize("layout", [MEMORIES, [MEMORIES]])
def test_memories_are_read(layout: object, json_file: Callable[..., Path]) -> None:
    path = json_file(layout)
    statements = every(path, Statement)
    assert read(path).format == "Claude.ai memories"
    assert [(each.content, each.category, each.subject) for each in statements] == [
        ("Ines runs a bakery in Potsdam.", "fact", "The user"),
        ("She has two children.", "fact", "The user"),
        ("Planned a trip (History)", "fact", "The user"),
        ("The oven is new.", "project", None),
        ("Postgres 16 (Tools)", "project", None),
        ("Prefers grams", "fact", None),
    ]
    assert len({each.key for each in statements}) == 6


async def test_a_point_under_another_heading_is_known(memory: Memory, json_file: Callable[..., Path]) -> None:
    """Whether a point needs its heading depends on the day, if it names one."""
    for heading in ("Tools", "Software"):
        report = await memory.import_file(json_file([{"conversations_memory": f"**{heading}**\n\n- Postgres 16\n"}]))
    assert (report.new, report.known) == (0, 1)


def test_a_project_is_read(json_file: Callable[..., Path]) -> None:
    project = {
        "uuid": "p-1",
        "name": "Oven",
        "description": "A better oven.",
        "prompt_template": "Answer in grams.",
        "docs": [{"uuid": "d-1", "filename": "oven.md", "content": "# Heat\n\nUp to 300 degrees.", "created_at": AT}],
        "created_at": AT,
        "is_private": True,
    }
    path = json_file(project)
    (about,) = some(path, Statement)
    assert (about.content, about.subject, about.category) == ("The project Oven: A better oven.", "Oven", "project")
    assert [(said.role, said.content, said.session) for said in some(path, Message)] == [
        ("user", "Answer in grams.", "Oven (p-1)"),
        ("tool", "# Heat\n\nUp to 300 degrees.", "Oven, oven.md (d-1)"),
    ]
