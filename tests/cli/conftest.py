"""The command, run inside the test; `process` runs it in a process of its own, as a person does."""

import asyncio
import io
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from sandbox.cli.app import app
from sandbox.extensions.memory import Memory

TURNS = (
    ("2026-03-02", "Ann", "I moved to Berlin for the new job at the bakery."),
    ("2026-03-05", "Ann", "My cat Mia broke the blue vase."),
    ("2026-03-05", "Bot", "Was it a valuable vase?"),
    ("2026-03-09", "Ann", "Mia has to see the vet on Friday."),
)


COMMAND = get_command(app)  # making it takes longer than most commands

Pipe = Callable[..., tuple[str, str]]


@dataclass(frozen=True)
class Answer:
    """The output and exit code of a run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Cli:
    """Runs the command over a home."""

    home: Path

    def __call__(self, *arguments: str, input: str | bytes | None = None, **env: str) -> Answer:
        surroundings = {"MEMORY_HOME": str(self.home), "COLUMNS": "80", "NO_COLOR": "1", **env}
        with CliRunner().isolation(input=input, env=surroundings) as (out, err, _):
            with pytest.raises(SystemExit) as ended:
                COMMAND.main(arguments, prog_name="memory")
            sys.stdout.flush()
            sys.stderr.flush()
            return Answer(int(ended.value.code or 0), _text(out), _text(err))

    def fine(self, *arguments: str, input: str | bytes | None = None) -> str:
        """The output of a run that must succeed and print nothing on stderr."""
        answer = self(*arguments, input=input)
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    def data(self, *arguments: str) -> Any:
        """The JSON answer of a run."""
        return json.loads(self.fine(*arguments, "--json"))

    def remembered(self, text: str, *options: str) -> str:
        """The id of a new memory."""
        id: str = self.data("remember", text, *options)["id"]
        return id

    def directly(self, function: Callable[[Memory], Awaitable[Any]], days_ago: float = 0, **options: Any) -> Any:
        """Do something with the memory itself, as if so many days ago; ``options`` are those of ``Memory.open``."""
        moment = datetime.now(UTC) - timedelta(days=days_ago)

        async def run() -> Any:
            async with Memory.open(self.home, embedder=None, clock=lambda: moment, **options) as memory:
                return await function(memory)

        return asyncio.run(run())


def _text(stream: io.BytesIO) -> str:
    return stream.getvalue().decode(errors="replace").replace("\r\n", "\n")


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path / "home")


@pytest.fixture
def piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pipe:
    """What `memory chat` prints for piped lines, in this process, which imports the agents once."""
    for name in [name for name in os.environ if name.startswith("MEMORY_")]:
        monkeypatch.delenv(name)

    def chat(home: Path, typed: str, *options: str, code: int = 0) -> tuple[str, str]:
        (tmp_path / "typed").write_text(typed, encoding="utf-8")
        with (
            (tmp_path / "typed").open() as stdin,
            redirect_stdout(io.StringIO()) as out,
            monkeypatch.context() as patch,
        ):
            patch.setattr(sys, "stdin", stdin)
            with redirect_stderr(io.StringIO()) as err, pytest.raises(SystemExit) as ended:
                app(["chat", "--home", str(home), *options], prog_name="memory")
        assert ended.value.code == code, err.getvalue()
        return out.getvalue(), err.getvalue()

    return chat


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A file with a short conversation."""
    return lines(tmp_path / "talk.jsonl", [turn(*each) for each in TURNS])


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a memory of that conversation."""
    folder = tmp_path_factory.mktemp("imported")
    Cli(folder / "home").fine("import", str(lines(folder / "talk.jsonl", [turn(*each) for each in TURNS])))
    return folder / "home"


@pytest.fixture
def ann(cli: Cli, imported: Path) -> Cli:
    """A copy of that memory."""
    shutil.copytree(imported, cli.home)
    return cli


def configure(home: Path, settings: str) -> Path:
    """Write the settings of a home, which is made if it is not there."""
    home.mkdir(exist_ok=True, mode=0o700)
    (home / "config.yaml").write_text(settings, encoding="utf-8")
    return home / "config.yaml"


def extend(home: Path, source: str, depends_on: str = "[]") -> None:
    """Install an extension, whose class is ``Mine``, into a home."""
    configure(home, "kernel: {extensions: [mine]}")
    (home / "mine").mkdir(exist_ok=True)
    (home / "mine" / "manifest.yaml").write_text(f"{{id: mine, entrypoint: 'main:Mine', depends_on: {depends_on}}}")
    (home / "mine" / "main.py").write_text(source)


def turn(day: str, speaker: str, content: str) -> dict[str, str]:
    """One line of a conversation."""
    role = "assistant" if speaker == "Bot" else "user"
    at = f"{day}T12:00:00+00:00"
    return {"role": role, "content": content, "timestamp": at, "session": day, "speaker": speaker}


def lines(path: Path, records: list[Any]) -> Path:
    """A file with a JSON value, or a text as it stands, on each line."""
    texts = [record if isinstance(record, str) else json.dumps(record) for record in records]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def process(*arguments: str, home: Path, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_")}
    surroundings = {**inherited, "MEMORY_HOME": str(home), "COLUMNS": "80", **env}
    command = [sys.executable, "-m", "sandbox.cli", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, env=surroundings, timeout=60, check=False)


def wide(home: Path) -> list[str]:
    """The paths of a home, and above it, that others may access; fails if there are none at all."""
    there = [home.parent, home, *home.rglob("*")]
    assert len(there) > 2
    modes = {str(path.relative_to(home.parent)): stat.S_IMODE(path.lstat().st_mode) for path in there}
    return [f"{name} {mode:o}" for name, mode in modes.items() if mode & 0o077]
