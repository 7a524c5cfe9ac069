"""Help explains, and is fast."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import typer.main

from sandbox.cli.app import app
from tests.cli.conftest import Cli

COMMANDS = [str(command.name) for command in app.registered_commands]


def test_help_lists_every_command_under_a_heading(cli: Cli) -> None:
    text = cli.fine("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in text
    places = [text.index(heading) for heading in ("To begin:", "Find:", "Keep:", "Look after:")]
    assert places == sorted(places)
    assert max(map(len, text.splitlines())) <= 80


SHARED = {"--json": (), "--user": ("ann",), "--project": ("acme",)}
ARGUMENTS = {
    "demo": ("--keep", __file__),
    "import": ("no.json",),
    "correct": ("id", "text"),
    "erase": ("--session", "s", "--yes"),
    "hook": ("Stop",),
    "install": ("cursor", "--print"),
    "export": ("x",),
    "remember": ("x",),
    "importance": ("x", "5"),
    "undo": ("1", "--yes"),
} | dict.fromkeys(
    ["search", "context", "explain", "history", "entity", "confirm", "forget", "pin", "unpin", "restore"], ("x",)
)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does_and_takes_the_options_that_its_help_lists(cli: Cli, name: str) -> None:
    """And no others, before the command or after it. The home is a file, so every command stops after its options."""
    helped = cli.fine(name, "--help")
    assert helped.split("\n\n")[1].strip().endswith(".")
    assert f"\n  memory {name}" in helped  # an example
    assert "--home" in helped
    assert cli.fine("help", name) == helped
    cli.home.write_text("a diary")
    own = {"install": ["--project"]}.get(name, [])  # it means another thing there
    for option, value in ((each, SHARED[each]) for each in SHARED if each not in own):
        after, before = (
            cli(name, *ARGUMENTS.get(name, ()), option, *value),
            cli(option, *value, name, *ARGUMENTS.get(name, ())),
        )
        if option in helped:
            assert 2 not in (after.code, before.code) or "cannot be" in after.err
        else:
            assert (after.code, before.code) == (2, 2)
            assert f"No such option: {option}" in after.err
            assert f"'{option}': it means nothing to this command" in before.err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_error_is_a_document_for_programs(cli: Cli, name: str) -> None:
    """One error of wrong usage, and one of an impossible home."""
    wrong = cli("--json", name, "--nothing")
    assert (wrong.code, wrong.json.keys(), wrong.json["error"]["type"]) == (2, {"error"}, "UsageError")
    assert "--nothing" in wrong.json["error"]["message"]
    assert "--nothing" in wrong.err
    cli.home.write_text("a diary")
    if "--json" in cli.fine(name, "--help") and name not in ("install", "run", "schema"):
        unusable = cli(name, *ARGUMENTS.get(name, ()), "--json")
        assert unusable.code != 0
        assert unusable.json


@pytest.mark.parametrize(
    ("name", "usage", "argument"),
    [
        ("correct", "memory correct [OPTIONS] ID TEXT", "  ID    The id of a memory, "),
        ("end", "memory end [OPTIONS] [SESSION]", "  SESSION  The conversation; "),
        ("import", "memory import [OPTIONS] FILE...", "  FILE...  Files of "),
    ],
)
def test_help_shows_arguments_as_they_are_typed(cli: Cli, name: str, usage: str, argument: str) -> None:
    text = cli.fine(name, "--help")
    assert text.startswith(f"Usage: {usage}\n")
    assert f"Arguments:\n{argument}" in text
    assert f"Usage: {usage}\n" in cli(name, "--nothing").err


def test_every_parameter_has_help() -> None:
    group = typer.main.get_command(app)
    for command in group.commands.values():  # type: ignore[attr-defined]  # a group, but typed as a command
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{command.name} {parameter.name}"


def test_the_version_is_printed(cli: Cli) -> None:
    assert cli.fine("--version") == f"assistant-memory {version('assistant-memory')}\n"


def test_help_is_also_a_command_and_shown_without_one(cli: Cli) -> None:
    assert cli.fine("help") == cli.fine("--help")
    assert cli("help", "sarch").err.endswith("No such command 'sarch'. Did you mean 'search'?\n")
    answer = cli()
    assert answer.code == 2
    assert "Look after:" in answer.out + answer.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["sarch", "x"], "Did you mean 'search'?"),
        (["search"], "Missing argument 'QUESTION'"),
        (["search", "x", "--nothing"], "No such option: --nothing"),
        (["search", "x", "--limit", "0"], "Invalid value for '--limit': 0 is not in the range x>=1."),
        (["search", "x", "--limit", "few"], "Invalid value for '--limit': 'few' is not a whole number."),
        (["search", "x", "--threshold", "much"], "Invalid value for '--threshold': 'much' is not a number."),
        (["search", "x", "--threshold", "2"], "Invalid value for '--threshold': 2.0 is not in the range 0<=x<=1."),
        (["importance", "x", "9"], "9 is not in the range 1<=x<=5."),
        (
            ["search", "x", "--role", "user", "--role", "king"],
            "`--role` cannot be 'king': it is one of user, assistant",
        ),
        (["list", "--cursor", "next"], "`--cursor` cannot be 'next'"),
        (["serve", "--allow-origin", "https://example.org/"], "is no origin; give one like https://example.org"),
        (["proposals", "edit", "x"], "edit takes the right text after the id."),
        (["import", ""], "`FILE` cannot be '': it is empty; name a file or a folder"),
        (["search", "x", "--type", "dream"], "`--type` cannot be 'dream': it is one of episodic, semantic"),
        (["search", "x", "--after", "soonish"], "`--after` cannot be 'soonish'"),
        (["search", "x", "--as-of", "soonish"], "'soonish' is no time"),
        (["search", "x", "--as-of", "0001-01-01"], "`--as-of` cannot be '0001-01-01T23:59:59.999999"),
        (["remember", "x", "--at", "2026-13-40"], "'2026-13-40' is no time"),
        (["remember", "x", "--type", "foo"], "'--type': 'foo' is not one of 'semantic', 'procedural', 'opinion'."),
        (["remember", "x", "--on-similar", "panic"], "'panic' is not one of 'keep', 'supersede', 'refuse'."),
        (["list", "--category", "fakt"], "`--category` cannot be 'fakt': it is one of instruction, person"),
        (["search", "x", "--state", "gone"], "`--state` cannot be 'gone': it is one of live"),
        (["list", "--trust", "friend"], "`--trust`"),
        (["forget"], "give an id, or options that say which memories."),
        (["forget", "aB3xY9kQ", "--tag", "food"], "give an id or options, not both."),
        (["remember", "-5 degrees"], "No such option: -5. If it begins a text, write -- before the text."),
        (["contexts", "--priority", "1"], "name the context"),
        (["contexts", "Words", "--priority", "2"], "2.0 is not in the range 0<=x<=1."),
        (["remember", "I", "live", "in", "Rome"], "(live in Rome). A text of several words stands in quotes."),
        (["delete", "aB3xY9kQ"], "No such command 'delete'. Did you mean 'forget'?"),
        (["undo"], "'NUMBER': give one of these: a NUMBER of `memory history ID`, --night, "),
        (["undo", "--night", "--source", "rules", "--yes"], "'NUMBER': give one of these"),
        (["undo", "1", "--since", "2026-03-02", "--yes"], "`since`"),
        (["entity", "ann", "--as-of", "1999-01-01", "--split"], "give one of --merge, --split and --as-of"),
        (["proposals", "approve"], "approve takes the id of a proposal"),
        (["erase", "--yes"], "'ID': give one of these: an ID, --session"),
        (["erase", "x", "--everything", "--yes"], "'ID': give one of these"),
        (["erase", "--subject", "a", "--before", "2026-01-01", "--yes"], "'ID': give one of these"),
    ],
)
def test_a_wrong_call_is_explained(cli: Cli, arguments: list[str], complaint: str) -> None:
    answer = cli(*arguments)
    assert answer.code == 2
    assert complaint in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""


# --- how little is imported -------------------------------------------------------------------------------------------


def program(script: str, *options: str) -> None:
    """Run a program, which must end well."""
    run = subprocess.run([sys.executable, *options, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def imports_none(script: str, heavy: str, *options: str) -> None:
    """Run a program, which must import none of some modules."""
    found = f"import sys\nfound = {set(heavy.split())!r} & set(sys.modules)\n"
    program(f"{script}\n{found}sys.exit(f'imported: {{found}}' if found else 0)", *options)


def test_help_imports_nothing_heavy() -> None:
    script = "import contextlib\nfrom sandbox.cli.app import app\nwith contextlib.suppress(SystemExit): app(['--help'])"
    imports_none(script, "numpy yaml rich asyncio pydantic sandbox.extensions.memory sandbox.extensions.embedding")


WITH_MEMORY = """
import asyncio
from sandbox.extensions.memory import Memory
async def main():
    async with Memory.open({home!r}) as memory:
        {does}
