"""Meaning: the nodes whose vectors are nearest to the question's, by cosine."""

import numpy as np

from sandbox.extensions.memory.retrieve.protocols import Leg, SearchContext
from sandbox.extensions.memory.retrieve.spread import SAYS_LITTLE, asked
from sandbox.extensions.memory.store.scored import Scored, among, either, joined, normalised


class VectorLeg(Leg):
    """Finds memories with the same meaning in other words."""

    name = "vector"
    finds = "meaning"
    weight = 0.9

    def find(self, context: SearchContext) -> Scored:
        """The nearest nodes with their cosines, best first."""
        model, vector = context.resolved.model, context.resolved.vector
        if vector is None or model is None:
            return Scored.of({})
        vectors = context.store.vectors
        near = vectors.nearest(context.visibility, model, vector, context.breadth)
        if context.knowledge is None:
            return near
        known = vectors.nearest(context.knowledge, model, vector, context.knowledge_limit)
        return either(near, known).best_first()

    def strengths(self, context: SearchContext) -> Scored:
        """The cosines of the nearest nodes, and of those that words found, as shares of the best; a turn that asks gets
        less.
        """
        found, model, vector = context.found[self.name], context.resolved.model, context.resolved.vector
        if vector is None or model is None or not len(found):
            return found
        worded = context.found_by("fts").ids
        further = worded[~among(worded, found.ids)]
        cosines = joined([found, context.store.vectors.cosines(context.visibility.snapshot, model, vector, further)])
        shares = normalised(cosines.valued(np.maximum(cosines.values, 0.0)))
        if not context.is_on(SAYS_LITTLE):
            return shares
        return shares.valued(shares.values * asked(context.visibility.turns.rows(cosines.ids)))
