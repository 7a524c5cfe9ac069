"""`memory chat` and `memory run`: through pipes, at a terminal, and without a person."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sandbox.cli.conversing import with_agent_model
from sandbox.llm import ModelRouter
from sandbox.testing import Answer, Request, ScriptedModel, call
from tests.cli.conftest import Cli, Pipe, configure, extend, process
from tests.terminals import SECONDS, Terminal

needs_pty = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals and no such signals")

COMMANDS = ("chat", "doctor", "stats")
CTRL_C, CTRL_D = "\x03", "\x04"


def person(home: Path, *options: str) -> Terminal:
    return Terminal("-m", "sandbox.cli", "chat", *options, MEMORY_HOME=str(home))


def at(model: ScriptedModel) -> tuple[str, ...]:
    return ("--model", "scripted", "--base-url", model.base_url)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


# --- through a pipe ---------------------------------------------------------------------------------------------------


def test_without_a_model_the_chat_remembers_and_shows_the_context(home: Path, piped: Pipe) -> None:
    run = process("chat", home=home, stdin=b"My cat Mia broke the blue vase.\n")
    assert (run.returncode, run.stdout) == (0, b"")
    for told in (
        b"No model to talk with",
        str(home).encode(),
        b"also how to correct and forget",
        b"`memory chat --help` how to name a model",
    ):
        assert told in run.stderr
    out, _ = piped(home, "/new\nWho broke the vase?\n")
    assert "My cat Mia broke the blue vase." in out


def test_a_model_gets_the_context_of_earlier_sessions(home: Path, piped: Pipe, cli: Cli) -> None:
    piped(home, "My cat Mia broke the blue vase.\n/new\n")
    cli.fine("end")
    with ScriptedModel(otherwise=who_broke_it) as model:
        out, err = piped(home, "Who broke the vase?\n", *at(model))
        assert (out, err) == ("It was Mia.\n", "· search_memory\n")
        first = next(request for request in model.requests if is_talk(request))
        assert "My cat Mia broke the blue vase." in json.dumps(first.body["messages"])


def who_broke_it(request: Request) -> str | Answer:
    """A model that searches and then answers. Meanwhile learning may ask it too."""
    if not is_talk(request):
        return "{}"
    return "It was Mia." if request.messages[-1]["role"] == "tool" else call("search_memory", query="vase")


def is_talk(request: Request) -> bool:
    """Whether the agent asks, whose answers alone are streamed."""
    return bool(request.body.get("stream"))


OTHER = {"default": {"model": "one", "base_url": "http://a/v1", "api_key_env": "KEY"}, "orchestrator": {"model": "two"}}
ENVIRONMENT = {"MEMORY_MODEL": "three", "MEMORY_MODEL_URL": "http://b/v1", "KEY": "secret"}


@pytest.mark.parametrize(
    ("configured", "model", "base_url", "used"),
    [
        ({}, None, None, ("three", "b", None)),
        ({}, "four", None, ("four", "b", None)),
        ({}, None, "http://c/v1", ("three", "c", None)),
        (OTHER, None, None, ("two", "a", "secret")),
        ({"orchestrator": 7}, "four", "http://c/v1", ("four", "c", None)),
        (OTHER, "four", None, ("four", "a", "secret")),
        (OTHER, None, "http://c/v1", ("two", "c", None)),
        (OTHER, "four", "http://c/v1", ("four", "c", None)),
        ({"orchestrator": {**OTHER["default"]}}, "four", "http://c/v1", ("four", "c", None)),
        ({"memory": {"model": "five", "base_url": "http://d/v1"}}, "four", "http://c/v1", ("four", "c", None)),
    ],
)
def test_the_command_line_overrides_the_configuration(
    configured: Mapping[str, Any], model: str | None, base_url: str | None, used: tuple[str, str, str | None]
) -> None:
    """The key stays with its server; a model that is configured for learning still learns."""
    models = with_agent_model(configured, model, base_url, ENVIRONMENT)
    router = ModelRouter(models, "config.yaml", ENVIRONMENT)
    found, learning = router.model("orchestrator"), router.model("memory")
    assert found is not None
    assert learning is not None
    assert (found.name, found.place, found.api_key) == used
    if model or base_url:
        assert learning.name == configured.get("memory", {}).get("model", found.name)


def test_an_unreachable_model_is_reported_in_one_line_and_no_message_is_lost(home: Path, cli: Cli, piped: Pipe) -> None:
    model = "{model: m, base_url: 'http://127.0.0.1:9/v1', max_retries: 0}"
    configure(home, f"models: {{default: {model}}}\nkernel: {{context_seconds: 60}}")  # the machine may be busy
    out, err = piped(home, "My cat is Mia.\n")
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("m at 127.0.0.1:9 ")
    assert err.endswith("; what you said is remembered.\n")
    assert [hit["content"] for hit in cli.data("search", "cat")] == ["My cat is Mia."]


def test_a_wrongly_configured_model_is_reported_and_the_chat_continues(home: Path, piped: Pipe, cli: Cli) -> None:
    configure(home, "models: {default: {model: m, base_url: nowhere}}")
    _, err = piped(home, "hi\n")
    assert err.startswith(f"Note: {home / 'config.yaml'}: `models.default.base_url` must be an address")
    assert "No model to talk with" in err
    ill = " ".join(cli("doctor").out.split())
    assert "WRONG model" in ill
    assert "`models.default.base_url` must be an address" in ill


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--model", "m", "--base-url", "nowhere"], "'--base-url': it must be an address like "),
        (["--base-url", "http://127.0.0.1:9/v1"], "'--base-url': it needs --model: "),
    ],
)
def test_a_wrong_model_name_is_an_error(home: Path, piped: Pipe, options: list[str], problem: str) -> None:
    """A person who names a model does not want to continue without it."""
    out, err = piped(home, "hi\n", *options, code=2)
    assert out == ""
    assert f"Error: Invalid value for {problem}" in err
    assert "models." not in err
    assert not home.exists()


@needs_pty
def test_the_model_of_the_option_learns_too(home: Path) -> None:
    """When a new conversation begins, the model reads the previous one."""
    with ScriptedModel("Nice.", otherwise="{}") as model:
        chat = person(home, *at(model))
        chat.ask("My cat is called Mia.\r", "Nice.")
        chat.ask("/new\r", "Another conversation begins.")
        until(lambda: len(model.requests) > 1)
        asked = model.requests[1].body
        assert "My cat is called Mia." in json.dumps(asked["messages"])
        assert "tools" not in asked
        chat.ask("/exit\r", "")
        assert chat.end() == 0


def test_a_failed_start_is_reported_in_one_line(home: Path, cli: Cli) -> None:
    home.mkdir(mode=0o700)
    (home / "memory.db").write_text("my diary, nothing else " * 50)
    run = process("run", home=home)
    for code, err in ((run.returncode, run.stderr.decode()), *((each.code, each.err) for each in map(cli, COMMANDS))):
        assert code == 1
        assert err.count("\n") == 1
        assert "is not a memory database; it was left untouched" in err
    assert (home / "memory.db").read_text().startswith("my diary")


# --- at a terminal ----------------------------------------------------------------------------------------------------


@needs_pty
def test_a_person_talks_with_an_assistant(home: Path) -> None:
    """The person stops one slow reply. The chat is killed during another one; the person returns, and gets that reply
    while half of the next line is typed.
    """
    slow, cut_off = Answer("This takes very long.", stall=600), Answer("Never heard.", delay=600)
    script: list[str | Answer] = [call("search_memory", query="cat"), "Hello, I am here.", slow, "Mia it is.", cut_off]
    with ScriptedModel(*script, otherwise="Old enough.") as model:
        chat = person(home, *at(model))
        assert "scripted, with the memory in" in chat.prompted()
        chat.type("My cat is Mia.\r")
        chat.see("· search_memory")
        chat.see("Hello, I am here.")
        chat.ask("slow\r", "This ")
        chat.type(CTRL_C)
        chat.see("Stopped.")
        chat.ask("What is she called?\r", "Mia it is.")
        chat.ask("/memry\r", "did you mean /memory?")
        chat.ask("/help\r", "/memory why ID")
        chat.ask("How old is she?\r", "\n")
        until(lambda: len(model.requests) == len(script))
        chat.kill()
        assert (home / "chat_history").read_text().count("\n+") == 6
        again = person(home, *at(model))
        assert "Note: a reply was cut off; what comes of it is shown" in again.prompted()
        again.type("half a line")
        again.see("The reply that was cut off:\r\nOld enough.")
        again.see("half a line")
        again.type(CTRL_C)
        again.prompted()
        again.type(CTRL_D)
        assert again.end() == 0


@needs_pty
def test_a_person_is_told_of_a_reply_interrupted_twice(home: Path) -> None:
    """The person can continue."""
    with ScriptedModel(Answer("Never heard.", delay=600), Answer("Nor this.", delay=600), "Still here.") as model:
        chat = person(home, *at(model))
        chat.ask("How old is my cat?\r", "\n")
        until(lambda: len(model.requests) == 1)
        chat.kill()
        again = person(home, *at(model))
        until(lambda: len(model.requests) == 2)
        again.kill()
        third = person(home, *at(model))
        third.see("A reply was cut off twice and is not tried again; ask once more")
        third.see("what you said is remembered.")
        third.ask("Are you there?\r", "Still here.")
        third.prompted()
        third.type(CTRL_D)
        assert third.end() == 0


def until(happened: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    deadline = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- without a person -------------------------------------------------------------------------------------------------


class Running:
    """`memory run` as a process."""

    def __init__(self, home: Path, *options: str) -> None:
        command = [sys.executable, "-m", "sandbox.cli", "run", "--home", str(home), *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.log = ""

    def see(self, text: str) -> None:
        """Wait for a line that contains the text."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log += line
            if text in line:
                return
        raise AssertionError(f"{text!r} is not in {self.log!r}")

    def end(self, *signals: int) -> int:
        """Send signals; return the exit code."""
        for number in signals:
            self.process.send_signal(number)
        out, rest = self.process.communicate(timeout=SECONDS)
        self.log += rest
        assert out == ""
        return self.process.returncode


