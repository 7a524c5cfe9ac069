"""`memory install`: show changes of another program's files, ask, and make them."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from sandbox.cli.arguments import ask_consent, check_consent, is_agreed
from sandbox.cli.invocation import REFUSED, Invocation, complain, print_json
from sandbox.extensions.memory_hooks.install.changes import CannotChange, FileChange, made, planned
from sandbox.extensions.memory_hooks.install.clients import CLIENTS, StartCommand, edits, learning, snippet
from sandbox.settings import CONFIG, read_settings
from sandbox.support.characters import printable
from sandbox.support.openai_server import AGENTS

_RULES = "Rules learn from your conversations; they understand little of a project."
_LEARN = (
    f"{_RULES} Let the model of {{name}} learn instead, by your account? It takes some 2,300 tokens for five turns."
)
_AFTERWARDS = {
    "claude-code": "Start Claude Code anew.",
    "codex": "Start Codex anew; it asks once whether the hooks may run: say yes there, or in /hooks.",
    "copilot": "Start Copilot CLI anew.",
    "cursor": "Restart Cursor.",
    "vscode": "Run `MCP: List Servers` in VS Code and start it there.",
    "gemini": "Start Gemini CLI anew.",
    "qwen": "Start Qwen Code anew.",
}


def install(
    invocation: Invocation, client: str | None, *, in_project: bool, yes: bool, remove: bool, show: bool, learn: bool
) -> None:
    """Change the files of a program, or show what to write."""
    call = StartCommand.of(invocation.home, shared=in_project)
    if client is None:
        if not show:
            raise typer.BadParameter(f"name one of {', '.join(CLIENTS)}, or give --print.", param_hint="'CLIENT'")
        print(snippet(call), end="")
        return
    if client not in CLIENTS:
        others = f"{', '.join(CLIENTS[:-1])} and {CLIENTS[-1]}"
        raise typer.BadParameter(f"{client!r} is none of {others}; for others there is --print.", param_hint="'CLIENT'")
    models = read_settings(invocation.folder / CONFIG).models if client in AGENTS and not remove else {}
    may_learn = client in AGENTS and not (models or learn or remove or in_project)
    if learn:
        _check_learning(client, models, in_project=in_project, remove=remove)
    if not show:
        check_consent(as_json=invocation.as_json, yes=yes)
    try:
        wanted = edits(client, call, Path.cwd() if in_project else None)
        learns = learning(client, invocation.folder / CONFIG)
        if (learn and not models) or (remove and not in_project):
            wanted.append(learns)
        changes = planned(wanted, invocation.folder, remove=remove)
        if show:
            _show(changes, invocation)
        elif changes and (yes or _agreed(changes)):
            if may_learn and not yes and is_agreed(_LEARN.format(name=AGENTS[client])):
                changes += planned([learns], invocation.folder, remove=False)
            made(changes, invocation.folder, remove=remove)
    except CannotChange as error:
        complain(f"Error: {error}")
        raise typer.Exit(REFUSED) from error
    if not show:
        _tell(changes, client, invocation, remove=remove, may_learn=may_learn and yes)


def _check_learning(client: str, models: Mapping[str, Any], *, in_project: bool, remove: bool) -> None:
    if client not in AGENTS:
        raise typer.BadParameter(f"it works with {' and '.join(AGENTS)}.", param_hint="'--learn'")
    if in_project:
        raise typer.BadParameter("it is a setting of your own; leave out --project.", param_hint="'--learn'")
    if remove:
        raise typer.BadParameter("--remove takes it out too; leave it out.", param_hint="'--learn'")
    learns = models.get("memory")
    if models and not (isinstance(learns, dict) and learns.get("agent") == client):
        complain(f"Error: {CONFIG} names a model already; under `models` write `memory: {{agent: {client}}}` there.")
        raise typer.Exit(REFUSED)


def _agreed(changes: Sequence[FileChange]) -> bool:
    for line in (line for change in changes for line in change.diff()):
        print(printable(line))
    if not sys.stdin.isatty():
        complain("Nothing was changed, because nobody can be asked here. --yes makes these changes.")
        raise typer.Exit(REFUSED)
    ask_consent("Change this?")
    return True


def _show(changes: Sequence[FileChange], invocation: Invocation) -> None:
    if invocation.as_json:
        print_json({"changes": [{"file": str(each.path), "content": each.after} for each in changes]})
        return
    for change in changes:
        print("\n".join(map(printable, change.diff())))
    if not changes:
        print("Everything is as it should be.")


def _tell(changes: Sequence[FileChange], client: str, invocation: Invocation, *, remove: bool, may_learn: bool) -> None:
    if invocation.as_json:
        print_json({"changed": [str(each.path) for each in changes]})
        return
    for change in changes:
        print(f"{'Removed' if change.after is None else 'Changed'} {printable(str(change.path))}")
    if not changes:
        print("Nothing of the memory is there." if remove else "Everything is as it should be.")
    elif not remove:
        print(_AFTERWARDS[client])
        if may_learn:
            print(f"{_RULES} `memory install {client} --learn` lets the model of {AGENTS[client]} learn.")
