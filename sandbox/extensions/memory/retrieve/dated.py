"""Time in a ranking. It prefers, for a time that was read wrongly must not cost the answer; it hides where a question
asks for what happened in it and nothing else.
"""

import sqlite3
from dataclasses import replace
from functools import cache

import numpy as np

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.store import moments, search
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.scored import Ids, Scored, Values, among
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.text import words
from sandbox.extensions.memory.text.period import Period
from sandbox.extensions.memory.text.timewords import telling

_LAG = 2 * DAY  # until it is told what happened; flat between one and four days
_FROM_PERIOD = 50  # candidates from the time a question speaks of, beside those from all times
_SURE = 0.8  # certainty of a time that is all that is asked for
_LOOKED_AT = 100  # of the best, for whether they name a time


def narrowed(connection: sqlite3.Connection, filter_: Filter, query: Query) -> Filter:
    """The same; where a question asks for what happened in a time, of that alone, if there is anything, told of a
    little later included.
    """
    period = query.period
    if period is None or not query.asks_what_happened or period.certainty < _SURE or not filter_.sees_turns:
        return filter_
    if filter_.after is not None or filter_.before is not None:
        return filter_
    then = replace(filter_, after=period.after, before=period.before + _LAG)
    return then if search.recent(connection, then, 1) else filter_


def candidates(gate: VisibilityFilter, matching: Scored, query: Query, config: Config) -> Scored:
    """What matches best of the time a question speaks of: the crowd of all times might keep it out."""
    period = query.period
    if period is None or not config.period_evidence or not gate.filter.sees_turns:
        return matching[:0]
    then = moments.within(gate.connection, period.after, period.before + _LAG)
    return gate.first(matching[among(matching.ids, then)], _FROM_PERIOD)


def prefer(gate: VisibilityFilter, query: Query, scores: Scored, config: Config) -> Scored:
    """Scores lifted for what happened in the time a question speaks of; where it asks when, for what names a time."""
    if query.period is not None and config.period_evidence:
        weight, period = config.period_evidence * query.period.certainty, query.period
        times = gate.turns.rows(scores.ids)["event_time"]
        scores = scores.valued(scores.values * (1 + weight * closeness(times, period)))
    if query.intent == "when" and config.dated_evidence:
        naming = moments.saying(gate.connection, ordered(scores)[:_LOOKED_AT].ids.tolist(), _time_terms())
        lifted = np.where(among(scores.ids, naming), 1 + config.dated_evidence, 1.0)
        scores = scores.valued(scores.values * lifted)
    return scores


def closeness(moments: Ids, period: Period) -> Values:
    """1 within a period, falling off over two days and half its length on either side. Pure; times in milliseconds."""
    away = np.maximum(np.maximum(period.after - moments, moments - period.before), 0)
    near: Values = np.exp(-away / (_LAG + (period.before - period.after) / 2))
    return near


@cache
def _time_terms() -> frozenset[str]:
    return frozenset(term for word in telling() for term in words.terms(word))
