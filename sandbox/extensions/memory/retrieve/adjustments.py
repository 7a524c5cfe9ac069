"""The adjustments of a search, in their order: each sees the scores that the previous ones left."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations

import numpy as np

from sandbox.extensions.memory.decay import FADING
from sandbox.extensions.memory.retrieve import relations
from sandbox.extensions.memory.retrieve.protocols import Adjustment, Edge, SearchContext
from sandbox.extensions.memory.retrieve.query import asks_about_own_life
from sandbox.extensions.memory.retrieve.question_period import SPOKEN_TIME, closeness, unmatched
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store import entities, graph, nodes, search
from sandbox.extensions.memory.store.columns import Scored, among, either
from sandbox.extensions.memory.store.search import TurnTerms
from sandbox.extensions.memory.text import words
from sandbox.extensions.memory.text.timewords import telling

_OTHERS = 0.5  # factor for a turn that is not the user's word; flat from 0.4 to 0.5

_PERIOD = 1.5  # times its score, at most, for a memory from the time of the question
_DATED = 0.3  # of its score, added to a memory that names a time
_DATED_AMONG = 100  # of the best results
_BEST = 5  # results; further down, a newer turn is mostly about something else
_SHARE = 0.7  # of the question's terms in an older turn; a newer one with at least this share comes before it
_LATER = 3_600_000  # milliseconds; turns that are closer belong to one conversation
_INSIGHT = 0.3  # factor for a night's conclusion about a person
_FADING = 0.7  # factor for a fading memory in a search
_LIFT = 0.5  # of its score; the gain of a memory in a context of the highest priority
_LOOKED_AT = 200  # of the best results
_SHOWN = 50  # of the best results, which can include an insight
_MOST_LEADING = 5  # memories of the relation


def _own_words(context: SearchContext, scores: Scored) -> Scored:
    """Lower turns that are not the user's own words: answers of assistants, and text from elsewhere."""
    if not asks_about_own_life(context.query.text):
        return scores
    rows = context.visibility.nodes.rows(scores.ids)
    is_others = rows["is_turn"] & ~rows["by_user"]
    return scores.valued(np.where(is_others, scores.values * _OTHERS, scores.values))


def _spoken_time(context: SearchContext, scores: Scored) -> Scored:
    """Lift memories by how near they are to the time of the question, and how certain that time is; add those of a
    question that asks for nothing else.
    """
    period = context.query.period
    if period is None:
        return scores
    times = context.visibility.nodes.rows(scores.ids)["event_time"]
    weight = _PERIOD * period.certainty
    lifted = scores.valued(scores.values * (1 + weight * closeness(times, period)))
    context.found["recent"] = rest = unmatched(context)
    return either(lifted, rest)


def _names_a_time(context: SearchContext, scores: Scored) -> Scored:
    """Lift memories among the best results that name a time, if a question asks when."""
    if context.query.intent != "when":
        return scores
    best = scores.best_first()[:_DATED_AMONG].ids.tolist()
    naming = search.saying(context.visibility.snapshot, best, _time_terms())
    lifted = np.where(among(scores.ids, naming), 1 + _DATED, 1.0)
    return scores.valued(scores.values * lifted)


@cache
def _time_terms() -> frozenset[str]:
    return frozenset(term for word in telling() for term in words.terms(word))


def _newer_first(context: SearchContext, scores: Scored) -> Scored:
    """Swap two of the best turns if the newer one says as much of the question, for a question about the present: one
    that neither names a time nor asks when.
    """
    query, snapshot = context.query, context.visibility.snapshot
    if query.period is not None or query.intent == "when":
        return scores
    best = scores.best_first()[:_BEST].ids
    best = best[~only_asks(context.visibility.nodes.rows(best))]
    rarity = context.store.words.everything.rarity(snapshot, query.terms, context.resolved.user_id)
    said = search.turn_terms(snapshot, best.tolist())
    order = by_newness(best.tolist(), said, rarity, _SHARE)
    if order == best.tolist():
        return scores
    return either(Scored(np.array(order, np.int64), scores.at(best, 0.0)), scores)


def by_newness(
    best: Sequence[int], said: Mapping[int, TurnTerms], rarity: Mapping[str, float], share: float
) -> list[int]:
    """The best results, swapped until no turn comes before a newer one that says as much of the question. Pure.

    The newer turn has the same speaker, is at least an hour later, and has at least a ``share`` of the older turn's
    terms of the question, weighted by ``rarity``.
    """
    order = list(best)

    def misplaced(places: tuple[int, int]) -> bool:
        first, second = (said.get(order[place]) for place in places)
        return first is not None and second is not None and _is_update(first, second, rarity, share)

    while places := next(filter(misplaced, combinations(range(len(order)), 2)), None):
        older, newer = places
        order[older], order[newer] = order[newer], order[older]
    return order


