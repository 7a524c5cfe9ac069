"""One run of the command: its memory, its user, and the form of its answer. Errors are handled here, and only here.

Nothing heavy is imported before a memory is opened or something is printed, so that ``--help`` is quick.
"""

import json
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from sandbox.cli.arguments import OPTIONS, called

if TYPE_CHECKING:
    from sandbox.cli.page import Page
    from sandbox.extensions.memory import Memory, Scope

T = TypeVar("T")

REFUSED, CALLED_WRONGLY = 1, 2  # exit codes; 0 is fine

_ARGUMENTS = {each.name for each in OPTIONS} | set(
    "cursor encoding folder importance into order path profile session threshold trust user_id".split()
)
"""The arguments of the memory that options of their own give."""

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]")  # characters that JSON would let through


@dataclass(frozen=True, slots=True)
class Invocation:
    """The options that commands share: ``--home``, ``--json``, ``--user``, ``--project``, ``--all-projects``."""

    home: str | None = None
    as_json: bool = False
    user: str | None = None
    project: str | None = None
    all_projects: bool = False

    def refined(
        self,
        home: str | None = None,
        as_json: bool = False,
        user: str | None = None,
        project: str | None = None,
        all_projects: bool = False,
    ) -> "Invocation":
        """The same, overridden by options after the command."""
        if all_projects and (project or self.project):
            raise typer.BadParameter("give it or --project, not both.", param_hint="'--all-projects'")
        given = Invocation(
            home or self.home, as_json or self.as_json, user or self.user, project or self.project, all_projects
        )
        is_path = project is not None and (project.startswith((".", "~")) or Path(project).is_absolute())
        return replace(given, project=_at(project, given.folder)) if project and is_path else given

    @property
    def folder(self) -> Path:
        """The home of the memory, as an absolute path."""
        from sandbox.cli.hook import home_folder

        try:
            return home_folder(self.home)
        except RuntimeError as error:  # there is neither HOME nor an entry of the user, as in a container
            raise typer.BadParameter("you have no home directory; name a folder.", param_hint="'--home'") from error

    @property
    def scope(self) -> "Scope":
        """The scope. With a project, memories belong to it and are found only in it."""
        from sandbox.extensions.memory import Scope

        if self.project:
            return Scope(user_id=self.user or "default", project_id=self.project, visibility="project")
        return Scope(user_id=self.user or "default", all_projects=self.all_projects)

    @property
    def elsewhere(self) -> str:
        """Where else to search after an empty result: in the project of this folder, or in others."""
        projects = () if self.project or self.all_projects else self.ask_quickly("projects", scope=self.scope)
        if projects and self.refined(project=".").project in projects:
            return " What was said in this folder is found with `--project .`."
        from sandbox.cli.page import named

        return f" What was said in projects is found with `--all-projects`: {named(projects)}." if projects else ""

    def refuse(self, names: Iterable[str]) -> None:
        """Refuse options that have no meaning for a command."""
        for name in names:
            if getattr(self, name):
                option = f"'--{name.removeprefix('as_')}'"
                raise typer.BadParameter("it means nothing to this command; leave it out.", param_hint=option)

    def ask(self, question: "Callable[[Memory], Awaitable[T]]") -> T:
        """The answer of the memory, which is opened for the question and closed after it."""
        from sandbox.cli.opening import ask

        return ask(self.folder, question)

    def ask_quickly(self, method: str, *given: Any, **named: Any) -> Any:
        """The answer of a method of the memory, by the resident process if there is one."""
        import pickle

        from sandbox.extensions.memory_hooks import client

        try:
            return pickle.loads(client.ask(self.folder, {"do": "call", "method": method}, pickle.dumps((given, named))))
        except client.NoResident:
            return self.ask(lambda memory: getattr(memory, method)(*given, **named))

    def show(self, answer: Any, render: "Callable[[Page], None]") -> None:
        """Print the answer: as one JSON document for programs, or as text for people."""
        if self.as_json:
            print_json(answer)
        else:
            from sandbox.cli.page import Page

            render(Page())

    @contextmanager
    def errors_shown(self) -> Iterator[None]:
        """Print expected errors as one line on stderr, with an exit code; others are bugs and show a traceback."""
        try:
            yield
        except Exception as error:
            from sandbox.support.errors import DocumentedError

            if not isinstance(error, DocumentedError):
                raise
            from sandbox.extensions.memory.errors import InvalidArgument, UnknownStep

            shown = _as_typed(error)
            complain(f"Error: {shown}")
            if self.as_json:
                print_json(as_error(shown))
            is_call_wrong = isinstance(error, InvalidArgument | UnknownStep)
            raise typer.Exit(CALLED_WRONGLY if is_call_wrong else REFUSED) from error


def _at(path: str, home: Path) -> str | None:
    """The project of a folder; a path where no folder is may be the name of a repository that was moved."""
    from sandbox.extensions.memory.ingest.project import project_of

    is_folder = os.path.isdir(os.path.expanduser(path))  # noqa: PTH111, PTH112 (`Path` raises for "~nobody", long names)
    return project_of(path, home) if is_folder else path


def print_json(answer: Any) -> None:
    """Print one JSON document."""
    from sandbox.extensions.memory.model import to_plain

    print_line(escaped(json.dumps(to_plain(answer), ensure_ascii=False, indent=2)))


def print_line(text: str) -> None:
    """Print to stdout; end the program if its reader has left (``| head``), which is no error."""
    try:
        print(text)
    except BrokenPipeError:
        raise SystemExit(0) from None


def escaped(document: str) -> str:
    """JSON without control sequences for a terminal."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


def as_error(error: Exception) -> dict[str, dict[str, str]]:
    """An error in the form for programs."""
    return {"error": {"type": type(error).__name__, "message": str(error)}}


def complain(message: str) -> None:
    """Print a line on stderr."""
    from sandbox.support.characters import printable

    print(" ".join(printable(message).split()), file=sys.stderr)


def _as_typed(error: Exception) -> Exception:
    """The same error, with the option's name in place of the argument's."""
    from sandbox.extensions.memory.errors import InvalidArgument

    if not isinstance(error, InvalidArgument) or error.details["argument"] not in _ARGUMENTS:
        return error
    return InvalidArgument(**{**error.details, "argument": called(error.details["argument"])})
