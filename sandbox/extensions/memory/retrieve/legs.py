"""The legs of a search: by meaning, by words, along the graph, by entity, by claim. A leg may use results before it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.retrieve import question_period, relations, topics
from sandbox.extensions.memory.retrieve.protocols import Edge, Leg, SearchContext, by_rank, shared
from sandbox.extensions.memory.retrieve.query import asks_about_own_life, asks_about_user
from sandbox.extensions.memory.retrieve.spread import SAYS_LITTLE, asked, session_evidence, spread, weigh
from sandbox.extensions.memory.store import claims, graph, nodes, search
from sandbox.extensions.memory.store.columns import Scored, among, either, joined, normalised

TOPICS = "claims"
"""The name of the leg that finds memories on the topics of the question."""

_ENOUGH = 50  # matches of the rare terms; with fewer, the common terms are searched, too
_FAINT = 0.01  # of the best score, for knowledge that shares only a common word with the question
_SEEDS = 5  # of the best nodes, as starts of chains
_SOURCE = 0.9  # of the score of a fact, for the turns it was learnt from, which often say more
_TASK = 0.2  # of the score of a memory on the topic, for a task
_TURNS = 5  # turns that mention an entity; the words find the others


class VectorLeg(Leg):
    """Finds memories with the same meaning in other words."""

    name = "vector"
    finds = "meaning"
    weight = 0.9

    def find(self, context: SearchContext) -> Scored:
        """The nearest nodes with their cosines, best first."""
        model, vector = context.resolved.model, context.resolved.vector
        if vector is None or model is None:
            return Scored.of({})
        vectors = context.store.vectors
        near = vectors.nearest(context.visibility, model, vector, context.breadth)
        if context.knowledge is None:
            return near
        known = vectors.nearest(context.knowledge, model, vector, context.knowledge_limit)
        return either(near, known).best_first()

    def strengths(self, context: SearchContext) -> Scored:
        """The cosines of near nodes and of those that words found, as shares of the best; less for questions."""
        found, model, vector = context.found[self.name], context.resolved.model, context.resolved.vector
        if vector is None or model is None or not len(found):
            return found
        worded = context.found_by("fts").ids
        further = worded[~among(worded, found.ids)]
        cosines = joined([found, context.store.vectors.cosines(context.visibility.snapshot, model, vector, further)])
        shares = normalised(cosines.valued(np.maximum(cosines.values, 0.0)))
        if not context.is_on(SAYS_LITTLE):
            return shares
        return shares.valued(shares.values * asked(context.visibility.nodes.rows(cosines.ids)))


class WordLeg(Leg):
    """Finds memories with the words of the question, and turns beside them."""

    name = "fts"
    finds = "words"
    weight = 1.0

    def find(self, context: SearchContext) -> Scored:
        """The best by bm25, with evidence from temporal edges, lifted by session and named person; after them the best
        from the time of the question, and the best knowledge.
        """
        return evidence(context).found

    def strengths(self, context: SearchContext) -> Scored:
        """The scores, also for the nodes nearest in meaning, because session and named person may lift them, too."""
        return evidence(context).strengths


class Evidence(NamedTuple):
    """The evidence of the words: the best nodes, the strength for them and others, and the strength without edges."""

    found: Scored
    strengths: Scored
    seeds: Scored


@shared
def evidence(context: SearchContext) -> Evidence:
    """The evidence of the question's words."""
    near = context.found_by("vector")
    matching, beside = _matches(context)
    seeds, kept = normalised(either(matching, beside)), np.concatenate([near.ids, beside.ids])
    rows_of = context.visibility.nodes.rows
    scores = either(spread(seeds, rows_of, context.config.without), near.valued(np.zeros(len(near))))
    turns = rows_of(scores.ids)
    if not turns["exists"].all():
        scores, turns = scores[turns["exists"]], turns[turns["exists"]]
    if scores.values.any():
        scores = normalised(scores)
    sessions = session_evidence(seeds, rows_of(seeds.ids)["session"])
    weighed = weigh(scores, turns, sessions, context.names, context.config.without)
    found = context.visibility.first(weighed[scores.values > 0], context.breadth)
    strengths = either(found, weighed[among(weighed.ids, kept)])
    if len(beside):
        further = (scores.values > 0) & among(weighed.ids, beside.ids) & ~among(weighed.ids, found.ids)
        found = joined([found, weighed[further].best_first()])
    return Evidence(found, strengths, seeds)


def _matches(context: SearchContext) -> tuple[Scored, Scored]:
    """The best by bm25, for the rare terms alone if they have enough visible matches, otherwise for all terms; beside
    them the best from the time of the question, and the best knowledge.
    """
    terms, words, visibility = context.query.terms, context.store.words, context.visibility
    telling = terms
    if visibility.filter.sees_turns:
        telling = words.everything.plan(visibility.snapshot, terms, visibility.filter.scope.user_id)
    matching = search.matching(visibility, words, telling)
    best = visibility.first(matching, context.breadth)
    then = question_period.candidates(context, matching)
    if len(best) < min(context.breadth, _ENOUGH) and len(telling) < len(terms):
        matching = search.matching(visibility, words, terms)
        best = visibility.first(matching, context.breadth)
    if context.knowledge is None:
        return best, then
    known = context.knowledge.first(search.matching(context.knowledge, words, terms), context.knowledge_limit).ids
    faint = _FAINT * matching.values.max(initial=1.0)
    return best, either(then, Scored(known, np.maximum(matching.at(known, 0.0), faint)))


