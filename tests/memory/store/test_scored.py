"""Nodes and their scores in columns."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory.store.columns import Scored, added, either, joined, normalised

SCORES = st.dictionaries(st.integers(1, 60), st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0, 2.0]), max_size=40)


@given(SCORES, st.integers(1, 10))
def test_chunks_give_all_rows_best_first(scores: Mapping[int, float], size: int) -> None:
    """Equal scores keep their order, whatever the size of a chunk."""
    chunks = list(Scored.of(scores).chunks(size))
    assert [node for chunk in chunks for node in chunk.ids.tolist()] == sorted(scores, key=lambda node: -scores[node])
    assert all(len(chunk) for chunk in chunks)
    assert all(len(chunk) <= size for chunk in chunks[:1])


@given(SCORES, SCORES)
def test_adding_sums_scores(one: Mapping[int, float], other: Mapping[int, float]) -> None:
    sums = added([Scored.of(one), Scored.of(other)])
    assert sums.ids.tolist() == sorted(one.keys() | other.keys())
    assert sums.plain() == pytest.approx({node: one.get(node, 0) + other.get(node, 0) for node in {**one, **other}})


@given(SCORES, SCORES)
def test_either_takes_the_score_of_the_first(one: Mapping[int, float], other: Mapping[int, float]) -> None:
    assert either(Scored.of(one), Scored.of(other)).plain() == {**other, **one}


@given(SCORES, st.lists(st.integers(0, 70), max_size=20))
def test_scores_are_looked_up_in_any_order(scores: Mapping[int, float], nodes: list[int]) -> None:
    assert Scored.of(scores).at(np.array(nodes, np.int64), -1.0).tolist() == [scores.get(node, -1.0) for node in nodes]


def test_parts_are_joined_and_divided() -> None:
    both = joined([Scored.of({3: 2.0}), Scored.of({1: 4.0})])
    assert both.ids.tolist() == [3, 1]
    assert normalised(both).plain() == {3: 0.5, 1: 1.0}
    assert Scored.pairs([]).plain() == {}
