"""The command `memory`: each command translates its arguments to a method of ``Memory`` and shows the answer."""

import inspect
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, time
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer
from typer.core import TyperGroup

from sandbox.cli.invocation import REFUSED, Invocation, complain

if TYPE_CHECKING:
    from sandbox.extensions.memory import Memory, Scope
    from sandbox.extensions.memory.model import CognitiveType, MaintenanceReport, Record

BEGIN, FIND, KEEP, TEND = "To begin", "Find", "Keep", "Look after"

_PATIENCE = 2.0  # seconds a new memory is waited for to get its vector; later commands see to what remains
_PRUNED_SHOWN = 20


class GroupedHelp(TyperGroup):
    """Help with commands under headings, in plain text: rich's panels would double the time `--help` takes."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Each panel as a section, each command with the first sentence of its help."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, registered in self.commands.items():
            about = inspect.cleandoc(registered.help or "").split("\n\n")[0]
            panels.setdefault(getattr(registered, "rich_help_panel", None) or TEND, []).append((name, about))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


app = typer.Typer(
    cls=GroupedHelp,
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# --- what every command takes -----------------------------------------------------------------------------------------

_HOME = "Where the memory is: the folder with memory.db and, if wanted, config.yaml."
_JSON = "Answer with one JSON document, for programs."
_USER = "Whose memory is meant, where several people share it."
_PROJECT = "A project: what is remembered belongs to it, and is found in it only."

HomeAtStart = Annotated[
    str | None, typer.Option("--home", metavar="DIR", envvar="MEMORY_HOME", help=_HOME, show_default=False)
]
Home = Annotated[str | None, typer.Option("--home", metavar="DIR", help=_HOME)]
AsJson = Annotated[bool, typer.Option("--json", help=_JSON)]
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help=_USER)]
Project = Annotated[str | None, typer.Option("--project", metavar="NAME", help=_PROJECT)]


@app.callback()
def start(
    ctx: typer.Context, home: HomeAtStart = None, as_json: AsJson = False, user: User = None, project: Project = None
) -> None:
    """A long-term memory for AI assistants: conversations go in, and for any question the right memories come out.

    \b
    memory demo                          see what it is for, in a minute
    memory import conversations.json     bring what you have
    memory search "where does Ann live?"

    The options below may also stand after the command.
    """
    ctx.obj = Invocation(home, as_json, user, project)


def _shared(home: Home = None, as_json: AsJson = False, user: User = None, project: Project = None) -> None:
    """The options of every command, as a signature."""


def command(panel: str) -> Callable[[Callable[..., None]], None]:
    """Register a function of an invocation as a command, with the shared options beside its own."""

    def register(function: Callable[..., None]) -> None:
        def run(ctx: typer.Context, **given: Any) -> None:
            shared = {name: given.pop(name) for name in inspect.signature(_shared).parameters}
            invocation = ctx.obj.refined(**shared)
            with invocation.errors_shown():
                function(invocation, **given)

        own = list(inspect.signature(function).parameters.values())[1:]
        everything = [inspect.signature(run).parameters["ctx"], *own, *inspect.signature(_shared).parameters.values()]
        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in everything]
        run.__doc__ = function.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        app.command(function.__name__.strip("_"), rich_help_panel=panel)(run)

    return register


# --- arguments --------------------------------------------------------------------------------------------------------

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, as `memory search` shows it.")]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="At most so many.")]
Knowledge = Literal["semantic", "procedural", "opinion"]
OnSimilar = Literal["keep", "supersede", "refuse"]


def _moment(text: str, option: str, *, at_end: bool = False) -> datetime:
    """A time as people write it, in the zone of this machine where none is said; of a date its begin or its end."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        expected = "give a date like 2026-03-02, or a time like 2026-03-02T18:30"
        raise typer.BadParameter(f"{text!r} is no time; {expected}.", param_hint=option) from None
    if at_end and len(text.strip()) <= len("2026-03-02"):
        moment = datetime.combine(moment, time.max)
    return moment if moment.tzinfo else moment.astimezone()


