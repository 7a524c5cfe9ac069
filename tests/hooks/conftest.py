"""A home, repositories, and the command as an agent runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory_hooks import client
from tests.cli.conftest import Answer, Cli

PATIENCE = 60.0  # seconds, on a loaded machine
_numbers = count()


@dataclass
class Agent:
    """A coding agent that works in a folder: it writes a transcript as Claude Code does, and runs the hooks."""

    home: Path
    folder: Path
    transcript: Path
    session: str = "session-1"
    lines: int = 0
    options: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def hook(self, event: str, stdin: str | None = None, **given: Any) -> str:
        """What the hook prints; its exit code must be 0."""
        values = {"session_id": self.session, "cwd": str(self.folder), "transcript_path": str(self.transcript)}
        text = json.dumps({**values, "hook_event_name": event, **given}) if stdin is None else stdin
        ran = self.process("hook", event, stdin=text)
        assert (ran.returncode, ran.stderr) == (0, "")
        if event == "UserPromptSubmit" and stdin is None:
            self.started()
        return ran.stdout

    def started(self) -> None:
        """Returns once the process that the hook started is there, or cannot be."""
        until = time.monotonic() + PATIENCE
        while client.can_start(self.home) and not (self.home / client.FAILED).exists() and self.resident() is None:
            assert time.monotonic() < until
            time.sleep(0.02)

    def context(self, event: str, **given: Any) -> str:
        """The text that the hook adds to the prompt."""
        out = self.hook(event, **given)
        if not out:
            return ""
        answer = json.loads(out)["hookSpecificOutput"]
        assert answer["hookEventName"] == event
        return str(answer["additionalContext"])

    def run(self, *arguments: str) -> Answer:
        """Run the command in the folder, as a person does."""
        with chdir(self.folder):
            return Cli(self.home)(*arguments, *self.options, **self.environment)

    def process(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run the command in a process of its own, as an agent does."""
        surroundings = {k: v for k, v in os.environ.items() if k not in ("MEMORY_HOME", "CLAUDE_PROJECT_DIR")}
        return subprocess.run(
            [sys.executable, "-m", "sandbox.cli", *arguments, *self.options],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**surroundings, "MEMORY_HOME": str(self.home), **self.environment},
            timeout=60,
            check=False,
        )

    def says(self, role: str, content: object, **more: object) -> None:
        """Add a line to the transcript."""
        self.lines += 1
        message: dict[str, Any] = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"msg-{self.lines}", "model": "claude-opus-4-8", "type": "message"}
        line = {
            "type": role,
            "message": message,
            "uuid": f"{self.session}-{self.lines}",
            "sessionId": self.session,
            "timestamp": datetime.now(UTC).isoformat(),
            "cwd": str(self.folder),
            **more,
        }
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def turn(self, prompt: str, reply: str = "Understood.") -> None:
        """Run a whole turn, and learn from it."""
        self.says("user", prompt)
        self.says("assistant", reply)
        self.hook("Stop", last_assistant_message=reply)
        self.settled()

    def settled(self) -> None:
        """Return when the work that the hook started is done."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if not json.loads(client.ask(self.home, {"do": "ping"}))["learning"]:
                    return
            except client.NoResident:
                return
            time.sleep(0.05)
        raise AssertionError("it is still at work")

    def resident(self) -> int | None:
        """The id of the process that keeps the memory open."""
        try:
            return int(json.loads(client.ask(self.home, {"do": "ping"}))["pid"])
        except client.NoResident:
            return None

    def log(self) -> str:
        file = self.home / "hooks.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""


def end(agent: Agent) -> None:
    """Stop the resident process, as its owner may."""
    if (pid := agent.resident()) is not None:
        os.kill(pid, signal.SIGTERM)
        gone(agent)


def gone(agent: Agent) -> None:
    until = time.monotonic() + PATIENCE
    while agent.resident() is not None and time.monotonic() < until:
        time.sleep(0.05)
    assert agent.resident() is None


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def git(folder: Path, *arguments: str) -> None:
    known = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *known, *arguments], cwd=folder, check=True, capture_output=True)


Started = Callable[..., Agent]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    """Starts agents that share a home; what they left running ends with the test."""
    agents: list[Agent] = []

    def start(name: str = "shop", folder: Path | None = None, home: Path | None = None, **more: Any) -> Agent:
        number = len(agents) + 1
        place = folder or repository(tmp_path / name)
        agent = Agent(
            home or tmp_path / "home",
            place,
            tmp_path / f"{number}.jsonl",
            more.pop("session", f"session-{number}"),
            **more,
        )
        agents.append(agent)
        return agent

    yield start
    for agent in agents:
        if agent.home.is_relative_to(tmp_path):
            end(agent)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent with a home for all tests of a module, each with a user of its own: a home's process starts once."""
    folder = tmp_path_factory.mktemp("shared")
    agent = Agent(folder / "home", folder, folder / "transcript.jsonl")
    yield agent
    end(agent)


@pytest.fixture
def beside(started: Started, shared: Agent) -> Started:
    """Starts agents of one user in the shared home."""
    return partial(started, home=shared.home, options=("--user", f"user-{next(_numbers)}"))
