"""`memory history`, `memory changes` and `memory undo`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Cli


def test_history_names_each_change_and_its_interface(ann: Cli) -> None:
    id = ann.remembered("Ann lives in Berlin.")
    ann.fine("correct", id, "Ann lives in Potsdam.")
    shown = ann.fine("history", id)
    assert "corrected" in shown
    assert f"linked supersedes {id}" in ann.fine("explain", id)
    assert "cli" in shown
    told = ann("history", id, "--json").json
    assert [each["event"] for each in told] == ["created", "created", "corrected", "linked"]
    assert {each["interface"] for each in told} == {"cli"}
    assert "Potsdam" not in json.dumps(told)


def test_changes_continue_after_a_cursor(ann: Cli) -> None:
    """One JSON object a line, with deletions."""
    before = [json.loads(line) for line in ann.fine("changes").splitlines()]
    id = ann.remembered("Ann lives in Berlin.")
    ann.fine("forget", id)
    lines = [json.loads(line) for line in ann.fine("changes", "--since", str(before[-1]["seq"])).splitlines()]
    assert [(each["event"], each["id"]) for each in lines] == [("created", id), ("forgotten", id)]
    for session in {each["session"] for each in before}:
        assert ann("erase", "--session", session, "--yes").code == 0
    gone = [json.loads(line) for line in ann.fine("changes", "--since", str(lines[-1]["seq"])).splitlines()]
    assert {each["id"] for each in gone if each["event"] == "erased"} == {each["id"] for each in before}
    assert ann.fine("changes", "--user", "bob", "--whole") == ""


def test_followed_changes_arrive_at_once_until_ctrl_c(tmp_path: Path) -> None:
    cli = Cli(tmp_path)
    first = cli.remembered("Ann lives in Berlin.")
    command = [sys.executable, "-m", "sandbox.cli", "changes", "--follow"]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "MEMORY_HOME": str(tmp_path)}
    )
    try:
        assert run.stdout is not None
        assert json.loads(run.stdout.readline())["id"] == first
        second = cli.remembered("Bo likes tea.")
        assert json.loads(run.stdout.readline())["id"] == second
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=30) == 0
        assert run.communicate() == (b"", b"")
    finally:
        run.kill()
        run.communicate()


def test_undo_shows_first_and_asks(ann: Cli) -> None:
    """Answering no changes nothing; the number in the answer restores everything."""
    id = ann.remembered("Ann lives in Berlin.")
    ann.fine("correct", id, "Ann lives in Potsdam.")
    number = next(each["seq"] for each in ann("history", id, "--json").json if each["event"] == "corrected")
    assert ann("undo", str(number), "--json").code == 2
    refused = ann("undo", str(number), input="n\n")
    assert refused.code == 1
    assert "Ann lives in Potsdam." in refused.out
    assert "Ann lives in Potsdam." in ann.fine("explain", id)
    done = ann("undo", str(number), "--yes", "--json").json
    assert {each["outcome"] for each in done["steps"]} == {"retired", "believed again"}
    assert ann("explain", id, "--json").json["memory"]["content"] == "Ann lives in Berlin."
    assert ann("undo", str(done["change"]), input="y\n").code == 0
    assert ann("explain", id, "--json").json["memory"]["content"] == "Ann lives in Potsdam."
    assert "nothing to undo" in ann.fine("undo", "--night")
