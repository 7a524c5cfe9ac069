"""Time in a ranking. It prefers and never hides: a time that was read wrongly must not cost the answer."""

import math
import sqlite3
from functools import cache

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.store import moments
from sandbox.extensions.memory.store.frequencies import TermFrequencies
from sandbox.extensions.memory.store.search import Gate
from sandbox.extensions.memory.text import words
from sandbox.extensions.memory.text.period import Period
from sandbox.extensions.memory.text.timewords import TELLING

_LAG = 2 * DAY  # until it is told what happened; flat between one and four days
_FROM_PERIOD = 50  # candidates from the time a question speaks of, beside those from all times
_LOOKED_AT = 100  # of the best, for whether they name a time


def candidates(gate: Gate, query: Query, frequencies: TermFrequencies, config: Config) -> dict[int, float]:
    """What matches best of the time a question speaks of, by bm25: the crowd of all times might keep it out."""
    period = query.period
    if period is None or not config.period_evidence or not gate.filter.sees_turns:
        return {}
    terms = frequencies.plan(gate.connection, query.terms)
    return dict(moments.words(gate, terms, period.after, period.before + _LAG, _FROM_PERIOD))


def prefer(connection: sqlite3.Connection, query: Query, scores: dict[int, float], config: Config) -> dict[int, float]:
    """Scores lifted for what happened in the time a question speaks of; where it asks when, for what names a time."""
    if query.period is not None and config.period_evidence:
        weight, period = config.period_evidence * query.period.certainty, query.period
        times = moments.times(connection, scores)
        scores = scores | {
            node: scores[node] * (1 + weight * closeness(moment, period)) for node, moment in times.items()
        }
    if query.intent == "when" and config.dated_evidence:
        said = moments.said(connection, ordered(scores)[:_LOOKED_AT])
        naming = {node for node, turn in said.items() if not _time_terms().isdisjoint(turn.terms)}
        lifted = 1 + config.dated_evidence
        scores = scores | {node: scores[node] * lifted for node in naming}
    return scores


def closeness(moment: int, period: Period) -> float:
    """1 within a period, falling off over two days and half its length on either side. Pure; times in milliseconds."""
    away = max(period.after - moment, moment - period.before, 0)
    return math.exp(-away / (_LAG + (period.before - period.after) / 2))


@cache
def _time_terms() -> frozenset[str]:
    return frozenset(term for word in TELLING for term in words.terms(word))
