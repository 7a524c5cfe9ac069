"""Anthropic's memory tool: it answers as the SDK's tool for a folder, and no path leads outside."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest
from anthropic import Anthropic
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool
from hypothesis import HealthCheck, given, settings, strategies as st

from assistant_memory import Blocking, Memory, Scope, blocking
from assistant_memory.anthropic import AsyncMemoryTool, MemoryTool
from sandbox.testing import LoopbackServer, Request
from sandbox.testing.loopback import send_head

NOTES = "/memories/notes.md"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Blocking]:
    with blocking(tmp_path_factory.mktemp("files"), embedder=None) as memory:
        yield memory


@pytest.fixture
def tool(opened: Blocking, request: pytest.FixtureRequest) -> MemoryTool:
    return MemoryTool(opened, scope=Scope(request.node.name))


def said(tool: Any, command: dict[str, Any]) -> tuple[bool, str]:
    """Whether it succeeded, and the text for the model."""
    try:
        return True, str(tool.call(command))
    except ToolError as error:
        return False, str(error)


# A folder is there as long as a file is in it, and has no size of its own: these differ from a folder on a disk.
paths = st.sampled_from(["/memories/a", "/memories/b.md", "/memories/c/d", "/memories/c/e f", "/memories/ä"])
texts = st.sampled_from(["", "one", "one\ntwo\n", "two\ntwo", "x\r\ny", "\n\n"])
commands = st.one_of(
    st.builds(lambda path, text: {"command": "create", "path": path, "file_text": text}, paths, texts),
    st.builds(lambda path: {"command": "view", "path": path}, paths),
    st.builds(
        lambda path, first, last: {"command": "view", "path": path, "view_range": [first, last]},
        paths,
        st.integers(0, 3),
        st.integers(-1, 4),
    ),
    st.builds(
        lambda path, old, new: {"command": "str_replace", "path": path, "old_str": old, "new_str": new},
        paths,
        st.sampled_from(["one", "two", "x"]),
        texts,
    ),
    st.builds(
        lambda path, line, text: {"command": "insert", "path": path, "insert_line": line, "insert_text": text},
        paths,
        st.integers(-1, 3),
        texts,
    ),
    st.builds(lambda path: {"command": "delete", "path": path}, paths),
    st.builds(lambda old, new: {"command": "rename", "old_path": old, "new_path": new}, paths, paths),
)


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(asked=st.lists(commands, max_size=12))
def test_the_tool_answers_like_the_tool_of_the_sdk(opened: Blocking, asked: list[dict[str, Any]]) -> None:
    ours = MemoryTool(opened, scope=Scope(str(uuid4())))
    with TemporaryDirectory() as folder:
        theirs = BetaLocalFilesystemMemoryTool(folder)
        for command in asked:
            assert said(ours, command) == said(theirs, command), command


def test_files_and_folders_are_listed_with_sizes(tool: MemoryTool) -> None:
    assert said(tool, {"command": "view", "path": "/memories"})[0]
    for path in ("notes.md", "trip/plan.md", "trip/deep/er/x", ".hidden/y"):
        tool.call({"command": "create", "path": f"/memories/{path}", "file_text": "x" * 1536})
    listed = str(tool.call({"command": "view", "path": "/memories"}))
    assert listed.splitlines()[1:] == [
        "6K\t/memories",
        "1.5K\t/memories/notes.md",
        "3K\t/memories/trip/",
        "1.5K\t/memories/trip/deep/",
        "1.5K\t/memories/trip/plan.md",
    ]
    tool.call({"command": "rename", "old_path": "/memories/trip", "new_path": "/memories/done/2026"})
    assert "done/2026/" in str(tool.call({"command": "view", "path": "/memories"}))
    tool.call({"command": "delete", "path": "/memories/done"})
    assert not said(tool, {"command": "view", "path": "/memories/done"})[0]
    assert str(tool.clear_all_memory()) == "All memory cleared"
    assert str(tool.call({"command": "view", "path": "/memories"})).splitlines()[1:] == ["0B\t/memories"]


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "notes.md",
        "/memories/../etc/passwd",
        "/memories/a/../../etc",
        "/memories/%2e%2e/etc",
        "/memories/..\\etc",
        "/memoriesother/x",
        "/memories/\x00",
        "",
    ],
)
@pytest.mark.parametrize("command", ["view", "create", "delete", "insert", "str_replace", "rename", "rename to"])
def test_no_path_leads_outside(tool: MemoryTool, command: str, path: str) -> None:
    given_: dict[str, Any] = {"path": path, "file_text": "x", "insert_line": 0, "insert_text": "x", "old_str": "x"}
    given_ |= {"new_str": "y", "old_path": path, "new_path": "/memories/fine"}
    if command == "rename to":
        tool.clear_all_memory()
        tool.call({"command": "create", "path": NOTES, "file_text": "x"})
        command, given_ = "rename", given_ | {"old_path": NOTES, "new_path": path}
    done, problem = said(tool, {"command": command, **given_})
    assert not done
    assert "/memories" in problem


def test_folders_and_files_are_distinguished(tool: MemoryTool) -> None:
    tool.call({"command": "create", "path": "/memories/a/b", "file_text": "x"})
    for command in (
        {"command": "create", "path": "/memories/a", "file_text": "x"},
        {"command": "create", "path": "/memories/a/b/c", "file_text": "x"},
        {"command": "create", "path": "/memories", "file_text": "x"},
        {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/a/b/c"},
        {"command": "delete", "path": "/memories"},
        {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "x"},
    ):
        assert not said(tool, command)[0], command
    assert said(tool, {"command": "view", "path": "/memories/a/b"})[1].endswith("1\tx")


def test_a_file_with_too_many_lines_is_refused_like_by_the_tool_of_the_sdk(tool: MemoryTool, tmp_path: Path) -> None:
    create = {"command": "create", "path": NOTES, "file_text": "\n" * 999_999}
    for each in (tool, theirs := BetaLocalFilesystemMemoryTool(str(tmp_path))):
        assert said(each, create)[0]
    view = {"command": "view", "path": NOTES}
    assert said(tool, view) == said(theirs, view)


async def test_the_async_tool_is_durable_and_refuses_secrets(folder: Path) -> None:
    async with Memory.open(folder, embedder=None) as memory:
        tool = AsyncMemoryTool(memory)
        await tool.call({"command": "create", "path": NOTES, "file_text": "Ann lives in Berlin"})
        with pytest.raises(ToolError, match="secret"):
            await tool.call({"command": "create", "path": "/memories/k", "file_text": "AKIAIOSFODNN7EXAMPLE"})
    async with Memory.open(folder, embedder=None) as memory:
        tool = AsyncMemoryTool(memory)
        assert str(await tool.call({"command": "view", "path": NOTES})).endswith("1\tAnn lives in Berlin")
        with pytest.raises(ToolError):
            await AsyncMemoryTool(memory, scope=Scope("ben")).call({"command": "view", "path": NOTES})
        assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}


class Messages(LoopbackServer):
    """A server of the Messages API: it asks to write a file, then to read it, then repeats the content."""

    def respond(self, request: Request, to: BaseHTTPRequestHandler) -> None:
        turn = len(self.requests)
        commands = [
            {"command": "create", "path": NOTES, "file_text": "Ann lives in Berlin"},
            {"command": "view", "path": NOTES},
        ]
        said: dict[str, Any] = {"type": "text", "text": str(request.messages[-1]["content"])}
        if turn <= len(commands):
            said = {"type": "tool_use", "id": f"toolu_{turn}", "name": "memory", "input": commands[turn - 1]}
        why = "tool_use" if turn <= len(commands) else "end_turn"
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [said]}
        usage = {"input_tokens": 1, "output_tokens": 1}
        body = json.dumps({**message, "stop_reason": why, "stop_sequence": None, "usage": usage}).encode()
        send_head(to, 200, {"Content-Type": "application/json", "Content-Length": str(len(body))})
        to.wfile.write(body)


def test_the_client_of_anthropic_runs_the_tool(tool: MemoryTool) -> None:
    with Messages() as server, Anthropic(api_key="none", base_url=server.base_url.removesuffix("/v1")) as client:
        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-5-5", max_tokens=100, messages=[{"role": "user", "content": "hello"}], tools=[tool]
        )
        last = runner.until_done()
        assert "Ann lives in Berlin" in str(last.content)
        assert server.requests[0].body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
