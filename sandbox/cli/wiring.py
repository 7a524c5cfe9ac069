"""`memory hook` and `memory install`: the memory in coding agents."""

from typing import Annotated

import typer

from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import BEGIN, TEND, command


@command(TEND, without=("as_json",))
def hook(
    invocation: Invocation,
    event: Annotated[
        str,
        typer.Argument(metavar="EVENT", help="SessionStart, UserPromptSubmit, PreCompact, Stop or SessionEnd."),
    ],
) -> None:
    """Answer a hook of Claude Code or Codex: its JSON comes in on stdin, the answer goes to stdout.

    A session begins with who the user is and where work stopped; to a prompt come the memories that it asks for; when
    a turn or a session ends, what was said is taken in and learnt from, and nobody waits for that. What is said in a
    repository stays in it, the user's own facts and wishes are known everywhere. Whatever goes wrong, the exit code is
    0 and stdout is empty; `memory doctor` tells what it was. `memory install` sets it up.

    \b
    memory hook UserPromptSubmit < event.json
    """
    from sandbox.cli.hook import answer

    answer(event, invocation.home, invocation.user, invocation.project)


@command(BEGIN, without=("user", "project"))
def install(
    invocation: Invocation,
    client: Annotated[
        str | None, typer.Argument(metavar="CLIENT", help="claude-code, codex, cursor, vscode or gemini.")
    ] = None,
    in_project: Annotated[
        bool, typer.Option("--project", help="In the files of the project in this folder, for all who work on it.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Change the files without being asked.")] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take the memory out again: the files are as before.")
    ] = False,
    show: Annotated[bool, typer.Option("--print", help="Show what to write where, and change nothing.")] = False,
) -> None:
    """Set a coding agent or an editor up to use the memory.

    It gets the memory's tools, and Claude Code and Codex the hooks that bring memories to each prompt and take in what
    was said. What changes is shown first. What is there stays, comments and order too; done again nothing changes, and
    --remove undoes it. For any other program --print shows what to write into its settings.

    \b
    memory install claude-code
    memory install codex --yes
    memory install cursor --project
    memory install claude-code --remove
    memory install --print
    """
    from sandbox.cli import installing

    installing.install(invocation, client, in_project=in_project, yes=yes, remove=remove, show=show)
