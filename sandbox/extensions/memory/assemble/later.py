"""Find what the user said later of the same things. A turn may be out of date, and the one that says so need not have
a word of the question: *Dr Okafor's receptionist rang* moves the root canal with Dr Okafor.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sandbox.extensions.memory.retrieve.recall import Recollection
from sandbox.extensions.memory.retrieve.spread import only_asks
from sandbox.extensions.memory.store import nodes, vectors
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.search import VisibilityFilter
from sandbox.extensions.memory.store.word_index import WordIndex

_LOOKED_AT, _READ = 50, 12  # turns with its rare terms, and those of them that are later
_TELLING = 0.2  # how well a term has to tell turns from others
_COSINE = 3.0  # weight of the cosine beside the common terms, of which one that no other turn has counts 1
_ALIKE = 1.5  # from which two turns speak of the same thing
_MOST = 2  # later turns
_BEHIND = 0.5  # of the score of the earlier turn: it displaces nothing that answers better


def with_later(
    turns: VisibilityFilter, words: WordIndex, found: Sequence[Recollection], prompt: str
) -> list[Recollection]:
    """The results, best first, with what the user said in later sessions of the same things as in the best turn, but
    not the ``prompt`` itself, which the host has observed.
    """
    own = (each for each in found if each.node.type == "episodic" and each.node.role == "user")
    best = next(own, None)
    if best is None:
        return list(found)
    together = {each.node.id: each for each in found}
    for node in (each for each in _later(turns, words, best.node) if each.content != prompt):
        known = together.get(node.id, best._replace(node=node, score=0.0))
        together[node.id] = known._replace(score=max(known.score, best.score * _BEHIND))
    return sorted(together.values(), key=lambda each: -each.score)


def _later(turns: VisibilityFilter, words: WordIndex, early: Node) -> list[Node]:
    """The turns most like a turn, the most alike first."""
    snapshot, user = turns.snapshot, turns.filter.scope.user_id
    weights = words.distinctness(snapshot, early.terms.split(), user)
    terms = [term for term, weight in weights.items() if weight >= _TELLING]
    near = turns.first(words.matching(snapshot, terms, user), _LOOKED_AT).ids
    rows = turns.nodes.rows(near)
    is_later = (rows["event_time"] > early.event_time) & (rows["session"] != hash(early.session_id))
    is_told = is_later & rows["by_user"] & ~only_asks(rows)
    found = nodes.by_ids(snapshot, near[is_told][:_READ].tolist()).values()
    later = [node for node in found if node.speaker == early.speaker]
    cosines = _cosines(turns, early, later)
    alike = {
        node.id: sum(weights.get(term, 0.0) for term in set(node.terms.split())) + _COSINE * cosines.get(node.id, 0.0)
        for node in later
    }
    best = sorted((node for node in later if alike[node.id] >= _ALIKE), key=lambda node: -alike[node.id])
    return best[:_MOST]


def _cosines(turns: VisibilityFilter, early: Node, later: Sequence[Node]) -> Mapping[int, float]:
    """The cosines of a turn with others, of those that have a vector."""
    found = vectors.embedded(turns.snapshot, [early.id, *(each.id for each in later)]) if later else None
    if found is None or early.id not in found.ids:
        return {}
    asked = found.vectors[found.ids.index(early.id)]
    return dict(zip(found.ids, np.einsum("ij,j->i", found.vectors, asked).tolist(), strict=True))
