"""The results of a search."""

from typing import NamedTuple

from sandbox.extensions.memory.model import Walked
from sandbox.extensions.memory.store.rows import Node


class Recollection(NamedTuple):
    """A memory that was found: where each leg ranked it, and, where the vectors found it, its cosine with the question
    (``similarity``) and with the question's telling words (``nearness``); the ``edges`` that brought it, where somebody
    wants to know. A tuple, like ``Node``.
    """

    node: Node
    score: float
    legs: dict[str, int]
    similarity: float | None
    nearness: float | None = None
    edges: tuple[Walked, ...] = ()
