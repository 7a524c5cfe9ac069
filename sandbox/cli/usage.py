"""Wrong usage of a command: an explanation in plain words, or a JSON document for programs."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from typer.exceptions import TyperException

from sandbox.cli.invocation import CALLED_WRONGLY, print_json


def explain(error: TyperException, arguments: Sequence[str]) -> int:
    """Print what is wrong; return the exit code."""
    _reword(error)
    error.show()  # type: ignore[attr-defined]  # each of these has it, beside its base
    if error.exit_code == CALLED_WRONGLY and "--json" in takewhile("--".__ne__, arguments):
        print_json({"error": {"type": "UsageError", "message": error.format_message()}})
    return error.exit_code


def _reword(error: TyperException) -> None:
    """Put a library's message about a value into plain words."""
    problems: Sequence[Any] = getattr(error.__cause__, "errors", list)()
    if not problems:
        return
    given = repr(problems[0]["input"])
    choices = error.param.type_descriptor.choices  # type: ignore[attr-defined]  # of a parameter with a wrong value
    match problems[0]:
        case _ if choices:
            *others, last = choices
            error.message = f"{given} is none of {', '.join(others)} and {last}."
        case {"type": "greater_than_equal", "ctx": {"ge": least}}:
            error.message = f"{given} is less than {least}."
        case _:
            error.message = f"{given} is no whole number."
