"""`memory remember`, `correct`, `confirm`, `pin`, `unpin`, `importance`, `forget`, `restore`, `erase` and `export`."""

import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from sandbox.cli.arguments import Id, Knowledge, OnSimilar, ask_consent, bound, check_consent, moment, spoken
from sandbox.cli.ending import run_to_end
from sandbox.cli.invocation import Invocation, complain, print_line
from sandbox.cli.registry import KEEP, command
from sandbox.support.times import LOCAL

if TYPE_CHECKING:
    from sandbox.extensions.memory import Memory
    from sandbox.extensions.memory.model import Explanation, Record
    from sandbox.extensions.memory.reports import ExportReport

_FIRST = 5  # memories that are shown before many are forgotten
_PATIENCE = 2.0  # seconds to wait for the vector of a new memory; later commands embed the rest


@command(KEEP)
def remember(
    invocation: Invocation,
    text: str = typer.Argument(..., metavar="TEXT", help="The statement to remember; - reads it from stdin."),
    type: Knowledge = typer.Option("semantic", "--type", help="A fact, a how-to, or an opinion."),
    category: str = typer.Option(
        "fact", metavar="NAME", help="For example fact, preference, person, instruction or project."
    ),
    subject: str | None = typer.Option(None, metavar="NAME", help="The person or thing it is about."),
    tag: list[str] | None = typer.Option(None, metavar="WORD", help="A word to find it by; may be repeated."),
    at: str | None = typer.Option(None, metavar="WHEN", help="Since when it is true. Without it: now."),
    on_similar: OnSimilar = typer.Option(
        "keep", help="If something similar is known: keep both, supersede the known one, or refuse."
    ),
    context: list[str] | None = typer.Option(
        None, metavar="NAME", help="A group for it, created if it is new; may be repeated."
    ),
    relevant_to: list[str] | None = typer.Option(
        None, metavar="NAME", help="A known person or thing, or its id, for which it matters; may be repeated."
    ),
    importance: int = typer.Option(
        2, min=1, max=5, metavar="N", help="1 to 5; from 3 on it is kept even if nobody uses it."
    ),
) -> None:
    """Store a statement.

    The same statement is stored once. A text with a password or a key is refused. A statement that you tell does not
    fade, except moods, and plans after their date. A standing wish (--category instruction) is shown to
    assistants before every reply, until you forget it.

    \b
    memory remember "Ann lives in Potsdam." --subject Ann
    memory remember "Answer in English." --category instruction --type opinion
    memory remember "Indent with tabs." --category convention --context "Go style" --relevant-to Falcon
    """
    content, since = spoken(text), moment(at, "--at") if at else None
    _change(
        invocation,
        "Remembered as",
        lambda memory: memory.remember(
            content,
            type=type,
            category=category,
            subject=subject,
            tags=tag or (),
            at=since,
            on_similar=on_similar,
            contexts=context or (),
            relevant_to=relevant_to or (),
            importance=importance,
            scope=invocation.scope,
        ),
        known="Known already as",
        embeds=True,
    )


@command(KEEP)
def correct(
    invocation: Invocation,
    id: Id,
    text: str = typer.Argument(..., metavar="TEXT", help="The right text; - reads it from stdin."),
) -> None:
    """Correct a memory.

    The id stays. The wrong version is kept as history, and no search finds it. `memory undo NUMBER` brings it back, by
    the number in `memory history ID`.

    \b
    memory correct k3Xy9aBc "Ann lives in Potsdam, not in Berlin."
    """
    content = spoken(text)
    _change(
        invocation,
        "Corrected",
        lambda memory: memory.correct(id, content, scope=invocation.scope),
        known="Known already as",
        embeds=True,
    )


@command(KEEP)
def confirm(invocation: Invocation, id: Id) -> None:
    """Confirm that a memory is right: it never fades, and gets the highest trust.

    \b
    memory confirm k3Xy9aBc
    """
    _change(invocation, "Confirmed", lambda memory: memory.confirm(id, by_person=True, scope=invocation.scope), id)


