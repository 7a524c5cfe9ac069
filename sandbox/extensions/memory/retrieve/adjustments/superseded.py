"""A valid memory comes before the memory that it replaced or outweighs."""

from sandbox.extensions.memory.retrieve.protocols import Adjustment, Edge, SearchContext
from sandbox.extensions.memory.retrieve.refine import lead
from sandbox.extensions.memory.store.indexes.scored import Scored
from sandbox.extensions.memory.store.memories import graph


class Superseded(Adjustment):
    """Puts a memory before the one it replaced, and of two in a possible conflict the one with more weight first."""

    name = "superseded behind"

    def apply(self, context: SearchContext, scores: Scored) -> Scored:
        """Scores in which no memory comes before its replacement."""
        outdone = scores.ids[context.visibility.turns.rows(scores.ids)["outdone"]]
        if not len(outdone):
            return scores
        prevailing = graph.prevailing(context.visibility.snapshot, outdone.tolist())
        led = lead(scores, [(old, new) for old, new, _ in prevailing])
        raised = set(led.ids[led.values > scores.values].tolist())
        context.walked.extend((new, Edge(relation, old, 1)) for old, new, relation in prevailing if new in raised)
        return led
