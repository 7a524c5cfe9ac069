"""Every command of `docs/command-line.md` runs, in order, in one home."""

import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.cli.conftest import Answer, Cli
from tests.hooks.conftest import Agent, end
from tests.test_docs import COMMAND_LINE, README, ROOT, run, shell

SAID = '{"role": "user", "content": "My cat Mia broke the blue vase.", "session": "monday", "speaker": "Ann"}'
PLACEHOLDER = "aB3xY9kQ"
NO_CHANGE = "memory undo 57"  # this home has fewer changes
STAYING = {"serve": ("--port", "0"), "run": (), "ui": ("--no-browser",)}  # until they are stopped
READING = ("chat", "hook", "mcp")  # what comes in, until it ends


@dataclass
class Reader:
    """A person who types the commands of the page with their own ids; ``~`` is their folder."""

    cli: Cli
    folder: Path
    answers: dict[str, Answer] = field(default_factory=dict)

    def types(self, line: str) -> None:
        program, *arguments = shlex.split(line.replace("~", str(self.folder)).replace(PLACEHOLDER, self.id))
        assert program == "memory"
        answer = self.answers[line] = self.cli(*arguments, input="")
        assert answer.code == (line == NO_CHANGE), (line, answer)

    @property
    def id(self) -> str:
        told = next((each.out for line, each in self.answers.items() if line.startswith("memory remember")), "")
        return re.findall(r"\b[A-Za-z0-9]{8}\b", told)[0] if told else PLACEHOLDER


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEMORY_KEY", "four geese on a frozen lake")
    (tmp_path / "talk.jsonl").write_text(SAID)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "vase.md").write_text("The blue vase was a present.\n")
    return Reader(Cli(tmp_path / "home"), tmp_path)


def test_every_command_runs(reader: Reader) -> None:
    lines = [line for line in shell(COMMAND_LINE) if line.split()[1] not in (*STAYING, *READING)]
    for line in lines:
        reader.types(line)
    told = {line: each.out for line, each in reader.answers.items()}
    assert "vase" in told["memory entity Mia"]
    assert "Ann lives in Berlin." in told[f"memory explain {PLACEHOLDER}"]
    assert "Ann lives in Potsdam." in told[f"memory explain {PLACEHOLDER}"]
    assert "monday" in told["memory sessions"]
    assert '"mcpServers"' in told["memory install --print"]
    assert "Everything is in order." in told["memory doctor"]
    assert "Ann lives in Potsdam." in (reader.folder / "backup.jsonl").read_text(encoding="utf-8")
    assert "blue vase" not in reader.cli.fine("search", "What did Mia break?")


def test_commands_that_read_their_input_run(tmp_path: Path) -> None:
    lines = [line for line in shell(COMMAND_LINE) if line.split()[1] in READING]
    assert len(lines) == 4
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "MEMORY_HOME": str(tmp_path / "home")}
    try:
        for line in lines:
            ran = subprocess.run(
                shlex.split(line), env=environment, input="", capture_output=True, text=True, timeout=60
            )
            assert ran.returncode == 0, (line, ran.stderr)
    finally:
        end(Agent(tmp_path / "home", tmp_path, tmp_path / "none"))  # the hook has started one that stays


@pytest.mark.parametrize("command", STAYING)
def test_commands_that_run_until_a_signal_run(command: str, tmp_path: Path) -> None:
    assert f"memory {command}" in shell(COMMAND_LINE)
    program = [sys.executable, "-m", "sandbox.cli", "--home", str(tmp_path / "home"), command]
    with subprocess.Popen([*program, *STAYING[command]], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as started:
        assert started.stderr is not None
        assert started.stderr.readline()
        started.send_signal(signal.SIGTERM)
        started.communicate(timeout=30)
    assert started.returncode == 0


# --- what stays on the machine ----------------------------------------------------------------------------------------

WATCH = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        address = arguments[1] if event in ("socket.connect", "socket.sendto") else arguments
        if isinstance(address, tuple):
            with open({file!r}, "a") as out:
                print(address[0], file=out)

sys.addaudithook(watch)
"""
TYPED = """
import sys
from typer.testing import CliRunner
from sandbox.cli.app import app

for line in sys.argv[1:]:
    print(CliRunner().invoke(app, line.split()).output)
"""


def reached(folder: Path, settings: str, *lines: str) -> set[str]:
    """Hosts that commands, and the processes they start, try to reach."""
    home, file = folder / "home", folder / "reached.txt"
    home.mkdir()
    (home / "config.yaml").write_text(settings, encoding="utf-8")
    (folder / "sitecustomize.py").write_text(WATCH.format(file=str(file)), encoding="utf-8")
    (folder / "talk.jsonl").write_text(SAID, encoding="utf-8")
    path = os.pathsep.join([str(folder), str(ROOT)])
    program = (sys.executable, "-c", TYPED, *lines)
    ran = run(*program, folder=folder, PYTHONPATH=path, MEMORY_HOME=str(home), MEMORY_MODEL="")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Mia" in ran.stdout
    return set(file.read_text(encoding="utf-8").split()) if file.exists() else set()


def test_no_command_connects_to_another_machine(tmp_path: Path) -> None:
    """For every command of the page."""
    assert "| telemetry, checks for updates, reports of crashes | there are none | nothing |" in README
    lines = ("import talk.jsonl", "remember Mia-sleeps", "end", "context Mia", "maintain", "export b.jsonl", "doctor")
    assert reached(tmp_path, "{}", *lines) == set()


def test_a_configured_server_is_reached(tmp_path: Path) -> None:
    """As the page says; this shows that the test above would notice it."""
    server = "embedding: {provider: openai, model: m, base_url: 'http://127.0.0.1:9/v1', dimensions: 8}"
    assert reached(tmp_path, server, "import talk.jsonl", "search Mia") == {"127.0.0.1"}