@pytest.fixture
def run() -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(home: Path, *options: str) -> Running:
        started.append(Running(home, *options))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()


@needs_pty
def test_the_service_runs_until_a_signal(home: Path, run: Callable[..., Running]) -> None:
    running = run(home)
    running.see("memory/run_nightly_maintenance: never run; next 2")
    assert running.end(signal.SIGTERM) == 0
    assert all(re.match(r"\d{4}-\d\d-\d\dT\S+ (INFO|WARNING) ", line) for line in running.log.splitlines())
    assert f"at work in {home}: assistant, cli_channel, embedding, memory" in running.log
    assert "model: none configured" in running.log
    assert running.log.endswith("stopped\n")


@needs_pty
def test_the_service_goes_on_where_its_home_was_deleted(home: Path, run: Callable[..., Running]) -> None:
    running = run(home)
    running.see("never run; next 2")
    shutil.rmtree(home)
    running.see("never run; next 2")
    assert (home / "memory.db").exists()
    assert running.end(signal.SIGTERM) == 0


@needs_pty
def test_the_log_can_be_json(home: Path, run: Callable[..., Running]) -> None:
    running = run(home, "--json")
    running.see("; next 2")
    assert running.end(signal.SIGINT) == 0
    documents: list[dict[str, Any]] = [json.loads(line) for line in running.log.splitlines()]
    assert documents[-1].keys() == {"at", "level", "logger", "message"}
    assert documents[-1]["message"] == "stopped"


