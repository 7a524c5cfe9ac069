"""A person talks with a real model: its words are poor, everything else is as in use."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory

pytestmark = pytest.mark.llm


async def test_a_conversation_is_streamed_and_remembered(address: str, tmp_path: Path) -> None:
    model = {"model": "smollm2", "base_url": address, "max_tokens": 24, "timeout": 600, "max_retries": 0}
    (tmp_path / "config.yaml").write_text(json.dumps({"models": {"orchestrator": model}}))  # JSON is YAML
    first = _chat(tmp_path, "My dog is called Rex.\n")
    second = _chat(tmp_path, "/new\nHow is my dog called?\n")
    assert "Note:" not in first.stderr + second.stderr
    async with Memory.open(tmp_path) as memory:
        turns = list(reversed(await memory.search("", types=["episodic"], limit=100)))
    said = [(turn.speaker or turn.role, turn.content) for turn in turns]
    assert [text for who, text in said if who == "user"] == ["My dog is called Rex.", "How is my dog called?"]
    replies = [text for who, text in said if who == "assistant"]
    assert len(replies) == 2
    for reply, run in zip(replies, (first, second), strict=True):
        assert "".join(reply.split())[:20] in "".join(run.stdout.split())


def _chat(home: Path, typed: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "sandbox.cli", "chat", "--home", str(home)]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=900, check=True)
