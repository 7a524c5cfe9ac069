"""`erase`: a conversation goes for good, from wherever words of it were kept."""

import json
from pathlib import Path

import pytest

from sandbox.extensions.memory import Message, Scope
from tests.cli.conftest import Cli, lines, process


def files_with(home: Path, word: bytes) -> set[str]:
    return {path.name for path in home.iterdir() if path.is_file() and word in path.read_bytes()}


def test_an_imported_conversation_goes_with_what_it_taught(ann: Cli, talk: Path) -> None:
    ann.fine("end")
    [fact] = ann.data("search", "Mia", "--type", "semantic", "--limit", "1")
    assert files_with(ann.home, b"vase")
    assert ann.fine("erase", "2026-03-05", "--yes").startswith("Erased  2 turns, and ")
    assert files_with(ann.home, b"vase") == set()
    assert [hit["session"] for hit in ann.data("search", "", "--type", "episodic")] == ["2026-03-09", "2026-03-02"]
    assert "2 records were erased before" in ann.fine("import", str(talk))
    assert ann("explain", fact["id"]).code == 1


def test_it_asks_first(ann: Cli) -> None:
    answer = ann("erase", "2026-03-05", input="n\n")
    assert (answer.code, "Erased" in answer.out) == (1, False)
    assert answer.err.startswith("Erase 2026-03-05 for good: 2 turns, and 0 memories learnt from nothing else? [y/N]:")
    assert ann("erase", "2026-03-05").code == 1  # nobody answers
    assert ann.data("stats")["nodes"] == {"episodic": 4}
    answer = ann("erase", "2026-03-05", input="y\n")
    assert (answer.code, "Erased  2 turns, and 0 memories learnt from nothing else\n" in answer.out) == (0, True)
    assert ann.data("stats")["nodes"] == {"episodic": 2}


def test_programs_read_one_document(ann: Cli) -> None:
    assert ann.data("erase", "2026-03-05", "--yes") == {"turns": 2, "learnt": 0, "restored": 0}
    answer = ann("erase", "2026-03-02", "--json", input="y\n")
    assert (answer.code, answer.json["error"]["type"]) == (2, "UsageError")
    assert "a program is not asked; it says --yes" in answer.json["error"]["message"]


@pytest.mark.parametrize("session", ["2026-03-06", "", "vase"])
def test_a_conversation_that_never_was_is_named(ann: Cli, session: str) -> None:
    answer = ann("erase", session, "--yes")
    assert (answer.code, answer.out) == (1, "")
    expected = f"There is no session {session!r}; `memory sessions` lists the sessions."
    assert answer.err == f"Error: {expected}\n"
    assert ann("erase", session, "--yes", "--json").json["error"] == {"type": "UnknownSession", "message": expected}


def test_nobody_erases_what_another_said(cli: Cli) -> None:
    cli.directly(lambda memory: memory.observe_many([Message("user", "I live in Berlin.", "s")], scope=Scope("bob")))
    assert cli("erase", "s", "--yes").code == 1
    assert cli("erase", "s", "--yes", "--project", "acme").code == 1
    assert cli.data("erase", "s", "--yes", "--user", "bob") == {"turns": 1, "learnt": 0, "restored": 0}


def test_what_was_said_in_the_chat_goes_from_every_file(cli: Cli) -> None:
    process("chat", home=cli.home, stdin=b"My borzoi is called Rex.\n")
    (cli.home / "chat_history").write_text("+My borzoi is called Rex.\n")
    [hit] = cli.data("search", "borzoi", "--type", "episodic")
    assert cli.data("erase", hit["session"], "--yes")["turns"] == 1
    assert files_with(cli.home, b"borzoi") == set()


def test_in_a_chat_a_second_step_erases(cli: Cli) -> None:
    """Through a pipe too: the first tells what would go, and where nothing is there nothing is told to be done."""
    typed = b"/memory erase\n/memory erase yes\nMy borzoi is called Rex.\n/memory erase\n"
    said = process("chat", home=cli.home, stdin=typed).stdout.decode()
    assert said.count("There is nothing to erase") == 2
    assert "This conversation would go for good: 1 turn, and 0 memories learnt from nothing else." in said
    assert files_with(cli.home, b"borzoi")
    gone = process("chat", home=cli.home, stdin=b"Another word.\n/memory erase yes\n/memory erase\n").stdout.decode()
    assert "This conversation is erased: 2 turns, and 0 memories learnt from nothing else." in gone
    assert gone.rstrip().endswith("There is nothing to erase: nothing is kept of this conversation.")
    assert files_with(cli.home, b"borzoi") == set()


def test_nothing_goes_while_an_extension_that_may_keep_it_does_not_run(ann: Cli, tmp_path: Path) -> None:
    """Mended later it would have it still, and nobody would tell it."""
    folder = tmp_path / "diary"
    folder.mkdir()
    manifest = {"id": "diary", "name": "Diary", "description": "Keeps all.", "entrypoint": "main:Diary", "provides": []}
    (folder / "manifest.yaml").write_text(json.dumps(manifest))
    (folder / "main.py").write_text("raise RuntimeError")
    (ann.home / "config.yaml").write_text(f"kernel: {{extensions: [{folder}]}}")
    answer = ann("erase", "2026-03-05", "--yes")
    assert answer.code == 1
    assert answer.err.startswith("Error: Nothing was erased: diary does not run: ")
    assert ann.data("stats")["nodes"] == {"episodic": 4}


def test_a_name_cannot_steer_the_terminal(cli: Cli, tmp_path: Path) -> None:
    said = {"role": "user", "content": "I live in Berlin.", "session": "s\x1b[2J"}
    cli.fine("import", str(lines(tmp_path / "a.jsonl", [said])))
    answer = cli("erase", "s\x1b[2J", input="n\n")
    assert answer.err.startswith("Erase s\N{SYMBOL FOR ESCAPE}[2J for good: 1 turn, ")
