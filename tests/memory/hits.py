"""What the tests of answers share."""

from collections.abc import Iterable
from typing import TypeVar

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.model import Block, Hit

T = TypeVar("T")


def present(value: T | None) -> T:
    """A value that must be there."""
    assert value is not None
    return value


def contents(found: Block | Iterable[Hit] | None) -> list[str]:
    """The contents of hits, or of the memories in a block, in their order; of no block, none."""
    return [each.content for each in (found.items if isinstance(found, Block) else found or ())]


def text_of(block: Block | None) -> str:
    """The text of a block, which must be there."""
    return present(block).text


async def city(memory: Memory) -> str | None:
    """Where the user lives."""
    known = (await memory.profile()).city
    return None if known is None else known.value
