"""A question that asks only about a time: search only memories from that time."""

import numpy as np

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.store.indexes.scored import Ids, Scored, Values, among
from sandbox.extensions.memory.store.reading import moments, search
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text.period import Period

SPOKEN_TIME = "the time spoken of"
"""What the setting ``without`` calls everything that a time in a question does."""

_LAG = 2 * DAY  # until it is told what happened; flat between one and four days
_FROM_PERIOD = 50  # candidates from the time a question speaks of, beside those from all times
_SURE = 0.8  # certainty of a time that is all that is asked for


def narrowed(snapshot: Snapshot, filter_: Filter, query: Query) -> Filter:
    """The same; where a question asks for what happened in a time, of that alone, if there is anything, told of a
    little later included.
    """
    period = query.period
    if period is None or not query.asks_what_happened or period.certainty < _SURE or not filter_.sees_turns:
        return filter_
    if filter_.only.keys() & {"after", "before"}:
        return filter_
    then = filter_.narrowed(after=period.after, before=period.before + _LAG)
    return then if search.recent(snapshot, then, 1) else filter_


def candidates(context: SearchContext, matching: Scored) -> Scored:
    """What matches best of the time a question speaks of: the crowd of all times might keep it out."""
    period, visibility = context.query.period, context.visibility
    if period is None or not context.has(SPOKEN_TIME) or not visibility.filter.sees_turns:
        return matching[:0]
    then = moments.within(visibility.snapshot, period.after, period.before + _LAG)
    return visibility.first(matching[among(matching.ids, then)], _FROM_PERIOD)


def closeness(moments: Ids, period: Period) -> Values:
    """1 within a period, falling off over two days and half its length on either side. Pure; times in milliseconds."""
    away = np.maximum(np.maximum(period.after - moments, moments - period.before), 0)
    near: Values = np.exp(-away / (_LAG + (period.before - period.after) / 2))
    return near
