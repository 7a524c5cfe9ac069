"""`memory history`, `memory changes` and `memory undo`: changes with their authors and interfaces, and undoing them."""

import json
from typing import TYPE_CHECKING, Literal

import typer

from sandbox.cli.arguments import Id, ask_consent, check_consent, moment
from sandbox.cli.invocation import Invocation, escaped
from sandbox.cli.registry import FIND, KEEP, command

if TYPE_CHECKING:
    from sandbox.extensions.memory import Memory
    from sandbox.extensions.memory.reports import UndoReport

Interface = Literal["library", "cli", "mcp", "rest", "hook", "chat", "night"]

_AT_ONCE = 1_000  # lines of the log


@command(FIND)
def history(invocation: Invocation, id: Id) -> None:
    """Show the changes of a memory: when, by whom, through which interface, and why.

    `memory explain ID` also shows its sources. `memory undo NUMBER` undoes a change, by its number here.

    \b
    memory history k3Xy9aBc
    """
    changes = invocation.ask(lambda memory: memory.explain(id, scope=invocation.scope)).changes
    from sandbox.cli import overviews

    invocation.show(changes, lambda page: overviews.history(page, changes))


@command(FIND)
def changes(
    invocation: Invocation,
    since: int = typer.Option(0, min=0, metavar="SEQ", help="Begin after the change with this number."),
    whole: bool = typer.Option(
        False, "--whole", help="Everything of the user: every project, every private conversation."
    ),
) -> None:
    """Print the changes of all memories, one JSON object on each line, the oldest first.

    A line has ids and reasons, never text. Erased memories stand there too, by id. To continue later, give the `seq`
    of the last line to --since. --user and --whole print the audit log of one person.

    \b
    memory changes --since 120
    memory changes --user ann --whole > audit.jsonl
    """

    async def print_all(memory: "Memory") -> None:
        after = since
        while found := await memory.changes(after=after, limit=_AT_ONCE, whole=whole, scope=invocation.scope):
            if not _printed(found):
                return
            after = found[-1].seq

    invocation.ask(print_all)


@command(KEEP)
def undo(
    invocation: Invocation,
    number: int | None = typer.Argument(None, metavar="NUMBER", help="A change, by its number in `memory history ID`."),
    night: bool = typer.Option(False, "--night", help="Everything that the last night changed."),
    learning: str | None = typer.Option(
        None, metavar="SESSION", help="Everything that was learnt from a conversation."
    ),
    source: str | None = typer.Option(
        None, metavar="NAME", help="Everything that came from a source, such as rules or chatgpt."
    ),
    interface: Interface | None = typer.Option(
        None, help="Everything that came through an interface.", show_default=False
    ),
    since: str | None = typer.Option(
        None, metavar="WHEN", help="With --source or --interface: only changes since this time."
    ),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask first."),
) -> None:
    """Undo changes. The command shows what would happen, and asks.

    Memories that the changes brought are retired, and memories that they replaced or hid are believed again. Memories
    that rest on them alone go as well. The answer has a number: `memory undo NUMBER` brings everything back.

    \b
    memory undo 57
    memory undo --night
    memory undo --interface mcp --since 2026-03-02
    """
    check_consent(as_json=invocation.as_json, yes=yes)
    if sum((number is not None, night, learning is not None, source is not None, interface is not None)) != 1:
        problem = "give one of these: a NUMBER of `memory history ID`, --night, --learning, --source, or --interface."
        raise typer.BadParameter(problem, param_hint="'NUMBER'")
    start = moment(since, "--since") if since else None

    def undone(*, dry_run: bool) -> "UndoReport":
        return invocation.ask(
            lambda memory: memory.undo(
                number,
                night=night,
                session=learning,
                source=source,
                interface=interface,
                since=start,
                dry_run=dry_run,
                scope=invocation.scope,
            )
        )

    from sandbox.cli import overviews
    from sandbox.cli.page import Page

    if not yes:
        would = undone(dry_run=True)
        overviews.undoing(Page(), would)
        if would.change is None:
            return
        ask_consent("Do this?")
    report = undone(dry_run=False)
    invocation.show(report, lambda page: overviews.undone(page, report, was_shown=not yes))


def _printed(found: object) -> bool:
    """Whether somebody still reads the output."""
    from sandbox.extensions.memory.model import to_plain

    try:
        for each in to_plain(found):
            print(escaped(json.dumps(each, ensure_ascii=False)), flush=True)
    except BrokenPipeError:
        return False
    return True
