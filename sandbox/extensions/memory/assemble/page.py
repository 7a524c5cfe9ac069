"""A memory as a Markdown page for people: the user, knowledge by category, and turns by conversation."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from sandbox.extensions.memory.assemble.profile import profile
from sandbox.extensions.memory.assemble.render import day, whom, whose_word
from sandbox.extensions.memory.profile import FIELDS, UserProfile
from sandbox.extensions.memory.store import transfer
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.support.times import from_ms, in_zone, local_day


def page(snapshot: Snapshot, filter_: Filter) -> Iterator[str]:
    """The lines of the page, without faded, replaced and forgotten memories."""
    yield "# Memory"
    yield ""
    yield f"As of {local_day(filter_.now)}. Ids stand in brackets: `memory explain ID` tells how something is known."
    known = list(transfer.known(snapshot, filter_))
    if fields := _fields(profile(snapshot, filter_)):
        yield from _section("Profile", fields)
    for category, nodes in groupby(known, key=lambda node: node.category or "fact"):
        yield from _section(category.capitalize(), [_statement(node) for node in nodes])
    yield from _conversations(transfer.turns(snapshot, filter_))


def _fields(known: UserProfile) -> list[str]:
    values = [(field, getattr(known, field)) for field in FIELDS]
    listed = [(field, value if isinstance(value, tuple) else (value,)) for field, value in values if value]
    return [f"{field.replace('_', ' ')}: {each.value}" for field, many in listed for each in many]


def _section(title: str, points: Sequence[str]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    for point in points:
        first, *more = point.splitlines() or [""]
        yield f"- {first}"
        yield from (f"  {line}" for line in more)


def _statement(node: Node) -> str:
    until = f" until {local_day(node.valid_until)}" if node.valid_until is not None else ""
    notes = ", ".join(filter(None, (f"{day(node)}{until}", whose_word(node))))
    return f"{whom(node)}{node.content} ({notes}) [{node.public_id}]"


def _conversations(turns: Iterator[Node]) -> Iterator[str]:
    yield ""
    yield "## Conversations"
    for session, said in groupby(turns, key=lambda node: (node.project_id, node.session_id)):
        yield ""
        yield f"### {session[1] or 'Without a name'}"
        for turn in said:
            yield ""
            at = in_zone(from_ms(turn.event_time))
            yield f"**{turn.speaker or turn.role}**, {at:%Y-%m-%d %H:%M} [{turn.public_id}]"
            yield ""
            yield from (f"> {line}".rstrip() for line in turn.content.splitlines())
