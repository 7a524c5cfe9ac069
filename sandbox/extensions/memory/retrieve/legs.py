"""The four strategies (specification 004, *Search*): each turns a query into a ranking of nodes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.ports import Vector
from sandbox.extensions.memory.retrieve import dated
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.retrieve.spread import normalised, only_asks, session_evidence, spread, weigh
from sandbox.extensions.memory.store import graph, search
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.search import Gate, Scored

_SPREAD_STEPS = 2  # turns evidence flows over
_ENOUGH = 50  # matches of the telling terms; fewer, and the common ones are searched too
_SEEDS = 5  # best nodes a chain is followed from
_CHAIN = 40  # nodes a chain or an entity brings at most


@dataclass(frozen=True, slots=True)
class Ask:
    """Everything a leg works with."""

    store: Store
    gate: Gate
    query: Query
    config: Config
    entities: dict[int, frozenset[str]]
    """Entities named in the question, and everything they are called, as it stands in ``who``."""
    breadth: int
    """How many nodes a leg ranks."""


def words(ask: Ask, near: Iterable[int]) -> tuple[list[int], dict[int, float]]:
    """Full text by bm25, its evidence spread along temporal edges, lifted by session and named person: the best nodes,
    and how strongly this speaks for each, and for those that are ``near`` in meaning, which a session may lift as well.
    """
    of_its_time = dated.candidates(ask.gate, ask.query, ask.store.frequencies, ask.config)
    seeds, near = normalised({**of_its_time, **dict(_matches(ask))}), {*near, *of_its_time}
    around = ask.store.turns.around(ask.gate.connection, seeds, _SPREAD_STEPS, near)
    flowed = {node: score for node, score in spread(seeds, around, ask.config).items() if node in around}
    scores = {**dict.fromkeys((node for node in near if node in around), 0.0), **normalised(flowed)}
    sessions = session_evidence(seeds, around)
    weighed = weigh(scores, around, sessions, frozenset().union(*ask.entities.values()), ask.config)
    ranked = sorted(weighed.items(), key=lambda pair: (-pair[1], pair[0]))
    found = dict(ask.gate.first((pair for pair in ranked if scores[pair[0]] > 0), ask.breadth))
    return list(found), {**{node: weighed[node] for node in near if node in weighed}, **found}


def _matches(ask: Ask) -> Scored:
    """The best by bm25: for the telling terms alone where they bring enough of what may be seen, else for all."""
    terms = ask.query.terms
    if ask.gate.filter.sees_turns:
        telling = ask.store.frequencies.plan(ask.gate.connection, terms)
        found = search.words(ask.gate, telling, ask.breadth)
        if len(found) >= min(ask.breadth, _ENOUGH) or len(telling) == len(terms):
            return found
    return search.words(ask.gate, terms, ask.breadth)


def nearest(ask: Ask, model_id: int | None, vector: Vector | None) -> dict[int, float]:
    """Meaning by cosine: the nearest nodes, best first."""
    if vector is None or model_id is None:
        return {}
    return dict(ask.store.vectors.nearest(ask.gate, model_id, vector, ask.breadth))


def meaning(
    ask: Ask, model_id: int | None, vector: Vector | None, near: Mapping[int, float], others: Iterable[int]
) -> dict[int, float]:
    """How near the nearest nodes are, and others that were found elsewhere, as shares of the best."""
    if vector is None or model_id is None or not near:
        return {}
    missing = [node for node in others if node not in near]
    cosines = {**near, **ask.store.vectors.cosines(ask.gate.connection, model_id, vector, missing)}
    turns = ask.store.turns.get(ask.gate.connection, cosines)
    asks = {node for node, turn in turns.items() if only_asks(turn)}
    factor = ask.config.question_factor
    return {node: share * (factor if node in asks else 1.0) for node, share in normalised(cosines).items() if share > 0}


def walk(ask: Ask, seeds: Sequence[int]) -> list[int]:
    """The graph, by intent: causes and effects for *why*, the turns around for *when*, nothing otherwise."""
    if ask.query.intent == "why":
        return _breadth_first(ask, seeds[:_SEEDS], ("causal",))
    if ask.query.intent == "when":
        return _breadth_first(ask, seeds[:_SEEDS], ("temporal",))
    return []


def entity(ask: Ask) -> list[int]:
    """What speaks of a named entity, for *who* and *what*. What it said itself is lifted among the words."""
    if ask.query.intent not in ("who", "what") or not ask.entities:
        return []
    return search.of_entities(ask.gate.connection, list(ask.entities), ask.gate.filter, _CHAIN, search.SPOKEN_OF)


def _breadth_first(ask: Ask, seeds: Sequence[int], relations: Sequence[str]) -> list[int]:
    """Nodes reached from the seeds within the query's depth, nearest first; bounded."""
    reached: dict[int, None] = {}
    frontier = list(seeds)
    for _ in range(ask.query.depth):
        edges = graph.neighbours(ask.gate.connection, frontier, relations)
        frontier = [there for _, there, _ in edges if there not in reached and there not in seeds]
        reached.update(dict.fromkeys(frontier))
        if not frontier or len(reached) >= _CHAIN:
            break
    permitted = ask.gate.permitted(reached)
    return [node for node in reached if node in permitted][:_CHAIN]


def by_rank(ranking: Sequence[int]) -> dict[int, float]:
    """Strengths for a leg that only orders: 1 for its first, falling evenly."""
    return {node: 1 - place / len(ranking) for place, node in enumerate(ranking)}
