"""Codex rollouts: the conversation without technical messages."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory.errors import UnreadableImport
from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.ingest.importers.records import TakenBack
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import contents, every, some, told

WRITTEN_BY_CODEX = Path(__file__).parent / "data" / "codex-0.169.jsonl"
AT = "2025-11-03T09:00:00.250Z"
META = {"id": "s-1", "timestamp": AT, "cwd": "/home/ines/bakery", "originator": "codex_cli_rs", "source": "cli"}


def line(type_: str, payload: object, at: str = AT) -> dict[str, Any]:
    return {"timestamp": at, "type": type_, "payload": payload}


def message(role: str, *texts: str, **more: object) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return {"type": "message", "role": role, "content": content, **more}


def said(role: str, *texts: str, **more: object) -> dict[str, Any]:
    return line("response_item", message(role, *texts, **more))


PROMPT = said("user", "Rename the oven module.")


def test_a_rollout_is_read() -> None:
    """A resumed conversation: instructions, tools, settings, usage and events between four turns."""
    source, items = read(WRITTEN_BY_CODEX), every(WRITTEN_BY_CODEX, Message)
    assert (source.format, source.total) == ("Codex rollout", None)
    assert told(WRITTEN_BY_CODEX) == [
        ("user", "I prefer tabs. Rename the oven module."),
        ("assistant", "I look first."),
        ("tool", "$ echo hi\nunsupported call: shell"),
        ("assistant", "Answer number 2: done."),
        ("user", "And add a test."),
        ("assistant", "Answer number 3: done."),
    ]
    assert {(item.session, item.source) for item in items} == {("01a20c51-c201-7ed1-9ab5-6dc0e248a7c3", "codex")}
    assert items[0].at == datetime(2026, 11, 24, 6, 50, 14, 758_000, tzinfo=UTC)
    assert len({item.key for item in items}) == 6


def test_repeated_events_are_read_once(jsonl_file: Callable[..., Path]) -> None:
    """In the format of versions up to 0.120, with each message as an item and as an event."""
    path = jsonl_file(
        line("session_meta", META),
        line("turn_context", {"cwd": "/home/ines/bakery", "model": "gpt-5-codex"}),
        PROMPT,
        line("event_msg", {"type": "user_message", "message": "Rename the oven module.", "kind": "plain"}),
        line("event_msg", {"type": "agent_reasoning", "text": "It is in oven.py"}),
        line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}),
        line("response_item", {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}),
        line("response_item", {"type": "function_call_output", "call_id": "c", "output": "renamed"}),
        line("event_msg", {"type": "agent_message", "message": "Done."}),
        said("assistant", "Done."),
        line(
            "compacted", {"message": "The user wants a module renamed.", "replacement_history": [message("user", "x")]}
        ),
    )
    assert contents(path) == ["Rename the oven module.", "renamed", "Done."]


def test_a_rollout_without_events_is_read(jsonl_file: Callable[..., Path]) -> None:
    """In the format of versions up to 0.30, where only the first line has a time."""
    path = jsonl_file(
        {"id": "s-0", "timestamp": AT, "instructions": None, "git": {"branch": "main"}},
        {"record_type": "state"},
        message("user", "<environment_context>\n  <cwd>/home/ines</cwd>\n</environment_context>", id=None),
        message("user", "Rename the oven module.", id=None),
        {"record_type": "state"},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]},
        message("assistant", "Done.", id="msg_1"),
    )
    at = datetime(2025, 11, 3, 9, 0, 0, 250_000, tzinfo=UTC)
    assert read(path).format == "Codex rollout"
    assert [(item.content, item.session, item.at) for item in every(path, Message)] == [
        ("Rename the oven module.", "s-0", at),
        ("Done.", "s-0", at),
    ]


@pytest.mark.parametrize(
    "machinery",
    [
        said("developer", "<permissions instructions>Ask.</permissions instructions>"),
        said("system", "Be brief."),
        said("user", "# AGENTS.md instructions for /home/ines/bakery\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"),
        said("user", "<user_instructions>\n\nBe brief.\n\n</user_instructions>"),
        said("user", "<environment_context>\n  <cwd>/home/ines</cwd>\n</environment_context>"),
        said("user", "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>"),
        said("user", "<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>"),
        said("user", "<skill>\n<name>baking</name>\n</skill>"),
        said("user", '<subagent_notification>\n{"agent_id":"a"}\n</subagent_notification>'),
        said("user", "<image>", "</image>"),
        said("user"),
        said("assistant", " \n"),
        said("assistant", "The user wants a module renamed.") | {"metadata": {"compaction_output": True}},
        line("response_item", {"type": "web_search_call", "status": "completed"}),
        line("response_item", {"type": "agent_message", "content": "To another agent."}),
        line("token_usage_record", {"usage": {}}),
        line("a_type_of_tomorrow", {"role": "user", "content": "x"}),
    ],
)
def test_machinery_is_skipped(machinery: object, jsonl_file: Callable[..., Path]) -> None:
    assert contents(jsonl_file(line("session_meta", META), PROMPT, machinery)) == ["Rename the oven module."]


def test_messages_marked_as_codex_own_are_skipped(jsonl_file: Callable[..., Path]) -> None:
    metadata = [{"provenance": {"type": "harness", "hook": True}}, {"provenance": {"type": "user"}}]
    marked = said(
        "user", "Be brief.", "Why?", internal_chat_message_metadata_passthrough={"content_item_metadata": metadata}
    )
    assert contents(jsonl_file(line("session_meta", META), marked)) == ["Why?"]


@pytest.mark.parametrize(
    "before",
    [
        "# Context from my IDE setup:\n\n## Open tabs:\n- heat.py\n\n## My request for Codex:\n",
        "# Context from my IDE setup:\n\n## Open tabs:\n- heat.py\n\n## My request:\n",
        "\n# Files mentioned by the user:\n\n## oven.png: C:/Users/ann/oven.png\n\nDistinguish one from the other.\n\n"
        "## My request:\n",
        '<in-app-browser-context source="ambient-ui-state">A page.</in-app-browser-context>\n\n## My request:\n',
    ],
)
def test_what_the_app_or_an_editor_puts_before_a_question_is_skipped(
    before: str, jsonl_file: Callable[..., Path]
) -> None:
    assert contents(jsonl_file(line("session_meta", META), said("user", f"{before}Add a test\n"))) == ["Add a test"]


def test_a_question_with_headings_stays_whole(jsonl_file: Callable[..., Path]) -> None:
    asked = "# Plan\n\nSort my notes.\n\n## My request:\nNone yet."
    assert contents(jsonl_file(line("session_meta", META), said("user", asked))) == [asked]


@pytest.mark.parametrize(
    "whose", [{"source": {"subagent": {"thread_spawn": {"parent_thread_id": "s-0"}}}}, {"thread_source": "subagent"}]
)
def test_a_subagent_talks_to_no_person(whose: dict[str, Any], jsonl_file: Callable[..., Path]) -> None:
    path = jsonl_file(line("session_meta", META | whose), line("session_meta", META | {"id": "s-0"}), PROMPT)
    assert contents(path) == []


@pytest.mark.parametrize(("count", "left"), [(1, ["First", "Done."]), (2, []), (9, []), (-1, None), ("1", None)])
def test_turns_taken_back_are_left_out(count: object, left: list[str] | None, jsonl_file: Callable[..., Path]) -> None:
    turns = [said("user", "First"), said("assistant", "Done."), said("user", "Second"), said("assistant", "No.")]
    back = line("event_msg", {"type": "thread_rolled_back", "num_turns": count})
    path = jsonl_file(line("session_meta", META), *turns, back, said("user", "Third"))
    kept = ["First", "Done.", "Second", "No."] if left is None else left
    assert contents(path) == [*kept, "Third"]
    assert len(some(path, TakenBack)) == len(turns) - len(kept)


def called(name: str, given: object, output: object) -> list[dict[str, Any]]:
    call = {"type": "function_call", "name": name, "arguments": json.dumps(given), "call_id": "c"}
    result = {"type": "function_call_output", "call_id": "c", "output": output}
    return [line("response_item", call), line("response_item", result)]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("shell", {"command": ["bash", "-lc", "npm test"]}),
        ("shell", {"command": ["npm", "test"]}),
        ("exec_command", {"cmd": "npm test"}),
        ("shell_command", {"command": "npm test"}),
    ],
)
def test_output_of_a_shell_has_its_command(name: str, given: object, jsonl_file: Callable[..., Path]) -> None:
    path = jsonl_file(line("session_meta", META), PROMPT, *called(name, given, "no script"))
    assert contents(path)[1:] == ["$ npm test\nno script"]


def test_an_answer_in_a_dialog_is_the_persons_word(jsonl_file: Callable[..., Path]) -> None:
    """It belongs to the turn of its prompt, also if that is taken back."""
    asked = {"questions": [{"id": "tool", "question": "Which one?"}, {"id": "tests", "question": "Which tests?"}]}
    answers = json.dumps({"answers": {"tool": {"answers": ["pnpm (Recommended)", "user_note: never npm"]}}})
    dialog = called("request_user_input", asked, answers)
    assert told(jsonl_file(line("session_meta", META), PROMPT, *dialog))[1:] == [
        ("assistant", "Which one?"),
        ("user", "pnpm\nnever npm"),
    ]
    back = line("event_msg", {"type": "thread_rolled_back", "num_turns": 1})
    assert contents(jsonl_file(line("session_meta", META), PROMPT, *dialog, back)) == []


def test_copied_turns_of_a_fork_keep_their_keys(jsonl_file: Callable[..., Path]) -> None:
    copied, new = said("user", "Rename the oven module.", id="msg_1"), said("user", "And add a test.", id="msg_2")
    (first,) = every(jsonl_file(line("session_meta", META), copied), Message)
    fork = line("session_meta", META | {"id": "s-2", "forked_from_id": "s-1"})
    again, added = every(jsonl_file(fork, line("session_meta", META), copied, new), Message)
    assert again.key == first.key
    assert added.session == "s-2"


def test_reading_continues_at_the_last_position(jsonl_file: Callable[..., Path]) -> None:
    """The first line with the new lines gives the same new turns as the whole file."""
    first, second = said("user", "Add a test."), said("user", "Add a test.", id="msg_2")
    everything = list(read(jsonl_file(line("session_meta", META), first, second)))
    assert list(read(jsonl_file(line("session_meta", META), second))) == everything[1:]


def test_broken_lines_are_named(jsonl_file: Callable[..., Path]) -> None:
    path = jsonl_file(
        line("session_meta", META),
        line("response_item", {"type": "message", "role": "user", "content": 5}),
        line("response_item", message("user", "x"), at="never"),
        line("response_item", "text"),
        PROMPT,
        '{"timestamp": "2025-11-03T09:',
    )
    broken = some(path, BrokenRecord)
    assert broken[:3] == [
        BrokenRecord("line 2", "has no text or list of parts as content"),
        BrokenRecord("line 3", "its timestamp is not a time like 2026-03-02 or 2026-03-02T18:30"),
        BrokenRecord("line 4", "its payload is not an object"),
    ]
    assert broken[3].place == "line 6"


def test_a_compressed_rollout_is_named_with_what_to_do(tmp_path: Path) -> None:
    """Codex compresses rollouts that are a week old. The others of the folder are read."""
    compressed = tmp_path / "rollout-a.jsonl.zst"
    compressed.write_bytes(b"\x28\xb5\x2f\xfd" * 9)
    with pytest.raises(UnreadableImport, match="unpack it first, with `zstd -d`"):
        read(compressed)
    (tmp_path / "rollout-b.jsonl").write_bytes(WRITTEN_BY_CODEX.read_bytes())
    assert [item.content for item in some(tmp_path, Message)] == contents(WRITTEN_BY_CODEX)
    problem = "it is compressed with Zstandard; unpack it first, with `zstd -d`"
    assert some(tmp_path, BrokenRecord) == [BrokenRecord("rollout-a.jsonl.zst", problem)]