@needs_pty
def test_a_second_signal_ends_the_process_at_once(home: Path, run: Callable[..., Running]) -> None:
    extend(home, EXTENSION.format(stop="await asyncio.sleep(600)", heard="pass"))
    running = run(home)
    running.see("; next 2")
    running.process.send_signal(signal.SIGTERM)
    running.see("stopping")
    assert running.end(signal.SIGTERM) == -signal.SIGTERM


STUBBORN = """
import asyncio
import threading
import time


class Mine:
    async def start(self, context):
        threading.Thread(target=time.sleep, args=(3600,)).start()
        self.sleep = asyncio.get_running_loop().run_in_executor(None, time.sleep, 3600)

    async def stop(self):
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pass

    async def check(self):
        return []
"""


@needs_pty
def test_an_extension_that_never_stops_delays_nothing(home: Path, run: Callable[..., Running]) -> None:
    """Its handlers and threads delay nobody: the others stop, their files are closed, and the process ends."""
    extend(home, STUBBORN, depends_on="[memory]")
    running = run(home)
    running.see("; next 2")
    assert running.end(signal.SIGTERM) == 0
    assert "the extension mine failed while it stopped (TimeoutError)" in running.log
    assert running.log.endswith("stopped\n")
    assert not list(home.glob("*-wal"))
    assert not list((home / "kernels").iterdir())


