"""Prefer memories from the question's time; none is excluded, because a misread time must not cost the answer."""

from functools import cache

import numpy as np

from sandbox.extensions.memory.retrieve.protocols import Adjustment, SearchContext
from sandbox.extensions.memory.retrieve.question_period import SPOKEN_TIME, closeness, unmatched
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.store.indexes.scored import Scored, among, either
from sandbox.extensions.memory.store.reading import search
from sandbox.extensions.memory.text import words
from sandbox.extensions.memory.text.timewords import telling

_PERIOD = 1.5  # times its score, at most, for a memory from the time of the question
_DATED = 0.3  # of its score, added to a memory that names a time
_LOOKED_AT = 100  # of the best results


class SpokenTime(Adjustment):
    """Lifts memories from the time of the question, and adds those of a question that asks for nothing else."""

    name = SPOKEN_TIME

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """Lift by how near the memory's time is, and how certain the question's time is."""
        period = context.query.period
        if period is None:
            return scores
        times = context.visibility.turns.rows(scores.ids)["event_time"]
        weight = _PERIOD * period.certainty
        lifted = scores.valued(scores.values * (1 + weight * closeness(times, period)))
        context.found["recent"] = rest = unmatched(context)
        return either(lifted, rest)


class NamesATime(Adjustment):
    """Lifts memories that name a time, if a question asks when."""

    name = "what names a time"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """Lift only memories among the best results."""
        if context.query.intent != "when":
            return scores
        best = ordered(scores)[:_LOOKED_AT].ids.tolist()
        naming = search.saying(context.visibility.snapshot, best, _time_terms())
        lifted = np.where(among(scores.ids, naming), 1 + _DATED, 1.0)
        return scores.valued(scores.values * lifted)


@cache
def _time_terms() -> frozenset[str]:
    return frozenset(term for word in telling() for term in words.terms(word))
