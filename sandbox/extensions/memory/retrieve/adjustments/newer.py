"""Of turns about the same at different times, the newer one leads."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sandbox.extensions.memory.retrieve.protocols import Adjustment, SearchContext
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store.indexes.scored import Scored, either
from sandbox.extensions.memory.store.reading import moments
from sandbox.extensions.memory.store.reading.moments import Said

_BEST = 5  # among which it matters; further down, what is newer is mostly about something else
_SHARE = 0.7  # of what an older turn says of a question; a newer one that says as much goes before it
_LATER = 3_600_000  # milliseconds; what is closer belongs to one conversation


class Newer(Adjustment):
    """Changes over two of the best where the newer says as much of the question."""

    name = "newer first"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """For a question about what is so: not about a time, nor when something was."""
        query, snapshot = context.query, context.visibility.snapshot
        if query.period is not None or query.intent == "when":
            return scores
        best = ordered(scores)[:_BEST].ids
        best = best[~only_asks(context.visibility.turns.rows(best))]
        rarity = context.store.words.everything.rarity(snapshot, query.terms, context.resolved.user_id)
        said = moments.said(snapshot, best.tolist())
        order = by_newness(best.tolist(), said, rarity, _SHARE)
        if order == best.tolist():
            return scores
        return either(Scored(np.array(order, np.int64), scores.at(best, 0.0)), scores)


def by_newness(best: Sequence[int], said: Mapping[int, Said], rarity: Mapping[str, float], share: float) -> list[int]:
    """The best, places changed over until no turn stands before a newer one that says as much of what was asked. Pure.

    It is the same speaker's, an hour later at least, and says no less than a ``share`` of what the older one says, by
    the ``rarity`` of the question's terms.
    """
    order = list(best)

    def misplaced(places: tuple[int, int]) -> bool:
        first, second = (said.get(order[place]) for place in places)
        return first is not None and second is not None and _is_update(first, second, rarity, share)

    while places := next(filter(misplaced, combinations(range(len(order)), 2)), None):
        older, newer = places
        order[older], order[newer] = order[newer], order[older]
    return order


def _is_update(first: Said, second: Said, rarity: Mapping[str, float], share: float) -> bool:
    if second.event_time - first.event_time < _LATER or first.who != second.who:
        return False
    of_question = rarity.keys() & first.terms
    told = sum(rarity[term] for term in of_question)
    again = sum(rarity[term] for term in of_question.intersection(second.terms))
    return len(of_question) > 1 and again >= share * told  # one word alone is too little to be about the same
