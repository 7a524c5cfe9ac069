"""Help teaches, and costs next to nothing."""

import subprocess
import sys

import pytest
import typer.main

from sandbox.cli.app import app
from tests.cli.conftest import Cli

COMMANDS = [
    "demo",
    "import",
    "chat",
    "search",
    "context",
    "explain",
    "entity",
    "profile",
    "remember",
    "correct",
    "confirm",
    "forget",
    "restore",
    "erase",
    "end",
    "run",
    "weak",
    "stats",
    "maintain",
    "doctor",
]


def test_the_commands_are_these() -> None:
    assert [command.name for command in app.registered_commands] == COMMANDS


def test_help_lists_every_command_under_a_heading(cli: Cli) -> None:
    text = cli.fine("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in text
    for heading in ("To begin:", "Find:", "Keep:", "Look after:"):
        assert heading in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does_and_gives_an_example(cli: Cli, name: str) -> None:
    text = cli.fine(name, "--help")
    about = text.split("\n\n")[1]
    assert about.strip().endswith(".")
    assert f"\n  memory {name}" in text
    for option in ("--home", "--json", "--user", "--project"):
        assert option in text


@pytest.mark.parametrize(
    ("name", "usage", "argument"),
    [
        ("correct", "memory correct [OPTIONS] ID TEXT", "  ID    The id of a memory, "),
        ("end", "memory end [OPTIONS] [SESSION]", "  SESSION  The conversation; "),
        ("import", "memory import [OPTIONS] FILE...", "  FILE...  Files of "),
    ],
)
def test_arguments_are_shown_as_they_are_written(cli: Cli, name: str, usage: str, argument: str) -> None:
    text = cli.fine(name, "--help")
    assert text.startswith(f"Usage: {usage}\n")
    assert f"Arguments:\n{argument}" in text
    assert f"Usage: {usage}\n" in cli(name, "--nothing").err


def test_every_parameter_has_help() -> None:
    group = typer.main.get_command(app)
    for command in group.commands.values():  # type: ignore[attr-defined]  # a group, but typed as a command
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{command.name} {parameter.name}"


def test_no_command_shows_the_help(cli: Cli) -> None:
    answer = cli()
    assert answer.code == 2
    assert "Look after:" in answer.out + answer.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["serch", "x"], "Did you mean 'search'?"),
        (["search"], "Missing argument 'QUESTION'"),
        (["search", "x", "--nothing"], "No such option: --nothing"),
        (["search", "x", "--limit", "0"], "Invalid value for '--limit'"),
        (["search", "x", "--type", "dream"], "`--type` cannot be 'dream'"),
        (["search", "x", "--after", "soonish"], "`--after` cannot be 'soonish'"),
        (["search", "x", "--as-of", "soonish"], "'soonish' is no time"),
        (["remember", "x", "--at", "2026-13-40"], "'2026-13-40' is no time"),
        (["remember", "x", "--category", "nonsense"], "`--category` cannot be 'nonsense'"),
        (["remember", "x", "--type", "episodic"], "Invalid value"),
        (["demo", "--user", "ann"], "Invalid value for '--user': it means nothing to this command"),
        (["doctor", "--project", "acme"], "Invalid value for '--project': it means nothing to this command"),
        (["remember", "x", "--on-similar", "panic"], "Invalid value"),
    ],
)
def test_a_wrong_call_is_explained(cli: Cli, arguments: list[str], complaint: str) -> None:
    answer = cli(*arguments)
    assert answer.code == 2
    assert complaint in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""


def test_nothing_heavy_is_imported_for_help() -> None:
    heavy = (
        "numpy",
        "yaml",
        "rich",
        "asyncio",
        "pydantic",
        "sandbox.extensions.memory",
        "sandbox.extensions.embedding",
    )
    script = f"""
import sys
from sandbox.cli.app import app
try:
    app(["--help"])
except SystemExit:
    pass
found = [name for name in {heavy!r} if name in sys.modules]
sys.exit(f"imported: {{found}}" if found else 0)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
