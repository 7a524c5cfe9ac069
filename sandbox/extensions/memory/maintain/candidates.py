"""Find pairs of memories that may say the same, without a model, so that a model is asked about few pairs. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import NamedTuple

import numpy as np

from sandbox.extensions.memory.decay import DAY
from sandbox.extensions.memory.store.rows import Node
from sandbox.extensions.memory.store.vectors import NodeVectors
from sandbox.extensions.memory.text.words import is_denied, name_key, terms
from sandbox.support.times import local_day

_BLOCK = 256  # rows multiplied at once
_COMMON = 100  # a word in more memories than this is ignored

_MINIMUM = 0.5  # cosine from which two memories may say the same
_LATELY = 3 * DAY
_IMPORTANT = 3
_TOP = 10  # a tenth of all recalled memories counts as often recalled
_PARTNERS = 10  # of one memory
_RECENT = 90 * DAY
_OVERLAP = 1 / 3  # of the shorter one's terms
_NUMBER = re.compile(r"\d")
_FIGURE = re.compile(r"\d+")
# from which two likely say the same: a cosine, and a share of the longer one's terms
_LIKELY, _LIKELY_BY_WORDS = 0.85, 0.75
# memories, one of which is in each pair for a person; comparing them with 20,000 takes some tenths of a second
_LATEST = 2_000


class Near(NamedTuple):
    """Two memories by their node ids, the older first, and their similarity."""

    first: int
    second: int
    score: float


def nearest(embedded: NodeVectors, ids: Sequence[int], of: Iterable[int], count: int, minimum: float) -> set[Near]:
    """Each memory in ``of`` with its ``count`` nearest among ``ids``, of this cosine or more; each pair once."""
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


def _nearest_by_words(texts: Mapping[int, str], of: Iterable[int], count: int, minimum: float) -> set[Near]:
    """The same without vectors: by the share of the longer one's terms that both have."""
    words = {node: frozenset(terms(text)) for node, text in texts.items()}
    holders: dict[str, list[int]] = defaultdict(list)
    for node, held in words.items():
        for term in held:
            holders[term].append(node)
    found: set[Near] = set()
    for node in of:
        shared = Counter(other for term in words[node] if len(holders[term]) <= _COMMON for other in holders[term])
        del shared[node]
        scored = [_pair(node, each, n / max(len(words[node]), len(words[each]))) for each, n in shared.items()]
        found.update(near for near in best_first(scored)[:count] if near.score >= minimum)
    return found


def best_first(found: Iterable[Near]) -> list[Near]:
    """The most similar first; of equal ones, the oldest. Scores are rounded, so that rounding errors do not decide."""
    return sorted(found, key=lambda near: (-round(near.score, 4), near.first, near.second))


def _pair(one: int, other: int, score: float) -> Near:
    return Near(min(one, other), max(one, other), float(score))


def candidates(
    known: Sequence[Node], changed: Mapping[int, int], embedded: NodeVectors | None, now: int, since: int
) -> list[Near]:
    """Pairs of a user's valid knowledge to compare, the most similar first. One of each pair was changed (``changed``
    has the times) since ``since`` or in the last three days, is important, or is often recalled.
    """
    recalled = sorted((node for node in known if node.access_count), key=lambda node: -node.access_count)
    nominated, since = {node.id for node in recalled[: -(-len(recalled) // _TOP)]}, min(since, now - _LATELY)
    nominated |= {node.id for node in known if node.importance >= _IMPORTANT or changed[node.id] >= since}
    recent = [node for node in known if now - changed[node.id] <= _RECENT]
    by_id = {node.id: node for node in known}
    found = _near(recent, nominated, embedded, _MINIMUM)
    return best_first(near for near in found if _may_say_the_same(by_id[near.first], by_id[near.second]))


def duplicates(
    known: Sequence[Node], embedded: NodeVectors | None, apart: Set[tuple[int, int]], limit: int
) -> list[Near]:
    """The ``limit`` most similar pairs that likely say the same. One of each pair is among the latest memories, both
    have one home, and the pair is not in ``apart``. A person decides about them, so it is better to miss one than to
    show many that differ.
    """
    latest = {node.id for node in known[-_LATEST:]}
    by_id = {node.id: node for node in known}
    found = _near(known, latest, embedded, _LIKELY_BY_WORDS if embedded is None else _LIKELY)
    near = (each for each in best_first(found) if each[:2] not in apart)
    return list(islice((each for each in near if _likely_says_the_same(by_id[each.first], by_id[each.second])), limit))


def _likely_says_the_same(one: Node, other: Node) -> bool:
    """Whether both have the same figures and both or neither a negation, and events the same day."""
    if sorted(_FIGURE.findall(one.content)) != sorted(_FIGURE.findall(other.content)):
        return False
    if "event" in (one.category, other.category) and local_day(one.event_time) != local_day(other.event_time):
        return False
    return _may_say_the_same(one, other) and is_denied(one.content) == is_denied(other.content)


def _near(known: Sequence[Node], nominated: set[int], embedded: NodeVectors | None, minimum: float) -> Iterator[Near]:
    """Pairs of one home and type, one of which is nominated."""
    groups: dict[object, list[Node]] = defaultdict(list)
    for node in known:
        groups[node.home, node.type].append(node)
    for group in groups.values():
        of = [node.id for node in group if node.id in nominated]
        if embedded is None:
            yield from _nearest_by_words({node.id: node.content for node in group}, of, _PARTNERS, minimum)
        else:
            yield from nearest(embedded, [node.id for node in group], of, _PARTNERS, minimum)


def _may_say_the_same(one: Node, other: Node) -> bool:
    """Whether they share words, or both have a figure, and their subjects may be the same."""
    if one.subject and other.subject and name_key(one.subject) != name_key(other.subject):
        return False
    if (one.category == "instruction") != (other.category == "instruction"):
        return False
    mine, theirs = set(terms(one.content)), set(terms(other.content))
    shared = len(mine & theirs) / max(1, min(len(mine), len(theirs)))
    return shared >= _OVERLAP or bool(_NUMBER.search(one.content) and _NUMBER.search(other.content))
