"""The last step of ordering: a valid memory comes before the memory that it replaced or outweighs. Pure."""

import math
from collections.abc import Sequence

import numpy as np

from sandbox.extensions.memory.store.indexes.scored import Scored


def lead(scores: Scored, replacements: Sequence[tuple[int, int]]) -> Scored:
    """Scores in which no memory comes before one that outranks it: its replacement, or the later one of a possible
    conflict. ``replacements`` are (old, new) pairs; chains are followed.
    """
    if not replacements:
        return scores
    place = {node: index for index, node in enumerate(scores.ids.tolist())}
    pairs = [(place[old], place[new]) for old, new in replacements if old in place and new in place]
    out = scores.values.tolist()
    for _ in pairs:  # a chain of n replacements needs n rounds
        for old, new in pairs:
            out[new] = max(out[new], math.nextafter(out[old], math.inf))
    return scores.valued(np.array(out, float))


def ordered(scores: Scored) -> Scored:
    """The scores, best first; of equal ones, the younger node first."""
    return scores[np.lexsort((-scores.ids, -scores.values))]
