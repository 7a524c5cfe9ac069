"""The calibration of a confidence, counted by hand."""

from pathlib import Path

import pytest

from benchmarks import calibration
from benchmarks.bench import Options, opened
from benchmarks.bootstrap import Row
from benchmarks.data import DataFolder, DataMissing


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
