"""Registering commands: the application, its grouped help, and the options that every command takes."""

import inspect
import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import Abort, TyperException

from sandbox.cli.arguments import OPTIONS, wanted
from sandbox.cli.invocation import CALLED_WRONGLY, REFUSED, Invocation, print_json

BEGIN, FIND, KEEP, TEND = "To begin", "Find", "Keep", "Look after"

_OTHER_WORDS = {
    **dict.fromkeys(("add", "save", "store", "tell"), "remember"),
    **dict.fromkeys(("delete", "remove", "rm"), "forget"),
    **dict.fromkeys(("edit", "update", "change"), "correct"),
    **dict.fromkeys(("ask", "find", "query"), "search"),
    **dict.fromkeys(("backup", "dump"), "export"),
    **dict.fromkeys(("show", "why"), "explain"),
    **dict.fromkeys(("conversations", "talks"), "sessions"),
    **dict.fromkeys(("people", "who"), "entity"),
}
"""Words by which other programs call what a command does."""


class Commands(TyperGroup):
    """Help with commands under headings, in plain text, because rich's panels would double the time of `--help`. Wrong
    usage is reported to people and programs alike.
    """

    def main(self, args: Sequence[str] | None = None, *names: Any, **options: Any) -> NoReturn:
        """Run the named command, and exit."""
        arguments = sys.argv[1:] if args is None else list(args)
        try:
            code = super().main(arguments, *names, **{**options, "standalone_mode": False})
        except Abort:
            print("Nothing was done.", file=sys.stderr)
            sys.exit(REFUSED)
        except TyperException as error:
            sys.exit(_explain(error, arguments))
        sys.exit(code or 0)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """`help` and `help COMMAND` mean the same as `--help`. A word of other programs is told what it is here."""
        if args[0] in _OTHER_WORDS and args[0] not in self.commands:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {_OTHER_WORDS[args[0]]!r}?")
        if args[0] != "help":
            return super().resolve_command(ctx, args)
        if len(args) > 1:
            return super().resolve_command(ctx, [args[1], "--help"])
        print(ctx.get_help())
        return ctx.exit()

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Each panel as a section, each command with the first sentence of its help."""
        panels: dict[str, list[tuple[str, str]]] = {panel: [] for panel in (BEGIN, FIND, KEEP, TEND)}
        for name, registered in self.commands.items():
            about = inspect.cleandoc(registered.help or "").split("\n\n")[0]
            panels[getattr(registered, "rich_help_panel", TEND)].append((name, about))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)


class PlainHelp(TyperCommand):
    """Help with arguments as a person writes them: `ID`, where typer writes `{ID}` and `ID <str>  [required]`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments after the name of the command."""
        names = [each.metavar if each.required else f"[{each.metavar}]" for each in self._of_kind(ctx, "argument")]
        return [self.options_metavar or "", *names]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then options, with their help."""
        arguments = [(each.metavar, each.help) for each in self._of_kind(ctx, "argument")]
        options = [record for each in self._of_kind(ctx, "option") if (record := each.get_help_record(ctx))]
        for title, rows in (("Arguments", arguments), ("Options", options)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def _of_kind(self, ctx: Any, kind: str) -> list[Any]:
        return [each for each in self.get_params(ctx) if each.param_type_name == kind]


def _explain(error: TyperException, arguments: Sequence[str]) -> int:
    """Print what is wrong with the usage of a command, to people or as JSON; return the exit code."""
    error.message = error.message.replace("valid int range", "whole number").replace("valid float range", "number")
    if not getattr(error, "option_name", "--").startswith("--"):
        error.message += ". If it begins a text, write -- before the text."
    if error.message.startswith("Got unexpected extra argument"):
        error.message += ". A text of several words stands in quotes."
    error.show()  # type: ignore[attr-defined]  # each of these has it, beside its base
    if error.exit_code == CALLED_WRONGLY and "--json" in takewhile("--".__ne__, arguments):
        print_json({"error": {"type": "UsageError", "message": error.format_message()}})
    return error.exit_code


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_HOME = "The folder of the memory, with memory.db and perhaps config.yaml."
_JSON = "Answer with one JSON document, for programs."
_USER = "The user of the memory, if several people share the folder."
_PROJECT = (
    "A project, or the path of a folder in it, as . for this folder. Memories that you store then belong to the project"
    " and are found only there."
)


def _named(value: str | None) -> str | None:
    """The value of an option; an empty one, of a variable that a script did not set, must not mean the default."""
    if value is not None and not value.strip():
        raise typer.BadParameter("give a name, or leave the option out.")
    return value


HomeAtStart = Annotated[
    str | None,
    typer.Option("--home", metavar="DIR", envvar="MEMORY_HOME", help=_HOME, show_default=False, callback=_named),
]
Home = Annotated[str | None, typer.Option("--home", metavar="DIR", help=_HOME, callback=_named)]
AsJson = Annotated[bool, typer.Option("--json", help=_JSON)]
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help=_USER, callback=_named)]
Project = Annotated[str | None, typer.Option("--project", metavar="NAME", help=_PROJECT, callback=_named)]
AllProjects = Annotated[bool, typer.Option("--all-projects", help="Also find what is known only in projects.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"assistant-memory {version('assistant-memory')}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)]


@app.callback()
def start(
    ctx: typer.Context,
    home: HomeAtStart = None,
    as_json: AsJson = False,
    user: User = None,
    project: Project = None,
    version: Version = False,  # noqa: ARG001 (its callback does it)
) -> None:
    """A long-term memory for AI assistants: conversations go in, and for any question the right memories come out.

    \b
    memory demo                          see what it does, in a minute
    memory import conversations.json     import your conversations
    memory search "where does Ann live?"

    `memory help COMMAND` explains a command. The options below may stand before the command, or after it if its help
    lists them.
    """
    ctx.obj = Invocation().refined(home, as_json, user, project)


def _shared(
    home: Home = None,
    as_json: AsJson = False,
    user: User = None,
    project: Project = None,
    all_projects: AllProjects = False,
) -> None:
    """The options that commands share, as a signature."""


def command(panel: str, *, without: Sequence[str] = (), narrows: bool = False) -> Callable[[Callable[..., None]], None]:
    """Register a function of an invocation as a command. It gets the shared options, except those in ``without``, which
    have no meaning for it; ``--all-projects`` is for commands that find. One that ``narrows`` also gets the options
    that select memories, as its last argument, ``wanted``.
    """

    def register(function: Callable[..., None]) -> None:
        left_out = {*without} if narrows or panel == FIND else {*without, "all_projects"}
        shared = [each for each in inspect.signature(_shared).parameters.values() if each.name not in left_out]
        own = list(inspect.signature(function).parameters.values())[1:]
        taken = {each.name for each in own}
        narrowing = [each for each in OPTIONS if each.name not in taken]

        def run(ctx: typer.Context, **given: Any) -> None:
            invocation = ctx.obj.refined(**{each.name: given.pop(each.name) for each in shared})
            invocation.refuse(without)
            with invocation.errors_shown():
                if narrows:
                    given["wanted"] = wanted({each.name: given.pop(each.name) for each in narrowing})
                function(invocation, **given)

        offered = [*own[:-1], *narrowing] if narrows else own
        everything = [inspect.signature(run).parameters["ctx"], *offered, *shared]
        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in everything]
        run.__doc__ = function.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        app.command(function.__name__.strip("_"), cls=PlainHelp, rich_help_panel=panel)(run)

    return register
