"""A question that asks only about a time: search only memories from that time."""

import numpy as np

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.store import search
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.scored import Ids, Scored, Values, among
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.period import Period

SPOKEN_TIME = "the time spoken of"
"""The name in the setting ``without`` for all effects of a time in the question."""

_LAG = 2 * DAY  # after an event, until it is told; flat between one and four days
_FROM_PERIOD = 50  # candidates from the time of the question, beside those from all times
_UNMATCHED = 0.01  # score of the latest memory from that time, if nothing else finds it
_SURE = 0.8  # certainty of a time, if the question asks for nothing else


def narrowed(snapshot: Snapshot, filter_: Filter, query: Query) -> Filter:
    """The filter; if a question asks only what happened in a time, limited to that time and two days more, unless there
    is no memory from it.
    """
    period = _asked_alone(filter_, query)
    if period is None or filter_.only.keys() & {"after", "before"}:
        return filter_
    then = filter_.narrowed(after=period.after, before=period.before + _LAG)
    return then if search.recent(snapshot, then, 1) else filter_


def candidates(context: SearchContext, matching: Scored) -> Scored:
    """The best matches from the time of the question, which matches from all times might displace."""
    period, visibility = context.query.period, context.visibility
    if period is None or not context.is_on(SPOKEN_TIME) or not visibility.filter.sees_turns:
        return matching[:0]
    then = search.within(visibility.snapshot, period.after, period.before + _LAG)
    return visibility.first(matching[among(matching.ids, then)], _FROM_PERIOD)


def unmatched(context: SearchContext) -> Scored:
    """If a question asks only what happened in a time, the latest memories from that time, below every match: nothing
    in their words or meaning need be like the question.
    """
    filter_, snapshot = context.visibility.filter, context.visibility.snapshot
    period = _asked_alone(filter_, context.query)
    if period is None:
        return Scored.of({})
    after, before = period.after, period.before + _LAG
    then = filter_.narrowed(
        after=max(after, filter_.only.get("after", after)), before=min(before, filter_.only.get("before", before))
    )
    ids = search.recent(snapshot, then, context.breadth)
    return Scored(np.array(ids, np.int64), _UNMATCHED / np.arange(1, len(ids) + 1))


def _asked_alone(filter_: Filter, query: Query) -> Period | None:
    """The time of a question that asks only what happened then; else None."""
    period = query.period
    if period is None or not query.asks_what_happened or period.certainty < _SURE or not filter_.sees_turns:
        return None
    return period


def closeness(moments: Ids, period: Period) -> Values:
    """1 within a period; outside it falls over two days and half the length of the period. Pure; times in
    milliseconds.
    """
    away = np.maximum(np.maximum(period.after - moments, moments - period.before), 0)
    near: Values = np.exp(-away / (_LAG + (period.before - period.after) / 2))
    return near
