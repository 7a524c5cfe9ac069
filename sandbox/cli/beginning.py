"""`memory demo` and `memory import`."""

from typing import Annotated

import typer

from sandbox.cli.invocation import REFUSED, Invocation, complain
from sandbox.cli.registry import BEGIN, command


@command(BEGIN, without=("user", "project"))
def demo(
    invocation: Invocation,
    keep: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the demo's memory there, to look around in.")
    ] = None,
    ui: Annotated[bool, typer.Option("--ui", help="Then look around in it in a browser, until Ctrl-C.")] = False,
) -> None:
    """Show what this is for: two weeks of conversations, and what an assistant remembers of them afterwards.

    Needs no key, no network and no files; your own memory is not touched.

    \b
    memory demo
    memory demo --keep nell
    memory demo --ui
    """
    import asyncio
    from contextlib import nullcontext
    from tempfile import TemporaryDirectory

    from sandbox.cli.demo import play
    from sandbox.cli.demo_output import tell
    from sandbox.cli.serving import open_page

    folder = nullcontext(keep) if keep or not ui else TemporaryDirectory(prefix="memory-demo-")
    with folder as home:
        story = asyncio.run(play(home))
        invocation.show(story, lambda page: tell(page, story))
        if ui:
            open_page(Invocation(home=home), browser=True)


@command(BEGIN)
def import_(
    invocation: Invocation,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Files of conversations or memories, folders or ZIP archives of them."),
    ],
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="What the files are encoded in, where it is not UTF-8.")
    ] = None,
    erased: Annotated[bool, typer.Option("--erased", help="Bring back what was erased, too.")] = False,
) -> None:
    """Bring in conversations and memories: exports of ChatGPT and Claude.ai, coding agents, notes, tables.

    Also Codex, Cursor, Gemini CLI, mem0, the MCP memory server, {"messages": [...]}, chat messages as JSON lines,
    Markdown (Obsidian, basic-memory), CSV, and what `memory export` wrote. The format is recognised by content.
    Messages that name no conversation are one, called after the file. Importing a file again adds nothing, and what was
    erased stays erased. Broken records are left out and reported, and the exit code is 1 then.

    \b
    memory import chatgpt-export.zip
    memory import ~/.claude/projects ~/.codex/sessions
    memory import ~/notes
    memory import old.json --encoding cp1252
    """
    from sandbox.cli.imports import complaints, import_all, summary

    outcome = invocation.ask(lambda memory: import_all(memory, files, invocation.scope, encoding, erased=erased))
    invocation.show(outcome.plain(), lambda page: summary(page, outcome))
    for complaint in complaints(outcome):
        complain(complaint)
    if outcome.errors or outcome.broken:
        raise typer.Exit(REFUSED)
