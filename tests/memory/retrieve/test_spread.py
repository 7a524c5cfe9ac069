"""Evidence flows along edges."""

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.extensions.memory.config import Config
from sandbox.extensions.memory.retrieve.spread import normalised, only_asks, session_evidence, spread, weigh
from sandbox.extensions.memory.store.turns import Turn

CONFIG = Config.load({"spread_neighbour": 0.4, "spread_answer": 0.9, "spread_second": 0.2, "question_factor": 0.5})
STILL = Config.load({"spread_neighbour": 0, "spread_answer": 0, "spread_second": 0})
LAST = 12
SCORES = st.dictionaries(st.integers(1, LAST), st.floats(0.01, 1), max_size=6)
ASKING = st.sets(st.integers(1, LAST))
law = settings(deadline=None, max_examples=50)


def turn(
    id: int,
    session: str | None = "s",
    who: str = "",
    *,
    asks: bool = False,
    terms: int = 5,
    before: int | None = None,
    after: int | None = None,
) -> Turn:
    return Turn(id, session, who, asks, terms, before, after)


def talk(asking: Iterable[int] = ()) -> dict[int, Turn]:
    """A conversation of twelve turns, some of them questions."""
    asks = set(asking)
    return {
        id: turn(id, asks=id in asks, before=id - 1 if id > 1 else None, after=id + 1 if id < LAST else None)
        for id in range(1, LAST + 1)
    }


def test_a_statement_lends_to_the_turns_beside_it() -> None:
    assert spread({5: 1.0}, talk(), CONFIG) == pytest.approx({3: 0.2, 4: 0.4, 5: 1.0, 6: 0.4, 7: 0.2})


def test_a_question_lends_most_to_its_answer() -> None:
    assert spread({5: 1.0}, talk([5]), CONFIG) == pytest.approx({3: 0.2, 4: 0.4, 5: 1.0, 6: 0.9, 7: 0.2})


def test_what_flows_together_adds_up() -> None:
    assert spread({4: 1.0, 6: 0.5}, talk(), CONFIG)[5] == pytest.approx(0.4 + 0.2)


def test_nothing_flows_beyond_the_ends() -> None:
    assert spread({LAST: 1.0}, talk([LAST]), CONFIG).keys() == {LAST - 2, LAST - 1, LAST}
    assert spread({1: 1.0}, talk(), CONFIG).keys() == {1, 2, 3}


@given(SCORES, ASKING)
@law
def test_spreading_takes_nothing_away_and_reaches_two_steps(scores: dict[int, float], asking: set[int]) -> None:
    flowed = spread(scores, talk(asking), CONFIG)
    assert all(flowed[node] >= score for node, score in scores.items())
    assert all(any(abs(node - seed) <= 2 for seed in scores) for node in flowed)


@given(SCORES, ASKING)
@law
def test_without_shares_nothing_flows(scores: dict[int, float], asking: set[int]) -> None:
    flowed = spread(scores, talk(asking), STILL)
    assert {node: score for node, score in flowed.items() if score > 0} == scores


@given(SCORES, ASKING, st.floats(0.1, 5))
@law
def test_spreading_is_linear(scores: dict[int, float], asking: set[int], factor: float) -> None:
    scaled = spread({node: score * factor for node, score in scores.items()}, talk(asking), CONFIG)
    once = spread(scores, talk(asking), CONFIG)
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
    turns = {node: turn(node, "few good" if node < 10 else "many poor") for node in scores}
    evidence = session_evidence(scores, turns)
    assert evidence["few good"] == 1.0
    assert evidence["many poor"] == pytest.approx(0.5 / 3)


def test_turns_without_a_session_support_nobody() -> None:
    assert session_evidence({1: 1.0}, {1: turn(1, None)}) == {}


def test_a_long_turn_that_also_asks_is_taken_for_a_statement() -> None:
    assert only_asks(turn(1, asks=True, terms=5))
    assert not only_asks(turn(1, asks=True, terms=30))
    assert not only_asks(turn(1, asks=False, terms=5))


def test_weighing_lifts_by_session_and_name_and_lowers_questions_and_crumbs() -> None:
    turns = {
        1: turn(1),
        2: turn(2, "s", "ann"),
        3: turn(3, asks=True),
        4: turn(4, terms=1),
        5: turn(5, "other"),
    }
    weighed = weigh(dict.fromkeys(turns, 1.0), turns, {"s": 1.0}, {"ann"}, CONFIG)
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