class GraphLeg(Leg):
    """Finds causes and effects for *why*, neighbouring turns for *when*, and for *who* and *what* the entities that the
    question's relation leads to.
    """

    name = "graph"
    finds = "graph"

    def find(self, context: SearchContext) -> Scored:
        """Nodes reached from the best nodes of the words, or from named entities; nearest first."""
        relation = {"why": "causal", "when": "temporal"}.get(context.query.intent)
        if relation is None:
            reached = _beyond(context)
        else:
            reached = _breadth_first(context, context.found_by("fts").ids[:_SEEDS].tolist(), relation)
        context.walked.extend(reached.items())
        return by_rank(list(reached))


def _beyond(context: SearchContext) -> dict[int, Edge]:
    """Knowledge about the entity at the end of a relation, with the other words of the question: "live" of Tom for
    "where does Ann's manager live?"
    """
    related = relations.asked(context)
    said = frozenset().union(*map(relations.predicate_terms, related), *(names.split() for names in context.names))
    left = set(context.query.terms) - said
    others = {each.other: each.node for each in reversed(related) if each.other is not None} if left else {}
    reached: dict[int, Edge] = {}
    for other, node in list(others.items())[:_SEEDS]:
        known = nodes.by_ids(context.visibility.snapshot, relations.known(context, [other]))
        reached |= {
            each.id: Edge("entity", node, 1) for each in known.values() if not left.isdisjoint(each.terms.split())
        }
    return reached


def _breadth_first(context: SearchContext, seeds: Sequence[int], relation: str) -> dict[int, Edge]:
    """Nodes reached from the seeds within the query's depth, nearest first; their number is limited."""
    reached: dict[int, Edge] = {}
    frontier = {seed: seed for seed in seeds}
    for hops in range(1, context.query.depth + 1):
        edges = graph.neighbours(context.visibility.snapshot, frontier, (relation,))
        frontier = {there: frontier[here] for here, there, _ in edges if there not in reached and there not in seeds}
        reached.update((there, Edge(relation, seed, hops)) for there, seed in frontier.items())
        if not frontier or len(reached) >= relations.MOST:
            break
    found = np.array(list(reached), np.int64)
    seen = found[context.visibility.permitted(found)]
    return {node: reached[node] for node in seen[: relations.MOST].tolist()}


class EntityLeg(Leg):
    """Finds what is known about a named entity, for *who* and *what*."""

    name = "entity"
    finds = "who or what"

    def find(self, context: SearchContext) -> Scored:
        """First the relations that the question asks for, then other knowledge about the entity; if nothing is known,
        the latest turns that mention it. The entity's own turns are lifted by the leg of words.
        """
        if context.query.intent not in ("who", "what") or not context.entities:
            return by_rank([])
        named = list(context.entities)
        known = [*(each.node for each in relations.asked(context)), *relations.known(context, named)]
        types = context.visibility.filter.types
        turns = [] if known else relations.speaking_of(context, named, types, _TURNS)
        return by_rank(list(dict.fromkeys(known))[: relations.MOST] or turns)


class ClaimLeg(Leg):
    """Finds what the user told on the topics of the question, by claims: *which city am I in?* asks for a home."""

    name = TOPICS
    finds = "topic"
    weight = 1.0

    def find(self, context: SearchContext) -> Scored:
        """First what the question asks for, then what else is on its topic; turns behind what was learnt from them."""
        places = topics.asked_for(context.query)
        if not (places and context.resolved.has_knowledge):
            return by_rank([])
        snapshot, scores = context.visibility.snapshot, dict[int, float]()
        known = replace(context.visibility.filter, types=context.query.shown)
        told = claims.with_predicates(snapshot, places, known, topics.MOST_READ)
        near = topics.people_of(claim for _, claim in told)
        found = sorted(
            (places[claim.predicate], at, node)
            for at, (node, claim) in enumerate(told)
            if topics.is_theirs(claim, near)
        )
        for place, _, node in found[: relations.MOST]:
            scores[node] = max(scores.get(node, 0.0), 1 / (1 + place))
        for node, turn in graph.targets(snapshot, list(scores), "derived_from"):
            scores[turn] = max(scores.get(turn, 0.0), _SOURCE * scores[node])
        scored = Scored.of(scores)
        return scored[context.visibility.permitted(scored.ids)].best_first()

    def strengths(self, context: SearchContext) -> Scored:
        """The scores; less for a question that is not about the user's own life, where a topic seldom matters."""
        found, text = context.found[self.name], context.query.text
        is_own = asks_about_own_life(text) or asks_about_user(text)
        return found if is_own else found.valued(_TASK * found.values)


LEGS: tuple[Leg, ...] = (VectorLeg(), WordLeg(), GraphLeg(), EntityLeg(), ClaimLeg())
