"""The options that select memories, the same for every command that has them."""

from typing import Annotated, Any

import typer

from sandbox.cli.arguments import bound, moment

_WHEN = "a date, a time, last_week, last_month or last_year"

Type = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="TYPE", help="Only episodic, semantic, procedural or opinion; may be repeated."),
]
Category = Annotated[
    list[str] | None, typer.Option("--category", metavar="NAME", help="Only this category; repeated: any of them.")
]
Tag = Annotated[
    list[str] | None, typer.Option("--tag", metavar="WORD", help="Only with this tag; repeated: with all of them.")
]
Subject = Annotated[str | None, typer.Option(metavar="NAME", help="Only memories about this person or thing.")]
Entity = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Only memories that mention this person or thing, and turns of the person."),
]
Context = Annotated[
    list[str] | None,
    typer.Option("--context", metavar="NAME", help="Only memories of this group; repeated: of any of them."),
]
Role = Annotated[
    list[str] | None,
    typer.Option("--role", metavar="ROLE", help="Only turns of user, assistant, system or tool; may be repeated."),
]
Source = Annotated[
    list[str] | None,
    typer.Option(
        "--source", metavar="NAME", help="Only memories from this source, for example explicit; may be repeated."
    ),
]
TrustedAs = Annotated[
    list[str] | None,
    typer.Option(
        "--trust",
        metavar="TRUST",
        help="Only memories of this trust: confirmed, user, assistant, tool or web; may be repeated.",
    ),
]
Pinned = Annotated[bool | None, typer.Option("--pinned/--not-pinned", help="Only pinned memories, or only others.")]
Importance = Annotated[int | None, typer.Option(metavar="N", help="Only memories of at least this importance, 1 to 5.")]
Agent = Annotated[str | None, typer.Option(metavar="ID", help="Only memories that this agent stored.")]
Actor = Annotated[
    str | None, typer.Option(metavar="ID", help="Only memories that were stored on behalf of this actor.")
]
Session = Annotated[str | None, typer.Option(metavar="ID", help="Only memories from this conversation.")]
After = Annotated[str | None, typer.Option(metavar="WHEN", help=f"Only events from this time on: {_WHEN}.")]
Before = Annotated[str | None, typer.Option(metavar="WHEN", help="Only events before this time.")]
CreatedAfter = Annotated[str | None, typer.Option(metavar="WHEN", help="Only memories first stored from this time on.")]
CreatedBefore = Annotated[str | None, typer.Option(metavar="WHEN", help="Only memories first stored before this time.")]
UpdatedAfter = Annotated[
    str | None, typer.Option(metavar="WHEN", help="Only memories stored or corrected since this time.")
]
UpdatedBefore = Annotated[str | None, typer.Option(metavar="WHEN", help="Only memories last changed before this time.")]
State = Annotated[
    str | None, typer.Option(metavar="STATE", help="Only live, quarantined, retired or forgotten memories.")
]
AsOf = Annotated[
    str | None, typer.Option(metavar="WHEN", help="Answer as on that day, with the facts and beliefs of that day.")
]
History = Annotated[bool, typer.Option("--history", help="Also memories that were replaced or have faded.")]


def options(
    type: Type = None,
    category: Category = None,
    tag: Tag = None,
    subject: Subject = None,
    entity: Entity = None,
    context: Context = None,
    role: Role = None,
    source: Source = None,
    trust: TrustedAs = None,
    pinned: Pinned = None,
    importance: Importance = None,
    agent: Agent = None,
    actor: Actor = None,
    session: Session = None,
    after: After = None,
    before: Before = None,
    created_after: CreatedAfter = None,
    created_before: CreatedBefore = None,
    updated_after: UpdatedAfter = None,
    updated_before: UpdatedBefore = None,
    state: State = None,
    as_of: AsOf = None,
    history: History = False,
) -> None:
    """The options, as a signature."""


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
