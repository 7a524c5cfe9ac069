"""If a question asks how a named entity is related to others, memories of that relation come first."""

import numpy as np

from sandbox.extensions.memory.retrieve import relations
from sandbox.extensions.memory.retrieve.protocols import Adjustment, SearchContext
from sandbox.extensions.memory.store.indexes.scored import Scored, either

_LEADING = 5


class Related(Adjustment):
    """Puts memories of the relation that a question asks for before all others."""

    name = "relations first"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """Scores in which the first few of these memories lead."""
        related = relations.asked(context)
        if not related or not len(scores):
            return scores
        found = np.array(sorted({each.node for each in related[:_LEADING]}), np.int64)
        return either(Scored(found, np.full(len(found), np.nextafter(scores.values.max(), np.inf))), scores)
