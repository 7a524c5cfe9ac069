"""Evidence flows along edges, and a hit names those that led to it."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Hit, Memory, Message
from sandbox.extensions.memory.model import GraphPath
from sandbox.extensions.memory.retrieve import spread as flow
from sandbox.extensions.memory.retrieve.spread import EVIDENCE, SPREAD, only_asks, session_evidence, weigh
from sandbox.extensions.memory.store.columns import NODE_ROW, Ids, NodeRows, Scored, normalised
from sandbox.testing import FakeClock

LAST = 12
SCORES = st.dictionaries(st.integers(1, LAST), st.floats(0.01, 1), max_size=6)
ASKING = st.sets(st.integers(1, LAST))


def turns(*given: Mapping[str, str | int]) -> NodeRows:
    """Rows of some turns, with default values for what is not given."""
    rows = np.zeros(len(given), NODE_ROW)
    for row, values in zip(rows, given, strict=True):
        for name, value in {"session": "s", "who": "", "term_count": 5, "exists": True, **values}.items():
            row[name] = hash(value) if isinstance(value, str) else value
    return rows


def talk(asking: Iterable[int] = ()) -> Callable[[Ids], NodeRows]:
    """A conversation of twelve turns, some of them questions; turn 0 is none."""
    asks = set(asking)
    said = [{"before": id - 1, "after": id + 1 if id < LAST else 0, "asks": id in asks} for id in range(1, LAST + 1)]
    rows = np.concatenate([np.zeros(1, NODE_ROW), turns(*said)])
    return lambda ids: rows[ids]


def spread(scores: Mapping[int, float], rows_of: Callable[[Ids], NodeRows]) -> dict[int, float]:
    return flow.spread(Scored.of(scores), rows_of, ()).plain()


def test_a_turn_lends_to_those_beside_it_and_a_question_most_to_its_answer() -> None:
    assert spread({5: 1.0}, talk()) == pytest.approx({3: 0.2, 4: 0.4, 5: 1.0, 6: 0.4, 7: 0.2})
    assert spread({5: 1.0}, talk([5])) == pytest.approx({3: 0.2, 4: 0.4, 5: 1.0, 6: 0.9, 7: 0.2})
    assert spread({4: 1.0, 6: 0.5}, talk())[5] == pytest.approx(0.4 + 0.2)


def test_evidence_stays_within_the_conversation() -> None:
    assert spread({LAST: 1.0}, talk([LAST])).keys() == {LAST - 2, LAST - 1, LAST}
    assert spread({1: 1.0}, talk()).keys() == {1, 2, 3}


@given(SCORES, ASKING)
def test_spreading_only_adds_and_reaches_two_turns(scores: dict[int, float], asking: set[int]) -> None:
    flowed = spread(scores, talk(asking))
    assert all(flowed[node] >= score for node, score in scores.items())
    assert all(any(abs(node - seed) <= 2 for seed in scores) for node in flowed)


@given(SCORES, ASKING)
def test_spreading_can_be_left_out(scores: dict[int, float], asking: set[int]) -> None:
    assert flow.spread(Scored.of(scores), talk(asking), [SPREAD]).plain() == scores


@given(st.dictionaries(st.integers(0, 1 << 40), st.floats(0.001, 1e6), max_size=8))
def test_normalised_scores_are_shares_of_the_best(scores: dict[int, float]) -> None:
    shares = normalised(Scored.of(scores)).plain()
    assert shares.keys() == scores.keys()
    assert not shares or max(shares.values()) == 1.0


@pytest.mark.parametrize("none", [{}, {1: 0.0}])
def test_without_matches_there_are_no_scores(none: Mapping[int, float]) -> None:
    assert len(normalised(Scored.of(none))) == 0
    assert len(session_evidence(Scored.of({}), np.zeros(0, np.int64))) == 0
    assert len(session_evidence(Scored.of({1: 1.0}), np.array([0]))) == 0  # a turn without a session


def test_a_session_is_judged_by_its_best_matches() -> None:
    good, poor = 7, 8
    scores = {1: 1.0, 2: 1.0, 3: 1.0, **dict.fromkeys(range(10, 40), 0.1)}
    sessions = np.array([good if node < 10 else poor for node in scores])
    evidence = session_evidence(Scored.of(scores), sessions)
    assert evidence.plain() == pytest.approx({good: 1.0, poor: 0.5 / 3})


def test_a_long_turn_that_also_asks_is_taken_for_a_statement() -> None:
    said = turns({"asks": True, "term_count": 5}, {"asks": True, "term_count": 30}, {"asks": False, "term_count": 5})
    assert only_asks(said).tolist() == [True, False, False]


def test_weights_lift_sessions_and_names_and_lower_questions_and_short_turns() -> None:
    said = turns({}, {"who": "ann"}, {"asks": True}, {"term_count": 1}, {"session": "other"})
    sessions = Scored(np.array([hash("s")]), np.array([1.0]))
    weighed = weigh(Scored(np.arange(1, 6), np.ones(5)), said, sessions, {"ann"}, ()).plain()
    assert weighed == pytest.approx({1: 1.2, 2: 1.2 + 0.8, 3: 1.2 * 0.85, 4: 1.2 * 0.7, 5: 1.0})
    left_out = weigh(Scored(np.arange(1, 6), np.ones(5)), said, sessions, {"ann"}, EVIDENCE)
    assert set(left_out.plain().values()) == {1.0}


async def found(memory: Memory, question: str) -> dict[str, Hit]:
    """The hits of a question, by content."""
    return {hit.content: hit for hit in await memory.search(question)}


async def said(memory: Memory, *turns: tuple[str, str]) -> list[str]:
    """The ids of turns of one conversation, each with its speaker."""
    return await memory.observe_many(Message("user", content, "s", speaker=speaker) for speaker, content in turns)


async def test_an_answer_is_found_through_its_question(memory: Memory) -> None:
    question, _, _ = await said(
        memory, ("A", "Where did you grow up?"), ("B", "In a small town near Leeds."), ("A", "Nice, nice indeed.")
    )
    hits = await found(memory, "where did he grow up?")
    assert hits["Where did you grow up?"].edges == ()
    assert hits["In a small town near Leeds."].edges == (GraphPath("temporal", question),)
    assert hits["Nice, nice indeed."].edges == (GraphPath("temporal", question, 2),)


async def test_a_hit_found_by_words_names_no_weak_edge(memory: Memory) -> None:
    await said(memory, ("A", "The staging server listens on port 5432."), ("B", "A port? That is entirely fine."))
    hits = await found(memory, "which port does the staging server listen on?")
    assert hits["The staging server listens on port 5432."].edges == ()


async def test_a_replacement_names_its_predecessor(memory: Memory, clock: FakeClock) -> None:
    old = await memory.remember("Ann lives in Berlin.", subject="Ann")
    clock.advance(days=30)
    await memory.remember("Ann lives in Potsdam.", subject="Ann")
    hits = {hit.content: hit for hit in await memory.search("Ann lives in Berlin?", history=True)}
    assert GraphPath("supersedes", old) in hits["Ann lives in Potsdam."].edges
    assert all(edge.relation != "supersedes" for edge in hits["Ann lives in Berlin."].edges)


async def test_a_named_person_is_shown_with_the_role(memory: Memory) -> None:
    await memory.observe("user", "The budget is too small.", speaker="Ann")
    await memory.observe("user", "The budget is fine.", speaker="Bob")
    hits = await found(memory, "what does Ann say of the budget?")
    assert hits["The budget is too small."].edges == (GraphPath("speaker", "Ann"),)
    assert hits["The budget is fine."].edges == ()
