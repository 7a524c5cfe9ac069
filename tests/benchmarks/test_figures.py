"""The arithmetic of the figures, on examples small enough to do by hand."""

import pytest

from benchmarks.corpus import Question
from benchmarks.floors import floor
from benchmarks.locomo import Answer, Shown, figures
from benchmarks.measure import all_at, percentile, recall_at
from benchmarks.report import Figure
from benchmarks.syncs import Seen, seen


def test_recall_and_all_at_a_depth() -> None:
    found = ["a", "x", None, "b", "y", "c"]
    gold = {"a", "b", "z"}
    assert [recall_at(found, gold, k) for k in (1, 3, 4, 10)] == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert all_at(found, {"a", "b"}, 3) == 0.0
    assert all_at(found, {"a", "b"}, 4) == 1.0


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 50) == 2.5
    assert percentile(range(101), 95) == 95


def _answer(category: str, gold: set[str], found: tuple[str, ...], shown: set[str]) -> Answer:
    blocks = {500: Shown(frozenset(shown), 400), 1000: Shown(frozenset(shown), 900), 2000: Shown(frozenset(), 0)}
    return Answer(Question("conv", "?", category, frozenset(gold)), found, blocks)


def test_recall_is_the_mean_over_answerable_questions() -> None:
    answers = [
        _answer("single_hop", {"a"}, ("a",), {"a", "x"}),
        _answer("multi_hop", {"a", "b"}, ("x", "b"), {"b"}),
        _answer("adversarial", {"a"}, ("x",), set()),
    ]
    by_name = {figure.name: figure for figure in figures(answers)}
    assert by_name["recall@10"].value == 0.75
    assert by_name["recall@10"].detail["by_category"] == {"multi_hop": 0.5, "single_hop": 1.0}
    assert by_name["recall@10"].detail["all"] == 0.5
    assert by_name["recall@10"].holds is True
    assert by_name["recall in 500 tokens"].value == 0.75
    assert by_name["recall in 2,000 tokens"].value == 0.0
    assert by_name["recall@10, adversarial"].value == 0.0
    assert by_name["blocks over their budget"].value == 0


def test_a_floor_is_met_from_the_better_side() -> None:
    at_10k = floor("context p95", 10_000)
    assert [Figure("p95", value, floor=at_10k).holds for value in (19.9, 20.0, 20.1, None)] == [True, True, False, None]
    assert floor("context p95", 5_000) is None


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
        (
            [_WRITE, f"12 fdatasync({_WAL} <unfinished ...>", _ACK, "12 <... fdatasync resumed>) = 0"],
            Seen(1, 0, 1),
        ),
        (
            [_WRITE, f"12 fdatasync({_WAL} <unfinished ...>", "12 <... fdatasync resumed>) = 0", _ACK],
            Seen(1, 1, 1),
        ),
    ],
    ids=["synced", "too late", "written after", "another file", "nothing written", "twice", "not returned", "returned"],
)
def test_an_acknowledgement_counts_after_its_sync(lines: list[str], expected: Seen) -> None:
    assert seen(lines) == expected
