"""Words: full text by bm25, and the evidence that spreads to neighbouring turns."""

from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.retrieve import question_period
from sandbox.extensions.memory.retrieve.protocols import Leg, SearchContext, shared
from sandbox.extensions.memory.retrieve.spread import session_evidence, spread, weigh
from sandbox.extensions.memory.store import search
from sandbox.extensions.memory.store.scored import Scored, among, either, joined, normalised

_ENOUGH = 50  # matches of the rare terms; with fewer, the common terms are searched, too
_FAINT = 0.01  # of the best score, for knowledge that shares only a common word with the question


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
    turns_of = context.visibility.turns.rows
    scores = either(spread(seeds, turns_of, context.config.without), near.valued(np.zeros(len(near))))
    turns = turns_of(scores.ids)
    if not turns["exists"].all():
        scores, turns = scores[turns["exists"]], turns[turns["exists"]]
    if scores.values.any():
        scores = normalised(scores)
    sessions = session_evidence(seeds, turns_of(seeds.ids)["session"])
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
