"""`memory export` writes a file, prints, or writes a page."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Cli
from tests.memory.store.conftest import disk, disk_library
from tests.memory.store.disk import Disk
from tests.terminals import Terminal

__all__ = ["disk", "disk_library"]


def test_a_memory_moves_to_another_home(ann: Cli, tmp_path: Path) -> None:
    ann.remembered("Ann plays the violin.")
    shown = ann.fine("export", str(tmp_path / "backup.jsonl"))
    assert "backup.jsonl" in "".join(shown.split())
    assert " lines, " in " ".join(shown.split())
    other = Cli(tmp_path / "other")
    report = other.data("import", str(tmp_path / "backup.jsonl"))["files"][0]
    assert (report["format"], report["new"], report["known"]) == ("memory export", 5, 0)
    assert other.data("search", "violin")[0]["id"] == ann.data("search", "violin")[0]["id"]
    ann.remembered("Ann sings, too.")
    ann.fine("export", str(tmp_path / "later.jsonl"))
    for file, new, known in (("backup", 0, 5), ("later", 1, 5), ("later", 0, 6)):
        report = other.data("import", str(tmp_path / f"{file}.jsonl"))["files"][0]
        assert (report["new"], report["known"]) == (new, known)


def test_a_backup_of_an_earlier_state_says_that_it_restores_nothing_here(cli: Cli, tmp_path: Path) -> None:
    id = cli.remembered("I live in Rome.")
    cli.fine("export", str(tmp_path / "backup.jsonl"))
    cli.fine("correct", id, "I live in Rovigo.")
    told = " ".join(cli.fine("import", str(tmp_path / "backup.jsonl")).split())
    assert "1 known memory differs from this file, and what is here stays; a new folder takes the file as it is" in told


def test_an_export_can_be_printed(ann: Cli) -> None:
    head, *rows = ann.fine("export", "-").splitlines()
    assert "assistant_memory_export" in json.loads(head)
    assert all(len(json.loads(row)) == 1 for row in rows)
    page = ann.fine("export", "--markdown", "-")
    assert "> My cat Mia broke the blue vase." in page


def test_the_markdown_of_a_project_has_the_users_memories_too_and_is_no_note(ann: Cli, tmp_path: Path) -> None:
    ann.fine("remember", "The oven is new.", "--project", "bakery")
    page = str(tmp_path / "page.md")
    assert ann.data("export", page)["lines"] > 5
    assert "oven" not in Path(page).read_text()
    ann.fine("export", "--markdown", page, "--project", "bakery")
    assert "- The oven is new. (" in Path(page).read_text()
    refused = ann("import", page)
    assert refused.code == 1
    assert "it is a page of `memory export`, to be read" in refused.err


def test_wrong_usage_is_explained(ann: Cli, tmp_path: Path) -> None:
    answer = ann("export", str(tmp_path / "nowhere" / "x.jsonl"))
    assert answer.code == 1
    assert "cannot be written: No such file or directory." in answer.err
    assert "cannot be written: File name too long." in ann("export", str(tmp_path / ("x" * 300))).err
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        assert "it is there and is no file" in ann("export", str(tmp_path / name)).err
    assert (tmp_path / "pipe").is_fifo()
    assert ann("export", "-", "--json").code == 2
    for option in ("--type", "--category"):
        assert "an export of a part holds no turns" in ann("export", "-", option, "episodic").err
    assert ann("export", "-", "--markdown", "--type", "episodic").code == 0


def test_the_next_export_removes_what_a_killed_one_left(ann: Cli, tmp_path: Path) -> None:
    script = """
import os, signal, sys
from sandbox.cli import main
def kill(event, given):
    if event == "os.rename" and str(given[1]).endswith("backup.jsonl"):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(kill)
main()
"""
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / ".backup.jsonl-of-friday").touch()
    target = str(folder / "backup.jsonl")
    command = [sys.executable, "-c", script, "--home", str(ann.home), "export", target]
    assert subprocess.run(command, timeout=60, check=False).returncode == -signal.SIGKILL
    [left] = folder.glob(".backup.jsonl-????????.part")
    ann.fine("export", target)
    assert left.exists(), "another export may be writing it"
    os.utime(left, (0, 0))
    ann.fine("export", target)
    assert sorted(each.name for each in folder.iterdir()) == [".backup.jsonl-of-friday", "backup.jsonl"]


def test_an_export_that_does_not_fit_on_the_disk_leaves_nothing(ann: Cli, disk: Disk) -> None:
    disk.full.touch()
    done = disk.python("sandbox.cli", "--home", str(ann.home), "export", str(disk.folder / "backup.jsonl"))
    assert "cannot be written: No space left on device" in done.stderr
    assert not list(disk.folder.iterdir())


def test_no_file_is_moved_while_it_is_open(ann: Cli, tmp_path: Path) -> None:
    """Windows refuses that. The program fails if one of its descriptors leads to the file."""
    script = """
import os, sys
from sandbox.cli import main
def look(event, given):
    if event == "os.rename":
        opened = {os.path.realpath(f"/dev/fd/{each}") for each in os.listdir("/dev/fd")}
        if opened & {os.path.realpath(each) for each in given[:2]}:
            os._exit(3)
sys.addaudithook(look)
main()
"""
    for target in (str(tmp_path / "backup.jsonl"), "-"):
        command = [sys.executable, "-c", script, "--home", str(ann.home), "export", target]
        assert subprocess.run(command, timeout=60, check=False, stdout=subprocess.DEVNULL).returncode == 0


def test_a_part_is_known_where_it_came_from(cli: Cli, tmp_path: Path) -> None:
    """Its memories keep their subjects, so that the same statements are not stored again."""
    cli.fine("remember", "Plays the violin.", "--subject", "Ann")
    cli.fine("export", str(tmp_path / "part.jsonl"), "--category", "fact")
    other = Cli(tmp_path / "other")
    other.fine("import", str(tmp_path / "part.jsonl"))
    assert other.data("list")["items"][0]["memory"]["subject"] == "Ann"
    cli.fine("import", str(tmp_path / "part.jsonl"))
    assert cli.data("list")["total"] == 1


def test_the_format_of_the_file_is_told(ann: Cli, tmp_path: Path) -> None:
    for name, form in (("all.csv", "JSON Lines"), ("page.md", "Markdown")):
        answer = "".join(ann.fine("export", str(tmp_path / name)).split())  # a long path is wrapped
        assert f"{name}:{''.join(form.split())}," in answer


def test_a_person_is_asked_before_a_file_is_replaced_and_a_script_is_not(ann: Cli, tmp_path: Path) -> None:
    file, called = tmp_path / "all.jsonl", ["-m", "sandbox.cli", "--home", str(ann.home), "export"]
    file.write_text("older")
    for options, answer, expected in (([], "n\r", True), ([], "y\r", False), (["--yes"], "", False)):
        file.write_text("older")
        terminal = Terminal(*called, str(file), *options)
        if answer:
            terminal.see("[y/N]:")
            terminal.type(answer)
        assert (terminal.end() == 1, file.read_text() == "older") == (expected, expected)
    file.write_text("older")
    ann.fine("export", str(file))
    assert file.read_text() != "older"