def _bound(text: str | None) -> datetime | str | None:
    """A time, or a phrase like ``last_week``, which the memory knows better."""
    try:
        return _moment(text, "") if text else None
    except typer.BadParameter:
        return text


def _spoken(text: str) -> str:
    """The text; ``-`` means what comes in on stdin."""
    return sys.stdin.buffer.read().decode("utf-8", "replace").rstrip("\r\n") if text == "-" else text


# --- to begin ---------------------------------------------------------------------------------------------------------


@command(BEGIN)
def demo(
    invocation: Invocation,
    keep: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the demo's memory there, to look around in.")
    ] = None,
) -> None:
    """Show what this is for: two weeks of conversations, and what an assistant remembers of them afterwards.

    Needs no key, no network and no files; your own memory is not touched.

    \b
    memory demo
    memory demo --keep /tmp/nell
    """
    import asyncio

    from sandbox.cli.demo import play
    from sandbox.cli.telling import tell

    story = asyncio.run(play(keep))
    invocation.show(story, lambda page: tell(page, story))


@command(BEGIN)
def import_(
    invocation: Invocation,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files of conversations or memories.")],
) -> None:
    """Bring in conversations: ChatGPT exports, Claude Code transcripts, chat messages as JSON lines, and more.

    The format is recognised by content. Importing a file again adds nothing. Broken records are left out and reported,
    and the exit code is 1 then.

    \b
    memory import conversations.json
    memory import ~/.claude/projects/*/*.jsonl
    """
    from sandbox.cli.imports import complaints, import_all, summary

    outcome = invocation.ask(lambda memory: import_all(memory, files, invocation.scope))
    invocation.show(outcome.plain(), lambda page: summary(page, outcome))
    for complaint in complaints(outcome):
        complain(complaint)
    if outcome.errors or outcome.broken:
        raise typer.Exit(REFUSED)


# --- find -------------------------------------------------------------------------------------------------------------


@command(FIND)
def search(
    invocation: Invocation,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help='A question or some words; "" shows the latest.')],
    limit: Limit = 10,
    type: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="Only episodic, semantic, procedural or opinion; may be repeated."),
    ] = None,
    entity: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what mentions or was said by this person or thing.")
    ] = None,
    after: Annotated[
        str | None, typer.Option(metavar="WHEN", help="From this time on: a date, last_week, last_month or last_year.")
    ] = None,
    before: Annotated[str | None, typer.Option(metavar="WHEN", help="Up to this time, likewise.")] = None,
    as_of: Annotated[
        str | None, typer.Option(metavar="WHEN", help="As it was true and believed then; of a date, at its end.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Also what was replaced or has faded.")] = False,
    reinforce: Annotated[bool, typer.Option(help="Whether being found strengthens a memory.")] = True,
) -> None:
    """Find memories for a question, best first. Finding nothing is no error.

    \b
    memory search "where does Ann live?"
    memory search "the move" --entity Ann --after 2026-03-01
    memory search "where does Ann live?" --as-of 2025-12-31
    """
    moment = _moment(as_of, "--as-of", at_end=True) if as_of else None
    found = invocation.ask(
        lambda memory: memory.search(
            question,
            limit=limit,
            types=cast("list[CognitiveType]", type) or None,  # the memory refuses what is none
            entity=entity,
            after=_bound(after),
            before=_bound(before),
            as_of=moment,
            now=datetime.now().astimezone(),
            history=history,
            reinforce=reinforce,
            scope=invocation.scope,
        )
    )
    from sandbox.cli import output

    invocation.show(found, lambda page: output.hits(page, found))


