"""Lower learnt memories beside their source turns, because the turns say the same.

A night's conclusion counts less than any statement, and a memory that will soon fade less than a sure one.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from sandbox.extensions.memory.decay import FADING
from sandbox.extensions.memory.retrieve.protocols import Adjustment, SearchContext
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.store.indexes.scored import Scored, among
from sandbox.extensions.memory.store.memories import facts
from sandbox.extensions.memory.store.reading import search

_REPEATED = 0.3  # factor for a learnt memory beside its source turns
_INSIGHT = 0.3  # factor for a night's conclusion about a person
_FADING = 0.7  # factor for a fading memory in a search

_LOOKED_AT = 200  # of the best results
_SHOWN = 50  # of the best results, which can include an insight
_SAYS_IT = 0.3  # of its score; a source turn with more repeats a learnt memory; flat from 0.2 to 0.4


class Repeated(Adjustment):
    """Lowers memories that repeat their source turns. Not used for a block, which may not show those turns."""

    name = "learnt beside its turns"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """Lower the memories among the best results."""
        if context.knowledge_limit or not (context.visibility.filter.sees_turns and context.resolved.knows):
            return scores
        best = ordered(scores)[:_LOOKED_AT].ids.tolist()
        return lowered(scores, facts.learnt(context.visibility.snapshot, best), _REPEATED)


class _Lowering(Adjustment):
    """Lowers some of the best results by a factor, in searches that want knowledge."""

    looked_at: int
    factor: float

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """See ``Adjustment``."""
        if not context.resolved.knows:
            return scores
        nodes = self.which(context, ordered(scores)[: self.looked_at].ids.tolist())
        if not nodes:
            return scores
        is_lowered = among(scores.ids, np.array(nodes, np.int64))
        return scores.valued(scores.values * np.where(is_lowered, self.factor, 1.0))

    @abstractmethod
    def which(self, context: SearchContext, best: Sequence[int]) -> Sequence[int]:
        """The results to lower, among the best ones."""


class Insights(_Lowering):
    """Lowers insights among the results that will be shown."""

    name = "insights"
    looked_at, factor = _SHOWN, _INSIGHT

    def which(self, context: SearchContext, best: Sequence[int]) -> Sequence[int]:
        """See ``_Lowering``."""
        return facts.insights(context.visibility.snapshot, best)


class Fading(_Lowering):
    """Lowers memories that will soon fade."""

    name = "what fades"
    looked_at, factor = _LOOKED_AT, _FADING

    def which(self, context: SearchContext, best: Sequence[int]) -> Sequence[int]:
        """See ``_Lowering``."""
        return search.fading(context.visibility.snapshot, best, context.visibility.filter.now, FADING)


def lowered(scores: Scored, rests_on: Mapping[int, Sequence[int]], factor: float) -> Scored:
    """The scores, lowered for memories that rest on turns in the results. Pure."""
    if not rests_on:
        return scores
    place, out = {node: index for index, node in enumerate(scores.ids.tolist())}, scores.values.tolist()
    for node, turns in rests_on.items():
        said = [out[place[turn]] for turn in turns if turn in place]
        if len(said) == len(turns) and max(said) > _SAYS_IT * out[place[node]]:
            out[place[node]] *= factor
    return scores.valued(np.array(out, float))
