"""`memory demo` and `memory import`."""

import typer

from sandbox.cli.invocation import REFUSED, Invocation, complain
from sandbox.cli.registry import BEGIN, command


@command(BEGIN, without=("as_json", "user", "project"))
def demo(
    invocation: Invocation,  # noqa: ARG001 (the demo has a home of its own)
    keep: str | None = typer.Option(
        None, metavar="DIR", help="Keep the demo's memory in this folder, so that you can explore it."
    ),
    ui: bool = typer.Option(False, "--ui", help="Then show it in a browser, until Ctrl-C."),
) -> None:
    """Show what the memory does: two weeks of conversations, and an assistant's memories of them.

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
    from sandbox.cli.serving import open_page

    folder = nullcontext(keep) if keep or not ui else TemporaryDirectory(prefix="memory-demo-")
    with folder as home:
        asyncio.run(play(home))
        if ui:
            open_page(Invocation(home=home), browser=True)


@command(BEGIN)
def import_(
    invocation: Invocation,
    files: list[str] = typer.Argument(
        ..., metavar="FILE...", help="Files of conversations or memories, folders or ZIP archives of them."
    ),
    encoding: str | None = typer.Option(None, metavar="NAME", help="The encoding of the files, if it is not UTF-8."),
    erased: bool = typer.Option(False, "--erased", help="Also import conversations that were erased."),
    trust: str = typer.Option(
        "user",
        metavar="LEVEL",
        help="How far the files are trusted at most: user, or less (assistant, tool, web) for what somebody else"
        " wrote.",
    ),
) -> None:
    """Import conversations and memories: exports of ChatGPT and Claude.ai, coding agents, WhatsApp, notes, tables.

    The format is recognised by content. Other formats: Codex, Copilot CLI, Cursor, Gemini CLI, Qwen Code, mem0, the MCP
    memory server, {"messages": [...]}, chat messages as JSON lines, Markdown (Obsidian, basic-memory), CSV, and files
    of `memory export`. Messages without a conversation become one conversation, named after the file. Those of coding
    agents belong to the projects of their folders, or to --project NAME. A second import of the same file adds nothing,
    and erased text stays erased. Broken records are left out and reported; the exit code is then 1.

    \b
    memory import chatgpt-export.zip
    memory import ~/.claude/projects ~/.codex/sessions
    memory import ~/notes
    memory import old.json --encoding cp1252
    memory import table.csv --trust assistant
    """
    from sandbox.cli.imports import complaints, import_all, summary

    try:
        outcome = invocation.ask(
            lambda memory: import_all(memory, files, invocation.scope, encoding=encoding, erased=erased, trust=trust)
        )
    except KeyboardInterrupt:
        complain("Stopped. What was stored stays, and the same command imports the rest.")
        raise
    invocation.show(outcome.plain(), lambda page: summary(page, outcome))
    for complaint in complaints(outcome):
        complain(complaint)
    if outcome.errors or outcome.broken:
        raise typer.Exit(REFUSED)
