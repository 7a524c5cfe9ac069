"""Of two turns about the same subject, the newer one comes first."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store import search
from sandbox.extensions.memory.store.scored import Scored, either
from sandbox.extensions.memory.store.search import TurnTerms

_BEST = 5  # results; further down, a newer turn is mostly about something else
_SHARE = 0.7  # of the question's terms in an older turn; a newer one with at least this share comes before it
_LATER = 3_600_000  # milliseconds; turns that are closer belong to one conversation


def newer_first(context: SearchContext, scores: Scored) -> Scored:
    """Swap two of the best turns if the newer one says as much of the question, for a question about the present: one
    that neither names a time nor asks when.
    """
    query, snapshot = context.query, context.visibility.snapshot
    if query.period is not None or query.intent == "when":
        return scores
    best = scores.best_first()[:_BEST].ids
    best = best[~only_asks(context.visibility.turns.rows(best))]
    rarity = context.store.words.everything.rarity(snapshot, query.terms, context.resolved.user_id)
    said = search.turn_terms(snapshot, best.tolist())
    order = by_newness(best.tolist(), said, rarity, _SHARE)
    if order == best.tolist():
        return scores
    return either(Scored(np.array(order, np.int64), scores.at(best, 0.0)), scores)


def by_newness(
    best: Sequence[int], said: Mapping[int, TurnTerms], rarity: Mapping[str, float], share: float
) -> list[int]:
    """The best results, swapped until no turn comes before a newer one that says as much of the question. Pure.

    The newer turn has the same speaker, is at least an hour later, and has at least a ``share`` of the older turn's
    terms of the question, weighted by ``rarity``.
    """
    order = list(best)

    def misplaced(places: tuple[int, int]) -> bool:
        first, second = (said.get(order[place]) for place in places)
        return first is not None and second is not None and _is_update(first, second, rarity, share)

    while places := next(filter(misplaced, combinations(range(len(order)), 2)), None):
        older, newer = places
        order[older], order[newer] = order[newer], order[older]
    return order


def _is_update(first: TurnTerms, second: TurnTerms, rarity: Mapping[str, float], share: float) -> bool:
    if second.event_time - first.event_time < _LATER or first.who != second.who:
        return False
    of_question = rarity.keys() & first.terms
    rarity_of_first = sum(rarity[term] for term in of_question)
    again = sum(rarity[term] for term in of_question.intersection(second.terms))
    # with one common word two turns need not be about the same subject
    return len(of_question) > 1 and again >= share * rarity_of_first