@needs_pty
def test_a_failed_extension_is_named_and_the_others_run(home: Path, run: Callable[..., Running], cli: Cli) -> None:
    configure(home, "cli_channel: {history: maybe}\nmodels: {default: {modell: m}}")
    running = run(home)
    running.see("the extension cli_channel does not run: InvalidSettings:")
    running.see("`models.default.modell` is unknown")
    assert running.end(signal.SIGTERM) == 0
    assert "none configured" not in running.log
    refused = cli("chat")
    assert refused.code == 1
    assert "`cli_channel.history` must be true or false" in refused.err


@needs_pty
def test_a_missed_night_is_caught_up(home: Path, run: Callable[..., Running], cli: Cli, piped: Pipe) -> None:
    """The machine was off for half a year."""
    cli.directly(lambda memory: memory.remember("Ann likes tea.", source="inferred"), days_ago=200)
    piped(home, "hello\n")
    with closing(sqlite3.connect(home / "kernel.db", isolation_level=None)) as state:
        state.execute("UPDATE runs SET at = at - 180 * 86400000")
    running = run(home)
    running.see("memory/run_nightly_maintenance ended")
    assert running.end(signal.SIGTERM) == 0
    (done,) = re.findall(r"memory/run_nightly_maintenance ended after \S+ s, ok: (.+)", running.log)
    assert f"ok: {done}; next 2" in " ".join(cli.fine("doctor").split())
    assert cli.data("stats")["retired"] == {"decayed": 1}


# --- is it in order? --------------------------------------------------------------------------------------------------


def test_a_parked_event_is_delivered_after_a_repair(cli: Cli, home: Path, piped: Pipe) -> None:
    """An extension cannot process a message; it is removed, repaired and installed again."""
    extend(home, EXTENSION.format(stop="pass", heard="raise ValueError(event.text)"))
    piped(home, "hello\n")
    (home / "config.yaml").unlink()
    ill = cli("doctor", "--retry")
    assert ill.code == 1
    assert "1 given up: user_message for mine" in " ".join(ill.out.split())
    assert "hello" not in ill.out + ill.err
    extend(home, EXTENSION.format(stop="pass", heard="pass"))
    assert "WRONG" not in cli.fine("doctor", "--retry")


EXTENSION = """
import asyncio

from sandbox.events import UserMessage


class Mine:
    async def start(self, context):
        context.subscribe(UserMessage, self.heard)

    async def stop(self):
        {stop}

    async def check(self):
        return []

    async def heard(self, event):
        {heard}
"""