@command(KEEP)
def pin(invocation: Invocation, id: Id) -> None:
    """Pin a memory: it never fades, and assistants see it before every reply.

    `memory unpin ID` takes it back.

    \b
    memory pin k3Xy9aBc
    """
    _change(invocation, "Pinned", lambda memory: memory.pin(id, scope=invocation.scope), id)


@command(KEEP)
def unpin(invocation: Invocation, id: Id) -> None:
    """Unpin a memory: from now on it fades like others.

    \b
    memory unpin k3Xy9aBc
    """
    _change(invocation, "Unpinned", lambda memory: memory.unpin(id, scope=invocation.scope), id)


@command(KEEP)
def importance(
    invocation: Invocation,
    id: Id,
    value: int = typer.Argument(..., metavar="1-5", min=1, max=5, help="5 is the most important."),
) -> None:
    """Say how important a memory is.

    Where room is short, more important memories come first; they are also kept longer.

    \b
    memory importance k3Xy9aBc 5
    """
    _change(invocation, "Rated", lambda memory: memory.set_importance(id, value, scope=invocation.scope), id)


@command(KEEP, narrows=True)
def forget(
    invocation: Invocation,
    id: str | None = typer.Argument(
        None, metavar="ID", help="The id of a memory; without it, all memories that match the options."
    ),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask before forgetting several memories."),
    *,
    wanted: dict[str, Any],
) -> None:
    """Forget a memory, or many: no search and no context shows them any more.

    The text stays in the file, and `memory restore ID` brings it back; `memory list --state forgotten` shows the ids.
    `memory erase` removes for good.

    \b
    memory forget k3Xy9aBc
    memory forget --tag holiday --before 2026-01-01
    """
    if id is not None and wanted:
        raise typer.BadParameter("give an id or options, not both.", param_hint="'ID'")
    if id is None and not wanted:
        raise typer.BadParameter("give an id, or options that say which memories.", param_hint="'ID'")
    if id is None:
        _forget_all(invocation, wanted, yes=yes)
    else:
        _change(invocation, "Forgotten", lambda memory: memory.forget(id, scope=invocation.scope), id)


@command(KEEP)
def restore(invocation: Invocation, id: Id) -> None:
    """Bring back a memory that was forgotten or replaced, or that has faded.

    No search finds a forgotten memory; `memory list --state forgotten` shows its id.

    \b
    memory restore k3Xy9aBc
    """
    _change(
        invocation,
        "Restored",
        lambda memory: memory.restore(id, scope=invocation.scope),
        id,
        unchanged="Believed already; `memory history ID` has numbers for `memory undo`",
    )


