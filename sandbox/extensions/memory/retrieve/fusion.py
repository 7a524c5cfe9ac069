"""Join the results of the legs: by weighted scores (adr/0016), or by reciprocal ranks."""

from collections.abc import Mapping, Sequence

import numpy as np

from sandbox.extensions.memory.retrieve.protocols import Leg, SearchContext
from sandbox.extensions.memory.store.indexes.scored import Ids, Scored, added

_NOTHING = Scored.of({})


def fuse(context: SearchContext, legs: Sequence[Leg]) -> Scored:
    """One score for each node that one of the ``legs`` found, by the fusion of the settings."""
    config = context.config
    if config.fusion == "ranks":
        weights = {leg.name: getattr(config, f"rrf_weight_{leg.name}", leg.weight) for leg in legs}
        return reciprocal_ranks({leg.name: context.found[leg.name].ids for leg in legs}, weights, config.rrf_k)
    return weighted_sum({leg.name: leg.strengths(context) for leg in legs}, {leg.name: leg.weight for leg in legs})


def reciprocal_ranks(rankings: Mapping[str, Ids], weights: Mapping[str, float], k: int) -> Scored:
    """``sum(weight / (k + rank))`` over the rankings, ranks from 1, best first (Cormack et al. 2009: k = 60). Pure."""
    places = (Scored(ranking, weights[leg] / (k + np.arange(1, len(ranking) + 1))) for leg, ranking in rankings.items())
    return added([_NOTHING, *places])


def weighted_sum(strengths: Mapping[str, Scored], weights: Mapping[str, float]) -> Scored:
    """For each node the weighted sum of the legs' strengths. Pure."""
    return added([_NOTHING, *(found.valued(weights[leg] * found.values) for leg, found in strengths.items())])


def ranks(found: Mapping[str, Scored], nodes: Ids) -> dict[int, dict[str, int]]:
    """For each node its rank, from 1, in each leg that found it. Pure."""
    places: dict[int, dict[str, int]] = {node: {} for node in nodes.tolist()}
    for leg, scored in found.items():
        for rank, node in enumerate(scored.ids.tolist(), start=1):
            if node in places:
                places[node][leg] = rank
    return places
