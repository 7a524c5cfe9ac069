"""The process that keeps a memory open: one for each home; it starts when it is needed, and ends when it is not."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from sandbox.extensions.memory_hooks import client
from tests.hooks.conftest import PATIENCE, Started, gone


def test_many_first_requests_start_one_resident_that_only_the_owner_may_ask(started: Started) -> None:
    agent = started()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: agent.hook("UserPromptSubmit", prompt="Hello"), range(4)))
    pid = agent.resident()
    assert pid is not None
    second = subprocess.run([sys.executable, "-m", "sandbox.cli.resident", str(agent.home)], timeout=PATIENCE)
    assert second.returncode == 0
    assert agent.resident() == pid
    assert agent.home.stat().st_mode & 0o777 == 0o700
    assert (agent.home / client.SOCKET).stat().st_mode & 0o777 == 0o600


def test_a_killed_resident_is_replaced(started: Started) -> None:
    agent = started()
    agent.run("remember", "I live in Potsdam.")
    agent.hook("SessionStart")
    first = agent.resident()
    assert first is not None
    os.kill(first, signal.SIGKILL)
    gone(agent)
    assert (agent.home / client.SOCKET).exists()
    assert "Potsdam" in agent.context("UserPromptSubmit", prompt="Where do I live?")
    assert agent.resident() not in (None, first)


def test_the_resident_follows_changed_settings(started: Started) -> None:
    agent = started()
    agent.run("remember", "I live in Potsdam.")
    assert "Potsdam" in agent.context("UserPromptSubmit", prompt="Where do I live?")
    first = agent.resident()
    assert first is not None
    (agent.home / "config.yaml").write_text("memory: {context_mode: 'off'}\n")
    assert agent.context("UserPromptSubmit", prompt="Where do I live?") == ""
    assert agent.resident() not in (None, first)


def test_the_resident_follows_a_restored_copy(started: Started, tmp_path: Path) -> None:
    agent = started()
    agent.run("remember", "I live in Potsdam.")
    copied(agent.home / "memory.db", tmp_path / "copy.db")
    agent.run("remember", "I keep bees.")
    assert "bees" in agent.context("SessionStart")
    (tmp_path / "copy.db").replace(agent.home / "memory.db")
    told = agent.context("SessionStart")
    assert ("Potsdam" in told, "bees" in told) == (True, False)


def test_a_memory_is_encrypted_while_the_resident_has_it_open(started: Started) -> None:
    """The person does not know of the process."""
    agent = started(environment={"MEMORY_KEY": "four geese on a frozen lake"})
    agent.turn("I live in Potsdam.")
    assert agent.resident() is not None
    done = agent.run("encrypt")
    assert done.code == 0, done.err
    assert "Potsdam" in agent.context("SessionStart")
    assert agent.run("decrypt").code == 0


def copied(database: Path, target: Path) -> None:
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def test_the_resident_ends_after_a_while_and_with_its_home(started: Started, tmp_path: Path) -> None:
    agent = started()
    agent.home.mkdir(0o700)
    idle = _started_by_hand(agent.home, "0.3")
    assert idle.wait(PATIENCE) == 0
    assert not (agent.home / client.SOCKET).exists()
    kept = _started_by_hand(agent.home, "60")
    agent.started()
    agent.home.rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / client.SOCKET).unlink()
    kept.wait(PATIENCE)


def test_a_resident_that_is_asked_to_end_waits_for_no_model(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends the program that it asked; the next start of a session continues."""
    program, asked = tmp_path / "claude", tmp_path / "asked"
    note = f"pathlib.Path({str(asked)!r}).write_text(str(os.getpid()))"
    program.write_text(f"#!{sys.executable}\nimport os, pathlib, time\n{note}\ntime.sleep(600)\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    agent = started()
    agent.home.mkdir(0o700)
    (agent.home / "config.yaml").write_text("models: {memory: {agent: claude-code}}\n")
    resident = _started_by_hand(agent.home, "60")
    agent.started()
    agent.says("user", "My bakery is called Crumb.")
    agent.hook("SessionEnd", reason="other")
    until = time.monotonic() + PATIENCE
    while not asked.exists() or not asked.read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    resident.terminate()
    assert resident.wait(PATIENCE) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(asked.read_text()), 0)


