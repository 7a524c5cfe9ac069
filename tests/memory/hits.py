"""What the tests of searches share."""

from collections.abc import Iterable

from sandbox.extensions.memory.model import Block, Hit


def contents(found: Block | Iterable[Hit] | None) -> list[str]:
    """The contents of hits, or of the memories in a block, in their order; of no block, none."""
    return [each.content for each in (found.items if isinstance(found, Block) else found or ())]
