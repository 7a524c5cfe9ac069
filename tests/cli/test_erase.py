"""`erase` removes a conversation from every place that holds words of it."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.errors import DatabaseReplaced
from sandbox.extensions.memory.ingest.project import project_of
from tests.cli.conftest import Cli, Pipe, extend
from tests.files import files_with

NOTHING = {
    **dict.fromkeys(
        ("turns", "learnt", "restored", "entities", "summaries", "profile_values", "sources", "in_doubt"), 0
    ),
    "examples": [],
    "doubtful": [],
    "exports": [],
}


def test_an_imported_conversation_is_erased_with_its_facts(ann: Cli, talk: Path) -> None:
    ann.fine("end")
    [fact] = ann.data("search", "Mia", "--type", "semantic", "--limit", "1")
    assert files_with(ann.home, "vase")
    assert ann.fine("erase", "--session", "2026-03-05", "--yes").startswith("Erased  2 turns")
    assert files_with(ann.home, "vase") == set()
    assert [hit["session"] for hit in ann.data("search", "", "--type", "episodic")] == ["2026-03-09", "2026-03-02"]
    assert "2 records were erased before" in ann.fine("import", str(talk))
    assert ann("explain", fact["id"]).code == 1


@pytest.mark.parametrize("options", [("--session", "2026-03-05"), ("--everything",)])
def test_a_copy_of_a_conversion_that_was_killed_goes_too(ann: Cli, options: tuple[str, ...]) -> None:
    """As after `memory decrypt`, which writes a copy without encryption first."""
    (ann.home / ".encrypting-left").mkdir()
    shutil.copy(ann.home / "memory.db", ann.home / ".encrypting-left")
    ann.fine("erase", *options, "--yes")
    assert files_with(ann.home, "vase") == set()


def test_erasing_asks_until_it_is_answered_yes_or_no(ann: Cli) -> None:
    asked = "Erase 2026-03-05 for good: 2 turns and 1 name? [y/N]:"
    answer = ann("erase", "--session", "2026-03-05", input="nein\nn\n")
    assert (answer.code, "Erased" in answer.out) == (1, False)
    assert asked in answer.err.partition("Error: answer y or n.")[0]
    assert answer.err.count("[y/N]:") == 2
    assert ann("erase", "--session", "2026-03-05").code == 1  # nobody answers
    assert ann.data("stats")["nodes"] == {"episodic": 4}
    answer = ann("erase", "--session", "2026-03-05", input="y\n")
    assert (answer.code, "Erased  2 turns and 1 name\n" in answer.out) == (0, True)
    assert ann.data("stats")["nodes"] == {"episodic": 2}


def test_only_a_few_of_many_are_shown(cli: Cli) -> None:
    messages = [Message("user", f"Fact {number * 7919} of Mia", session="long") for number in range(12)]
    cli.directly(lambda memory: memory.observe_many(messages))
    asked = cli("erase", "--user", "default", input="n\n").err
    assert asked.count("  Fact ") == 5
    assert "  and 7 more\n" in asked


def test_the_turns_from_which_a_memory_was_learnt_are_named(ann: Cli) -> None:
    """When it is forgotten and when it is erased."""
    ann.fine("end")
    [fact] = ann.data("search", "Mia", "--type", "semantic", "--limit", "1")
    [source] = ann.data("explain", fact["id"])["sources"]
    for change in ("forget", "restore", "erase"):
        told = ann.fine(change, fact["id"], *(["--yes"] if change == "erase" else []))
        assert (f"  {source['id']}" in told, "`memory erase ID` erases one" in told) == (change != "restore",) * 2


def test_json_output_is_one_document(ann: Cli) -> None:
    assert ann.data("erase", "--session", "2026-03-05", "--yes") | {"examples": []} == NOTHING | {
        "turns": 2,
        "entities": 1,
    }
    answer = ann("erase", "--session", "2026-03-02", "--json", input="y\n")
    assert (answer.code, answer.json["error"]["type"]) == (2, "UsageError")
    assert "with --json the command cannot ask; add --yes" in answer.json["error"]["message"]


@pytest.mark.parametrize("session", ["2026-03-06", "", "vase"])
def test_an_unknown_conversation_is_named(ann: Cli, session: str) -> None:
    answer = ann("erase", "--session", session, "--yes")
    assert (answer.code, answer.out) == (1, "")
    expected = f"There is no session {session!r}; `memory sessions` lists the sessions."
    assert answer.err == f"Error: {expected}\n"
    assert ann("erase", "--session", session, "--yes", "--json").json["error"] == {
        "type": "UnknownSession",
        "message": expected,
    }


def test_in_a_chat_erasing_takes_two_steps(cli: Cli, piped: Pipe) -> None:
    """It works through a pipe too. The first step says what would be erased; if nothing is there, it says that."""
    typed = "/memory erase\n/memory erase yes\nMy borzoi is called Rex.\n/memory erase\n"
    said = piped(cli.home, typed)[0]
    assert said.count("There is nothing to erase") == 2
    assert "This conversation would be erased for good: 1 turn." in said
    assert files_with(cli.home, "borzoi")
    gone = piped(cli.home, "Another word.\n/memory erase yes\n/memory erase\n")[0]
    assert "This conversation is erased: 2 turns." in gone
    assert gone.rstrip().endswith("There is nothing to erase: nothing is kept of this conversation.")
    assert files_with(cli.home, "borzoi") == set()


def test_erasing_is_refused_while_an_extension_is_degraded(ann: Cli) -> None:
    """After its repair the extension would still hold the text, and nobody would erase it there."""
    extend(ann.home, "raise RuntimeError")
    answer = ann("erase", "--session", "2026-03-05", "--yes")
    assert answer.code == 1
    assert answer.err.startswith("Error: Nothing was erased: mine does not run: ")
    assert ann.data("stats")["nodes"] == {"episodic": 4}


def test_ctrl_c_ends_it_at_once_and_says_what_that_means(ann: Cli) -> None:
    """While an extension takes long to erase its copy."""
    source = """
