"""Arguments that several commands take, and how what people write is read."""

import sys
from datetime import datetime, time
from typing import Annotated, Literal

import typer

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, as `memory search` shows it.")]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="At most so many.")]
Knowledge = Literal["semantic", "procedural", "opinion"]
OnSimilar = Literal["keep", "supersede", "refuse"]


def moment(text: str, option: str, *, at_end: bool = False) -> datetime:
    """A time as people write it, in the zone of this machine where none is said; of a date its begin or its end."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        expected = "give a date like 2026-03-02, or a time like 2026-03-02T18:30"
        raise typer.BadParameter(f"{text!r} is no time; {expected}.", param_hint=f"'{option}'") from None
    if at_end and len(text.strip()) <= len("2026-03-02"):
        moment = datetime.combine(moment, time.max)
    return moment if moment.tzinfo else moment.astimezone()


def bound(text: str | None) -> datetime | str | None:
    """A time, or a phrase like ``last_week``, which the memory knows better."""
    try:
        return moment(text, "") if text else None
    except typer.BadParameter:
        return text


def spoken(text: str) -> str:
    """The text; ``-`` means what comes in on stdin."""
    return sys.stdin.buffer.read().decode("utf-8", "replace").rstrip("\r\n") if text == "-" else text