@command(FIND)
def context(
    invocation: Invocation,
    prompt: Annotated[
        str, typer.Argument(metavar="PROMPT", help="What the assistant is about to answer; - reads it from stdin.")
    ],
    budget: Annotated[
        int | None, typer.Option(min=1, metavar="TOKENS", help="At most so many tokens; if not given, by the prompt.")
    ] = None,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="The conversation it is for: being shown counts once in each.")
    ] = None,
    reinforce: Annotated[bool, typer.Option(help="Whether being shown strengthens a memory.")] = True,
) -> None:
    """Print what to put before an assistant for a prompt: the block, and nothing else on stdout.

    Nothing is printed where nothing is relevant. In a pipe, lines are not wrapped.

    \b
    memory context "Write to Ann about the weekend" --budget 500
    cat prompt.txt | memory context -
    """
    text = _spoken(prompt)
    found = invocation.ask(
        lambda memory: memory.context(text, budget=budget, session=session, reinforce=reinforce, scope=invocation.scope)
    )
    from sandbox.cli import output

    invocation.show(found, lambda page: output.block(page, found))
    if found is None:
        complain("Note: nothing is relevant to this prompt.")


@command(FIND)
def explain(invocation: Invocation, id: Id) -> None:
    """Tell how something is known: since when, from which turns, what it replaced, what happened to it.

    \b
    memory explain k3Xy9aBc
    """
    found = invocation.ask(lambda memory: memory.explain(id, scope=invocation.scope))
    from sandbox.cli import output

    invocation.show(found, lambda page: output.explanation(page, found))


@command(FIND)
def entity(
    invocation: Invocation,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name or alias, in any case.")],
) -> None:
    """Tell what is known about a person, project, place or thing.

    \b
    memory entity Ann
    """
    found = invocation.ask(lambda memory: memory.entity(name, scope=invocation.scope))
    from sandbox.cli import output

    invocation.show(found, lambda page: output.profile(page, found))


# --- keep -------------------------------------------------------------------------------------------------------------


@command(KEEP)
def remember(
    invocation: Invocation,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="What to remember, as one statement; - reads it from stdin.")
    ],
    type: Annotated[Knowledge, typer.Option("--type", help="A fact, a how-to, or an opinion.")] = "semantic",
    category: Annotated[
        str, typer.Option(metavar="NAME", help="fact, preference, person, instruction, project...")
    ] = "fact",
    subject: Annotated[str | None, typer.Option(metavar="NAME", help="Whom or what it is about.")] = None,
    tag: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="A word to file it under; may be repeated.")
    ] = None,
    at: Annotated[str | None, typer.Option(metavar="WHEN", help="Since when it is true; now, if not given.")] = None,
    on_similar: Annotated[
        OnSimilar, typer.Option(help="What happens where much the same is known: stand beside it, end it, or refuse.")
    ] = "keep",
) -> None:
    """Keep a statement. The same statement is kept once; secrets are refused.

    A standing instruction (--category instruction) holds until it is forgotten; other things fade unless they are used
    or confirmed.

    \b
    memory remember "Ann lives in Potsdam." --subject Ann
    memory remember "Answer in English." --category instruction --type opinion
    """
    content, since = _spoken(text), _moment(at, "--at") if at else None
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
            scope=invocation.scope,
        ),
        embeds=True,
    )


@command(KEEP)
def correct(
    invocation: Invocation,
    id: Id,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is right; - reads it from stdin.")],
) -> None:
    """Put a memory right. Its id stays, and the wrong version is kept as history.

    \b
    memory correct k3Xy9aBc "Ann lives in Potsdam, not in Berlin."
    """
    content = _spoken(text)
    _change(invocation, "Corrected", lambda memory: memory.correct(id, content, scope=invocation.scope), embeds=True)


@command(KEEP)
def confirm(invocation: Invocation, id: Id) -> None:
    """Say that a memory is right: it is trusted most and never fades.

    \b
    memory confirm k3Xy9aBc
    """
    _change(invocation, "Confirmed", lambda memory: memory.confirm(id, by_person=True, scope=invocation.scope), id)


