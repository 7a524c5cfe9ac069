"""The end of a search: the best nodes as memories, each with the reasons why it was found."""

from sandbox.extensions.memory.retrieve.edges import walked
from sandbox.extensions.memory.retrieve.fusion import ranks
from sandbox.extensions.memory.retrieve.protocols import SearchContext
from sandbox.extensions.memory.retrieve.recollection import Recollection
from sandbox.extensions.memory.retrieve.refine import ordered
from sandbox.extensions.memory.store.indexes.scored import Ids, Scored, among, joined
from sandbox.extensions.memory.store.memories import nodes
from sandbox.extensions.memory.store.reading import search
from sandbox.extensions.memory.store.reading.filters import Filter
from sandbox.extensions.memory.store.sqlite.snapshot import Snapshot


def recollections(context: SearchContext, scores: Scored, limit: int, *, explained: bool) -> list[Recollection]:
    """The best ``limit`` memories, best first, with the reasons; ``explained`` adds the edges."""
    best, near = _best(context, ordered(scores), limit), context.found_by("vector")
    stored, places = nodes.by_ids(context.visibility.snapshot, best.ids.tolist()), ranks(context.found, best.ids)
    similarity, rare_word_similarity = _similarities(context, best.ids[among(best.ids, near.ids)]), near.plain()
    found = [
        Recollection(stored[node], score, places[node], similarity.get(node), rare_word_similarity.get(node))
        for node, score in best.plain().items()
        if node in stored
    ]
    if not explained:
        return found
    edges = walked(context, best.ids)
    return [each._replace(edges=edges[each.node.id]) for each in found]


def latest(snapshot: Snapshot, filter_: Filter, limit: int) -> list[Recollection]:
    """The latest memories, for an empty question."""
    ids = search.recent(snapshot, filter_, limit)
    found = nodes.by_ids(snapshot, ids)
    return [Recollection(found[node], 1 / rank, {"recent": rank}, None) for rank, node in enumerate(ids, start=1)]


def _best(context: SearchContext, found: Scored, limit: int) -> Scored:
    """The first ``limit`` nodes, and, if wanted, the best knowledge among the others."""
    if context.knowledge is None:
        return found[:limit]
    crowded = found[limit:]
    crowded = crowded[~context.visibility.turns.rows(crowded.ids)["is_turn"]]
    return joined([found[:limit], crowded[context.knowledge.permitted(crowded.ids)][: context.knowledge_limit]])


def _similarities(context: SearchContext, found: Ids) -> dict[int, float]:
    """The cosines of the question, unweighted, with the nodes that the vectors found."""
    model, vector = context.resolved.model, context.query.vector
    if vector is None or model is None or not len(found):
        return {}
    return context.store.vectors.cosines(context.visibility.snapshot, model, vector, found).plain()
