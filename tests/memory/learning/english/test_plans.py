"""What is going to happen, and then is not."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_plan_with_a_date(learnt: Learnt) -> None:
    """
    2026-01-20 user: I'm flying to Oslo on March 3rd for a conference.
    """
    plan = learnt.the("Oslo")
    assert plan.says("3(?:rd)? March|March 3|2026-03-03") or plan.day == date(2026, 3, 3)


def test_a_plan_that_is_moved(learnt: Learnt) -> None:
    """
    2026-01-20 user: Our wedding is on 6 June.
    2026-02-03 user: Our wedding is on 13 June instead, the venue was double booked.
    """
    assert learnt.knows("wedding", r"13\b")
    assert not learnt.claims("wedding", r"6 June|June 6")


def test_a_plan_that_is_given_up(learnt: Learnt) -> None:
    """
    2026-01-20 user: I'm going to run the Berlin marathon in September.
    2026-03-03 user: I'm no longer running the Berlin marathon, my knee is wrecked.
    """
    assert not learnt.claims("marathon")
    assert learnt.knew("marathon")


def test_a_goal(learnt: Learnt) -> None:
    """
    2026-01-20 user: I want to learn Japanese this year, my goal is N4 by December.
    """
    assert learnt.knows("Japanese")
    assert learnt.knows("N4")


def test_a_plan_that_was_carried_out_elsewhere(learnt: Learnt) -> None:
    """
    2026-01-20 user: We're planning to move to Madrid.
    2026-03-28 user: We moved to Valencia in the end.
    """
    assert learnt.knows("Valencia")
    assert not learnt.knows("live|moved", "Madrid")