def test_a_home_with_a_long_path_has_a_resident_too(started: Started, tmp_path: Path) -> None:
    """The address of a socket may have about a hundred characters."""
    agent = started(home=tmp_path / ("long" * 50) / "home")
    agent.run("remember", "I live in Potsdam.")
    assert "Potsdam" in agent.context("UserPromptSubmit", prompt="Where do I live?")
    assert agent.resident() is not None


def test_an_agent_in_a_removed_folder_asks_the_resident(started: Started, tmp_path: Path) -> None:
    """As in a worktree that was removed while the agent worked there."""
    agent = started()
    agent.run("remember", "I live in Potsdam.")
    agent.hook("SessionStart")
    before = json.loads(client.ask(agent.home, {"do": "ping"}))
    agent.folder = tmp_path / "removed"
    agent.folder.mkdir()
    command = [sys.executable, "-P", "-m", "sandbox.cli", "hook", "UserPromptSubmit", "--home", str(agent.home)]
    script = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.argv[1], sys.argv[1:])"
    prompt = json.dumps({"session_id": "s", "cwd": str(agent.folder), "prompt": "Where do I live?"})
    wrapped = [sys.executable, "-c", script, *command]
    ran = subprocess.run(wrapped, input=prompt, capture_output=True, text=True, cwd=agent.folder, timeout=PATIENCE)
    assert "Potsdam" in ran.stdout
    after = json.loads(client.ask(agent.home, {"do": "ping"}))
    assert (after["pid"], after["answered"]) == (before["pid"], before["answered"] + 1)


def test_the_resident_answers_search_and_context(started: Started) -> None:
    """The answers and errors are those of the memory itself; it sees what others write."""
    agent = started()
    agent.run("remember", "I live in Potsdam.")
    questions = (
        ["search", "Where do I live?", "--json", "--no-reinforce"],
        ["context", "Where do I live?", "--json", "--no-reinforce"],
        ["search", "x", "--tag", "nowhere"],
        ["search", "x", "--after", "never"],
    )
    alone = [agent.run(*each) for each in questions]
    agent.hook("SessionStart")
    before = _answered(agent.home)
    together = [agent.run(*each) for each in questions]
    assert _answered(agent.home) > before
    assert [each.code for each in alone] == [0, 0, 0, 2]
    for one, other in zip(alone, together, strict=True):
        assert (one.code, one.err) == (other.code, other.err)
        assert _timeless(one.out) == _timeless(other.out)
    agent.run("remember", "My cat is called Mia.")
    assert "Mia" in agent.run("search", "What is my cat called?").out


def test_erasing_beside_the_resident_leaves_no_bytes(started: Started) -> None:
    agent = started()
    agent.turn("My name is Ann. The codeword is quetzalcoatl.")
    assert "Ann" in started("bakery").context("SessionStart", source="startup")
    erased = agent.run("erase", "--session", agent.session, "--yes", "--project", str(agent.folder))
    assert erased.code == 0, erased.err
    assert agent.resident() is not None
    assert "Ann" not in started("mill").context("SessionStart", source="startup")
    for file in agent.home.rglob("*"):
        if file.is_file():
            assert b"quetzalcoatl" not in file.read_bytes(), file


def test_an_invalid_request_does_not_harm_the_resident(started: Started) -> None:
    agent = started()
    agent.hook("SessionStart")
    for nonsense in (b"", b"nonsense\n", b"{}\n", b'{"stamp": 1}\n', b"\xff" * 1000):
        with socket.socket(socket.AF_UNIX) as connection:
            os.chdir(agent.home)
            connection.connect(client.SOCKET)
            if b"stamp" not in nonsense:
                connection.sendall(nonsense)
                connection.shutdown(socket.SHUT_WR)
                assert not connection.recv(10).startswith(b"+")
    assert agent.resident() is not None


def _started_by_hand(home: Path, idle: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "sandbox.cli.resident", str(home), "--idle", idle])


def _answered(home: Path) -> int:
    return int(json.loads(client.ask(home, {"do": "ping"}))["answered"])


def _timeless(text: str) -> str:
    """The answer without the parts that change with time."""
    return "\n".join(line for line in text.splitlines() if '"confidence"' not in line and '"score"' not in line)
