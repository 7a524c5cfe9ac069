"""The similarity of memories: by their vectors, or by their words if they have none. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.store.facts import NodeVectors
from sandbox.extensions.memory.text.words import terms

_BLOCK = 256  # rows multiplied at once
_COMMON = 100  # a word in more memories than this is ignored


class Near(NamedTuple):
    """Two memories by their node ids, the older first, and their similarity."""

    first: int
    second: int
    score: float


def nearest(embedded: NodeVectors, ids: Sequence[int], of: Iterable[int], count: int, minimum: float) -> set[Near]:
    """Each memory in ``of`` with its ``count`` nearest among ``ids``, from the cosine ``minimum`` on; each pair
    once.
    """
    row_of = {node: row for row, node in enumerate(embedded.ids)}
    among = [node for node in ids if node in row_of]
    vectors, places = embedded.vectors[[row_of[node] for node in among]], {node: at for at, node in enumerate(among)}
    asked = [places[node] for node in of if node in places]
    found: set[Near] = set()
    for start in range(0, len(asked), _BLOCK):
        rows = asked[start : start + _BLOCK]
        scores = vectors[rows] @ vectors.T
        scores[np.arange(len(rows)), rows] = -1.0
        for row, score in zip(rows, scores, strict=True):
            near = np.flatnonzero(score >= minimum)
            if len(near) > count:
                near = near[np.argpartition(-score[near], count - 1)[:count]]
            found.update(_pair(among[row], among[at], score[at]) for at in near)
    return found


def nearest_by_words(texts: Mapping[int, str], of: Iterable[int], count: int, minimum: float) -> set[Near]:
    """The same without vectors: by the share of the longer one's terms that both have."""
    words = {node: frozenset(terms(text)) for node, text in texts.items()}
    holders: dict[str, list[int]] = defaultdict(list)
    for node, held in words.items():
        for term in held:
            holders[term].append(node)
    return {near for node in of for near in _by_words(node, words, holders, count) if near.score >= minimum}


def best_first(found: Iterable[Near]) -> list[Near]:
    """The most similar first; of equal ones, the oldest. Scores are rounded, so that rounding errors do not decide."""
    return sorted(found, key=lambda near: (-round(near.score, 4), near.first, near.second))


def _by_words(
    node: int, words: Mapping[int, frozenset[str]], holders: Mapping[str, Sequence[int]], count: int
) -> Iterator[Near]:
    shared: dict[int, int] = defaultdict(int)
    for term in words[node]:
        if len(holders[term]) <= _COMMON:
            for other in holders[term]:
                shared[other] += 1
    shared.pop(node, None)
    scored = [_pair(node, each, n / max(len(words[node]), len(words[each]))) for each, n in shared.items()]
    yield from best_first(scored)[:count]


def _pair(one: int, other: int, score: float) -> Near:
    return Near(min(one, other), max(one, other), float(score))
