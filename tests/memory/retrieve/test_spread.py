"""Evidence flows along edges."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.spread import Chain, normalised, session_evidence, spread, weigh
from sandbox.extensions.memory.store.search import Feature

CONFIG = Config.load({"spread_neighbour": 0.4, "spread_answer": 0.9, "spread_second": 0.2, "question_factor": 0.5})
STILL = Config.load({"spread_neighbour": 0, "spread_answer": 0, "spread_second": 0})
TURNS = range(1, 13)
CHAIN = Chain.of([(turn, turn + 1) for turn in TURNS[:-1]])
SCORES = st.dictionaries(st.sampled_from(TURNS), st.floats(0.01, 1), max_size=6)
ASKING = st.sets(st.sampled_from(TURNS))
law = settings(deadline=None)


def feature(node: int, session: str | None = "s", who: str = "", *, asks: bool = False, terms: int = 5) -> Feature:
    return Feature(node, session, who, asks, terms)


def test_a_statement_lends_to_the_turns_beside_it() -> None:
    assert spread({5: 1.0}, CHAIN, [], CONFIG) == pytest.approx({3: 0.2, 4: 0.4, 5: 1.0, 6: 0.4, 7: 0.2})


def test_a_question_lends_most_to_its_answer() -> None:
    assert spread({5: 1.0}, CHAIN, [5], CONFIG) == pytest.approx({3: 0.2, 4: 0.4, 5: 1.0, 6: 0.9, 7: 0.2})


def test_what_flows_together_adds_up() -> None:
    assert spread({4: 1.0, 6: 0.5}, CHAIN, [], CONFIG)[5] == pytest.approx(0.4 + 0.2)


def test_nothing_flows_between_sessions() -> None:
    two = Chain.of([(1, 2), (3, 4)])
    assert spread({2: 1.0}, two, [2], CONFIG).keys() == {1, 2}


@given(SCORES, ASKING)
@law
def test_spreading_takes_nothing_away_and_reaches_two_steps(scores: dict[int, float], asking: set[int]) -> None:
    flowed = spread(scores, CHAIN, asking, CONFIG)
    assert all(flowed[node] >= score for node, score in scores.items())
    assert all(any(abs(node - seed) <= 2 for seed in scores) for node in flowed)


@given(SCORES, ASKING)
@law
def test_without_shares_nothing_flows(scores: dict[int, float], asking: set[int]) -> None:
    flowed = spread(scores, CHAIN, asking, STILL)
    assert {node: score for node, score in flowed.items() if score > 0} == scores


@given(SCORES, ASKING, st.floats(0.1, 5))
@law
def test_spreading_is_linear(scores: dict[int, float], asking: set[int], factor: float) -> None:
    scaled = spread({node: score * factor for node, score in scores.items()}, CHAIN, asking, CONFIG)
    once = spread(scores, CHAIN, asking, CONFIG)
    assert scaled == pytest.approx({node: score * factor for node, score in once.items()})


@given(st.dictionaries(st.integers(), st.floats(0.001, 1e6), max_size=8))
@law
def test_normalised_scores_are_shares_of_the_best(scores: dict[int, float]) -> None:
    shares = normalised(scores)
    assert shares.keys() == scores.keys()
    assert not shares or max(shares.values()) == 1.0


@pytest.mark.parametrize("none", [{}, {1: 0.0}])
def test_where_nothing_matches_there_is_nothing_to_share(none: Mapping[int, float]) -> None:
    assert normalised(none) == {}
    assert session_evidence({}, {}) == {}


def test_a_session_is_judged_by_its_best_matches() -> None:
    scores = {1: 1.0, 2: 1.0, 3: 1.0, **dict.fromkeys(range(10, 40), 0.1)}
    features = {node: feature(node, "few good" if node < 10 else "many poor") for node in scores}
    evidence = session_evidence(scores, features)
    assert evidence["few good"] == 1.0
    assert evidence["many poor"] == pytest.approx(0.5 / 3)


def test_turns_without_a_session_support_nobody() -> None:
    assert session_evidence({1: 1.0}, {1: feature(1, None)}) == {}


def test_weighing_lifts_by_session_and_name_and_lowers_questions_and_crumbs() -> None:
    features = {
        1: feature(1),
        2: feature(2, "s", "ann"),
        3: feature(3, asks=True),
        4: feature(4, terms=1),
        5: feature(5, "other"),
    }
    weighed = weigh(dict.fromkeys(features, 1.0), features, {"s": 1.0}, ["ann"], CONFIG)
    plain = 1.0 + CONFIG.session_evidence
    assert weighed == pytest.approx(
        {
            1: plain,
            2: plain + CONFIG.named_evidence,
            3: plain * CONFIG.question_factor,
            4: plain * CONFIG.short_factor,
            5: 1.0,
        }
    )
