"""Join the results of the legs: by weighted scores (adr/0016), or by reciprocal ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.protocols import Leg, SearchContext
from sandbox.extensions.memory.store.indexes.scored import Ids, Scored, added

RRF_K = 60  # Cormack et al. 2009; larger flattens the lead of the first places
_WEIGHT = 0.1  # of a leg without a weight of its own
_SCORE_WEIGHTS = {"fts": 1.0, "vector": 0.9}  # after the best score of each leg became 1 (adr/0016)
_NOTHING = Scored.of({})


class Fusion(Protocol):
    """One way to join the results of the legs."""

    def fuse(self, context: SearchContext, legs: Sequence[Leg]) -> Scored:
        """One score for each node that one of the ``legs`` found."""
        ...


@dataclass(frozen=True, slots=True)
class ScoreFusion:
    """The weighted sum of the strengths that the legs give to a node."""

    weights: Mapping[str, float]

    def fuse(self, context: SearchContext, legs: Sequence[Leg]) -> Scored:
        """See ``Fusion``."""
        return weighted_sum({leg.name: leg.strengths(context) for leg in legs}, self.weights)


@dataclass(frozen=True, slots=True)
class RankFusion:
    """The weighted sum of reciprocal ranks."""

    weights: Mapping[str, float]
    k: int

    def fuse(self, context: SearchContext, legs: Sequence[Leg]) -> Scored:
        """See ``Fusion``."""
        return reciprocal_ranks({leg.name: context.found[leg.name].ids for leg in legs}, self.weights, self.k)


def configured(config: Config, legs: Sequence[Leg]) -> Fusion:
    """The fusion of the settings, with its weights."""
    names = [leg.name for leg in legs]
    if config.fusion == "ranks":
        return RankFusion({name: getattr(config, f"rrf_weight_{name}", _WEIGHT) for name in names}, config.rrf_k)
    return ScoreFusion({name: _SCORE_WEIGHTS.get(name, _WEIGHT) for name in names})


def reciprocal_ranks(rankings: Mapping[str, Ids], weights: Mapping[str, float], k: int = RRF_K) -> Scored:
    """``sum(weight / (k + rank))`` over the rankings, ranks from 1, best first. Pure."""
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
