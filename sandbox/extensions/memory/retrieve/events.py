"""The time of an event from which a question counts. The memory is searched only if the form of the question names an
event.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.question_period import SPOKEN_TIME
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store import nodes, search
from sandbox.extensions.memory.store.rows import Node, terms_of_name
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.text.period import period
from sandbox.extensions.memory.text.spans import DAY, Span, days
from sandbox.extensions.memory.text.words import terms
from sandbox.support.times import from_ms

_LOOKED_AT = 20  # of the best matches for the event
_NAMES_IT = 0.75  # of the event's terms, by rarity, in a sentence that names it
_SURE = 0.8  # certainty of a time in a sentence
_LONGEST = 31 * DAY  # length of such a time
_APART = 7 * DAY  # distance of two times of one event
_AGREE = 2 / 3  # of all matches that name the event
_SENTENCE = re.compile(r"[.!?…\n]+")


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
        return days(said_at.date()), False
    first, end = (from_ms(each).astimezone(said_at.tzinfo).date() for each in (found.after, found.before))
    return (first, end), True


def _gap(one: Span, other: Span) -> timedelta:
    """The time from the end of one to the beginning of the other; 0 if they touch."""
    return max(one[0] - other[1], other[0] - one[1], timedelta())