import asyncio, os, signal
from sandbox.events import Erase
class Mine:
    async def start(self, context):
        context.subscribe(Erase, self.erase)
    async def stop(self):
        await asyncio.sleep(60)
    async def check(self):
        return []
    async def erase(self, event):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)
"""
    extend(ann.home, source)
    script = """
import signal
from sandbox.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs the tests in the background ignores it
main()
"""
    command = [sys.executable, "-c", script, "--home", str(ann.home), "erase", "--session", "2026-03-05", "--yes"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout) == (130, "")
    assert run.stderr.startswith("Stopping. What is erased stays erased")


def test_a_turn_and_a_conversation_of_a_chat_are_erased_from_every_file(cli: Cli, piped: Pipe) -> None:
    """Neither the typed lines, nor the conversation, nor any file keeps them."""
    piped(cli.home, "My borzoi is called Rex.\n/new\nMy setter is called Tom.\n")
    (cli.home / "chat_history").write_text("+My borzoi is called Rex.\n+My setter is called Tom.\n")
    [hit], [other] = [cli.data("search", dog, "--type", "episodic") for dog in ("borzoi", "setter")]
    asked = cli("erase", hit["id"], input="n\n")
    assert "  My borzoi is called Rex.\nErase " in asked.err
    assert files_with(cli.home, "borzoi")
    assert cli.fine("erase", hit["id"], "--yes").startswith("Erased  1 turn")
    assert files_with(cli.home, "borzoi") == set()
    assert cli("erase", hit["id"], "--yes").code == 1
    assert cli.data("erase", "--session", other["session"], "--yes")["turns"] == 1
    assert files_with(cli.home, "setter") == set()


def test_a_person_a_period_and_a_user_can_be_erased(ann: Cli) -> None:
    for options in (("--subject", "Mia"), ("--before", "2026-03-04"), ("--user", "ann")):
        assert "Erased" in ann.fine("erase", *options, "--yes")
    assert files_with(ann.home, "Mia") == set()


def test_erasing_everything_deletes_the_files(ann: Cli, piped: Pipe) -> None:
    """Files that the memory did not make stay, and are named."""
    piped(ann.home, "My borzoi is called Rex.\n")
    (ann.home / "config.yaml").write_text("")
    (ann.home / "resident.failed").touch()
    repository = ann.home.parent / "shop"
    (repository / ".git").mkdir(parents=True)
    assert project_of(repository, ann.home) == str(repository)
    assert files_with(ann.home, str(repository))
    assert "Erase everything for good: " in ann("erase", "--everything", input="n\n").err
    assert "config.yaml" in ann.fine("erase", "--everything", "--yes")
    assert {path.name for path in ann.home.iterdir()} == {"config.yaml"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """An empty file system of 16 MB, which only root can make."""
    folder = tmp_path / "disk"
    folder.mkdir()
    making = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(making, check=False, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("room", [0, 256])
def test_erasing_on_a_full_disk_says_so_and_everything_is_erased(small_disk: Path, room: int) -> None:
    """With some room in KiB, which the memory alone would use up."""
    cli = Cli(small_disk / "home")
    talk = small_disk / "talk.jsonl"
    turn = {"role": "user", "session": "dogs"}
    said = [turn | {"content": f"The borzoi of neighbour {number} barks at cats again."} for number in range(1000)]
    talk.write_text("\n".join(map(json.dumps, said)))
    cli.fine("import", str(talk))
    talk.write_bytes(bytes(shutil.disk_usage(small_disk).free + talk.stat().st_blocks * 512 - room * 1024))

    def erase(*what: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "sandbox.cli", "--home", str(cli.home), "erase", *what, "--yes"]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)

    for what in (("--session", "dogs"), ("--subject", "borzoi")):
        assert re.search("is full|whether the disk is full", erase(*what).stderr)
    assert "Erased" in erase("--everything").stdout
    assert list(cli.home.iterdir()) == []


def test_a_program_that_has_an_erased_memory_open_saves_nothing_of_it(ann: Cli) -> None:
    """As an import that still runs."""
    command = [sys.executable, "-m", "sandbox.cli", "--home", str(ann.home), "erase", "--everything", "--yes"]

    async def goes_on(memory: Memory) -> None:
        await memory.observe("user", "My borzoi is called Rex.")
        await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
        with pytest.raises(DatabaseReplaced, match="erased with everything else"):
            await memory.observe("user", "I have a cat.")

    ann.directly(goes_on)
    assert list(ann.home.iterdir()) == []


def test_in_a_chat_a_single_turn_can_be_erased(cli: Cli, tmp_path: Path, piped: Pipe) -> None:
    """Exports that may contain it are named before and after."""
    piped(cli.home, "My borzoi is called Rex.\nI like tea.\n")
    file = tmp_path / "all.jsonl"
    cli.fine("export", str(file))
    [hit] = cli.data("search", "borzoi", "--type", "episodic", "--limit", "1")
    first, sure = f"/memory erase {hit['id']}\n", f"/memory erase {hit['id']} yes\n"
    said = piped(cli.home, first + sure + first)[0]
    assert "- My borzoi is called Rex." in said
    assert "Erased: 1 turn" in said
    assert "No memory has the id" in said
    assert said.replace("\n", "").count(f"in exported files: {file}. Delete them yourself.") == 2
    assert files_with(cli.home, "borzoi") == set()
    assert [each["content"] for each in cli.data("search", "tea", "--limit", "1")] == ["I like tea."]


def test_erasing_an_unknown_user_does_not_claim_to_erase_everything(cli: Cli) -> None:
    asked = cli("erase", "--user", "bbo", input="y\n")
    assert "Erase the user bbo for good: no memories, and what is left of chats?" in asked.err
    assert "Erased  no memories, and what is left of chats\n" in asked.out


def test_erasing_an_unknown_person_or_period_erases_nothing(cli: Cli) -> None:
    cli.fine("remember", "I like tea.")
    for options in (("--subject", "Ann"), ("--before", "2001-01-01")):
        assert cli.fine("erase", *options, "--yes").startswith("There is nothing to erase: nothing is kept of ")
    assert "I like tea." in cli.fine("list")


def test_what_is_in_doubt_stays_and_is_named(cli: Cli) -> None:
    cli.remembered("Bill likes tea.")
    ids = [cli.remembered(f"The bill of table {number} is unpaid.") for number in range(7)]
    asked = cli("erase", "--subject", "Bill", input="n\n")
    told = cli("erase", "--subject", "Bill", "--yes")
    for answer in (asked, told):
        assert "in doubt whether it names Bill; `memory erase ID` erases it:\n" in answer.err
        assert f"  {ids[6]}: The bill of table 6 is unpaid.\n" in answer.err
        assert "  and 2 more\n" in answer.err
    assert told.out.startswith("Erased  1 memory and 1 name\n")
    again = cli("erase", "--subject", "Bill", "--yes")
    assert again.out == "There is nothing to erase: no text surely names Bill.\n"
    assert cli.data("list")["total"] == 7


def test_exports_are_named_and_deleted_on_request(ann: Cli, tmp_path: Path) -> None:
    """The home and each export file. A file that changed since the export stays."""
    ann.remembered("Mia broke the vase.", "--subject", "Mia")
    files = [tmp_path / name for name in ("all.jsonl", "page.md", "edited.md", "facts.jsonl")]
    for file, options in zip(files, ([], ["--markdown"], ["--markdown"], ["--category", "fact"]), strict=True):
        ann.fine("export", str(file), *options)
    ann.fine("export", "-")
    with files[2].open("a") as page:
        page.write("A note of my own.\n")
    [hit] = ann.data("search", "vase", "--type", "episodic", "--limit", "1")
    asked = ann("erase", "--subject", "Mia", input="n\n")
    assert "These exported files may still hold it:\n" + "".join(f"  {file}\n" for file in sorted(files)) in asked.err
    assert all(b"Mia" in file.read_bytes() for file in files)
    assert "These exported files are deleted:" in ann("erase", hit["id"], "--exports", input="n\n").err
    assert all(file.exists() for file in files)
    told = ann.data("erase", "--subject", "Mia", "--exports", "--yes")
    assert [each["file"] for each in told["exports"]] == [str(files[2])]
    assert [file for file in files if file.exists()] == [files[2]]
    assert files_with(ann.home, "Mia") == set()


def test_a_remaining_export_is_named_after_erasing(ann: Cli, tmp_path: Path) -> None:
    """It is also named if it holds global memories and another user is erased."""
    file = tmp_path / "all.jsonl"
    ann.directly(lambda memory: memory.remember("The safe opens with Qorlavik.", scope=Scope("bob")))
    ann.fine("export", str(file))
    ann.remembered("The user owns a boat.")
    [boat] = [hit["id"] for hit in ann.data("search", "boat", "--type", "semantic")]
    assert "It may still be in" not in ann.fine("erase", boat, "--yes")
    told = ann.fine("erase", "--user", "bob", "--yes")
    assert f"It may still be in{file}" in told.replace("\n", "")
    assert file.exists()


def test_erasing_a_user_erases_their_global_memories(cli: Cli) -> None:
    """A person at the command line may write the files of the home, so the person is its administrator."""
    everybody = Scope("ann", visibility="global", administrator=True)
    cli.directly(lambda memory: memory.remember("The safe opens with Qorlavik.", scope=everybody))
    cli.directly(lambda memory: memory.remember("Bob owns a boat.", scope=Scope("bob")))
    assert "1 memory" in cli.fine("erase", "--user", "ann", "--yes")
    assert "Qorlavik" not in cli.fine("list", "--user", "bob")
    assert "boat" in cli.fine("list", "--user", "bob")
