"""Which edges brought a hit, and from where: asked for what is shown, never for the ranking."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from sandbox.extensions.memory.model import Walked
from sandbox.extensions.memory.retrieve.legs import Edge, SearchContext
from sandbox.extensions.memory.retrieve.spread import flows
from sandbox.extensions.memory.store import entities, nodes
from sandbox.extensions.memory.store.scored import Ids, Scored

_COUNTS = 0.25  # of what a node's own words say, from which what flows in is worth telling


def walked(
    ask: SearchContext, best: Ids, seeds: Scored, led: Iterable[tuple[int, Edge]]
) -> dict[int, tuple[Walked, ...]]:
    """For each of the best nodes the edges that brought it: those that ``led`` to a node, as is known already; those
    over which evidence flowed in from the ``seeds`` beside, what says most first; and its links with named entities.
    """
    found: dict[int, list[Edge]] = defaultdict(list)
    for node, edge in (*led, *_flowed(ask, best, seeds)):
        if all(edge.seed != other.seed for other in found[node]):
            found[node].append(edge)
    ids = {node: each.public_id for node, each in nodes.by_ids(ask.gate.connection, _seeds(found)).items()}
    of_entities = entities.roles(ask.gate.connection, best.tolist(), list(ask.entities))
    return {
        node: (
            *(Walked(relation, ids[seed], hops) for relation, seed, hops in found[node] if seed in ids),
            *(Walked(role, name) for role, name in of_entities.get(node, ())),
        )
        for node in best.tolist()
    }


def _seeds(found: Mapping[int, Sequence[Edge]]) -> set[int]:
    return {edge.seed for edges in found.values() for edge in edges}


def _flowed(ask: SearchContext, best: Ids, seeds: Scored) -> Iterator[tuple[int, Edge]]:
    """What flowed into the best along temporal edges and counts beside their own words, what says most first."""
    flowing = flows(seeds, ask.gate.turns.rows, ask.config)
    counts = np.isin(flowing.targets, best) & (flowing.values > 0)
    counts &= flowing.values >= _COUNTS * seeds.at(flowing.targets, 0.0)
    for place in sorted(np.flatnonzero(counts).tolist(), key=lambda place: -float(flowing.values[place])):
        yield int(flowing.targets[place]), Edge("temporal", int(flowing.sources[place]), int(flowing.steps[place]))
