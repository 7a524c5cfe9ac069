"""`memory hook` and `memory install`: the memory in coding agents."""

from typing import Annotated

import typer

from sandbox.cli.invocation import Invocation
from sandbox.cli.registry import TEND, command


@command(TEND)
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
