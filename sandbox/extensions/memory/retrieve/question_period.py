"""The time of a question. If it asks only about a time, only memories from that time are searched. If it counts from an
event, the memory is searched for the time of the event.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

import numpy as np

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.query import Query
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store import nodes, search
from sandbox.extensions.memory.store.columns import Ids, Scored, Values, among
from sandbox.extensions.memory.store.filters import Filter
from sandbox.extensions.memory.store.rows import Node, terms_of_name
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot
from sandbox.extensions.memory.text import spans
from sandbox.extensions.memory.text.period import Period, period
from sandbox.extensions.memory.text.spans import Span
from sandbox.extensions.memory.text.words import terms
from sandbox.support.times import from_ms

SPOKEN_TIME = "the time spoken of"
"""The name in the setting ``without`` for all effects of a time in the question."""

_LAG = 2 * DAY  # after an event, until it is told; flat between one and four days
_FROM_PERIOD = 50  # candidates from the time of the question, beside those from all times
_UNMATCHED = 0.01  # score of the latest memory from that time, if nothing else finds it
_SURE = 0.8  # certainty of a time in a sentence, or in a question that asks for nothing else
_LOOKED_AT = 20  # of the best matches for the event
_NAMES_IT = 0.75  # of the event's terms, by rarity, in a sentence that names it
_LONGEST = 31 * spans.DAY  # length of such a time
_APART = 7 * spans.DAY  # distance of two times of one event
_AGREE = 2 / 3  # of all matches that name the event
_SENTENCE = re.compile(r"[.!?…\n]+")


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
    """1 within a period; outside, it falls over two days and half the period. Pure; times in milliseconds."""
    away = np.maximum(np.maximum(period.after - moments, moments - period.before), 0)
    near: Values = np.exp(-away / (_LAG + (period.before - period.after) / 2))
    return near


def with_time_of_event(context: SearchContext) -> SearchContext:
    """The search; if its question counts from an event that the memory clearly dates, with the resulting time."""
    anchor, now = context.query.anchor, context.query.now
    if anchor is None or now is None or context.query.period is not None or not context.is_on(SPOKEN_TIME):
        return context
    happened = agreed(list(_times(context, anchor.terms, now.tzinfo)))
    asked = None if happened is None else anchor.period(happened, now)
    if asked is None:
        return context
    return replace(context, resolved=context.resolved._replace(query=context.query._replace(period=asked)))


def agreed(times: Sequence[tuple[Span, bool]]) -> Span | None:
    """The days of an event, given what its matches say, best first, each with whether it states the time. They are the
    days of the first match, if most agree with it. Matches that state the time outweigh those that only mention the
    event. Pure.
    """
    stated = [span for span, is_stated in times if is_stated] or [span for span, _ in times]
    near = [span for span in stated if _gap(span, stated[0]) <= _APART]
    return near[0] if near and len(near) >= _AGREE * len(stated) else None


def _times(context: SearchContext, event: Sequence[str], zone: tzinfo | None) -> Iterator[tuple[Span, bool]]:
    """The time of the event by each match that names it: the time in its sentence, else the day of the turn."""
    visibility = VisibilityFilter(
        context.visibility.snapshot, replace(context.visibility.filter, types=None, only={}), context.visibility.nodes
    )
    best = visibility.first(search.matching(visibility, context.store.words, event), _LOOKED_AT).ids
    best = best[~only_asks(visibility.nodes.rows(best))]
    rarity = context.store.words.everything.rarity(visibility.snapshot, event, context.resolved.user_id)
    stored = nodes.by_ids(visibility.snapshot, best.tolist())
    for node in (stored[id] for id in best.tolist()):
        sentence = _sentence_naming(node, rarity)
        if sentence is not None:
            yield _time_told(sentence, from_ms(node.event_time).astimezone(zone))


def _sentence_naming(node: Node, rarity: Mapping[str, float]) -> str | None:
    """The first sentence of a memory that names the event, if there is one."""
    who = terms_of_name(node.speaker or node.subject or "")
    wanted = _NAMES_IT * sum(rarity.values())

    def names_it(said: Set[str]) -> bool:
        return wanted > 0 and sum(weight for term, weight in rarity.items() if term in said) >= wanted

    if not names_it(node.said):
        return None
    sentences = _SENTENCE.split(node.content)
    return next((sentence for sentence in sentences if names_it(who.union(terms(sentence)))), None)


def _time_told(sentence: str, said_at: datetime) -> tuple[Span, bool]:
    """The time in a sentence, else the day on which it was said; and whether the sentence states it."""
    found = period(sentence, said_at)
    if found is None or found.certainty < _SURE or found.before - found.after > _LONGEST / timedelta(milliseconds=1):
        return spans.days(said_at.date()), False
    first, end = (from_ms(each).astimezone(said_at.tzinfo).date() for each in (found.after, found.before))
    return (first, end), True


def _gap(one: Span, other: Span) -> timedelta:
    """The time from the end of one to the beginning of the other; 0 if they touch."""
    return max(one[0] - other[1], other[0] - one[1], timedelta())
