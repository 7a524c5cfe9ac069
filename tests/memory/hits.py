"""What the tests of searches share."""

from collections.abc import Iterable

from sandbox.extensions.memory.model import Hit


def contents(hits: Iterable[Hit]) -> list[str]:
    """The contents of hits, in their order."""
    return [hit.content for hit in hits]