def _is_update(first: TurnTerms, second: TurnTerms, rarity: Mapping[str, float], share: float) -> bool:
    if second.event_time - first.event_time < _LATER or first.who != second.who:
        return False
    of_question = rarity.keys() & first.terms
    rarity_of_first = sum(rarity[term] for term in of_question)
    again = sum(rarity[term] for term in of_question.intersection(second.terms))
    # with one common word two turns need not be about the same subject
    return len(of_question) > 1 and again >= share * rarity_of_first


def _insights(context: SearchContext, scores: Scored) -> Scored:
    """Lower insights among the results that will be shown."""
    if not context.resolved.has_knowledge:
        return scores
    found = nodes.insights(context.visibility.snapshot, _best(scores, _SHOWN))
    return _weighed(scores, dict.fromkeys(found, _INSIGHT))


def _fading(context: SearchContext, scores: Scored) -> Scored:
    """Lower memories that will soon fade."""
    if not context.resolved.has_knowledge:
        return scores
    found = search.fading(context.visibility.snapshot, _best(scores), context.visibility.filter.now, FADING)
    return _weighed(scores, dict.fromkeys(found, _FADING))


def _in_contexts(context: SearchContext, scores: Scored) -> Scored:
    """Lift memories in a context with a priority, in proportion to it."""
    if not context.resolved.has_knowledge:
        return scores
    lifted = entities.priorities(context.visibility.snapshot, _best(scores))
    return _weighed(scores, {node: 1 + _LIFT * priority for node, priority in lifted.items()})


def _best(scores: Scored, count: int = _LOOKED_AT) -> list[int]:
    best: list[int] = scores.best_first()[:count].ids.tolist()
    return best


def _weighed(scores: Scored, factors: Mapping[int, float]) -> Scored:
    """The scores, each times the factor of its node."""
    return scores.valued(scores.values * Scored.of(factors).at(scores.ids, 1.0)) if factors else scores


def _related(context: SearchContext, scores: Scored) -> Scored:
    """If a question asks how a named entity is related to others, the first few memories of that relation lead."""
    asked = relations.asked(context)
    if not asked or not len(scores):
        return scores
    found = np.array(sorted({each.node for each in asked[:_MOST_LEADING]}), np.int64)
    return either(Scored(found, np.full(len(found), np.nextafter(scores.values.max(), np.inf))), scores)


def _superseded(context: SearchContext, scores: Scored) -> Scored:
    """No memory comes before the one that replaced it, nor before one with more weight in a possible conflict; no turn
    comes before what replaced all that was learnt from it.
    """
    snapshot, now = context.visibility.snapshot, context.visibility.filter.now
    outdone = scores.ids[context.visibility.nodes.rows(scores.ids)["outdone"]]
    prevailing = graph.prevailing(snapshot, outdone.tolist()) if len(outdone) else []
    turns = graph.outdated(snapshot, _best(scores, _SHOWN), now) if context.resolved.has_knowledge else []
    led = replacements_first(scores, [*((old, new) for old, new, _ in prevailing), *turns])
    raised = set(led.ids[led.values > scores.values].tolist())
    context.walked.extend((new, Edge(relation, old, 1)) for old, new, relation in prevailing if new in raised)
    return led


def replacements_first(scores: Scored, replacements: Sequence[tuple[int, int]]) -> Scored:
    """Scores in which no memory comes before one that outranks it: its replacement, or the later one of a possible
    conflict. ``replacements`` are (old, new) pairs; chains are followed. Pure.
    """
    if not replacements:
        return scores
    place = {node: index for index, node in enumerate(scores.ids.tolist())}
    pairs = [(place[old], place[new]) for old, new in replacements if old in place and new in place]
    values = scores.values.tolist()
    for _ in pairs:  # a chain of n replacements needs n rounds
        for old, new in pairs:
            values[new] = max(values[new], math.nextafter(values[old], math.inf))
    return scores.valued(np.array(values, float))


ADJUSTMENTS: tuple[Adjustment, ...] = (
    Adjustment("own words", _own_words),
    Adjustment(SPOKEN_TIME, _spoken_time),
    Adjustment("what names a time", _names_a_time),
    Adjustment("newer first", _newer_first),
    Adjustment("insights", _insights),
    Adjustment("what fades", _fading),
    Adjustment("priority of contexts", _in_contexts),
    Adjustment("relations first", _related),
    Adjustment("superseded behind", _superseded),
)
