"""Joining what the legs found."""

from collections.abc import Mapping, Sequence

RRF_K = 60  # Cormack et al. 2009; larger flattens the lead of the first places


def fuse(rankings: Mapping[str, Sequence[int]], weights: Mapping[str, float], k: int = RRF_K) -> dict[int, float]:
    """Weighted reciprocal rank fusion: ``sum(weight / (k + rank))`` over the rankings, ranks from 1, best first."""
    scores: dict[int, float] = {}
    for leg, ranking in rankings.items():
        for rank, node in enumerate(ranking, start=1):
            scores[node] = scores.get(node, 0.0) + weights[leg] / (k + rank)
    return scores


def add(strengths: Mapping[str, Mapping[int, float]], weights: Mapping[str, float]) -> dict[int, float]:
    """Weighted sum of how strongly each leg speaks for a node, of which its best has about 1."""
    scores: dict[int, float] = {}
    for leg, found in strengths.items():
        weight = weights[leg]
        for node, strength in found.items():
            scores[node] = scores.get(node, 0.0) + weight * strength
    return scores


def ranks(rankings: Mapping[str, Sequence[int]]) -> dict[int, dict[str, int]]:
    """For every node its place, from 1, in each ranking that has it."""
    places: dict[int, dict[str, int]] = {}
    for leg, ranking in rankings.items():
        for rank, node in enumerate(ranking, start=1):
            places.setdefault(node, {})[leg] = rank
    return places
