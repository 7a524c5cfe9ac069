"""Arguments that several commands share, and their conversion to values."""

import sys
from datetime import datetime, time, timedelta
from inspect import Parameter
from typing import Annotated, Any, Literal

import typer

from sandbox.support.times import LOCAL

Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a memory, as `memory search` shows it.")]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="Show N at most.")]
Knowledge = Literal["semantic", "procedural", "opinion"]
OnSimilar = Literal["keep", "supersede", "refuse"]


def check_consent(*, as_json: bool, yes: bool) -> None:
    """Refuse a command that asks first and cannot: a program reads its answer."""
    if as_json and not yes:
        raise typer.BadParameter("with --json the command cannot ask; add --yes.", param_hint="'--json'")


def ask_consent(question: str) -> None:
    """Ask the person, and end the command unless they agree."""
    if not is_agreed(question):
        raise typer.Abort


def is_agreed(question: str) -> bool:
    """Ask the person; whether they agree."""
    return bool(typer.prompt(f"{question} [y/N]", default="n", show_default=False, value_proc=_is_yes, err=True))


def _is_yes(answer: str) -> bool:
    if (short := answer.strip().lower()) not in ("y", "yes", "n", "no", ""):
        raise typer.BadParameter("answer y or n.")
    return short.startswith("y")


def moment(text: str, option: str, *, at_end: bool = False) -> datetime:
    """A time as people write it, in this machine's zone if it names none; for a date its beginning or its end."""
    try:
        written = _as_iso(text.strip())
        moment = datetime.fromisoformat(written)
        if at_end and len(written) <= len("2026-03-02"):
            moment = datetime.combine(moment, time.max)
        return moment if moment.tzinfo else moment.replace(tzinfo=LOCAL)
    except ValueError:
        expected = "give a date like 2026-03-02 or yesterday, or a time like 2026-03-02T18:30"
        raise typer.BadParameter(f"{text!r} is no time; {expected}.", param_hint=f"'{option}'") from None


def _as_iso(text: str) -> str:
    """``today`` and ``yesterday`` by the calendar of this machine, and dates in the forms that an import reads."""
    if (ago := {"today": 0, "yesterday": 1}.get(text.lower())) is not None:
        return (datetime.now(LOCAL).date() - timedelta(days=ago)).isoformat()
    if "." not in text[:5] and "/" not in text[:5]:
        return text
    from sandbox.extensions.memory.ingest.importers.records import iso

    return iso(text)


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


_WHEN = "a date, a time, today, yesterday, last_week, last_month or last_year"
_Several, _One, _Number, _Flag = list[str] | None, str | None, int | None, bool | None

_CALLED = {
    "types": "--type",
    "tags": "--tag",
    "trusted_as": "--trust",
    "importance_min": "--importance",
    "agent_id": "--agent",
    "actor_id": "--actor",
    "session_id": "--session",
    "user_id": "--user",
    "folder": "--home",
    "into": "--merge",
    "path": "FILE",
}


def called(argument: str) -> str:
    """What an argument of the memory is called on the command line."""
    return _CALLED.get(argument, f"--{argument.replace('_', '-')}")


def _option(name: str, type_: Any, metavar: str | None, help: str, *forms: str) -> Parameter:
    """A filter as an option of a command, as part of its signature."""
    kind = Annotated[type_, typer.Option(*(forms or [called(name)]), metavar=metavar, help=help, show_default=False)]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)


OPTIONS = (
    _option("types", _Several, "TYPE", "Only episodic, semantic, procedural or opinion; may be repeated."),
    _option("category", _Several, "NAME", "Only this category; repeated: any of them."),
    _option("tags", _Several, "WORD", "Only with this tag; repeated: with all of them."),
    _option("subject", _One, "NAME", "Only memories about this person or thing."),
    _option("entity", _One, "NAME", "Only memories that mention this person or thing, and turns of the person."),
    _option("context", _Several, "NAME", "Only memories of this group; repeated: of any of them."),
    _option("role", _Several, "ROLE", "Only turns of user, assistant, system or tool; may be repeated."),
    _option("source", _Several, "NAME", "Only memories from this source, for example explicit; may be repeated."),
    _option(
        "trusted_as",
        _Several,
        "TRUST",
        "Only memories of this trust: confirmed, user, assistant, tool or web; may be repeated.",
    ),
    _option("pinned", _Flag, None, "Only pinned memories, or only others.", "--pinned/--not-pinned"),
    _option("importance_min", _Number, "N", "Only memories of at least this importance, 1 to 5."),
    _option("agent_id", _One, "ID", "Only memories that this agent stored."),
    _option("actor_id", _One, "ID", "Only memories that were stored on behalf of this actor."),
    _option("session_id", _One, "ID", "Only memories from this conversation."),
    _option("after", _One, "WHEN", f"Only events from this time on: {_WHEN}."),
    _option("before", _One, "WHEN", "Only events before this time."),
    _option("created_after", _One, "WHEN", "Only memories first stored from this time on."),
    _option("created_before", _One, "WHEN", "Only memories first stored before this time."),
    _option("updated_after", _One, "WHEN", "Only memories stored or corrected since this time."),
    _option("updated_before", _One, "WHEN", "Only memories last changed before this time."),
    _option("state", _One, "STATE", "Only live, quarantined, retired or forgotten memories."),
    _option("as_of", _One, "WHEN", "Answer as on that day, with the facts and beliefs of that day."),
    _option("history", _Flag, None, "Also memories that were replaced or have faded.", called("history")),
)

_TIMES = ("after", "before", "created_after", "created_before", "updated_after", "updated_before")


def wanted(given: dict[str, Any]) -> dict[str, Any]:
    """The given options as filters of the memory."""
    found = {name: value for name, value in given.items() if value not in (None, [])}
    if "as_of" in found:
        found["as_of"] = moment(found["as_of"], "--as-of", at_end=True)
    return found | {name: bound(found[name]) for name in _TIMES if name in found}
