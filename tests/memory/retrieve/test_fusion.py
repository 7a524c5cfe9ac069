"""Fusion of scores, and the final order."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory.retrieve import fusion
from sandbox.extensions.memory.retrieve.adjustments import replacements_first
from sandbox.extensions.memory.retrieve.protocols import by_rank
from sandbox.extensions.memory.store.columns import Ids, Scored

LEGS = ("fts", "vector", "graph", "entity")
RANKINGS = st.fixed_dictionaries(
    {leg: st.lists(st.integers(1, 30), unique=True, max_size=12) for leg in LEGS}
)  # leg -> nodes, best first
SCORES = st.dictionaries(st.integers(1, 20), st.floats(0, 1, allow_nan=False), min_size=1, max_size=12)


def ids(ranking: Iterable[int]) -> Ids:
    return np.array(list(ranking), np.int64)


def ordered(scores: Mapping[int, float]) -> list[int]:
    order: list[int] = Scored.of(scores).best_first().ids.tolist()
    return order


def lead(scores: Mapping[int, float], replacements: Sequence[tuple[int, int]]) -> dict[int, float]:
    return replacements_first(Scored.of(scores), replacements).plain()


@given(RANKINGS)
def test_ranks_are_places_counted_from_one(rankings: Mapping[str, Sequence[int]]) -> None:
    nodes = sorted({node for ranking in rankings.values() for node in ranking})
    found = fusion.ranks({leg: by_rank(ranking) for leg, ranking in rankings.items()}, ids(nodes[::2]))
    assert list(found) == nodes[::2]
    for node, places in found.items():
        assert all(rankings[leg][place - 1] == node for leg, place in places.items())
        assert places.keys() == {leg for leg, ranking in rankings.items() if node in ranking}


@given(SCORES)
def test_equal_scores_are_ordered_by_age(scores: dict[int, float]) -> None:
    order = ordered(scores)
    assert sorted(order) == sorted(scores)
    assert all((scores[a], a) > (scores[b], b) for a, b in pairwise(order))
    assert ordered(dict(reversed(scores.items()))) == order


@given(SCORES, st.data())
def test_lead_lowers_no_score_and_keeps_the_rest(scores: dict[int, float], data: st.DataObject) -> None:
    pairs = data.draw(st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), max_size=8))
    led = lead(scores, pairs)
    assert led.keys() == scores.keys()
    assert all(led[node] >= score for node, score in scores.items())
    replacing = {new for _, new in pairs}
    assert all(led[node] == score for node, score in scores.items() if node not in replacing)


@given(SCORES, st.data())
def test_no_memory_outranks_its_younger_replacement(scores: dict[int, float], data: st.DataObject) -> None:
    nodes = st.sampled_from(sorted(scores))
    pairs = data.draw(st.lists(st.tuples(nodes, nodes).filter(lambda pair: pair[0] < pair[1]), max_size=10))
    place = {node: index for index, node in enumerate(ordered(lead(scores, pairs)))}
    assert all(place[new] < place[old] for old, new in pairs)


def test_strengths_add_up_by_their_weights() -> None:
    strengths = {"fts": {1: 1.0, 2: 0.5}, "vector": {2: 1.0, 3: 0.2}, "graph": {}}
    columns = {leg: Scored.of(found) for leg, found in strengths.items()}
    added = fusion.weighted_sum(columns, {"fts": 1.0, "vector": 0.5, "graph": 9.0})
    assert added.plain() == pytest.approx({1: 1.0, 2: 1.0, 3: 0.1})
