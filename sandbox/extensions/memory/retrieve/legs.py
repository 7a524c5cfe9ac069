"""The four strategies (specification 004, *Search*): each turns a query into a ranking of nodes."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.retrieve.spread import Chain, normalised, session_evidence, spread, weigh
from sandbox.extensions.memory.store import graph, search
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.search import Scored
from sandbox.extensions.memory.store.vectors import VectorIndex

_SEEDS = 5  # best nodes a chain is followed from
_CHAIN = 40  # nodes a chain or an entity brings at most


@dataclass(frozen=True, slots=True)
class Ask:
    """Everything a leg works with."""

    connection: sqlite3.Connection
    query: Query
    filter: Filter
    config: Config
    entities: dict[int, str]
    """Entities named in the question, and their names as they stand in ``who``."""


def words(ask: Ask) -> list[int]:
    """Full text by bm25, its evidence spread along temporal edges, lifted by session and named person."""
    seeds = normalised(dict(search.words(ask.connection, ask.query.terms, ask.filter, ask.config.candidates)))
    if not seeds:
        return []
    near = _near(ask, seeds)
    features = search.features(ask.connection, [*seeds, *near.after, *near.before])
    flowed = spread(seeds, near, [node for node in seeds if features[node].asks], ask.config)
    beside = search.allowed(ask.connection, flowed.keys() - seeds.keys(), ask.filter)
    flowed = normalised({node: score for node, score in flowed.items() if node in seeds or node in beside})
    weighed = weigh(flowed, features, session_evidence(seeds, features), ask.entities.values(), ask.config)
    return sorted(weighed, key=lambda node: (-weighed[node], node))


def nearest(ask: Ask, index: VectorIndex, model_id: int | None) -> Scored:
    """Meaning by cosine."""
    if ask.query.vector is None or model_id is None:
        return []
    return index.nearest(ask.connection, model_id, ask.query.vector, ask.filter, ask.config.candidates)


def walk(ask: Ask, seeds: Sequence[int]) -> list[int]:
    """The graph, by intent: causes and effects for *why*, the turns around for *when*, nothing otherwise."""
    if ask.query.intent == "why":
        return _breadth_first(ask, seeds[:_SEEDS], ("causal",))
    if ask.query.intent == "when":
        return _breadth_first(ask, seeds[:_SEEDS], ("temporal",))
    return []


def entity(ask: Ask) -> list[int]:
    """What is linked with a named entity, for *who* and *what*."""
    if ask.query.intent not in ("who", "what") or not ask.entities:
        return []
    return search.of_entities(ask.connection, list(ask.entities), ask.filter, _CHAIN)


def _near(ask: Ask, seeds: dict[int, float]) -> Chain:
    """The temporal edges within two steps of the seeds."""
    one = graph.temporal_neighbours(ask.connection, seeds)
    frontier = {node for edge in one for node in edge} - seeds.keys()
    return Chain.of({*one, *graph.temporal_neighbours(ask.connection, frontier)})


def _breadth_first(ask: Ask, seeds: Sequence[int], relations: Sequence[str]) -> list[int]:
    """Nodes reached from the seeds within the query's depth, nearest first; bounded."""
    reached: dict[int, None] = {}
    frontier = list(seeds)
    for _ in range(ask.query.depth):
        edges = graph.neighbours(ask.connection, frontier, relations)
        frontier = [there for _, there, _ in edges if there not in reached and there not in seeds]
        reached.update(dict.fromkeys(frontier))
        if not frontier or len(reached) >= _CHAIN:
            break
    allowed = search.allowed(ask.connection, reached, ask.filter)
    return [node for node in reached if node in allowed][:_CHAIN]
