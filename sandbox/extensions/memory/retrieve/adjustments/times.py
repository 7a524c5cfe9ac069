"""Prefer memories from the question's time; none is excluded, because a misread time must not cost the answer."""

from functools import cache

import numpy as np

from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.question_period import closeness, unmatched
from sandbox.extensions.memory.store import search
from sandbox.extensions.memory.store.scored import Scored, among, either
from sandbox.extensions.memory.text import words
from sandbox.extensions.memory.text.timewords import telling

_PERIOD = 1.5  # times its score, at most, for a memory from the time of the question
_DATED = 0.3  # of its score, added to a memory that names a time
_LOOKED_AT = 100  # of the best results


def spoken_time(context: SearchContext, scores: Scored) -> Scored:
    """Lift memories by how near they are to the time of the question, and how certain that time is; add those of a
    question that asks for nothing else.
    """
    period = context.query.period
    if period is None:
        return scores
    times = context.visibility.turns.rows(scores.ids)["event_time"]
    weight = _PERIOD * period.certainty
    lifted = scores.valued(scores.values * (1 + weight * closeness(times, period)))
    context.found["recent"] = rest = unmatched(context)
    return either(lifted, rest)


def names_a_time(context: SearchContext, scores: Scored) -> Scored:
    """Lift memories among the best results that name a time, if a question asks when."""
    if context.query.intent != "when":
        return scores
    best = scores.best_first()[:_LOOKED_AT].ids.tolist()
    naming = search.saying(context.visibility.snapshot, best, _time_terms())
    lifted = np.where(among(scores.ids, naming), 1 + _DATED, 1.0)
    return scores.valued(scores.values * lifted)


@cache
def _time_terms() -> frozenset[str]:
    return frozenset(term for word in telling() for term in words.terms(word))
