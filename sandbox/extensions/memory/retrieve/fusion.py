"""Join the results of the legs by weighted scores (adr/0016)."""

from collections.abc import Mapping, Sequence

from sandbox.extensions.memory.retrieve.protocols import Leg, SearchContext
from sandbox.extensions.memory.store.scored import Ids, Scored, added

_NOTHING = Scored.of({})


def fuse(context: SearchContext, legs: Sequence[Leg]) -> Scored:
    """One score for each node that one of the ``legs`` found."""
    return weighted_sum({leg.name: leg.strengths(context) for leg in legs}, {leg.name: leg.weight for leg in legs})


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
