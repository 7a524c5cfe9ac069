"""Coding agents from npm, each with its own home, and a model on loopback."""

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

import pytest

from tests.agents.model_server import ModelServer, model_server
from tests.hooks.conftest import Agent, end, repository

PROGRAMS = Path(os.environ.get("AGENTS", "build/agents")).absolute() / "node_modules" / ".bin"
ACCOUNTS = {"gemini": "gemini-api-key", "qwen": "openai"}
PATIENCE = 90  # seconds


@dataclass
class Person:
    """A user of one coding agent in a repository."""

    program: str
    root: Path
    model: ModelServer
    home: Path
    repository: Path
    agents: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.root),
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), str(PROGRAMS), os.environ["PATH"]]),
            "MEMORY_HOME": str(self.home),
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": "dummy",
            "OPENAI_API_KEY": "dummy",
            "OPENAI_BASE_URL": f"{self.model.url}/v1",
            "OPENAI_MODEL": "qwen3-coder-plus",
            "GOOGLE_GEMINI_BASE_URL": self.model.url,
            "GEMINI_API_KEY": "dummy",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{self.model.url}/v1",
            "COPILOT_MODEL": "gpt-4o",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(each) for each in command],
            cwd=self.repository,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def memory(self, *arguments: str) -> str:
        ran = self.run(sys.executable, "-m", "sandbox.cli", *arguments)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def command(self, prompt: str) -> list[str]:
        if self.program == "claude":
            return [str(PROGRAMS / "claude"), "-p", prompt]
        if self.program == "copilot":
            return [str(PROGRAMS / "copilot"), "-p", prompt, "--allow-all-tools"]
        if self.program == "gemini":
            return [
                str(PROGRAMS / "gemini"),
                "--model",
                "gemini-2.5-pro",
                "--approval-mode",
                "yolo",
                "--prompt",
                prompt,
            ]
        if self.program == "qwen":
            return [str(PROGRAMS / "qwen"), "--yolo", "--prompt", prompt]
        options = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
        return [str(PROGRAMS / "codex"), "exec", *options, prompt]

    def says(self, prompt: str, folder: Path | None = None) -> str:
        """Run a session of one turn; return everything that the model was sent in it."""
        self.model.start_over()
        self.repository = folder or self.repository
        ran = self.run(*self.command(prompt))
        assert ran.returncode == 0, ran.stderr
        assert self.model.reply in ran.stdout
        Agent(self.home, self.repository, self.root / "none").settled()
        return unescape(self.model.seen())  # Gemini CLI escapes what a hook says

    def begins(self, prompt: str) -> subprocess.Popen[str]:
        """Start a session whose model does not answer yet."""
        self.model.start_over()
        self.model.answer.clear()
        started = subprocess.Popen(
            self.command(prompt),
            cwd=self.repository,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self.agents.append(started)
        assert self.model.asked.wait(PATIENCE)
        return started

    def resident(self) -> int | None:
        return Agent(self.home, self.repository, self.root / "none").resident()

    def close(self) -> None:
        for each in self.agents:
            if each.poll() is None:
                os.killpg(each.pid, signal.SIGKILL)
                each.wait()
        end(Agent(self.home, self.repository, self.root / "none"))


@pytest.fixture(params=["claude", "codex", "copilot", "gemini", "qwen"])
def person(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Person]:
    """A user who has just installed the memory."""
    program: str = request.param
    if not (PROGRAMS / program).exists():
        pytest.fail(f"{PROGRAMS / program} is not there: run `make test-agents`")
    with model_server() as model:
        (tmp_path / "person").mkdir()
        made = Person(program, tmp_path / "person", model, tmp_path / "home", repository(tmp_path / "shop"))
        if account := ACCOUNTS.get(program):
            settings = tmp_path / "person" / f".{program}" / "settings.json"
            settings.parent.mkdir()
            settings.write_text(json.dumps({"security": {"auth": {"selectedType": account}}}))
        made.memory("install", "claude-code" if program == "claude" else program, "--yes")
        if program == "codex":
            config = tmp_path / "person" / ".codex" / "config.toml"
            provider = (
                f'name = "loop"\nbase_url = "{model.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n'
            )
            own = f'model = "gpt-5"\nmodel_provider = "loop"\n[model_providers.loop]\n{provider}'
            config.write_text(f"{own}{config.read_text()}")
            assert tomllib.loads(config.read_text())["mcp_servers"]["memory"]
        yield made
        model.answer.set()
        made.close()
