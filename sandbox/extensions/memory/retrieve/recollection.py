"""The results of a search."""

from typing import NamedTuple

from sandbox.extensions.memory.model import Walked
from sandbox.extensions.memory.store.rows import Node


class Recollection(NamedTuple):
    """A memory that was found: its rank in each leg and, if the vectors found it, its cosine with the question
    (``similarity``) and with the question's rare words (``rare_word_similarity``); ``edges`` lead to it, in an
    explained search. It is a tuple, like ``Node``.
    """

    node: Node
    score: float
    legs: dict[str, int]
    similarity: float | None
    rare_word_similarity: float | None = None
    edges: tuple[Walked, ...] = ()
