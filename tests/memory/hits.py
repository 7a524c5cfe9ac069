"""What the tests of searches, blocks and the profile share."""

from collections.abc import Iterable

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.model import Block, Hit


def contents(found: Block | Iterable[Hit] | None) -> list[str]:
    """The contents of hits, or of the memories in a block, in their order; of no block, none."""
    return [each.content for each in (found.items if isinstance(found, Block) else found or ())]


def text_of(block: Block | None) -> str:
    """The text of a block, which must be there."""
    assert block is not None
    return block.text


async def city(memory: Memory) -> str | None:
    """Where the user lives."""
    known = (await memory.profile()).city
    return None if known is None else known.value
