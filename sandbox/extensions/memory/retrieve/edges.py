"""The edges that led to a hit, and where they began; for display, never for ranking."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sandbox.extensions.memory.model import Walked
from sandbox.extensions.memory.retrieve.legs.words import evidence
from sandbox.extensions.memory.retrieve.protocols import Edge, SearchContext
from sandbox.extensions.memory.retrieve.spread import SPREAD, flows
from sandbox.extensions.memory.store.entities import entities
from sandbox.extensions.memory.store.indexes.scored import Ids
from sandbox.extensions.memory.store.memories import nodes

_COUNTS = 0.25  # of the score of a node's own words; less evidence from a neighbour is not shown


def walked(context: SearchContext, best: Ids) -> dict[int, tuple[Walked, ...]]:
    """For each of the best nodes the edges that led to it: those that legs and adjustments noted; temporal edges over
    which evidence came, the strongest first; and links with named entities.
    """
    found: dict[int, list[Edge]] = defaultdict(list)
    for node, edge in (*context.walked, *_flowed(context, best)):
        if all(edge.seed != other.seed for other in found[node]):
            found[node].append(edge)
    ids = {node: each.public_id for node, each in nodes.by_ids(context.visibility.snapshot, _seeds(found)).items()}
    of_entities = entities.roles(context.visibility.snapshot, best.tolist(), list(context.entities))
    return {
        node: (
            *(Walked(relation, ids[seed], hops) for relation, seed, hops in found[node] if seed in ids),
            *(Walked(role, name) for role, name in of_entities.get(node, ())),
        )
        for node in best.tolist()
    }


def _seeds(found: Mapping[int, Sequence[Edge]]) -> set[int]:
    return {edge.seed for edges in found.values() for edge in edges}


def _flowed(context: SearchContext, best: Ids) -> Iterator[tuple[int, Edge]]:
    """The evidence over temporal edges that matters beside a node's own words, the strongest first."""
    if "fts" not in context.found or not context.has(SPREAD):
        return
    seeds = evidence(context).seeds
    flowing = flows(seeds, context.visibility.turns.rows)
    counts = np.isin(flowing.targets, best) & (flowing.values > 0)
    counts &= flowing.values >= _COUNTS * seeds.at(flowing.targets, 0.0)
    for place in sorted(np.flatnonzero(counts).tolist(), key=lambda place: -float(flowing.values[place])):
        yield int(flowing.targets[place]), Edge("temporal", int(flowing.sources[place]), int(flowing.steps[place]))
