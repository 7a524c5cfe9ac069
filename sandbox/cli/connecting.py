"""`memory mcp`, `memory install` and `memory hook`: the memory in clients that start a server, and in coding agents."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli import collect_as_usual
from sandbox.cli.invocation import Invocation, complain
from sandbox.cli.registry import BEGIN, TEND, command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sandbox.extensions.memory import Memory

Profile = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The set of tools: agent (three for any agent), orchestrator (nine), simple (two), supervisor (one query),"
        " builtin (store, search, delete) or graph (those of the MCP memory server).",
    ),
]
Trusted = Annotated[
    str | None,
    typer.Option(
        metavar="TRUST",
        help="How far the client is trusted: user, or less (assistant, tool, web) for an agent that works alone on"
        " other people's texts.",
    ),
]


_OFFICIAL = "MEMORY_FILE_PATH"  # the environment variable that names the file of the official MCP memory server


@command(BEGIN, without=("as_json",))
def mcp(invocation: Invocation, profile: Profile = None, trust: Trusted = None) -> None:
    """Run a server of the Model Context Protocol on stdin and stdout, for an agent or an application.

    The client starts it; it ends when stdin is closed. Settings for all clients stand under memory_mcp in config.yaml.

    \b
    claude mcp add memory -- memory mcp
    memory mcp --profile graph --project website
    """
    import gc

    gc.disable()  # imported objects stay; collecting would take a fifth of the time
    from sandbox.cli.logs import log_to_stderr

    log_to_stderr(as_json=False)
    if sys.stdin.isatty():
        complain("This waits for a client of MCP, which starts it by itself: see `memory install`. Ctrl-D ends it.")
    _run(invocation, profile, trust)


def _run(invocation: Invocation, profile: str | None, trust: str | None) -> None:
    import asyncio
    import logging
    import os
    from contextlib import asynccontextmanager, suppress

    from sandbox.cli.configured import configs
    from sandbox.extensions.memory.config import Config
    from sandbox.extensions.memory.errors import UnreadableImport
    from sandbox.extensions.memory.opening import make_folder
    from sandbox.extensions.memory_mcp.main import check
    from sandbox.support.errors import needing

    logging.getLogger("sandbox").setLevel(logging.WARNING)
    settings, found = configs(invocation.folder)
    config, chosen = Config.load(found["memory"], file=settings.file, within="memory."), found["memory_mcp"]
    profile, trust = profile or str(chosen["profile"]), trust or str(chosen["trust"])
    check(profile, trust)
    make_folder(invocation.folder)  # so that the client is told at once if the folder cannot be made
    with needing("`memory mcp`", "mcp"):
        from sandbox.extensions.memory_mcp.server import Who
        from sandbox.extensions.memory_mcp.stdio import serve

    @asynccontextmanager
    async def open() -> "AsyncIterator[Memory]":
        from sandbox.cli.opening import opened

        async with opened(invocation.folder) as memory:
            collect_as_usual()
            if official:
                with suppress(UnreadableImport):  # the official server makes it with the first entity
                    await memory.import_file(official, trust=trust, scope=who.scope)  # type: ignore[arg-type]  # it was checked
            yield memory

    official = os.environ.get(_OFFICIAL) if profile == "graph" else None
    who = Who(invocation.user or "default", invocation.project, trust)  # type: ignore[arg-type]  # it was checked
    asyncio.run(serve(open, profile, config, who))


@command(TEND, without=("as_json",))
def hook(
    invocation: Invocation,
    event: str = typer.Argument(
        ..., metavar="EVENT", help="SessionStart, UserPromptSubmit, PreCompact, Stop or SessionEnd."
    ),
) -> None:
    """Answer a hook of a coding agent: JSON comes in on stdin, the answer goes to stdout.

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
    client: str | None = typer.Argument(
        None, metavar="CLIENT", help="claude-code, codex, copilot, cursor, vscode, gemini or qwen."
    ),
    in_project: bool = typer.Option(
        False, "--project", help="Change the files of the project in this folder, for everybody who works on it."
    ),
    yes: bool = typer.Option(False, "--yes", "-y", help="Change the files without asking."),
    remove: bool = typer.Option(False, "--remove", help="Take the memory out again; the files are then as before."),
    show: bool = typer.Option(False, "--print", help="Change nothing; show the lines and their files."),
    learn: bool = typer.Option(
        False, "--learn", help="Let the model of Claude Code or Qwen Code learn, by your account."
    ),
) -> None:
    """Set up a coding agent or an editor to use the memory.

    The program gets the tools of the memory. Coding agents, but for VS Code, also get hooks, which bring
    memories to each prompt and store conversations. The command shows each change and asks first. It keeps your
    settings, their comments and their order; a second run changes nothing, and --remove undoes it. For other programs
    --print shows the lines for their settings.

    Without a model, rules learn plain statements about you, and little about a project. With --learn the memory asks
    the model of Claude Code or Qwen Code once or twice for a session, in the background; `memory stats` shows the cost.

    \b
    memory install claude-code --learn
    memory install codex --yes
    memory install cursor --project
    memory install claude-code --remove
    memory install --print
    """
    from sandbox.cli import installing

    installing.install(invocation, client, in_project=in_project, yes=yes, remove=remove, show=show, learn=learn)
