"""Memories that come before others: those of the relation that a question asks for, and those that replaced another."""

import numpy as np

from sandbox.extensions.memory.retrieve import relations
from sandbox.extensions.memory.retrieve.protocols import Edge, SearchContext
from sandbox.extensions.memory.retrieve.refine import lead
from sandbox.extensions.memory.store.indexes.scored import Scored, either
from sandbox.extensions.memory.store.memories import graph

_LEADING = 5


def related(context: SearchContext, scores: Scored) -> Scored:
    """If a question asks how a named entity is related to others, the first few memories of that relation lead."""
    asked = relations.asked(context)
    if not asked or not len(scores):
        return scores
    found = np.array(sorted({each.node for each in asked[:_LEADING]}), np.int64)
    return either(Scored(found, np.full(len(found), np.nextafter(scores.values.max(), np.inf))), scores)


def superseded(context: SearchContext, scores: Scored) -> Scored:
    """No memory comes before the one that replaced it, nor before one with more weight in a possible conflict."""
    outdone = scores.ids[context.visibility.turns.rows(scores.ids)["outdone"]]
    if not len(outdone):
        return scores
    prevailing = graph.prevailing(context.visibility.snapshot, outdone.tolist())
    led = lead(scores, [(old, new) for old, new, _ in prevailing])
    raised = set(led.ids[led.values > scores.values].tolist())
    context.walked.extend((new, Edge(relation, old, 1)) for old, new, relation in prevailing if new in raised)
    return led
