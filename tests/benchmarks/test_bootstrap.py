"""Measures, their confidence intervals and their calibration, on rows that can be computed by hand."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import calibration
from benchmarks.bench import Options, opened
from benchmarks.bootstrap import Auroc, Estimate, Mean, Row, estimate, gain
from benchmarks.data import DataFolder, DataMissing
from benchmarks.floors import floor
from benchmarks.measure import percentile
from benchmarks.report import Figure

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


def row(confidence: float, answerable: float, shown: float) -> Row:
    """An answered question."""
    return Row(str(confidence), "g", "c", {"confidence": confidence, "answerable": answerable, "shown": shown})


def test_calibration_compares_predicted_and_observed_shares_by_band() -> None:
    rows = [row(0.9, 1, 1), row(0.9, 1, 0), row(1.0, 1, 1), row(0.1, 0, 1)]
    low, high, error = calibration.reliability("set", rows)
    assert (low.name, low.value) == ("set: the answer was there, at confidence 0.0 to 0.2", 0.0)
    assert high.name == "set: the answer was there, at confidence 0.8 to 1.0"
    assert high.value == pytest.approx(2 / 3)
    assert high.detail == {"confidence": pytest.approx(2.8 / 3), "questions": 3}
    assert error.value == pytest.approx(0.75 * (2.8 / 3 - 2 / 3) + 0.25 * 0.1)


def test_every_set_is_asked_and_missing_data_are_named(data: Path, tmp_path: Path) -> None:
    with opened(DataFolder(data), Options(), None) as bench:
        names = {figure.name for figure in calibration.measure(bench)}
    assert {f"{of}: expected calibration error" for of in ("locomo", "longmemeval", "xquad, half left out")} <= names
    with opened(DataFolder(tmp_path), Options(), None) as bench, pytest.raises(DataMissing):
        calibration.measure(bench)


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile(range(101), 95) == 95


def test_a_floor_is_met_from_the_better_side() -> None:
    at_10k = floor("context p95", 10_000)
    taken = [Figure("p95", value, floor=at_10k) for value in (6.0, 12.0, 12.1, None)]
    assert [figure.holds for figure in taken] == [True, True, False, None]
    assert [figure.is_reached for figure in taken] == [True, False, False, None]
    assert floor("context p95", 5_000) is None
