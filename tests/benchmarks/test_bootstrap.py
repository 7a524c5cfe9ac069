"""Measures and their confidence intervals, on rows that can be computed by hand."""

from collections.abc import Sequence

import pytest

from benchmarks.bootstrap import Auroc, Estimate, Mean, Row, estimate, gain

_RECALL = Mean("recall")
_SURE = Auroc("sure", "confidence", "answerable")


def _rows(*scores: float, groups: str = "") -> list[Row]:
    names = groups or "abcdefghij"
    return [Row(f"q{place}", names[place], "", {"recall": score}) for place, score in enumerate(scores)]


def _confident(*pairs: tuple[float, float]) -> list[Row]:
    scores = [{"confidence": confidence, "answerable": answerable} for confidence, answerable in pairs]
    return [Row(f"q{place}", f"q{place}", "", each) for place, each in enumerate(scores)]


def _found(rows: Sequence[Row], others: Sequence[Row] = ()) -> Estimate:
    found = gain(_RECALL, rows, others, seed=1)
    assert found is not None
    return found


def test_a_mean_counts_only_rows_with_a_score() -> None:
    rows = [*_rows(0.0, 1.0, 0.5), Row("other", "z", "", {"precision": 1.0})]
    found = estimate(_RECALL, rows, seed=1)
    assert found is not None
    assert found == estimate(_RECALL, rows, seed=1)
    assert (found.value, found.questions) == (0.5, 3)
    assert 0.0 <= found.low < 0.5 < found.high <= 1.0
    assert estimate(Mean("unheard of"), rows, seed=1) is None


def test_groups_are_drawn_whole() -> None:
    """Each of two groups has one kind of answer, so every draw is one of three values."""
    apart = _found(_rows(0.0, 0.0, 1.0, 1.0, groups="aabb"))
    alike = _found(_rows(0.0, 1.0, 0.0, 1.0, groups="aabb"))
    assert (apart.low, apart.high) == (0.0, 1.0)
    assert (alike.low, alike.high) == (0.5, 0.5)


def test_a_gain_is_paired() -> None:
    """Every question gains a little, so the gain is certain although the scores scatter."""
    before = _rows(0.0, 0.9, 0.1, 0.8, 0.4)
    after = _rows(0.1, 1.0, 0.2, 0.9, 0.5)
    found = _found(after, before)
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))
    assert _found(before, before).value == 0.0


def test_only_the_same_questions_can_be_compared() -> None:
    with pytest.raises(ValueError, match="same questions"):
        gain(_RECALL, _rows(0.0, 1.0), _rows(0.0), seed=1)


def test_auroc_is_the_share_of_pairs_in_order() -> None:
    found = estimate(_SURE, _confident((0.9, 1), (0.5, 1), (0.5, 0), (0.1, 0)), seed=1)
    assert found is not None
    assert found.value == pytest.approx((1 + 1 + 0.5 + 1) / 4)
    assert estimate(_SURE, _confident((0.9, 1), (0.5, 1)), seed=1) is None, "there is nothing to tell apart"
