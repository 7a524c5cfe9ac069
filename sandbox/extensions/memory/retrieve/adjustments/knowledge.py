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

_REPEATED = 0.3  # what was learnt, beside the turns it was learnt from
_INSIGHT = 0.3  # what a night concluded of a person, beside what was said
_FADING = 0.7  # what is weak, in a search

_LOOKED_AT = 200  # of the best
_SHOWN = 50  # of which an insight may be one
_SAYS_IT = 0.3  # of its score, from which a turn says what was learnt from it; flat from 0.2 to 0.4


class Repeated(Adjustment):
    """Lowers what repeats the turns it rests on. A block does not ask for that: it may not show those turns."""

    name = "learnt beside its turns"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """Among the best of what was found."""
        if context.knowledge_limit or not (context.visibility.filter.sees_turns and context.resolved.knows):
            return scores
        best = ordered(scores)[:_LOOKED_AT].ids.tolist()
        return lowered(scores, facts.learnt(context.visibility.snapshot, best), _REPEATED)


class _Lowering(Adjustment):
    """Lowers some of the best of what was found by a factor, where knowledge is asked for."""

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
        """Which of the best are lowered."""


class Insights(_Lowering):
    """Lowers what a night concluded, among what will be shown."""

    name = "insights"
    looked_at, factor = _SHOWN, _INSIGHT

    def which(self, context: SearchContext, best: Sequence[int]) -> Sequence[int]:
        """See ``_Lowering``."""
        return facts.insights(context.visibility.snapshot, best)


class Fading(_Lowering):
    """Lowers what is about to fade."""

    name = "what fades"
    looked_at, factor = _LOOKED_AT, _FADING

    def which(self, context: SearchContext, best: Sequence[int]) -> Sequence[int]:
        """See ``_Lowering``."""
        return search.fading(context.visibility.snapshot, best, context.visibility.filter.now, FADING)


def lowered(scores: Scored, rests_on: Mapping[int, Sequence[int]], factor: float) -> Scored:
    """The same of what is known to rest on turns. Pure."""
    if not rests_on:
        return scores
    place, out = {node: index for index, node in enumerate(scores.ids.tolist())}, scores.values.tolist()
    for node, turns in rests_on.items():
        said = [out[place[turn]] for turn in turns if turn in place]
        if len(said) == len(turns) and max(said) > _SAYS_IT * out[place[node]]:
            out[place[node]] *= factor
    return scores.valued(np.array(out, float))
