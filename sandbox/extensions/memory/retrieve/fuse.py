"""Joining what the legs found. Pure."""

from collections.abc import Mapping

import numpy as np

from sandbox.extensions.memory.store.scored import Ids, Scored, added

RRF_K = 60  # Cormack et al. 2009; larger flattens the lead of the first places


def fuse(rankings: Mapping[str, Ids], weights: Mapping[str, float], k: int = RRF_K) -> Scored:
    """Weighted reciprocal rank fusion: ``sum(weight / (k + rank))`` over the rankings, ranks from 1, best first."""
    return added(
        Scored(ranking, weights[leg] / (k + np.arange(1, len(ranking) + 1))) for leg, ranking in rankings.items()
    )


def add(strengths: Mapping[str, Scored], weights: Mapping[str, float]) -> Scored:
    """Weighted sum of how strongly each leg speaks for a node, of which its best has about 1."""
    return added(found.valued(weights[leg] * found.values) for leg, found in strengths.items())


def ranks(rankings: Mapping[str, Ids], nodes: Ids) -> dict[int, dict[str, int]]:
    """For each of some nodes its place, from 1, in each ranking that has it."""
    places: dict[int, dict[str, int]] = {node: {} for node in nodes.tolist()}
    for leg, ranking in rankings.items():
        for rank, node in enumerate(ranking.tolist(), start=1):
            if node in places:
                places[node][leg] = rank
    return places