assert asyncio.run(main())
"""


def test_a_search_imports_no_modules_of_other_commands(tmp_path: Path) -> None:
    Cli(tmp_path).fine("remember", "Ann lives in Paris.")
    question = "'Where does Ann live?'"
    does = f"return await memory.context({question}) and await memory.search({question})"
    heavy = "openai agents pydantic apscheduler safetensors wordllama jinja2 typer rich numpy.ma importlib.metadata"
    parts = ("ingest.importing", "parse", "consolidate", "maintain")
    heavy += "".join(f" sandbox.extensions.memory.{part}" for part in parts)
    imports_none(WITH_MEMORY.format(home=str(tmp_path), does=does), heavy)


def test_rules_learn_without_what_asks_a_language_model(tmp_path: Path) -> None:
    observe = "await memory.observe('user', 'I live in Paris.', session='s')"
    does = f"return {observe} and (await memory.consolidate()).learnt"
    imports_none(WITH_MEMORY.format(home=str(tmp_path), does=does), "pydantic jinja2")


def test_a_hook_imports_few_modules() -> None:
    """Modules that Python itself loads do not count; `-S` leaves them out."""
    script = f"import sys\nsys.path.append({str(Path(__file__).parents[2])!r})\nimport sandbox.cli.hook"
    imports_none(script, "typing dataclasses asyncio subprocess typer yaml numpy logging", "-S")


def test_threads_of_numpy_sleep_until_there_is_work() -> None:
    program("""
import os, sys, time
os._exit = lambda code: None
sys.argv = ["memory", "--version"]
from sandbox.cli import main
main()
import numpy
time.sleep(0.2)
busy = time.process_time() - time.thread_time()
sys.exit(f"{busy} s in other threads" if busy > 0.03 else 0)
""")
