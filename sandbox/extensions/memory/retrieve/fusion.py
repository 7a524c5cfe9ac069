"""The end of a search: the results of the legs joined by weighted scores (adr/0016), and the best nodes as memories,
each with the reasons why it was found.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.model import GraphPath
from sandbox.extensions.memory.retrieve.legs import evidence
from sandbox.extensions.memory.retrieve.protocols import Edge, Leg, SearchContext
from sandbox.extensions.memory.retrieve.spread import SPREAD, flows
from sandbox.extensions.memory.store import entities, nodes, search
from sandbox.extensions.memory.store.columns import Ids, Scored, added, among, joined
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot

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


_COUNTS = 0.25  # of the score of a node's own words; less evidence from a neighbour is not shown


class Recollection(NamedTuple):
    """A memory that was found: its rank in each leg and, if the vectors found it, its cosine with the question
    (``similarity``) and with the question's rare words (``rare_word_similarity``); ``edges`` lead to it, in an
    explained search. It is a tuple, like ``Node``.
    """

    node: Node
    score: float
    legs: dict[str, int]
    similarity: float | None
    rare_word_similarity: float | None = None
    edges: tuple[GraphPath, ...] = ()


def recollections(context: SearchContext, scores: Scored, limit: int, *, explained: bool) -> list[Recollection]:
    """The best ``limit`` memories, best first, with the reasons; ``explained`` adds the edges."""
    best, near = _best(context, scores.best_first(), limit), context.found_by("vector")
    stored, places = nodes.by_ids(context.visibility.snapshot, best.ids.tolist()), ranks(context.found, best.ids)
    model, vector, there = context.resolved.model, context.query.vector, best.ids[among(best.ids, near.ids)]
    similarity, rare_word_similarity = dict[int, float](), near.plain()
    if vector is not None and model is not None and len(there):
        similarity = context.store.vectors.cosines(context.visibility.snapshot, model, vector, there).plain()
    found = [
        Recollection(stored[node], score, places[node], similarity.get(node), rare_word_similarity.get(node))
        for node, score in best.plain().items()
        if node in stored
    ]
    if not explained:
        return found
    edges = _walked(context, best.ids)
    return [each._replace(edges=edges[each.node.id]) for each in found]


def latest(snapshot: Snapshot, filter_: Filter, limit: int) -> list[Recollection]:
    """The latest memories, for an empty question."""
    ids = search.recent(snapshot, filter_, limit)
    found = nodes.by_ids(snapshot, ids)
    return [Recollection(found[node], 1 / rank, {"recent": rank}, None) for rank, node in enumerate(ids, start=1)]


def _best(context: SearchContext, found: Scored, limit: int) -> Scored:
    """The first ``limit`` nodes, and, if wanted, the best knowledge among the others."""
    if context.knowledge is None:
        return found[:limit]
    crowded = found[limit:]
    crowded = crowded[~context.visibility.nodes.rows(crowded.ids)["is_turn"]]
    return joined([found[:limit], crowded[context.knowledge.permitted(crowded.ids)][: context.knowledge_limit]])


def _walked(context: SearchContext, best: Ids) -> dict[int, tuple[GraphPath, ...]]:
    """For each of the best nodes the edges that led to it: those that legs and adjustments noted; temporal edges over
    which evidence came, the strongest first; and links with named entities.
    """
    found: dict[int, list[Edge]] = defaultdict(list)
    for node, edge in (*context.walked, *_flowed(context, best)):
        if all(edge.seed != other.seed for other in found[node]):
            found[node].append(edge)
    seeds = {edge.seed for edges in found.values() for edge in edges}
    ids = {node: each.public_id for node, each in nodes.by_ids(context.visibility.snapshot, seeds).items()}
    of_entities = entities.roles(context.visibility.snapshot, best.tolist(), list(context.entities))
    return {
        node: (
            *(GraphPath(relation, ids[seed], hops) for relation, seed, hops in found[node] if seed in ids),
            *(GraphPath(role, name) for role, name in of_entities.get(node, ())),
        )
        for node in best.tolist()
    }


def _flowed(context: SearchContext, best: Ids) -> Iterator[tuple[int, Edge]]:
    """The evidence over temporal edges that matters beside a node's own words, the strongest first."""
    if "fts" not in context.found or not context.is_on(SPREAD):
        return
    seeds = evidence(context).seeds
    flowing = flows(seeds, context.visibility.nodes.rows)
    counts = np.isin(flowing.targets, best) & (flowing.values > 0)
    counts &= flowing.values >= _COUNTS * seeds.at(flowing.targets, 0.0)
    for place in sorted(np.flatnonzero(counts).tolist(), key=lambda place: -float(flowing.values[place])):
        yield int(flowing.targets[place]), Edge("temporal", int(flowing.sources[place]), int(flowing.steps[place]))
