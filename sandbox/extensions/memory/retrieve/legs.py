"""The four strategies (specification 004, *Search*): each turns a query into a ranking of nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

import numpy as np

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.model import CognitiveType
from sandbox.extensions.memory.retrieve import dated
from sandbox.extensions.memory.retrieve.query import Query, ResolvedQuery
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.retrieve.spread import only_asks, session_evidence, spread, weigh
from sandbox.extensions.memory.store import claims, graph, nodes, search
from sandbox.extensions.memory.store.claims import Related
from sandbox.extensions.memory.store.database import Store
from sandbox.extensions.memory.store.scored import Ids, Scored, among, either, joined, normalised
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.text.words import terms

_ENOUGH = 50  # matches of the telling terms; fewer, and the common ones are searched too
_SEEDS = 5  # best nodes a chain is followed from
_CHAIN = 40  # nodes a chain or an entity brings at most
_FAINT = 0.01  # of the best score, for what is known and has a common word of the question alone
_TURNS = 5  # turns that name an entity; words find the others


@dataclass(frozen=True, slots=True)
class SearchContext:
    """Everything a leg works with."""

    store: Store
    config: Config
    meant: ResolvedQuery
    gate: VisibilityFilter
    breadth: int
    """How many nodes a leg ranks."""
    known: VisibilityFilter | None
    """Lets knowledge alone through, where the best of it is wanted beside what is best; None: it takes its chance."""
    knowledge_limit: int
    """How many of that a leg ranks."""

    @property
    def query(self) -> Query:
        """The question."""
        return self.meant.query

    @property
    def entities(self) -> Mapping[int, frozenset[str]]:
        """Entities named in the question, and everything they are called, as it stands in ``who``."""
        return self.meant.entities


class Worded(NamedTuple):
    """What the words say: the best nodes, how strongly it speaks for them and others, and that without edges."""

    found: Ids
    strengths: Scored
    seeds: Scored


class Edge(NamedTuple):
    """How a node was reached: over edges of a relation, so many, from a seed."""

    relation: str
    seed: int
    hops: int


def words(ask: SearchContext, near: Scored) -> Worded:
    """Full text by bm25, its evidence spread along temporal edges, lifted by session and named person: for the best
    nodes, for those of the time that is spoken of and what is known, and for those that are ``near`` in meaning, which
    a session may lift as well.
    """
    matching, beside = _matches(ask)
    seeds, kept = normalised(either(matching, beside)), np.concatenate([near.ids, beside.ids])
    turns_of = ask.gate.turns.rows
    scores = either(spread(seeds, turns_of, ask.config), near.valued(np.zeros(len(near))))
    turns = turns_of(scores.ids)
    if not turns["exists"].all():
        scores, turns = scores[turns["exists"]], turns[turns["exists"]]
    if scores.values.any():
        scores = normalised(scores)
    sessions = session_evidence(seeds, turns_of(seeds.ids)["session"])
    weighed = weigh(scores, turns, sessions, _names(ask), ask.config)
    found = ask.gate.first(weighed[scores.values > 0], ask.breadth)
    strengths = either(found, weighed[among(weighed.ids, kept)])
    if not len(beside):
        return Worded(found.ids, strengths, seeds)
    further = ordered(weighed[(scores.values > 0) & among(weighed.ids, beside.ids) & ~among(weighed.ids, found.ids)])
    return Worded(np.concatenate([found.ids, further.ids]), strengths, seeds)


def _matches(ask: SearchContext) -> tuple[Scored, Scored]:
    """The best by bm25, for the telling terms alone where they bring enough of what may be seen, else for all; and,
    beside those, the best of the time that is spoken of and of what is known.
    """
    terms = ask.query.terms
    telling = ask.store.frequencies.plan(ask.gate.connection, terms) if ask.gate.filter.sees_turns else terms
    matching = search.matching(ask.gate, ask.store.words, telling)
    best = ask.gate.first(matching, ask.breadth)
    then = dated.candidates(ask.gate, matching, ask.query, ask.config)
    if len(best) < min(ask.breadth, _ENOUGH) and len(telling) < len(terms):
        matching = search.matching(ask.gate, ask.store.words, terms)
        best = ask.gate.first(matching, ask.breadth)
    if ask.known is None:
        return best, then
    known = ask.known.first(search.matching(ask.known, ask.store.words, terms), ask.knowledge_limit).ids
    faint = _FAINT * matching.values.max(initial=1.0)
    return best, either(then, Scored(known, np.maximum(matching.at(known, 0.0), faint)))


def nearest(ask: SearchContext) -> Scored:
    """Meaning by cosine: the nearest nodes, best first."""
    model, vector = ask.meant.model, ask.meant.vector
    if vector is None or model is None:
        return Scored.of({})
    near = ask.store.vectors.nearest(ask.gate, model, vector, ask.breadth)
    if ask.known is None:
        return near
    return ordered(either(near, ask.store.vectors.nearest(ask.known, model, vector, ask.knowledge_limit)))


def meaning(ask: SearchContext, near: Scored, others: Ids) -> Scored:
    """How near the nearest nodes are, and others that were found elsewhere, as shares of the best."""
    model, vector = ask.meant.model, ask.meant.vector
    if vector is None or model is None or not len(near):
        return near
    missing = others[~among(others, near.ids)]
    cosines = joined([near, ask.store.vectors.cosines(ask.gate.connection, model, vector, missing)])
    asking = only_asks(ask.gate.turns.rows(cosines.ids))
    shares = normalised(cosines.valued(np.maximum(cosines.values, 0.0)))
    return shares.valued(shares.values * np.where(asking, ask.config.question_factor, 1.0))


def walk(ask: SearchContext, seeds: Ids, relations: Sequence[Related]) -> dict[int, Edge]:
    """The graph, by intent: causes and effects for *why*, the turns around for *when*, for *who* and *what* those to
    whom a named entity stands as the question says.
    """
    if ask.query.intent == "why":
        return _breadth_first(ask, seeds[:_SEEDS].tolist(), "causal")
    if ask.query.intent == "when":
        return _breadth_first(ask, seeds[:_SEEDS].tolist(), "temporal")
    return _beyond(ask, relations)


def _beyond(ask: SearchContext, relations: Sequence[Related]) -> dict[int, Edge]:
    """What is known of whom the question means by a relation, as far as it has its other words: "live" of Tom for
    "where does Ann's manager live?"
    """
    said = frozenset().union(*map(_predicate_terms, relations), *(names.split() for names in _names(ask)))
    left = set(ask.query.terms) - said
    others = {each.other: each.node for each in reversed(relations) if each.other is not None} if left else {}
    reached: dict[int, Edge] = {}
    for other, node in list(others.items())[:_SEEDS]:
        known = nodes.by_ids(ask.gate.connection, _known(ask, [other]))
        reached |= {
            each.id: Edge("entity", node, 1) for each in known.values() if not left.isdisjoint(each.terms.split())
        }
    return reached


def entity(ask: SearchContext, relations: Sequence[Related]) -> Ids:
    """What is known of a named entity, for *who* and *what*, first how it stands to others where that is asked; where
    nothing is known, the latest turns that speak of it. What it said itself is lifted among the words.
    """
    if ask.query.intent not in ("who", "what") or not ask.entities:
        return np.array([], np.int64)
    known = [*(each.node for each in relations), *_known(ask, list(ask.entities))]
    turns = [] if known else _linked(ask, list(ask.entities), ask.gate.filter.types, _TURNS)
    return np.array(list(dict.fromkeys(known))[:_CHAIN] or turns, np.int64)


def asked(ask: SearchContext) -> list[Related]:
    """How named entities stand to others, where the question has a word of it: "works" of ``works_with``."""
    if ask.query.intent not in ("who", "what") or not ask.entities or not ask.meant.knows:
        return []
    related = claims.related(ask.gate.connection, list(ask.entities), ask.gate.filter, _CHAIN)
    return [each for each in related if not _predicate_terms(each).isdisjoint(ask.query.terms)]


def related_first(scores: Scored, relations: Sequence[Related]) -> Scored:
    """Scores in which nothing outranks what says how a named entity stands to others, where that is asked."""
    if not relations or not len(scores):
        return scores
    found = np.array(sorted({each.node for each in relations[:_SEEDS]}), np.int64)
    return either(Scored(found, np.full(len(found), np.nextafter(scores.values.max(), np.inf))), scores)


def _predicate_terms(related: Related) -> frozenset[str]:
    return frozenset(terms(related.relation.predicate.replace("_", " ")))


def _names(ask: SearchContext) -> frozenset[str]:
    return frozenset().union(*ask.entities.values())


def _known(ask: SearchContext, entity_ids: Sequence[int]) -> list[int]:
    types = tuple(type for type in ask.gate.filter.types or get_args(CognitiveType) if type != "episodic")
    return _linked(ask, entity_ids, types, _CHAIN) if types and ask.meant.knows else []


def _linked(ask: SearchContext, entity_ids: Sequence[int], types: tuple[str, ...] | None, limit: int) -> list[int]:
    filter_ = replace(ask.gate.filter, types=types)
    return search.of_entities(ask.gate.connection, entity_ids, filter_, limit, search.SPOKEN_OF)


def _breadth_first(ask: SearchContext, seeds: Sequence[int], relation: str) -> dict[int, Edge]:
    """Nodes reached from the seeds within the query's depth, nearest first; bounded."""
    reached: dict[int, Edge] = {}
    frontier = {seed: seed for seed in seeds}
    for hops in range(1, ask.query.depth + 1):
        edges = graph.neighbours(ask.gate.connection, frontier, (relation,))
        frontier = {there: frontier[here] for here, there, _ in edges if there not in reached and there not in seeds}
        reached.update((there, Edge(relation, seed, hops)) for there, seed in frontier.items())
        if not frontier or len(reached) >= _CHAIN:
            break
    found = np.array(list(reached), np.int64)
    return {node: reached[node] for node in found[ask.gate.permitted(found)][:_CHAIN].tolist()}


def by_rank(ranking: Ids) -> Scored:
    """Strengths for a leg that only orders: 1 for its first, falling evenly."""
    return Scored(ranking, 1 - np.arange(len(ranking)) / max(len(ranking), 1))


def prevailing(ask: SearchContext, found: Ids) -> list[tuple[int, int, str]]:
    """(here, there, relation) for what replaced one of what was found, or counts for more in a possible conflict."""
    outdone = found[ask.gate.turns.rows(found)["outdone"]]
    return graph.prevailing(ask.gate.connection, outdone.tolist()) if len(outdone) else []
