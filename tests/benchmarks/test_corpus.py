"""Generated turns resemble real ones, and are the same in every run."""

from datetime import timedelta
from itertools import pairwise
from pathlib import Path

from benchmarks.corpus import Corpus
from benchmarks.data import DataFolder


def test_a_fifth_of_the_words_is_replaced_and_the_speaker_kept(data: Path) -> None:
    corpus = Corpus.load(DataFolder(data))
    made_up = list(corpus.made_up(0, 24, seed=1))
    for real, made in zip(corpus.turns, made_up, strict=True):
        before, after = real.text.split(), made.text.split()
        changed = sum(one != other for one, other in zip(before, after, strict=True))
        assert changed <= round(len(before) / 5)
        assert made.speaker == real.speaker
        assert set(after) <= set(corpus.words)
    assert [turn.text for turn in made_up] != [turn.text for turn in corpus.turns]


def test_a_place_always_has_the_same_turn(data: Path) -> None:
    corpus = Corpus.load(DataFolder(data))
    assert list(corpus.made_up(0, 60, seed=1))[40:] == list(corpus.made_up(40, 20, seed=1))
    assert list(corpus.made_up(0, 60, seed=1)) != list(corpus.made_up(0, 60, seed=2))


def test_sessions_have_twenty_turns_three_minutes_apart(data: Path) -> None:
    turns = list(Corpus.load(DataFolder(data)).made_up(0, 41, seed=1))
    assert [turns[place].session for place in (0, 19, 20, 40)] == ["session-0", "session-0", "session-1", "session-2"]
    assert {later.at - turn.at for turn, later in pairwise(turns)} == {timedelta(minutes=3)}
    assert len({turn.key for turn in turns}) == 41
