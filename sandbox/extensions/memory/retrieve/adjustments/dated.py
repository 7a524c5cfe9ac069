"""Prefer memories from the question's time; none is excluded, because a misread time must not cost the answer."""

from functools import cache

import numpy as np

from sandbox.extensions.memory.retrieve.dated import SPOKEN_TIME, closeness
from sandbox.extensions.memory.retrieve.protocols import Adjustment, SearchContext
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.store.indexes.scored import Scored, among
from sandbox.extensions.memory.store.reading import moments
from sandbox.extensions.memory.text import words
from sandbox.extensions.memory.text.timewords import telling

_PERIOD = 1.5  # what happened in the time that a question speaks of gains up to so many times its score
_DATED = 0.3  # of its score, that what names a time gains
_LOOKED_AT = 100  # of the best, for whether they name a time


class SpokenTime(Adjustment):
    """Lifts what happened in the time that a question speaks of."""

    name = SPOKEN_TIME

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """By how near it was, and how surely that time is meant."""
        period = context.query.period
        if period is None:
            return scores
        times = context.visibility.turns.rows(scores.ids)["event_time"]
        weight = _PERIOD * period.certainty
        return scores.valued(scores.values * (1 + weight * closeness(times, period)))


class NamesATime(Adjustment):
    """Lifts what names a time, where a question asks when."""

    name = "what names a time"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """The best of what was found alone."""
        if context.query.intent != "when":
            return scores
        best = ordered(scores)[:_LOOKED_AT].ids.tolist()
        naming = moments.saying(context.visibility.snapshot, best, _time_terms())
        lifted = np.where(among(scores.ids, naming), 1 + _DATED, 1.0)
        return scores.valued(scores.values * lifted)


@cache
def _time_terms() -> frozenset[str]:
    return frozenset(term for word in telling() for term in words.terms(word))
