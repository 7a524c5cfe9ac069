"""`memory history`, `memory changes` and `memory undo`."""

import json
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
    assert ann("erase", id, "--yes").code == 0
    gone = [json.loads(line) for line in ann.fine("changes", "--since", str(lines[-1]["seq"])).splitlines()]
    assert {each["id"] for each in gone if each["event"] == "erased"} == {each["id"] for each in (*before, *lines)}
    assert {each["interface"] for each in gone} == {"cli"}
    assert ann.fine("changes", "--user", "bob", "--whole") == ""


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
    restored = ann("undo", str(done["change"]), input="y\n")
    assert restored.code == 0
    assert restored.out.count("Ann lives in Berlin.") == 1
    assert ann("explain", id, "--json").json["memory"]["content"] == "Ann lives in Potsdam."
    assert "nothing to undo" in ann.fine("undo", "--night")


def test_undo_of_much_shows_its_first_steps_briefly(cli: Cli, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_text("\n".join(json.dumps({"role": "user", "content": f"{n} {'long ' * 200}"}) for n in range(50)))
    cli.fine("import", str(talk))
    told = cli("undo", "--interface", "cli", input="n\n")
    assert "and 30 more: 30 retired" in told.out
    assert len(told.out) < 20 * 500
