"""The agent continues whatever is wrong with the memory: exit code 0, nothing on stdout, and a line for `doctor`."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.cli.conftest import configure
from tests.hooks.conftest import Started


@pytest.mark.parametrize(
    "stdin", ["", "no JSON", "[1]", '{"prompt": 3}', "\udcff".encode(errors="surrogateescape").hex()]
)
def test_invalid_input_does_not_disturb_the_agent(stdin: str, started: Started) -> None:
    agent = started()
    assert agent.hook("UserPromptSubmit", stdin=stdin) == ""
    assert stdin not in agent.log() or not stdin


def test_an_unknown_event_is_ignored(started: Started) -> None:
    agent = started()
    agent.home.mkdir(0o700)
    assert agent.hook("PreToolUse") == ""
    assert "an event that is not known: it is left alone" in agent.log()


def test_a_broken_memory_does_not_disturb_the_agent(started: Started) -> None:
    """The log and `doctor` show the kind of problem, and no text of the conversation."""
    agent = started()
    agent.home.mkdir(0o700)
    (agent.home / "memory.db").write_bytes(b"this is no database" * 100)
    for event in ("SessionStart", "UserPromptSubmit", "Stop"):
        assert agent.hook(event, prompt="the secret plan") == ""
    assert "NotADatabase" in agent.log()
    assert "secret plan" not in agent.log()
    assert (agent.home / "hooks.log").stat().st_mode & 0o777 == 0o600
    assert json.loads(agent.run("doctor", "--json").out)["error"]["type"] == "RequiredExtensionFailed"


def test_doctor_reports_the_problems_of_hooks(started: Started) -> None:
    agent = started()
    agent.hook("UserPromptSubmit", stdin="no JSON")
    doctor = json.loads(agent.run("doctor", "--json").out)
    (hooks,) = [check for part in doctor["parts"] for check in part["checks"] if check["name"] == "hooks"]
    assert not hooks["ok"]
    assert hooks["detail"].startswith("1 failure since yesterday, ")


def test_a_file_as_home_does_not_disturb_the_agent(started: Started, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert started(home=tmp_path / "file").hook("UserPromptSubmit", prompt="Hello") == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home_does_not_disturb_the_agent(started: Started, tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(0o500)
    assert started(home=tmp_path / "locked" / "home").hook("UserPromptSubmit", prompt="Hello") == ""


def test_wrong_settings_do_not_disturb_the_agent(started: Started) -> None:
    agent = started()
    configure(agent.home, "memory: {across_projects: some}")
    assert agent.hook("UserPromptSubmit", prompt="Hello") == ""
    assert "ConfigurationError" in agent.log()


def test_a_hook_answers_without_a_resident(started: Started) -> None:
    """A folder is in the place of its socket."""
    agent = started()
    agent.home.mkdir(0o700)
    (agent.home / "resident.sock").mkdir()
    agent.says("user", "I live in Potsdam.")
    agent.says("assistant", "Noted.")
    agent.hook("Stop")
    until = time.monotonic() + 20
    while "Potsdam" not in agent.context("UserPromptSubmit", prompt="Where do I live?", session_id="another"):
        assert time.monotonic() < until


def test_wrong_options_are_explained(started: Started) -> None:
    agent = started()
    assert agent.process("hook", "--help").stdout.startswith("Usage: memory hook")
    for wrong in ([], ["UserPromptSubmit", "--colour", "red"], ["UserPromptSubmit", "--user", ""]):
        called = agent.process("hook", *wrong)
        assert (called.returncode, called.stdout) == (1, ""), wrong  # with 2, an agent would block the prompt
        assert "Error: " in called.stderr
