"""How learnt facts are sampled, judged and counted."""

from pathlib import Path

import pytest

from benchmarks.corpus import Corpus
from benchmarks.data import DataFolder
from benchmarks.precision import Learnt, judge, learn, record, sample, verdicts

FACTS = [Learnt(f"Ann has {count} cats.", ("2023-05-01 Ann: Cats!",)) for count in range(500)]


def test_one_fact_more_or_less_changes_one_of_the_sample() -> None:
    drawn = sample(FACTS, 7, 50)
    without = sample([each for each in FACTS if each != drawn[0]], 7, 50)
    assert len(set(drawn) & set(without)) == 49


def test_verdicts_are_kept_by_hash_and_the_last_counts(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    first, second, third = FACTS[:3]
    assert record([first.hash, f"{second.hash} unclear passing\n", "\n"], file) == 2
    assert record([f"{first.hash} untrue"], file) == 1
    assert verdicts(file) == {first.hash: ("untrue",), second.hash: ("passing", "unclear")}
    judged = judge(FACTS, [first, second, third], verdicts(file))
    assert (judged.learnt, judged.sample, judged.good, judged.unjudged) == (500, 3, 0, 1)
    assert judged.faults == {"untrue": 1, "passing": 1, "unclear": 1}
    assert "Ann" not in file.read_text()


@pytest.mark.parametrize("line", ["short", f"{FACTS[1].hash} wrong"])
def test_an_invalid_verdict_changes_nothing(tmp_path: Path, line: str) -> None:
    file = tmp_path / "verdicts.jsonl"
    with pytest.raises(ValueError, match="no verdict"):
        record([FACTS[0].hash, line], file)
    assert not file.exists()


def test_precision_has_an_interval(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    record([*(each.hash for each in FACTS[:80]), *(f"{each.hash} unclear" for each in FACTS[80:100])], file)
    judged = judge(FACTS, FACTS[:120], verdicts(file))
    assert judged.precision == 0.8
    assert judged.interval == pytest.approx((0.711, 0.867), abs=0.001)  # Wilson's for 80 of 100
    assert judged.unjudged == 20


async def test_facts_come_with_the_turns_they_rest_on(data: Path, tmp_path: Path) -> None:
    learnt = await learn(Corpus.load(DataFolder(data)).turns, tmp_path / "memory")
    assert learnt
    assert all(source.startswith("2023-05-0") for each in learnt for source in each.sources)
    assert all(each.sources for each in learnt)