@command(KEEP)
def forget(invocation: Invocation, id: Id) -> None:
    """Take a memory out of every search and context. `memory restore` brings it back.

    \b
    memory forget k3Xy9aBc
    """
    _change(invocation, "Forgotten", lambda memory: memory.forget(id, scope=invocation.scope), id)


@command(KEEP)
def restore(invocation: Invocation, id: Id) -> None:
    """Bring back a memory that was forgotten or has faded.

    \b
    memory restore k3Xy9aBc
    """
    _change(invocation, "Restored", lambda memory: memory.restore(id, scope=invocation.scope), id)


def _change(
    invocation: Invocation,
    what: str,
    change: "Callable[[Memory], Awaitable[str | None]]",
    id: str | None = None,
    *,
    embeds: bool = False,
) -> None:
    """Change a memory and show it as it is then. A change that answers with an id says which memory it was."""

    async def changed(memory: "Memory") -> "Record":
        name = await change(memory) or id or ""
        if embeds:
            await _embedded(memory)
        return (await memory.explain(name, scope=invocation.scope)).memory

    record = invocation.ask(changed)
    from sandbox.cli import output

    invocation.show(record, lambda page: output.changed(page, record, what))


async def _embedded(memory: "Memory") -> None:
    """Give a new memory time to get its vector. Where that takes long or fails, words find it meanwhile."""
    import asyncio

    from sandbox.extensions.memory.errors import EmbedderUnavailable

    try:
        await asyncio.wait_for(memory.wait_until_embedded(), _PATIENCE)
    except TimeoutError:
        pass
    except EmbedderUnavailable as error:
        complain(f"Note: {error}")


# --- look after -------------------------------------------------------------------------------------------------------


@command(TEND)
def weak(invocation: Invocation, limit: Limit = 20) -> None:
    """List what fades next, unless it is used or confirmed.

    \b
    memory weak --limit 5
    """
    found = invocation.ask(lambda memory: memory.weak(limit=limit, scope=invocation.scope))
    from sandbox.cli import output

    invocation.show(found, lambda page: output.weak(page, found))


@command(TEND)
def stats(invocation: Invocation) -> None:
    """Count what is held.

    \b
    memory stats
    """
    found = invocation.ask(lambda memory: memory.statistics(scope=invocation.scope))
    from sandbox.cli import output

    invocation.show(found, lambda page: output.statistics(page, found))


@command(TEND)
def maintain(
    invocation: Invocation,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
) -> None:
    """Do what a night does: retire what has faded, and tidy up. Running it twice changes nothing.

    \b
    memory maintain --dry-run
    """

    async def maintained(memory: "Memory") -> "tuple[MaintenanceReport, list[Record]]":
        report = await memory.maintain(dry_run=dry_run)
        return report, await _known(memory, report.pruned[:_PRUNED_SHOWN], invocation.scope)

    report, pruned = invocation.ask(maintained)
    from sandbox.cli import output

    invocation.show(report, lambda page: output.maintenance(page, report, pruned))


async def _known(memory: "Memory", ids: "Sequence[str]", scope: "Scope") -> "list[Record]":
    """The memories that the scope may see; a night sees to everybody's."""
    from sandbox.extensions.memory.errors import UnknownMemory

    records = []
    for id in ids:
        with suppress(UnknownMemory):
            records.append((await memory.explain(id, scope=scope)).memory)
    return records


@command(TEND)
def doctor(invocation: Invocation) -> None:
    """Check the file, what is derived from it, and the embedding provider. The exit code is 1 where something is wrong.

    \b
    memory doctor
    """
    checks = invocation.ask(lambda memory: memory.check())
    home, healthy = str(invocation.folder), all(check.ok for check in checks)
    from sandbox.cli import output

    invocation.show({"home": home, "ok": healthy, "checks": checks}, lambda page: output.diagnosis(page, home, checks))
    if not healthy:
        raise typer.Exit(REFUSED)
