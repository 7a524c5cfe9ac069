"""The arithmetic of the figures, on examples that can be computed by hand."""

import pytest

from benchmarks.floors import floor
from benchmarks.measure import percentile
from benchmarks.report import Figure
from benchmarks.syncs import Seen, seen


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile(range(101), 95) == 95


def test_a_floor_is_met_from_the_better_side() -> None:
    at_10k = floor("context p95", 10_000)
    taken = [Figure("p95", value, floor=at_10k) for value in (6.0, 12.0, 12.1, None)]
    assert [figure.holds for figure in taken] == [True, True, False, None]
    assert [figure.is_reached for figure in taken] == [True, False, False, None]
    assert floor("context p95", 5_000) is None


def test_a_figure_may_have_a_goal_and_no_floor() -> None:
    taken = Figure("AUROC", 0.9, floor=floor("longmemeval confidence, abstention: AUROC"))
    assert (taken.holds, taken.is_reached) == (None, True)


_WAL, _DB, _OUT = "5</t/memory.db-wal>", "4</t/memory.db>", "1<pipe:[7]>"
_ACK = f'11 write({_OUT}, "acknowledged turn 0\\n", 20) = 20'
_WRITE = f'12 pwrite64({_WAL}, "\\0\\0", 2, 0) = 2'
_SYNC = f"12 fdatasync({_WAL}) = 0"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([_WRITE, _SYNC, _ACK], Seen(1, 1, 1)),
        ([_WRITE, _ACK, _SYNC], Seen(1, 0, 1)),
        ([_WRITE, _SYNC, _WRITE, _ACK], Seen(1, 0, 1)),
        ([_WRITE, f"12 fdatasync({_DB}) = 0", _ACK], Seen(1, 0, 0)),
        ([_SYNC, _ACK], Seen(1, 0, 1)),
        ([_WRITE, _SYNC, _ACK, _ACK], Seen(2, 1, 1)),
        ([_WRITE, f"12 fdatasync({_WAL} <unfinished ...>", _ACK, "12 <... fdatasync resumed>) = 0"], Seen(1, 0, 1)),
        ([_WRITE, f"12 fdatasync({_WAL} <unfinished ...>", "12 <... fdatasync resumed>) = 0", _ACK], Seen(1, 1, 1)),
    ],
    ids=["synced", "too late", "written after", "another file", "nothing written", "twice", "not returned", "returned"],
)
def test_an_acknowledgement_counts_after_its_sync(lines: list[str], expected: Seen) -> None:
    assert seen(lines) == expected
