"""The last step of ordering: a valid memory comes before the memory that it replaced or outweighs. Pure."""

import math
from collections.abc import Sequence

import numpy as np

from sandbox.extensions.memory.store.indexes.scored import Scored


def lead(scores: Scored, replacements: Sequence[tuple[int, int]]) -> Scored:
    """Scores in which nothing outranks what prevails over it: what replaced it, or is the later of two of which perhaps
    one holds. ``replacements`` are (old, new) pairs; chains are followed.
    """
    if not replacements:
        return scores
    place = {node: index for index, node in enumerate(scores.ids.tolist())}
    pairs = [(place[old], place[new]) for old, new in replacements if old in place and new in place]
    out = scores.values.tolist()
    for _ in pairs:  # a chain of n replacements settles in n rounds
        for old, new in pairs:
            out[new] = max(out[new], math.nextafter(out[old], math.inf))
    return scores.valued(np.array(out, float))


def ordered(scores: Scored) -> Scored:
    """The same, best first; of equals the younger."""
    return scores[np.lexsort((-scores.ids, -scores.values))]
