"""What hooks answer, what they store, and in which scope."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest

from tests.cli.conftest import Cli, configure
from tests.files import files_with
from tests.hooks.conftest import Agent, Started, git, repository


def test_the_next_session_knows_the_facts_of_the_last(beside: Started) -> None:
    """
    user: My name is Ann. I prefer tabs. (another session) user: How do I like to indent?
    """
    first = beside()
    assert first.context("SessionStart", source="startup") == ""
    assert first.context("UserPromptSubmit", prompt="My name is Ann.") == ""
    first.turn("My name is Ann.")
    first.turn("I prefer tabs over spaces.")
    first.hook("SessionEnd", reason="other")
    first.settled()

    second = beside(folder=first.folder)
    start = second.context("SessionStart", source="startup")
    assert "The user's name is Ann." in start
    assert "## Last here, 2" in start
    assert "- user: I prefer tabs over spaces." in start
    assert "- assistant: Understood." in start
    assert "The user prefers tabs" in start
    assert first.log() == ""


def test_a_prompt_gets_what_the_agent_has_not_seen_in_this_session(beside: Started) -> None:
    """What a hook said stays in the agent's conversation until that is shortened. Another session has not seen it, and
    what was learnt meanwhile nobody has.
    """
    asked = {"prompt": "How do I like to indent?"}
    first = beside()
    first.turn("I prefer tabs over spaces.")
    second, third = (beside(folder=first.folder) for _ in range(2))
    assert "tabs" in second.context("SessionStart", source="startup")
    assert second.context("UserPromptSubmit", **asked) == ""
    assert "tabs" in third.context("UserPromptSubmit", **asked)
    assert third.context("UserPromptSubmit", **asked) == ""
    first.turn("I prefer four spaces over tabs in Python.")
    assert "Python" in second.context("UserPromptSubmit", **asked)
    assert second.context("UserPromptSubmit", **asked) == ""
    second.hook("PreCompact", trigger="auto")
    second.settled()
    assert "tabs" in second.context("UserPromptSubmit", **asked)


def test_after_a_compaction_what_was_said_before_it_is_shown(beside: Started) -> None:
    agent = beside()
    agent.turn("our state bucket is acme-tfstate-prod")
    asked = {"prompt": "which bucket holds our terraform state?"}
    assert "acme-tfstate-prod" not in agent.context("UserPromptSubmit", **asked)
    agent.hook("PreCompact", trigger="auto")
    agent.settled()
    agent.hook("SessionStart", source="compact")
    assert "acme-tfstate-prod" in agent.context("UserPromptSubmit", **asked)
    agent.turn("the bucket for logs is acme-logs")
    shown = agent.context("UserPromptSubmit", prompt="which bucket holds our logs, and which our state?")
    assert "acme-logs" not in shown


def test_a_transcript_is_read_from_its_last_position(started: Started) -> None:
    """Each line is stored once; a line that is still being written is stored later; a file that is written anew is read
    again.
    """
    agent = started()
    agent.turn("We use pnpm, not npm.")
    agent.turn("The port is 8080.")
    with agent.transcript.open("a", encoding="utf-8") as file:
        file.write('{"type": "user", "uuid": "half", ')
    agent.hook("Stop")
    agent.settled()
    (known,) = [json.loads(each.read_text()) for each in (agent.home / "transcripts").glob("*.json")]
    whole = agent.transcript.read_bytes().rindex(b"\n") + 1
    assert known["read_to"] == whole
    agent.transcript.write_bytes(agent.transcript.read_bytes()[:whole][: whole // 2])
    agent.hook("Stop")
    agent.settled()
    turns = json.loads(agent.run("stats", "--json", "--project", str(agent.folder)).out)
    assert turns["nodes"]["episodic"] == 4
    assert not list((agent.home / "transcripts").glob("*.part"))


def test_a_transcript_of_two_users_is_read_for_each(started: Started) -> None:
    """
    ann: I prefer tabs. (in the same file) ben: My cat is called Mia.
    """
    ann = started(options=("--user", "ann"))
    ann.turn("I prefer tabs over spaces.")
    ben = started(folder=ann.folder, options=("--user", "ben"))
    ben.transcript = ann.transcript
    ben.turn("My cat is called Mia.")
    assert "Mia" in ben.context("SessionStart", source="startup")


def test_an_unwritten_prompt_of_a_killed_agent_is_stored_once(started: Started) -> None:
    """Without what a hook put before it: Gemini CLI puts the answer of the first hook before the first prompt."""
    killed = started()
    block = "<hook_context>&lt;memory&gt; The user lives in Lisbon. &lt;/memory&gt;</hook_context>"
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    killed.hook("UserPromptSubmit", prompt=f"{block}\n\nI live in Potsdam, and my key is {key}.")
    written = started(folder=killed.folder)
    written.hook("UserPromptSubmit", prompt="My cat is called Mia.")
    written.says("user", "My cat is called Mia.")
    assert not any(b"sk-proj-abc" in each.read_bytes() for each in killed.home.rglob("*.json"))
    time.sleep(0.6)
    for _ in range(2):
        after = started(folder=killed.folder)
        after.hook("SessionStart", source="startup")
        after.settled()
    found = json.loads(after.run("search", "", "--json", "--type", "episodic", "--project", str(after.folder)).out)
    said = sorted(each["content"][:20] for each in found)
    assert said == ["I live in Potsdam, a", "My cat is called Mia"]


def test_a_written_prompt_of_a_killed_agent_is_stored_once(started: Started) -> None:
    """Also if it has a secret, or is a command; and a short one that the transcript does not hold is stored."""
    killed = started()
    killed.says("user", "Is it Saturday? Yes it is.", timestamp="2026-03-02T09:00:00Z")
    written = started(folder=killed.folder)
    written.hook("UserPromptSubmit", prompt="My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD, use it.")
    written.says("user", "My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD, use it.")
    command = started(folder=killed.folder)
    command.hook("UserPromptSubmit", prompt="/deploy the shop to staging")
    command.says("user", "<command-name>/deploy</command-name><command-args>the shop to staging</command-args>")
    killed.hook("UserPromptSubmit", prompt="Yes")
    time.sleep(0.6)
    after = started(folder=killed.folder)
    after.hook("SessionStart", source="startup")
    after.settled()
    found = json.loads(after.run("search", "", "--json", "--type", "episodic", "--project", str(after.folder)).out)
    said = sorted(each["content"][:20] for each in found)
    assert said == ["Is it Saturday? Yes ", "My key is [secret: A", "Yes", "the shop to staging"]


def test_what_the_agent_puts_in_the_place_of_a_prompt_is_no_prompt(beside: Started) -> None:
    """Claude Code runs the hook also when a task in the background has ended."""
    agent = beside()
    agent.turn("I live in Potsdam.")
    told = "<task-notification>\n<summary>Where do I live: completed</summary>\n</task-notification>"
    assert not agent.context("UserPromptSubmit", prompt=told)
    assert "Potsdam" in agent.context("UserPromptSubmit", prompt="<system-reminder>x</system-reminder>Where do I live?")


@pytest.mark.parametrize(
    "options", [("--session", "session-1", "--project", "."), ("--subject", "Potsdam"), ("--everything",)]
)
def test_erasing_takes_a_prompt_that_waits_to_be_stored(started: Started, options: tuple[str, ...]) -> None:
    """What a killed process had copied of the transcript goes with everything."""
    killed = started()
    killed.turn("I live in Potsdam.")
    killed.settled()
    killed.hook("UserPromptSubmit", prompt="My borzoi stays in Potsdam.")
    assert files_with(killed.home, "borzoi")
    part = killed.home / "transcripts" / "a-1.part"
    part.write_text("I live in Potsdam.")
    assert killed.run("erase", *options, "--yes").code == 0
    assert files_with(killed.home, "borzoi") == set()
    assert part.exists() == ("--everything" not in options)


def test_erasing_everything_while_a_turn_is_read_leaves_no_file(started: Started) -> None:
    """
    user: My borzoi is called Rex.   (the hook still reads the turn)   memory erase --everything
    """
    agent = started()
    agent.says("user", "My borzoi is called Rex.")
    agent.says("assistant", "Understood.")
    agent.hook("Stop", last_assistant_message="Understood.")
    assert agent.run("erase", "--everything", "--yes").code == 0
    time.sleep(1.5)  # longer than the hook waits for the agent's last reply
    assert sorted(agent.home.glob("memory*")) == []


def test_a_language_model_is_asked_for_a_conversation_and_not_for_each_turn(started: Started) -> None:
    """
    Ann's program that answers in the place of Claude Code counts its questions. One session ends, one is killed.
    """
    agent = started()
    asked = _answering(agent, {"items": [{"turns": [1], "content": "The user's cat is called Mia."}]})
    agent.turn("My cat is called Mia.")
    agent.turn("She is black.")
    assert not asked.exists()
    agent.hook("SessionEnd", reason="other")
    agent.settled()
    assert len(asked.read_text().splitlines()) == 1
    assert "The user's cat is called Mia." in agent.run("list").out
    killed = started(home=agent.home, folder=agent.folder, environment=agent.environment)
    killed.turn("My cat is called Mia, I tell you.")
    assert len(asked.read_text().splitlines()) == 1
    third = started(home=agent.home, folder=agent.folder, environment=agent.environment)
    third.hook("SessionStart", source="startup")
    third.settled()
    assert len(asked.read_text().splitlines()) == 2


def _answering(agent: Agent, answer: dict[str, Any]) -> Path:
    """Configure Claude Code for learning, with a program that gives this answer; the file of its questions."""
    configure(agent.home, "models: {memory: {agent: claude-code}}")
    programs = agent.home.parent / "programs"
    programs.mkdir()
    asked, program = programs / "asked", programs / "claude"
    program.write_text(f"#!/bin/sh\ncat > /dev/null\necho asked >> {asked}\ncat <<'END'\n{json.dumps(answer)}\nEND\n")
    program.chmod(0o755)
    agent.environment = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    return asked


def test_project_facts_stay_in_the_project_and_user_facts_do_not(beside: Started, tmp_path: Path) -> None:
    """
    (in shop) user: My name is Ann. We use pnpm, not npm. In this repository, never touch the migrations.
                   Conventions here: never push to main. Never use mocks here. The bug is here. Never use tabs.
                   I live in Potsdam.
    (in bakery) user: I moved to Hamburg.
    """
    shop = beside("shop")
    shop.turn("My name is Ann.")
    shop.turn("We use pnpm, not npm.")
    shop.turn("In this repository, never touch the migrations.")
    shop.turn("Conventions here: never push to main.")
    shop.turn("Never use mocks here.")
    shop.turn("The bug is here. Never use tabs.")
    shop.turn("I live in Potsdam.")
    bakery = beside("bakery")
    elsewhere = bakery.context("SessionStart", source="startup")
    assert "The user's name is Ann." in elsewhere
    assert "pnpm" not in elsewhere
    assert "migrations" not in elsewhere
    assert "never push" not in elsewhere
    assert "mocks" not in elsewhere
    assert "tabs" in elsewhere
    other = beside(folder=tmp_path / "bakery")
    assert "pnpm" not in other.context("UserPromptSubmit", prompt="Which package manager do we use, pnpm or npm?")
    here = beside(folder=shop.folder).context("UserPromptSubmit", prompt="Which package manager do we use?")
    assert "pnpm" in here
    assert "migrations" in here
    assert "never push" in here
    assert "mocks" in here
    for arguments in (("search", "pnpm", "--project", "."), ("--project", ".", "search", "pnpm")):
        assert "pnpm" in shop.run(*arguments).out
    assert "pnpm" not in shop.run("search", "pnpm").out
    bakery.turn("I moved to Hamburg.")
    start = beside(folder=shop.folder).context("SessionStart", source="startup")
    assert "Hamburg" in start
    assert "lives in Potsdam" not in start


def test_worktrees_and_clones_of_one_remote_are_one_project(beside: Started, tmp_path: Path) -> None:
    main = repository(tmp_path / "shop", "git@example.org:Ann/shop.git")
    clone = repository(tmp_path / "clone", "https://ann:token@example.org/ann/shop")
    (main / "readme").write_text("shop")
    git(main, "add", ".")
    git(main, "commit", "-qm", "begin")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    (clone / "deep" / "down").mkdir(parents=True)
    beside(folder=main).turn("We use pnpm, not npm.")
    for folder in (tmp_path / "tree", clone / "deep" / "down"):
        context = beside(folder=folder).context("UserPromptSubmit", prompt="Do we use pnpm?")
        assert "pnpm" in context, folder
        assert "pnpm" in beside(folder=tmp_path).run("list", "--project", str(folder)).out, folder
    (tmp_path / "name").mkdir()
    assert "pnpm" in beside(folder=tmp_path / "name").run("--project", "../clone", "list").out
    assert "pnpm" not in beside(folder=tmp_path).run("list", "--project", str(tmp_path / "elsewhere")).out


def test_a_repository_that_gets_a_remote_stays_the_same_project(started: Started, tmp_path: Path) -> None:
    """Also for a clone of that remote. Another repository in the same place is another project."""
    shop, clone = repository(tmp_path / "shop"), tmp_path / "clone"
    started(folder=shop).turn("We use pnpm, not npm.")
    git(shop, "remote", "add", "origin", "git@example.org:Ann/shop.git")
    repository(clone, "https://example.org/ann/shop")
    for folder in (shop, clone):
        assert "pnpm" in started(folder=folder).context("UserPromptSubmit", prompt="Do we use pnpm?"), folder
        assert "pnpm" in started(folder=folder).run("list", "--project", ".").out
    shop.rename(tmp_path / "moved")
    repository(shop, "git@example.org:Ann/other.git")
    assert "pnpm" not in started(folder=shop).context("UserPromptSubmit", prompt="Do we use pnpm?")


def test_a_repository_that_gets_a_remote_stays_the_same_project_in_another_home(
    started: Started, tmp_path: Path
) -> None:
    agent = started("shop")
    agent.turn("We use pnpm, not npm.")
    git(agent.folder, "remote", "add", "origin", "git@example.org:ann/shop.git")
    assert "pnpm" in agent.run("search", "pnpm", "--project", ".").out
    agent.run("export", str(tmp_path / "all.jsonl"))
    clone = repository(tmp_path / "clone", "https://example.org/ann/shop")
    other = started(folder=clone, home=tmp_path / "other")
    other.run("import", str(tmp_path / "all.jsonl"))
    assert "pnpm" in other.run("search", "pnpm", "--project", ".").out


def test_a_repository_that_was_moved_stays_the_same_project(started: Started, tmp_path: Path) -> None:
    """Also if it was moved twice, or got a remote since. A copy beside it is another project, and so is a repository
    that is made in the old place.
    """
    shop = repository(tmp_path / "shop")
    started(folder=shop).turn("We use pnpm, not npm.")
    copytree(shop, tmp_path / "copy")
    for number in (1, 2):
        assert "pnpm" not in started(folder=tmp_path / "copy").context("UserPromptSubmit", prompt="Do we use pnpm?")
        shop = shop.rename(tmp_path / f"moved-{number}")
        assert "pnpm" in started(folder=shop).context("UserPromptSubmit", prompt="Do we use pnpm?"), number
    assert "pnpm" not in started(folder=tmp_path / "copy").context("UserPromptSubmit", prompt="Do we use pnpm?")
    other = repository(tmp_path / "shop")
    assert "pnpm" not in started(folder=other).context("UserPromptSubmit", prompt="Do we use pnpm?")
    rmtree(shop / ".git")
    git(shop, "init", "-q")
    git(shop, "remote", "add", "origin", "git@example.org:Ann/shop.git")
    assert "pnpm" not in started(folder=shop).context("UserPromptSubmit", prompt="Do we use pnpm?")


def test_one_setting_joins_or_separates_projects(started: Started, tmp_path: Path) -> None:
    for setting, name_is_known, tool_is_known in (("all", True, True), ("none", False, False)):
        home = tmp_path / setting
        configure(home, f"memory: {{across_projects: {setting}}}")
        here = started(f"here-{setting}", home=home)
        here.turn("My name is Ann.")
        here.turn("We use pnpm, not npm.")
        there = started(f"there-{setting}", home=home).context("UserPromptSubmit", prompt="Do we use pnpm?")
        assert ("Ann" in there, "pnpm" in there) == (name_is_known, tool_is_known)


def test_a_wish_that_names_files_is_known_in_its_project_alone(started: Started) -> None:
    shop = started("shop")
    shop.turn("Never edit legacy.py by hand.")
    shop.turn("Never use emojis in your answers.")
    shop.turn("Always use the Button component from ui/.")
    here = shop.context("UserPromptSubmit", prompt="Which rules are there?")
    there = started("bakery").context("UserPromptSubmit", prompt="Which rules are there?")
    for rule, is_everywhere in (("legacy.py", False), ("Button", False), ("emojis", True)):
        assert (rule in here, rule in there) == (True, is_everywhere), rule


def test_an_import_puts_conversations_into_the_projects_of_their_folders(started: Started) -> None:
    """(in shop, without hooks) user: My name is Ann. We use pnpm, not npm. (with hooks) user: Never push to main."""
    shop = started("shop")
    shop.says("user", "My name is Ann. We use pnpm, not npm.")
    imported = Cli(shop.home).fine("import", str(shop.transcript))
    assert "1 new, 0 known already" in imported
    told = f"1 conversation of 1 project, found only there: {shop.folder}"
    assert "".join(told.split()) in "".join(imported.split())  # a long folder is broken into lines
    assert "1 conversation waits to be learnt from" in imported
    assert "1 more is known in its project" in " ".join(Cli(shop.home).fine("end").split())
    bakery = started("bakery").context("SessionStart", source="startup")
    assert ("Ann" in bakery, "pnpm" in bakery) == (True, False)
    assert "pnpm" in shop.context("UserPromptSubmit", prompt="Do we use pnpm?")
    shop.turn("Never push to main.")
    again = Cli(shop.home).fine("import", str(shop.transcript))
    assert "0 new, 3 known already" in again
    assert "found only there" not in again
    assert len(json.loads(shop.run("list", "--type", "episodic", "--project", ".", "--json").out)["items"]) == 3


@pytest.mark.parametrize("erased", [True, False])
def test_a_conversation_is_imported_once_whatever_becomes_of_its_folder(started: Started, *, erased: bool) -> None:
    """A worktree was removed: its folder is then a project of its own."""
    shop = started("shop")
    git(shop.folder, "commit", "--allow-empty", "-m", "Begin")
    git(shop.folder, "worktree", "add", "../feature")
    agent = started(folder=shop.folder.parent / "feature", home=shop.home)
    agent.says("user", "We use pnpm, not npm.")
    cli = Cli(shop.home)
    assert "1 new" in cli.fine("import", str(agent.transcript))
    if erased:
        cli.fine("erase", "--session", agent.session, "--project", str(shop.folder), "--yes")
    git(shop.folder, "worktree", "remove", "../feature")
    again = cli.data("import", str(agent.transcript))["files"][0]
    assert (again["new"], again["known"], again["erased"]) == (0, not erased, erased)


@pytest.mark.parametrize(
    ("name", "new", "broken"), [("a\0b", 1, 0), ("a" * 5000, 1, 0), ("AKIAIOSFODNN7EXAMPLE", 0, 1)]
)
def test_a_folder_that_no_project_can_have_stops_no_import(started: Started, name: str, new: int, broken: int) -> None:
    """A path that cannot be, or is too long, has no repository; one that looks like a secret names no project."""
    shop = started("shop")
    shop.says("user", "My name is Ann.", cwd=f"{shop.folder.parent}/{name}")
    answer = Cli(shop.home)("import", str(shop.transcript), "--json").json["files"][0]
    assert (answer["new"], len(answer["broken"])) == (new, broken)


def test_an_import_into_a_named_project_or_into_joined_projects_stays_together(started: Started) -> None:
    shop = started("shop")
    shop.says("user", "We use pnpm, not npm.")
    cli = Cli(shop.home)
    assert "found only there" not in cli.fine("import", str(shop.transcript), "--project", "website")
    assert len(cli.data("list", "--type", "episodic", "--project", "website")["items"]) == 1
    configure(shop.home, "memory: {across_projects: all}")
    shop.says("user", "The port is 8080.", sessionId="session-9")
    assert "1 new, 1 known already" in cli.fine("import", str(shop.transcript))
    hint = "".join(cli.fine("search", "zebra", "--category", "preference").split())
    assert hint.endswith("isfoundwith`--all-projects`:website.")  # the other project's turns are known everywhere
    assert len(cli.data("list", "--type", "episodic")["items"]) == 1


def test_a_folder_without_a_repository_is_a_project_and_a_home_is_not(started: Started, tmp_path: Path) -> None:
    """The home may be named by a link, as on systems that keep homes elsewhere."""
    (tmp_path / "ann" / "notes").mkdir(parents=True)
    (tmp_path / "link").symlink_to("ann")
    environment = {"HOME": str(tmp_path / "link")}
    notes = started(folder=tmp_path / "ann" / "notes", environment=environment)
    notes.turn("We use pnpm, not npm.")
    at_home = started(folder=tmp_path / "ann", environment=environment)
    assert "pnpm" not in at_home.context("UserPromptSubmit", prompt="Do we use pnpm?")
    at_home.turn("Please remember that the rent is due on Monday.")
    assert "rent" in notes.context("UserPromptSubmit", prompt="When is the rent due?")


def test_a_person_without_a_home_is_answered_as_in_a_container(started: Started) -> None:
    agent = started(environment={"HOME": "~"})
    agent.turn("We use pnpm, not npm.")
    again = started(folder=agent.folder, environment=agent.environment)
    assert "pnpm" in again.context("UserPromptSubmit", prompt="Do we use pnpm?")


def test_a_long_block_is_cut_to_the_length_that_an_agent_shows(beside: Started) -> None:
    agent = beside()
    for number in range(30):
        agent.says("user", f"The deployment of service {number} failed: " + "the log says nothing of it. " * 30)
    agent.turn("That was all about the deployment.")
    context = beside(folder=agent.folder).context("UserPromptSubmit", prompt="Why did the deployment fail?")
    assert 500 < len(context) < 10_000


def test_tool_output_is_trusted_as_a_tool_and_shortened(beside: Started) -> None:
    agent = beside()
    agent.says("user", "Run the tests.")
    agent.says("assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest"}}])
    output = "collected 900 items " + "." * 200_000 + " FAILED test_oven.py: heat is too low"
    agent.says("user", [{"type": "tool_result", "tool_use_id": "t1", "content": output}])
    agent.turn("Thanks.")
    found = agent.run("search", "test_oven heat", "--json", "--project", str(agent.folder)).out
    (tool,) = [each for each in json.loads(found) if each["role"] == "tool"]
    assert tool["trust"] == "tool"
    assert len(tool["content"]) < 1_100


def test_a_reason_for_refusing_a_tool_is_the_users_word_also_if_it_comes_late(started: Started) -> None:
    """Meanwhile another agent starts, and what was written until then is read."""
    agent = started()
    agent.turn("I live in Potsdam.")
    agent.says("user", "Add left-pad.")
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "npm add left-pad"}}
    agent.says("assistant", [call])
    agent.hook("SessionStart", session_id="other", source="startup")
    agent.settled()
    refused = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
    shown = {
        "type": "tool_result",
        "tool_use_id": "t",
        "content": f"{refused}no, we use pnpm, not npm",
        "is_error": True,
    }
    agent.says("user", [shown], toolUseResult=refused)
    agent.hook("Stop")
    agent.settled()
    assert "The project uses pnpm." in agent.run("list", "--project", ".").out
    said = agent.run("list", "--type", "episodic", "--project", ".").out
    assert said.count("Add left-pad.") == 1
    assert "$ npm add left-pad" in said


def test_what_a_person_took_back_is_forgotten(started: Started) -> None:
    """
    user: I live in Potsdam. I prefer tabs over spaces.   (taken back) user: I moved to Rome.
    user: My cat is called Mia.

    What a hook said before the turn that was taken back is said again.
    """
    asked = {"prompt": "How do I like to indent?"}
    agent = started()
    agent.hook("SessionStart", source="startup")
    agent.turn("I live in Potsdam. I prefer tabs over spaces.")
    agent.says("user", "I moved to Rome.", parentUuid="session-1-2")
    agent.says("assistant", "Understood.", parentUuid="session-1-3")
    agent.hook("Stop")
    agent.settled()
    assert "Rome" in agent.run("list").out
    assert "tabs" in agent.context("UserPromptSubmit", **asked)
    assert "tabs" not in agent.context("UserPromptSubmit", **asked)
    _take_back(agent)
    assert "tabs" in agent.context("UserPromptSubmit", **asked)
    assert "Rome" not in agent.run("search", "Rome", "--json").out
    assert "The user lives in Potsdam." in agent.context("SessionStart", source="compact")
    assert "Mia" in agent.run("search", "cat", "--json").out


def test_a_first_prompt_that_a_person_took_back_is_forgotten(started: Started) -> None:
    """Its line follows no other."""
    agent = started()
    agent.hook("SessionStart", source="startup")
    for said in ("I moved to Rome.", "My cat is called Mia."):
        agent.says("user", said, parentUuid=None)
        agent.says("assistant", "Understood.", parentUuid=f"session-1-{agent.lines}")
        agent.hook("Stop")
        agent.settled()
    assert "Rome" not in agent.run("search", "Rome", "--json").out
    assert "Mia" in agent.run("search", "cat", "--json").out


def test_two_terminals_that_continue_one_conversation_take_nothing_back(started: Started) -> None:
    agent = started()
    agent.hook("SessionStart", source="startup")
    agent.turn("I live in Potsdam.")
    agent.hook("SessionStart", source="resume")
    agent.says("user", "I moved to Rome.", parentUuid="session-1-2")
    agent.says("assistant", "Understood.", parentUuid="session-1-3")
    agent.hook("Stop")
    agent.settled()
    _take_back(agent)
    assert "Rome" in agent.run("list").out


def test_what_a_person_took_back_in_a_resumed_session_of_codex_is_forgotten(started: Started) -> None:
    """Codex says what was taken back, but not when it ends."""
    agent = started()
    agent.hook("SessionStart", source="startup")
    _codex(agent, "session_meta", id=agent.session, cwd=str(agent.folder))
    _codex(agent, "response_item", type="message", role="user", content=[_text("I moved to Rome.")])
    agent.hook("Stop")
    agent.settled()
    assert "Rome" in agent.run("list").out
    agent.hook("SessionStart", source="resume")
    _codex(agent, "event_msg", type="thread_rolled_back", num_turns=1)
    _codex(agent, "response_item", type="message", role="user", content=[_text("My cat is called Mia.")])
    agent.hook("Stop")
    agent.settled()
    assert "Rome" not in agent.run("list").out
    assert "Mia" in agent.run("list").out


def _text(said: str) -> dict[str, str]:
    return {"type": "input_text", "text": said}


def test_copilot_is_answered_in_its_form_and_its_sessions_are_found(started: Started, tmp_path: Path) -> None:
    """It says where the file of a session is at few events only."""
    folder = tmp_path / "copilot"
    agent = started(environment={"COPILOT_PROJECT_DIR": str(tmp_path), "COPILOT_HOME": str(folder)})
    file = folder / "session-state" / agent.session / "events.jsonl"
    file.parent.mkdir(parents=True)
    said = [("session.start", {"sessionId": agent.session}), ("user.message", {"content": "I live in Potsdam."})]
    for number, (kind, data) in enumerate(said):
        line = {"type": kind, "data": data, "id": f"e-{number}", "timestamp": "2026-03-02T09:00:00Z", "parentId": None}
        with file.open("a") as events:
            events.write(json.dumps(line) + "\n")
    agent.hook("SessionEnd", transcript_path=None)
    agent.settled()
    shown = json.loads(agent.hook("UserPromptSubmit", transcript_path=None, prompt="Where do I live?"))
    assert "lives in Potsdam" in shown.pop("additionalContext")
    assert not shown


def test_cursor_is_answered_in_its_form_and_its_sessions_are_found(started: Started, tmp_path: Path) -> None:
    """
    (in Cursor) user: I live in Potsdam. We use pnpm, not npm. | Which package manager do we use, and where do I live?
    """
    agent = started()
    session = "0b7f4c52-7f3e-4d7e-9a51-6c1f0a2b9d10"
    file = tmp_path / "projects" / "shop" / "agent-transcripts" / session / f"{session}.jsonl"
    file.parent.mkdir(parents=True)

    def hook(event: str, **more: object) -> str:
        given = {"conversation_id": session, "workspace_roots": [str(agent.folder)], "transcript_path": str(file)}
        return agent.hook(event, json.dumps({**given, "cursor_version": "3.20.17", **more}))

    assert hook("SessionStart") == ""
    for said in ("I live in Potsdam.", "We use pnpm, not npm.", "Go on.", "Go on."):
        for role, text in (("user", f"<user_query>\n{said}\n</user_query>"), ("assistant", "Understood.")):
            line = {"role": role, "message": {"content": [{"type": "text", "text": text}]}}
            with file.open("a") as lines:
                lines.write(json.dumps(line) + "\n")
        hook("Stop")
        agent.settled()
    shown = json.loads(hook("UserPromptSubmit", prompt="Which package manager do we use, and where do I live?"))
    assert shown.pop("continue") is True
    block = shown.pop("additional_context")
    assert not shown
    assert "lives in Potsdam" in block
    assert "pnpm" in block
    hook("SessionEnd")
    agent.settled()
    assert "lives in Potsdam" in agent.run("list").out
    here = ("--project", str(agent.folder))
    stored = json.loads(agent.run("list", "--type", "episodic", *here, "--json").out)
    assert stored["total"] == 8
    assert "0 new, 8 known already" in agent.run("import", str(file), *here).out


def test_what_a_person_took_back_in_copilot_is_forgotten(started: Started, tmp_path: Path) -> None:
    """It removes the events from the file, and goes on."""
    folder = tmp_path / "copilot"
    agent = started(environment={"COPILOT_PROJECT_DIR": str(tmp_path), "COPILOT_HOME": str(folder)})
    file = folder / "session-state" / agent.session / "events.jsonl"
    file.parent.mkdir(parents=True)

    def goes_on(number: int, *said: str) -> None:
        events = [
            ("session.start", {"sessionId": agent.session}),
            *(("user.message", {"content": text}) for text in said),
        ]
        lines = [
            {
                "type": kind,
                "data": data,
                "id": f"e-{number}-{place}",
                "timestamp": "2026-03-02T09:00:00Z",
                "parentId": None,
            }
            for place, (kind, data) in enumerate(events)
        ]
        before = file.read_text().splitlines()[:2] if file.exists() else []
        file.write_text("".join(f"{line}\n" for line in [*before, *map(json.dumps, lines[bool(before) :])]))
        agent.hook("Stop", transcript_path=None)
        agent.settled()

    goes_on(1, "I live in Potsdam.", "I have a dog called Rex.")
    assert "Rex" in agent.run("list").out
    goes_on(2, "My cat is called Mia.", "My sister is called Zoe.", "My brother is called Tim.")
    known = agent.run("list", "--type", "episodic", "--type", "semantic").out
    assert "Rex" not in known
    assert all(name in known for name in ("Potsdam", "Mia", "Zoe", "Tim"))


def _codex(agent: Agent, kind: str, **payload: Any) -> None:
    """Add a line to the transcript as Codex does."""
    line = {"timestamp": datetime.now(UTC).isoformat(), "type": kind, "payload": payload}
    with agent.transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _take_back(agent: Agent) -> None:
    """Go on from the second line of the transcript instead of from the last one."""
    agent.says("user", "My cat is called Mia.", parentUuid="session-1-2")
    agent.says("assistant", "Understood.", parentUuid="session-1-5")
    agent.hook("Stop")
    agent.settled()
