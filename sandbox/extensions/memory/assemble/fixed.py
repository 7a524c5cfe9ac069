"""Render the block that does not change during a conversation, by category. Pure."""

from collections.abc import Sequence
from itertools import groupby

from sandbox.extensions.memory.assemble.render import CLOSING, OPENING, escape
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.text.fence import plain_name


def fixed(known: Sequence[Node]) -> str:
    """The memories in the given order, under a heading for each category."""
    parts = [OPENING]
    for category, nodes in groupby(known, lambda node: node.category or node.type):
        parts += ["", f"### {escape(category).title()}", *map(line, nodes)]
    return "\n".join([*parts, CLOSING])


def line(node: Node) -> str:
    """One memory: its id, its subject and its content."""
    subject = f"[{name}] " if node.subject and (name := plain_name(node.subject)) else ""
    return f"- [id:{node.public_id}] {subject}{escape(node.content)}"
