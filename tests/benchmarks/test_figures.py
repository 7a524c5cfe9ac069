"""The arithmetic of the figures, on examples that can be computed by hand."""

from benchmarks.floors import floor
from benchmarks.measure import percentile
from benchmarks.report import Figure


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile(range(101), 95) == 95


def test_a_floor_is_met_from_the_better_side() -> None:
    at_10k = floor("context p95", 10_000)
    taken = [Figure("p95", value, floor=at_10k) for value in (6.0, 12.0, 12.1, None)]
    assert [figure.holds for figure in taken] == [True, True, False, None]
    assert [figure.is_reached for figure in taken] == [True, False, False, None]
    assert floor("context p95", 5_000) is None
