"""What the memory did by itself since the user was told last: a few lines in a block. Pure.

They hold ids and no content: what stands in such a memory need not be the user's word.
"""

from collections.abc import Sequence

from sandbox.extensions.memory.assemble.render import CLOSING, OPENING, day
from sandbox.extensions.memory.store.proposals import PROPOSED
from sandbox.extensions.memory.store.retention import EXPIRED
from sandbox.extensions.memory.store.rows import Node

_HEADING = "## News of the memory, to be told to the user once"
_EMPTY = f"{OPENING}\n{CLOSING}"
_NAMED = 5  # ids


def news(untold: Sequence[Node]) -> str:
    """What there is to tell; empty where there is nothing."""
    lines = []
    if away := [node for node in untold if node.retired_by == EXPIRED]:
        going = [node.purge_at for node in away if node.purge_at is not None]
        until = f" until {day(min(going))}, when they are deleted" if going else ""
        lines.append(f"- Put away, since nobody used them: {_named(away)}. `memory restore ID` brings one back{until}.")
    if waiting := [node for node in untold if node.retired_by == PROPOSED]:
        lines.append(
            f"- Wait for the user's yes or no: {_named(waiting)}. `memory proposals` shows what they would change."
        )
    return "\n".join([_HEADING, *lines]) if lines else ""


def with_news(text: str, told: str) -> str:
    """A block with news at its end."""
    return f"{(text or _EMPTY).removesuffix(CLOSING)}{told}\n{CLOSING}"


def _named(nodes: Sequence[Node]) -> str:
    ids = ", ".join(node.public_id for node in nodes[:_NAMED])
    return f"{ids} and {len(nodes) - _NAMED} more" if len(nodes) > _NAMED else ids
