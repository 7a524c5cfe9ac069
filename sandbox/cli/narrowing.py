"""The options that select memories, the same for every command that has them."""

from inspect import Parameter
from typing import Annotated, Any

import typer

from sandbox.cli.arguments import bound, moment

_WHEN = "a date, a time, last_week, last_month or last_year"
_Several, _One, _Number, _Flag = list[str] | None, str | None, int | None, bool | None


def _option(name: str, type_: Any, metavar: str | None, help: str, *forms: str) -> Parameter:
    """An option of a command, as part of its signature."""
    forms = forms or (f"--{name.replace('_', '-')}",)
    kind = Annotated[type_, typer.Option(*forms, metavar=metavar, help=help, show_default=False)]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)


OPTIONS = (
    _option("type", _Several, "TYPE", "Only episodic, semantic, procedural or opinion; may be repeated."),
    _option("category", _Several, "NAME", "Only this category; repeated: any of them."),
    _option("tag", _Several, "WORD", "Only with this tag; repeated: with all of them."),
    _option("subject", _One, "NAME", "Only memories about this person or thing."),
    _option("entity", _One, "NAME", "Only memories that mention this person or thing, and turns of the person."),
    _option("context", _Several, "NAME", "Only memories of this group; repeated: of any of them."),
    _option("role", _Several, "ROLE", "Only turns of user, assistant, system or tool; may be repeated."),
    _option("source", _Several, "NAME", "Only memories from this source, for example explicit; may be repeated."),
    _option(
        "trust",
        _Several,
        "TRUST",
        "Only memories of this trust: confirmed, user, assistant, tool or web; may be repeated.",
    ),
    _option("pinned", _Flag, None, "Only pinned memories, or only others.", "--pinned/--not-pinned"),
    _option("importance", _Number, "N", "Only memories of at least this importance, 1 to 5."),
    _option("agent", _One, "ID", "Only memories that this agent stored."),
    _option("actor", _One, "ID", "Only memories that were stored on behalf of this actor."),
    _option("session", _One, "ID", "Only memories from this conversation."),
    _option("after", _One, "WHEN", f"Only events from this time on: {_WHEN}."),
    _option("before", _One, "WHEN", "Only events before this time."),
    _option("created_after", _One, "WHEN", "Only memories first stored from this time on."),
    _option("created_before", _One, "WHEN", "Only memories first stored before this time."),
    _option("updated_after", _One, "WHEN", "Only memories stored or corrected since this time."),
    _option("updated_before", _One, "WHEN", "Only memories last changed before this time."),
    _option("state", _One, "STATE", "Only live, quarantined, retired or forgotten memories."),
    _option("as_of", _One, "WHEN", "Answer as on that day, with the facts and beliefs of that day."),
    _option("history", _Flag, None, "Also memories that were replaced or have faded.", "--history"),
)


CALLED = {
    "types": "--type",
    "tags": "--tag",
    "trusted_as": "--trust",
    "importance_min": "--importance",
    "agent_id": "--agent",
    "actor_id": "--actor",
    "session_id": "--session",
}
"""Names of options that differ from the names of fields."""

_FIELDS = {option.removeprefix("--"): field for field, option in CALLED.items()}
_TIMES = ("after", "before", "created_after", "created_before", "updated_after", "updated_before")


def wanted(given: dict[str, Any]) -> dict[str, Any]:
    """The given options as fields for the memory."""
    found = {_FIELDS.get(name, name): value for name, value in given.items() if value not in (None, [], False)}
    if given.get("pinned") is False:
        found["pinned"] = False
    if "as_of" in found:
        found["as_of"] = moment(found["as_of"], "--as-of", at_end=True)
    return found | {name: bound(found[name]) for name in _TIMES if name in found}
