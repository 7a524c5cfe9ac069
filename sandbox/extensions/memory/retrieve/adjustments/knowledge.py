"""A night's conclusion counts less than any statement, and a memory that will soon fade less than a sure one. A memory
in a context of high priority counts more.
"""

from collections.abc import Mapping

from sandbox.extensions.memory.decay import FADING
from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.store import facts, linking, search
from sandbox.extensions.memory.store.scored import Scored

_INSIGHT = 0.3  # factor for a night's conclusion about a person
_FADING = 0.7  # factor for a fading memory in a search
_LIFT = 0.5  # of its score; the gain of a memory in a context of the highest priority

_LOOKED_AT = 200  # of the best results
_SHOWN = 50  # of the best results, which can include an insight


def insights(context: SearchContext, scores: Scored) -> Scored:
    """Lower insights among the results that will be shown."""
    if not context.resolved.has_knowledge:
        return scores
    found = facts.insights(context.visibility.snapshot, _best(scores, _SHOWN))
    return _weighed(scores, dict.fromkeys(found, _INSIGHT))


def fading(context: SearchContext, scores: Scored) -> Scored:
    """Lower memories that will soon fade."""
    if not context.resolved.has_knowledge:
        return scores
    found = search.fading(context.visibility.snapshot, _best(scores), context.visibility.filter.now, FADING)
    return _weighed(scores, dict.fromkeys(found, _FADING))


def in_contexts(context: SearchContext, scores: Scored) -> Scored:
    """Lift memories in a context with a priority, in proportion to it."""
    if not context.resolved.has_knowledge:
        return scores
    lifted = linking.priorities(context.visibility.snapshot, _best(scores))
    return _weighed(scores, {node: 1 + _LIFT * priority for node, priority in lifted.items()})


def _best(scores: Scored, count: int = _LOOKED_AT) -> list[int]:
    best: list[int] = scores.best_first()[:count].ids.tolist()
    return best


def _weighed(scores: Scored, factors: Mapping[int, float]) -> Scored:
    """The scores, each times the factor of its node."""
    return scores.valued(scores.values * Scored.of(factors).at(scores.ids, 1.0)) if factors else scores