@command(KEEP)
def erase(
    invocation: Invocation,
    id: str | None = typer.Argument(None, metavar="ID", help="The id of a memory, or of a turn."),
    session: str | None = typer.Option(None, metavar="ID", help="A conversation, as `memory sessions` shows it."),
    subject: str | None = typer.Option(
        None, metavar="NAME", help="All memories and turns that are about a person or thing, or name them."
    ),
    before: str | None = typer.Option(
        None, metavar="WHEN", help="All memories and turns from before a date or a time."
    ),
    everything: bool = typer.Option(False, "--everything", help="Everything of every user, with the files."),
    exports: bool = typer.Option(False, "--exports", help="Delete also the exported files that may hold it."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask first."),
) -> None:
    """Erase a memory, a conversation, a person, a time or everything for good.

    It cannot be undone: no byte of it stays in the folder of the memory. Memories that rest on it alone are erased too,
    and memories that it had replaced are valid again; an import of the same file leaves it out. You see first what
    would be erased, and the exported files that may hold it; --exports deletes those that nobody has changed. --user
    alone erases everything of that user, --project everything of that project. Open conversations of `memory chat` end,
    and all lines that the user typed there are deleted, because they are not stored by conversation.

    \b
    memory erase k3Xy9aBc
    memory erase --session 20260302-0930-5d2f7a
    memory erase --subject "Tom Berg"
    memory erase --before 2024-01-01
    memory erase --user bob
    memory erase --everything
    """
    named = {"id": id, "session": session, "subject": subject, "before": bound(before), "everything": everything}
    selection: dict[str, Any] = {name: value for name, value in named.items() if value not in (None, False)}
    if not selection and invocation.user:
        selection = {"user": invocation.user}
    if len(selection) != 1:
        problem = "give one of these: an ID, --session, --subject, --before, --everything, or --user."
        raise typer.BadParameter(problem, param_hint="'ID'")
    check_consent(as_json=invocation.as_json, yes=yes)
    scope = replace(invocation.scope, administrator=not selection.keys().isdisjoint(("everything", "user")))
    would = invocation.ask(lambda memory: memory.erase(**selection, dry_run=True, scope=scope))
    from sandbox.cli import erasing
    from sandbox.cli.progress import working
    from sandbox.extensions.memory.call_context import through
    from sandbox.extensions.memory.errors import UnknownSession
    from sandbox.support.characters import printable

    if session is not None and not would.in_words:
        raise UnknownSession(session=session)
    of_no_memory = {"everything": "everything", "user": "no memories, and what is left of chats"}
    sources = invocation.ask(lambda memory: memory.explain(id, scope=scope)).sources if id and would.sources else ()
    what, goes = printable(_called(selection)), would.in_words or of_no_memory.get(next(iter(selection)), "")
    for line in erasing.doubts(would, what) if not invocation.as_json else ():
        typer.echo(line, err=True)
    if not goes:
        nothing = "no text surely names" if would.in_doubt else "nothing is kept of"
        invocation.show(would, lambda page: page.line(f"There is nothing to erase: {nothing} {what}."))
        return
    if not yes:
        erasing.preview(would, deletes_exports=exports)
        ask_consent(f"Erase {what} for good: {goes}?")
    with working("erasing"), through("cli"), erasing.stopped_at_once():
        run_to_end(erasing.erase_everywhere(invocation.folder, scope, selection))
    done = replace(would, exports=erasing.without_exports(would.exports)) if exports else would
    left = erasing.left_in(invocation.folder) if everything else None
    invocation.show(done, lambda page: erasing.summary(page, goes, sources, done.exports, left))


def _called(selection: dict[str, Any]) -> str:
    """The name of a selection for people."""
    [(name, value)] = selection.items()
    called = {"everything": "everything", "before": f"everything before {value}", "user": f"the user {value}"}
    return called.get(name, str(value))


@command(KEEP, narrows=True)
def export_(
    invocation: Invocation,
    file: str = typer.Argument(..., metavar="FILE", help="The file to write; - writes to stdout."),
    markdown: bool = typer.Option(False, "--markdown", help="Write a page for people, as to a file that ends in .md."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask before replacing a file."),
    *,
    wanted: dict[str, Any],
) -> None:
    """Write the whole memory to a file, for a backup or another machine.

    The file holds JSON Lines: every version of every memory of every user. `memory import` reads it into another
    folder. A file that ends in .md is a page for people: the present knowledge and conversations of one user, with
    --project also of one project; it cannot be imported again. With options that select memories, the file holds only
    these, one on each line, and `memory import` reads them into any folder. You are asked before a file is replaced; a
    script, which has no terminal, is not.

    \b
    memory export backup.jsonl
    memory --home ~/new import backup.jsonl
    memory export memory.md
    memory export conventions.jsonl --category convention
    """
    from sandbox.cli.progress import working

    owner = replace(invocation.scope, administrator=True)  # who can read the files of a home can read all of it

    is_page = markdown or file.lower().endswith((".md", ".markdown"))

    def export(file: str) -> "ExportReport":
        form: Literal["jsonl", "markdown"] = "markdown" if is_page else "jsonl"
        with working("exporting"):
            return invocation.ask(lambda memory: memory.export(file, format=form, scope=owner, **wanted))

    if file == "-" and invocation.as_json:
        raise typer.BadParameter("the output is not one JSON document; name a file.", param_hint="'--json'")
    if file == "-":
        _print(export)
    else:
        asks = sys.stdin.isatty() and not (yes or invocation.as_json)
        if asks and os.path.isfile(file):  # noqa: PTH113 (Path.is_file raises for a long name)
            ask_consent(f"Replace {file}?")
        done, form = export(file), "Markdown" if is_page else "JSON Lines"
        invocation.show(
            done, lambda page: page.line(f"{done.file}: {form}, {done.lines:,} lines, {done.bytes:,} bytes")
        )


def _print(export: "Callable[[str], ExportReport]") -> None:
    """Print an export by way of a file in a private folder, which is then removed."""
    from tempfile import TemporaryDirectory

    from sandbox.support.characters import printable

    with TemporaryDirectory() as folder, Path(export(f"{folder}/export").file).open(encoding="utf-8") as written:
        for line in written:
            print_line(printable(line.removesuffix("\n")))


def _forget_all(invocation: Invocation, wanted: dict[str, Any], *, yes: bool) -> None:
    """Forget the wanted memories after the person has seen some of them and agrees to their number."""
    from sandbox.cli import output
    from sandbox.cli.page import FAINT, Page, counted

    async def found(memory: "Memory") -> "tuple[int, list[Record]]":
        would = await memory.forget_all(dry_run=True, scope=invocation.scope, **wanted)
        first = await memory.list(limit=_FIRST, scope=invocation.scope, **wanted) if would and not yes else None
        return would, [each.memory for each in first.items if each.memory.type != "episodic"] if first else []

    check_consent(as_json=invocation.as_json, yes=yes)
    would, first = invocation.ask(found)
    memories = counted(would, "memory", "memories")
    if would and not yes:
        page = Page()
        page.rows(output.listed(page, each) for each in first)
        if would > len(first):
            page.line(f"and {would - len(first):,} more", indent=2)
        ask_consent(f"Forget {memories}?")
    begun = datetime.now(LOCAL).replace(tzinfo=None).isoformat(timespec="milliseconds")
    gone = invocation.ask(lambda memory: memory.forget_all(scope=invocation.scope, **wanted)) if would else 0

    def show(page: "Page") -> None:
        page.line(f"Forgotten: {memories}.")
        if gone:
            page.line((f"`memory undo --interface cli --since {begun}` takes it back.", FAINT))

    invocation.show({"forgotten": gone}, show)


def _change(
    invocation: Invocation,
    what: str,
    change: "Callable[[Memory], Awaitable[str | None]]",
    id: str | None = None,
    *,
    known: str = "",
    unchanged: str = "",
    embeds: bool = False,
) -> None:
    """Change a memory and show its new state, and the memories that the change replaced or perhaps contradicts. If the
    change returns an id, that memory is shown; ``known`` is said of one that was there before, ``unchanged`` of one
    that is as it was.
    """
    from sandbox.support.times import from_ms, system_clock, to_ms

    begun = from_ms(to_ms(system_clock()))

    async def changed(memory: "Memory") -> "Explanation":
        name = await change(memory) or id or ""
        if embeds:
            await _embedded(memory)
        return await memory.explain(name, scope=invocation.scope)

    found = invocation.ask(changed)
    from sandbox.cli import output

    record, changes = found.memory, [each for each in found.changes if each.at >= begun]
    if known and record.created_at < begun:
        what = known
    elif unchanged and not changes:
        what = unchanged
    linked = {each.detail.get("to") for each in changes}
    replaced = [each for each in found.supersedes if each.id in linked]
    doubted = [each for each in found.possible_conflicts if each.id in linked]
    ended, sources = (found.ended, found.sources) if record.retired_by == "forgotten" else ((), ())
    invocation.show(record, lambda page: output.changed(page, record, what, replaced, doubted, ended, sources))


async def _embedded(memory: "Memory") -> None:
    """Wait a moment for the vector of a new memory; words find it before."""
    import asyncio

    from sandbox.extensions.memory.errors import EmbedderUnavailable

    try:
        await asyncio.wait_for(memory.wait_until_embedded(), _PATIENCE)
    except TimeoutError:
        pass
    except EmbedderUnavailable as error:
        complain(f"Note: {error}")
