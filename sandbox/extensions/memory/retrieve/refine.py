"""The last word on the order: what holds comes before what it replaced, or counts for more than. Pure."""

import math
from collections.abc import Iterable, Mapping


def lead(scores: Mapping[int, float], replacements: Iterable[tuple[int, int]]) -> dict[int, float]:
    """Scores in which nothing outranks what prevails over it: what replaced it, or is the later of two of which perhaps
    one holds. ``replacements`` are (old, new) pairs; chains are followed.
    """
    out = dict(scores)
    pairs = [(old, new) for old, new in replacements if old in out and new in out]
    for _ in pairs:  # a chain of n replacements settles in n rounds
        for old, new in pairs:
            out[new] = max(out[new], math.nextafter(out[old], math.inf))
    return out


def ordered(scores: Mapping[int, float]) -> list[int]:
    """Ids best first; of equals the younger."""
    return sorted(scores, key=lambda node: (-scores[node], -node))
