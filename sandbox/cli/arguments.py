"""Arguments that several commands share, and their conversion to values."""

import sys
from datetime import datetime, time
from typing import Annotated, Literal

import typer

from sandbox.support.times import LOCAL

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, as `memory search` shows it.")]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="Show N at most.")]
Knowledge = Literal["semantic", "procedural", "opinion"]
OnSimilar = Literal["keep", "supersede", "refuse"]


def check_consent(*, as_json: bool, yes: bool) -> None:
    """Refuse a command that asks first and cannot: a program reads its answer."""
    if as_json and not yes:
        raise typer.BadParameter("with --json nobody can be asked; add --yes.", param_hint="'--json'")


def moment(text: str, option: str, *, at_end: bool = False) -> datetime:
    """A time as people write it, in this machine's zone if it names none; for a date its beginning or its end."""
    try:
        moment = datetime.fromisoformat(text.strip())
        if at_end and len(text.strip()) <= len("2026-03-02"):
            moment = datetime.combine(moment, time.max)
        return moment if moment.tzinfo else moment.replace(tzinfo=LOCAL)
    except ValueError:
        expected = "give a date like 2026-03-02, or a time like 2026-03-02T18:30"
        raise typer.BadParameter(f"{text!r} is no time; {expected}.", param_hint=f"'{option}'") from None


def bound(text: str | None) -> datetime | str | None:
    """A time, or a phrase like ``last_week``, which the memory reads."""
    try:
        return moment(text, "") if text else None
    except typer.BadParameter:
        return text


def spoken(text: str) -> str:
    """The text; for ``-`` the text from stdin. No character of either is guessed."""
    if text != "-":
        if any("\ud800" <= each <= "\udfff" for each in text):  # bytes that could not be decoded
            raise typer.BadParameter("it has bytes that are not in the encoding of this terminal.", param_hint="'TEXT'")
        return text
    try:
        return sys.stdin.buffer.read().decode().rstrip("\r\n")
    except UnicodeDecodeError as error:
        place = f"what comes in on stdin is not UTF-8, at byte {error.start + 1:,}; convert it first."
        raise typer.BadParameter(place, param_hint="'-'") from None
