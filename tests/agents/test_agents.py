"""The memory in the real programs: what the user says in one session, the model gets in the next."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.agents.conftest import PROGRAMS, Person
from tests.files import files_with
from tests.hooks.conftest import repository

pytestmark = pytest.mark.agents

LEARNERS = {"claude": "claude-code", "qwen": "qwen"}
CALLS = {
    "copilot": "memory-recall_memories",
    "gemini": "mcp_memory_recall_memories",
    "qwen": "mcp__memory__recall_memories",
}


def test_a_told_fact_is_recalled_in_the_next_session(person: Person) -> None:
    """
    user: My name is Ann. | We use pnpm, not npm. | (another session) Which package manager do we use?
    """
    first = person.says("My name is Ann.")
    assert "<memory>" not in first
    person.says("We use pnpm, not npm.")
    seen = person.says("Which package manager is it here?")
    assert "<memory>" in seen
    assert "The user's name is Ann." in seen
    assert "pnpm" in seen


def test_a_changed_fact_replaces_the_older_one(person: Person) -> None:
    """
    user: I live in Potsdam. | I moved to Hamburg. | Where do I live?
    """
    person.says("I live in Potsdam.")
    assert "lives in Potsdam" in person.says("Which city is that?")
    person.says("I moved to Hamburg.")
    seen = person.says("In which city do I live now?")
    assert "Hamburg" in seen
    assert "lives in Potsdam" not in seen


def test_a_forgotten_fact_is_not_recalled(person: Person) -> None:
    person.says("My cat is called Mimosa.")
    assert "Mimosa" in person.says("What is the name of my cat?")
    found = json.loads(person.memory("search", "cat Mimosa", "--json", "--project", str(person.repository)))
    for each in found:
        if "Mimosa" in each["content"]:
            person.memory("forget", each["id"], "--project", str(person.repository))
    assert "Mimosa" not in person.says("What is the name of my cat?")


def test_another_repository_sees_no_memory_of_a_project(person: Person, tmp_path: Path) -> None:
    person.says("I prefer tabs over spaces.")
    person.says("We use pnpm, not npm. The staging server is called kestrel.")
    seen = person.says("Which server is our staging, and how do I like to indent?", repository(tmp_path / "bakery"))
    assert "kestrel" not in seen
    assert "pnpm" not in seen
    assert "tabs" in seen


def test_a_killed_agent_loses_nothing(person: Person) -> None:
    agent = person.begins("I live in Potsdam.")
    os.killpg(agent.pid, signal.SIGKILL)
    agent.wait()
    person.model.answer.set()
    person.says("Go on.")
    assert "Potsdam" in person.says("In which city do I live?")


def test_a_broken_memory_does_not_disturb_the_agent(person: Person) -> None:
    person.home.mkdir(0o700, exist_ok=True)
    (person.home / "memory.db").write_bytes(b"this is no database" * 100)
    assert "<memory>" not in person.says("I live in Potsdam.")
    assert "NotADatabase" in (person.home / "hooks.log").read_text()


def test_a_silent_memory_does_not_disturb_the_agent(person: Person) -> None:
    """The process of the memory is stopped; the prompt is answered without it."""
    person.says("I live in Potsdam.")
    resident = person.resident()
    assert resident is not None
    os.kill(resident, signal.SIGSTOP)
    try:
        person.model.start_over()
        ran = person.run(*person.command("In which city do I live?"))
    finally:
        os.kill(resident, signal.SIGCONT)
    assert (ran.returncode, person.model.reply in ran.stdout) == (0, True)
    assert "Potsdam" not in person.model.seen()
    assert "no answer" in (person.home / "hooks.log").read_text()


def test_the_mcp_server_connects(person: Person) -> None:
    if calls := CALLS.get(person.program):
        person.model.call = calls
        seen = person.says("Hello")
        assert r"\"ok\": true" in seen
        return
    listed = person.run(PROGRAMS / person.program, "mcp", "list").stdout
    (line,) = [each for each in listed.splitlines() if each.startswith("memory")]
    assert "Connected" in line if person.program == "claude" else "enabled" in line
    person.model.call = "list_mcp_resources"
    seen = person.says("Hello")
    assert person.program == "claude" or "memory://" in seen


def test_the_agent_itself_learns_from_its_sessions(person: Person) -> None:
    """It is asked once for a session, without tools; the question is no session, and no hook answers it."""
    if person.program not in LEARNERS:
        pytest.skip("it cannot be asked without tools")
    person.memory("install", LEARNERS[person.program], "--learn", "--yes")
    person.model.reply = json.dumps({"items": [{"turns": [1], "content": "The bakery of the user is called Crumb."}]})
    person.says("My bakery is called Crumb.")
    if person.program == "qwen":  # with one prompt alone it does not tell hooks of the end; the next start does
        person.says("Thanks.")
    questions = [each for each in person.model.requests if "<material>" in json.dumps(each)]
    assert [each.get("tools") for each in questions] == [[]]
    assert "<memory>" not in json.dumps(questions)
    known = json.loads(person.memory("search", "bakery", "--json", "--project", str(person.repository)))
    assert "The bakery of the user is called Crumb." in [each["content"] for each in known]
    assert files_with(person.home, "<material>") == set()


def test_the_plugin_is_valid_and_works(person: Person) -> None:
    """The plugin is installed from its folder alone, and `claude plugin validate` gives no warning."""
    if person.program != "claude":
        pytest.skip("it is one of Claude Code")
    from sandbox.extensions import memory_hooks

    folder = Path(memory_hooks.__file__).parent / "claude_plugin"
    claude = PROGRAMS / "claude"
    person.memory("install", "claude-code", "--remove", "--yes")
    for manifest in (folder, folder / ".claude-plugin" / "plugin.json"):
        validated = person.run(claude, "plugin", "validate", "--strict", manifest)
        assert (validated.returncode, "warning" in validated.stdout.lower()) == (0, False), validated.stdout
    assert person.run(claude, "plugin", "marketplace", "add", folder).returncode == 0
    assert person.run(claude, "plugin", "install", "memory@assistant-memory").returncode == 0
    assert "Connected" in person.run(claude, "mcp", "list").stdout
    person.says("I live in Potsdam.")
    assert "lives in Potsdam" in person.says("In which city do I live?")
