"""`memory hook` and `memory install`: the memory in coding agents."""

from typing import Annotated

import typer

from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import BEGIN, TEND, command


@command(TEND, without=("as_json",))
def hook(
    invocation: Invocation,
    event: Annotated[
        str, typer.Argument(metavar="EVENT", help="SessionStart, UserPromptSubmit, PreCompact, Stop or SessionEnd.")
    ],
) -> None:
    """Answer a hook of Claude Code, Codex, Gemini CLI or Qwen Code: JSON comes in on stdin, the answer goes to stdout.

    `memory install` sets the hooks up. At the start of a session the agent learns who the user is and where work
    stopped; at a prompt, it gets the memories that fit. At the end of a turn or a session the memory stores the
    conversation and learns from it in the background. Knowledge from a repository stays in it, but the user's own facts
    and wishes are known everywhere. If something fails, the exit code is still 0 and stdout is empty; `memory doctor`
    shows the problem.

    \b
    memory hook UserPromptSubmit < event.json
    """
    from sandbox.cli.hook import answer

    answer(event, invocation.home, invocation.user, invocation.project)


@command(BEGIN, without=("user", "project"))
def install(
    invocation: Invocation,
    client: Annotated[
        str | None, typer.Argument(metavar="CLIENT", help="claude-code, codex, cursor, vscode, gemini or qwen.")
    ] = None,
    in_project: Annotated[
        bool,
        typer.Option(
            "--project", help="Change the files of the project in this folder, for everybody who works on it."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Change the files without asking.")] = False,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take the memory out again; the files are then as before.")
    ] = False,
    show: Annotated[bool, typer.Option("--print", help="Change nothing; show the lines and their files.")] = False,
) -> None:
    """Set up a coding agent or an editor to use the memory.

    The program gets the tools of the memory. Claude Code, Codex, Gemini CLI and Qwen Code also get hooks, which bring
    memories to each prompt and store conversations. The command shows each change and asks first. It keeps your
    settings, their comments and their order; a second run changes nothing, and --remove undoes it. For other programs
    --print shows the lines for their settings.

    \b
    memory install claude-code
    memory install codex --yes
    memory install cursor --project
    memory install claude-code --remove
    memory install --print
    """
    from sandbox.cli import installing

    installing.install(invocation, client, in_project=in_project, yes=yes, remove=remove, show=show)
