"""Memories that come before others: those of the relation that a question asks for, and those that replaced another."""

import math
from collections.abc import Sequence

import numpy as np

from sandbox.extensions.memory.retrieve import relations
from sandbox.extensions.memory.retrieve.protocols import Edge, SearchContext
from sandbox.extensions.memory.store import graph
from sandbox.extensions.memory.store.scored import Scored, either

_MOST_LEADING = 5  # memories of the relation


def related(context: SearchContext, scores: Scored) -> Scored:
    """If a question asks how a named entity is related to others, the first few memories of that relation lead."""
    asked = relations.asked(context)
    if not asked or not len(scores):
        return scores
    found = np.array(sorted({each.node for each in asked[:_MOST_LEADING]}), np.int64)
    return either(Scored(found, np.full(len(found), np.nextafter(scores.values.max(), np.inf))), scores)


def superseded(context: SearchContext, scores: Scored) -> Scored:
    """No memory comes before the one that replaced it, nor before one with more weight in a possible conflict."""
    outdone = scores.ids[context.visibility.turns.rows(scores.ids)["outdone"]]
    if not len(outdone):
        return scores
    prevailing = graph.prevailing(context.visibility.snapshot, outdone.tolist())
    led = replacements_first(scores, [(old, new) for old, new, _ in prevailing])
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
