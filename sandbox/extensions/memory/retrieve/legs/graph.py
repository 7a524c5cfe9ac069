"""Structure: memories along the edges of the graph, by the intent of the question."""

from collections.abc import Sequence

import numpy as np

from sandbox.extensions.memory.retrieve import relations
from sandbox.extensions.memory.retrieve.protocols import Edge, Leg, SearchContext, by_rank
from sandbox.extensions.memory.store import graph, nodes
from sandbox.extensions.memory.store.scored import Scored

_SEEDS = 5  # of the best nodes, as starts of chains


class GraphLeg(Leg):
    """Finds causes and effects for *why*, neighbouring turns for *when*, and for *who* and *what* the entities that the
    question's relation leads to.
    """

    name = "graph"
    finds = "graph"

    def find(self, context: SearchContext) -> Scored:
        """Nodes reached from the best nodes of the words, or from named entities; nearest first."""
        relation = {"why": "causal", "when": "temporal"}.get(context.query.intent)
        if relation is None:
            reached = _beyond(context)
        else:
            reached = _breadth_first(context, context.found_by("fts").ids[:_SEEDS].tolist(), relation)
        context.walked.extend(reached.items())
        return by_rank(list(reached))


def _beyond(context: SearchContext) -> dict[int, Edge]:
    """Knowledge about the entity at the end of a relation, with the other words of the question: "live" of Tom for
    "where does Ann's manager live?"
    """
    related = relations.asked(context)
    said = frozenset().union(*map(relations.predicate_terms, related), *(names.split() for names in context.names))
    left = set(context.query.terms) - said
    others = {each.other: each.node for each in reversed(related) if each.other is not None} if left else {}
    reached: dict[int, Edge] = {}
    for other, node in list(others.items())[:_SEEDS]:
        known = nodes.by_ids(context.visibility.snapshot, relations.known(context, [other]))
        reached |= {
            each.id: Edge("entity", node, 1) for each in known.values() if not left.isdisjoint(each.terms.split())
        }
    return reached


def _breadth_first(context: SearchContext, seeds: Sequence[int], relation: str) -> dict[int, Edge]:
    """Nodes reached from the seeds within the query's depth, nearest first; their number is limited."""
    reached: dict[int, Edge] = {}
    frontier = {seed: seed for seed in seeds}
    for hops in range(1, context.query.depth + 1):
        edges = graph.neighbours(context.visibility.snapshot, frontier, (relation,))
        frontier = {there: frontier[here] for here, there, _ in edges if there not in reached and there not in seeds}
        reached.update((there, Edge(relation, seed, hops)) for there, seed in frontier.items())
        if not frontier or len(reached) >= relations.MOST:
            break
    found = np.array(list(reached), np.int64)
    seen = found[context.visibility.permitted(found)]
    return {node: reached[node] for node in seen[: relations.MOST].tolist()}
