"""Of memories that fit a question equally well, those in a context of high priority come first."""

from sandbox.extensions.memory.retrieve.protocols import Adjustment, SearchContext
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.store.entities import contexts
from sandbox.extensions.memory.store.indexes.scored import Scored

_LOOKED_AT = 200  # of the best results
_LIFT = 0.5  # of its score; the gain of a memory in a context of the highest priority


class Contexts(Adjustment):
    """Lifts memories in a context with a priority, in proportion to it."""

    name = "priority of contexts"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """Lift the memories among the best results."""
        if not context.resolved.knows:
            return scores
        best = ordered(scores)[:_LOOKED_AT].ids.tolist()
        lifted = contexts.priorities(context.visibility.snapshot, best)
        if not lifted:
            return scores
        return scores.valued(scores.values * [1 + _LIFT * lifted.get(id, 0.0) for id in scores.ids.tolist()])
