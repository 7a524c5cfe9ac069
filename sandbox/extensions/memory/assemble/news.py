"""The lines at the beginning of a block about changes from outside its conversation. Pure.

The lines tell the user once what the memory did by itself. They hold ids and no content, because the text of such a
memory need not be the user's word.
"""

from collections.abc import Mapping, Sequence

from sandbox.extensions.memory.assemble.render import CLOSING, OPENING, fact
from sandbox.extensions.memory.store.changes import ChangesSince, Kind
from sandbox.extensions.memory.store.decisions import EXPIRED, PROPOSED
from sandbox.extensions.memory.store.rows import Node
from sandbox.support.times import local_day

_HEADING = "## News of the memory, to be told to the user once"
_EMPTY = f"{OPENING}\n{CLOSING}"
_NAMED = 5  # ids
_BULLETS = 3
_LONGEST = 160  # characters of a memory in a list item
_SIGNS: Mapping[Kind, str] = {"created": "+created", "updated": "^updated", "merged": "<>merged", "removed": "-removed"}


def news(unannounced: Sequence[Node], delta: ChangesSince | None) -> str:
    """The lines; empty if there is no news."""
    return "\n".join([*_updates(delta), *_by_itself(unannounced)])


def with_news(text: str, announced: str) -> str:
    """A block with the news at its beginning."""
    return f"{OPENING}\n{announced}{(text or _EMPTY).removeprefix(OPENING)}"


def _updates(delta: ChangesSince | None) -> list[str]:
    """The changes by others, the latest first."""
    if delta is None or not delta.updates:
        return []
    count = len(delta.updates)
    of = f" (the latest {_BULLETS} of {count})" if count > _BULLETS else ""
    heading = f"## Memory updates since rev {delta.since.number}{of}"
    return [heading, *(f"- {_SIGNS[kind]}: {_shortened(kind, node)}" for kind, node in delta.updates[:_BULLETS])]


def _shortened(kind: Kind, node: Node) -> str:
    """The line for a memory, shortened; for a removed memory only its id."""
    if kind == "removed":
        return node.public_id
    said = " ".join(node.content.split())
    if len(said) > _LONGEST:
        said = said[: _LONGEST - 1] + "…"
    category = f"[{(node.category or node.type).title()}] "
    return category + fact(node._replace(content=said)).removeprefix("- ")


def _by_itself(unannounced: Sequence[Node]) -> list[str]:
    """The changes by the memory itself that no block has announced."""
    lines = []
    if away := [node for node in unannounced if node.retired_by == EXPIRED]:
        going = [node.purge_at for node in away if node.purge_at is not None]
        until = f" until {local_day(min(going))}, when they are deleted" if going else ""
        lines.append(f"- Put away, since nobody used them: {_named(away)}. `memory restore ID` brings one back{until}.")
    if waiting := [node for node in unannounced if node.retired_by == PROPOSED]:
        lines.append(
            f"- Wait for the user's yes or no: {_named(waiting)}. `memory proposals` shows what they would change."
        )
    return [_HEADING, *lines] if lines else []


def _named(nodes: Sequence[Node]) -> str:
    ids = ", ".join(node.public_id for node in nodes[:_NAMED])
    return f"{ids} and {len(nodes) - _NAMED} more" if len(nodes) > _NAMED else ids
