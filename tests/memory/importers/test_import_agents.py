"""Files of Copilot CLI, Cursor, Gemini CLI and Qwen Code: only the conversation is imported."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory.ingest.importers import read
from sandbox.extensions.memory.ingest.importers.records import TakenBack
from sandbox.extensions.memory.model import Message
from sandbox.extensions.memory.reports import BrokenRecord
from tests.memory.importers.reading import every, some, told

AT = "2026-02-03T09:00:00.250Z"

# --- Cursor -----------------------------------------------------------------------------------------------------------


def cursor(role: str, *texts: str) -> dict[str, Any]:
    return {"role": role, "message": {"content": [{"type": "text", "text": text} for text in texts]}}


def test_a_transcript_of_cursor_is_read(jsonl_file: Callable[..., Path]) -> None:
    tool = {"role": "assistant", "message": {"content": [{"type": "tool_use", "name": "Read", "input": {}}]}}
    path = jsonl_file(
        cursor("user", "<attached_files>heat.py</attached_files>\n<user_query>\nAdd a test\n</user_query>"),
        tool,
        cursor("assistant", "Done."),
        {"role": "system", "message": {"content": "x"}},
    )
    assert read(path).format == "Cursor transcript"
    assert told(path) == [("user", "Add a test"), ("assistant", "Done.")]


# --- Gemini CLI -------------------------------------------------------------------------------------------------------

HEADER = {"sessionId": "g-1", "projectHash": "ab12", "startTime": AT, "lastUpdated": AT, "kind": "main"}


def gemini(id_: str, kind: str, content: object, **more: object) -> dict[str, Any]:
    return {"id": id_, "timestamp": AT, "type": kind, "content": content, **more}


ASKED = gemini("1", "user", [{"text": "Rename @heat.py"}, {"text": "--- Content from referenced files ---\nx = 1"}])
ANSWERED = gemini("2", "gemini", "Done.", thoughts=[{"subject": "hm"}], tokens=None, model="gemini-3-pro")
CALLED = gemini("3", "gemini", "", toolCalls=[{"name": "shell", "result": [{"functionResponse": {"output": "x"}}]}])
OPENING, CLOSING = "<untrusted_context>\n", "\n</untrusted_context>"
NOTED = gemini("4", "info", "Request cancelled.")
HOOK = "<hook_context>&lt;memory&gt;\n- The user lives in Potsdam.\n&lt;/memory&gt;</hook_context>"
SAID = [("user", "Rename @heat.py"), ("assistant", "Done.")]


def test_a_session_of_gemini_is_read(json_file: Callable[..., Path]) -> None:
    """In the format of versions before 0.40."""
    path = json_file(HEADER | {"messages": [ASKED, CALLED, ANSWERED, NOTED]})
    assert read(path).format == "Gemini CLI session"
    assert told(path) == SAID
    at = datetime(2026, 2, 3, 9, 0, 0, 250_000, tzinfo=UTC)
    assert every(path, Message)[0] == Message("user", "Rename @heat.py", "g-1", at, key="1", source="gemini")


def test_a_session_of_gemini_in_lines_is_read(jsonl_file: Callable[..., Path]) -> None:
    """In the format of versions since 0.40, which write an answer again after a call of a tool and can take a turn
    back.
    """
    path = jsonl_file(
        HEADER,
        ASKED,
        ANSWERED | {"content": "Do"},
        ANSWERED,
        {"$set": {"lastUpdated": AT}},
        gemini("5", "user", "No, delete it"),
        gemini("6", "gemini", "Deleted."),
        {"$rewindTo": "6"},
        {"$rewindTo": "5"},
        gemini("7", "user", "read it", displayContent=[{"text": "Thanks"}]),
        gemini("8", "user", [{"text": f"{HOOK}\n\nBye"}, {"text": HOOK}]),
        gemini("9", "user", [{"text": HOOK}]),
    )
    assert told(path) == [*SAID, ("user", "Thanks"), ("user", "Bye")]
    assert [each.key for each in some(path, TakenBack)] == ["5", "6"]


def test_answers_in_dialogs_of_gemini_are_the_persons_words(json_file: Callable[..., Path]) -> None:
    question = {"name": "ask_user", "args": {"questions": [{"question": "Which one?"}, {"question": "Which tests?"}]}}
    answers = [{"functionResponse": {"response": {"output": '{"answers": {"0": "pnpm"}}'}}}]
    plan = {"name": "exit_plan_mode", "resultDisplay": "Feedback: use vitest", "result": []}
    called = gemini("3", "gemini", "", toolCalls=[question | {"result": answers}, plan])
    path = json_file(HEADER | {"messages": [ASKED, called, ANSWERED]})
    assert told(path) == [SAID[0], ("assistant", "Which one?"), ("user", "pnpm"), ("user", "use vitest"), SAID[1]]


def test_output_of_tools_of_gemini_is_read(json_file: Callable[..., Path]) -> None:
    def call(name: str, response: dict[str, str], **args: str) -> dict[str, Any]:
        return {"name": name, "args": args, "result": [{"functionResponse": {"response": response}}]}

    calls = [
        call("run_shell_command", {"output": f"{OPENING}no script{CLOSING}"}, command="npm test"),
        call("read_file", {"error": "no file"}, file_path="heat.py"),
        call("web_fetch", {"output": "A page."}, url="https://example.org"),
        call("mcp_memory_recall_memories", {"output": "The user lives in Rome."}, query="home"),
    ]
    path = json_file(HEADER | {"messages": [ASKED, gemini("3", "gemini", "", toolCalls=calls), ANSWERED]})
    assert told(path)[1:-1] == [
        ("tool", "$ npm test\nno script"),
        ("tool", "read_file heat.py\nno file"),
        ("tool", "web_fetch https://example.org\nA page."),
    ]
    assert [each.trust for each in every(path, Message)] == [None, "tool", "tool", "web", None]


def test_a_subagent_of_gemini_talks_to_no_person(jsonl_file: Callable[..., Path]) -> None:
    assert told(jsonl_file(HEADER | {"kind": "subagent"}, ASKED, ANSWERED)) == []


def test_a_broken_line_of_a_session_is_named(jsonl_file: Callable[..., Path]) -> None:
    path = jsonl_file(HEADER, ASKED, gemini("8", "user", 5), "{half")
    assert [each.place for each in some(path, BrokenRecord)] == ["line 3", "line 4"]


HISTORY = [
    {"role": "user", "parts": [{"text": "This is the Gemini CLI. We are setting up the context for our chat."}]},
    {"role": "model", "parts": [{"text": "Got it. Thanks for the context!"}]},
    {"role": "user", "parts": [{"text": "Rename @heat.py"}]},
    {"role": "model", "parts": [{"text": "hm", "thought": True}, {"functionCall": {"name": "shell"}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "shell", "response": {"output": "x"}}}]},
    {"role": "model", "parts": [{"text": "Done."}]},
]


@pytest.mark.parametrize("layout", [HISTORY, {"history": HISTORY, "authType": "oauth-personal"}])
def test_a_checkpoint_of_gemini_is_read(layout: object, json_file: Callable[..., Path]) -> None:
    assert told(json_file(layout)) == SAID


# --- Qwen Code --------------------------------------------------------------------------------------------------------


def qwen(id_: str, kind: str, *parts: object, **more: object) -> dict[str, Any]:
    role = "model" if kind == "assistant" else "user"
    line = {"uuid": id_, "parentUuid": None, "sessionId": "q-1", "timestamp": AT, "type": kind}
    return {**line, "message": {"role": role, "parts": parts}, **more}


BLOCK = {"text": "&lt;memory&gt;\n- The user lives in Potsdam.\n&lt;/memory&gt;"}
FENCED = {"text": "<qwen:user-prompt-submit-context>\n- The user lives in Potsdam.\n</qwen:user-prompt-submit-context>"}
TOLD = {"provenance": "real_user"}
SHELL_CALL = {"id": "c", "name": "run_shell_command", "args": {"command": "mv *.py"}}


def test_a_transcript_of_qwen_is_read(jsonl_file: Callable[..., Path]) -> None:
    """The lines of versions 0.15 and 0.24: without what the program and hooks added to them."""
    telemetry = {"uuid": "0", "parentUuid": None, "sessionId": "q-1", "type": "system", "subtype": "ui_telemetry"}
    path = jsonl_file(
        telemetry | {"timestamp": AT, "systemPayload": {"uiEvent": {"response_text": "Done."}}},
        qwen("1", "user", {"text": "Rename @heat.py"}, BLOCK),
        qwen("2", "assistant", {"text": "hm", "thought": True}, {"functionCall": SHELL_CALL}),
        qwen("3", "tool_result", {"functionResponse": {"id": "c", "name": "shell", "response": {"output": "x"}}}),
        qwen("4", "assistant", {"text": "Done."}),
        qwen(
            "5", "user", {"text": "Look at a.py: x = 1"}, FENCED, **TOLD, systemPayload={"displayText": "Look at @a.py"}
        ),
        qwen("6", "user", {"text": "Wait"}, FENCED, **TOLD, subtype="mid_turn_user_message"),
        qwen("7", "user", {"text": "A task ended."}, subtype="notification"),
        qwen("8", "user", {"text": "Go on to the goal."}, provenance="goal_control"),
    )
    assert read(path).format == "Qwen Code transcript"
    assert told(path) == [
        SAID[0],
        ("tool", "$ mv *.py\nx"),
        SAID[1],
        ("user", "Look at @a.py"),
        ("user", "Wait"),
    ]
    at = datetime(2026, 2, 3, 9, 0, 0, 250_000, tzinfo=UTC)
    assert every(path, Message)[0] == Message("user", "Rename @heat.py", "q-1", at, key="1", source="qwen")


def test_an_answer_in_a_dialog_of_qwen_is_the_persons_word(jsonl_file: Callable[..., Path]) -> None:
    answers = [{"question": "Which one?", "answer": "pnpm"}]
    shown = {"resultDisplay": {"type": "ask_user_question_answers", "text": "pnpm", "answers": answers}}
    path = jsonl_file(
        qwen("1", "user", {"text": "Rename @heat.py"}),
        qwen("2", "tool_result", {"functionResponse": {}}, parentUuid="1", toolCallResult=shown),
        qwen("3", "user", {"text": "Wait"}, parentUuid="1", subtype="mid_turn_user_message"),
    )
    assert told(path) == [SAID[0], ("assistant", "Which one?"), ("user", "pnpm"), ("user", "Wait")]


@pytest.mark.parametrize(("before", "last"), [(SAID, "2"), ([], None)])
def test_what_was_taken_back_in_qwen_is_left_out(
    before: list[tuple[str, str]], last: str | None, jsonl_file: Callable[..., Path]
) -> None:
    """A later prompt, or the first one, which follows no line."""
    asked = [qwen("1", "user", {"text": "Rename @heat.py"}), qwen("2", "assistant", {"text": "Done."}, parentUuid="1")]
    path = jsonl_file(
        *(asked if before else ()),
        qwen("3", "user", {"text": "I live in Rome."}, parentUuid=last),
        qwen("4", "assistant", {"text": "Nice."}, parentUuid="3"),
        qwen("5", "system", parentUuid=last, subtype="rewind", systemPayload={"truncatedCount": 2}),
        qwen("6", "user", {"text": "Wait"}, parentUuid="5"),
    )
    assert told(path) == [*before, ("user", "Wait")]


# --- Copilot CLI ------------------------------------------------------------------------------------------------------


def copilot(id_: str, kind: str, **data: object) -> dict[str, Any]:
    return {"type": kind, "data": data, "id": id_, "timestamp": AT, "parentId": None}


def test_a_session_of_copilot_is_read(jsonl_file: Callable[..., Path]) -> None:
    """Without hooks, what the program says in the user's name, subagents, and the memory's own answers."""
    path = jsonl_file(
        copilot("1", "session.start", sessionId="c-1", producer="copilot-agent"),
        copilot("2", "hook.start", hookType="userPromptSubmitted", input={"prompt": "Rename @heat.py"}),
        copilot("3", "user.message", content="Rename @heat.py", transformedContent="<x>\n\nRename @heat.py"),
        copilot("4", "user.message", content="You are a skill.", source="skill-pdf"),
        copilot("5", "system.message", role="system", content="You are an agent."),
        copilot("6", "assistant.message", content="", toolRequests=[{"name": "bash"}]),
        copilot("7", "tool.execution_start", toolCallId="t-1", toolName="bash", arguments={"command": "mv *.py"}),
        copilot("8", "tool.execution_complete", toolCallId="t-1", result={"content": "heat.py renamed"}),
        copilot("9", "tool.execution_start", toolCallId="t-2", toolName="memory-save_memory", mcpServerName="memory"),
        copilot("10", "tool.execution_complete", toolCallId="t-2", result={"content": "ok"}),
        copilot("11", "assistant.message", content="I look.", parentToolCallId="t-3"),
        copilot("12", "assistant.message", content="Done."),
        {**copilot("13", "session.event_removed", eventId="2"), "timestamp": None},
    )
    assert [each.key for each in some(path, TakenBack)] == ["2"]
    assert read(path).format == "Copilot session"
    assert told(path) == [SAID[0], ("tool", "$ mv *.py\nheat.py renamed"), SAID[1]]
    at = datetime(2026, 2, 3, 9, 0, 0, 250_000, tzinfo=UTC)
    assert every(path, Message)[0] == Message("user", "Rename @heat.py", "c-1", at, key="3", source="copilot")


def test_what_a_person_says_in_dialogs_of_copilot_is_their_word(jsonl_file: Callable[..., Path]) -> None:
    """As version 1.0.102 writes it; a tool of a server asks no person."""
    path = jsonl_file(
        copilot("1", "session.start", sessionId="c-1", producer="copilot-agent"),
        copilot("2", "user.message", content="Rename @heat.py"),
        copilot("3", "tool.execution_start", toolCallId="t-1", toolName="bash", arguments={"command": "npm add heat"}),
        copilot(
            "4",
            "permission.completed",
            toolCallId="t-1",
            result={"kind": "denied-interactively-by-user", "feedback": "no, use pnpm"},
        ),
        copilot("5", "tool.execution_complete", toolCallId="t-1", success=False, error={"message": "rejected"}),
        copilot(
            "6", "tool.execution_start", toolCallId="t-2", toolName="ask_user", arguments={"message": "Which one?"}
        ),
        copilot("7", "tool.execution_complete", toolCallId="t-2", result={"content": "User responded: pnpm"}),
        copilot("8", "tool.execution_start", toolCallId="t-3", toolName="ask_user", mcpServerName="x", arguments={}),
        copilot("9", "tool.execution_complete", toolCallId="t-3", result={"content": "User responded: npm"}),
        copilot("10", "tool.execution_start", toolCallId="t-4", toolName="bash", arguments={"command": "ls"}),
        copilot("11", "tool.execution_complete", toolCallId="t-4", success=False, error={"message": "no shell"}),
    )
    assert told(path)[1:] == [
        ("tool", "$ npm add heat\nThe user refused this."),
        ("user", "no, use pnpm"),
        ("assistant", "Which one?"),
        ("user", "pnpm"),
        ("tool", "User responded: npm"),
        ("tool", "$ ls\nno shell"),
    ]


# --- the folder in which an agent worked ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "folder"),
    [
        ({"cwd": "/home/ann/shop"}, "/home/ann/shop"),  # Claude Code, Qwen Code
        ({"type": "session_meta", "payload": {"id": "s-1", "cwd": "/home/ann/shop"}}, "/home/ann/shop"),
        ({"type": "session.start", "data": {"context": {"cwd": "/home/ann/shop"}}}, "/home/ann/shop"),
        ({"cwd": r"C:\Users\ann\shop" if os.name != "nt" else "/home/ann/shop"}, None),
        ({"cwd": ["shop"]}, None),
        ({}, None),
    ],
)
def test_the_folder_of_a_conversation_is_read(
    place: dict[str, Any], folder: str | None, jsonl_file: Callable[..., Path]
) -> None:
    """The first folder that a file names, if it is one of this system."""
    lines = [{"type": "summary", "leafUuid": "0"}, {"sessionId": "s-1", "uuid": "1", **place}]
    assert [part.folder for part in read(jsonl_file(*lines)).parts] == [folder]


def test_the_folder_of_a_session_of_gemini_stands_beside_its_chats(jsonl_file: Callable[..., Path]) -> None:
    written = jsonl_file(HEADER, ASKED, ANSWERED)
    place = written.parent / "tmp" / "shop" / "chats"
    place.mkdir(parents=True)
    chat = written.rename(place / "session-1.jsonl")
    assert read(chat).parts[0].folder is None
    (place.parent / ".project_root").write_text("/home/ann/shop\n")
    assert [part.folder for part in read(place.parent.parent).parts] == ["/home/ann/shop"]
