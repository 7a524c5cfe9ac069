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


def test_a_trip_that_is_off(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm flying to Lisbon on 4 June.
    2026-03-03 user: The Lisbon trip is off.
    """
    assert not learnt.claims(r"fly\w* to Lisbon")


def test_a_launch_that_is_pushed(learnt: Learnt) -> None:
    """
    2026-02-03 user: The launch is on 14 April.
    2026-02-03 assistant: ok
    2026-02-03 user: We've pushed the launch to 5 May.
    """
    assert learnt.knows("launch", "5 May")
    assert not learnt.claims("14 April")


def test_decided_against(learnt: Learnt) -> None:
    """
    2026-02-03 user: I plan to move to Madrid in September.
    2026-03-03 user: I've decided against moving to Madrid.
    """
    assert not learnt.claims("plans to move to Madrid")


def test_a_wedding_that_is_postponed(learnt: Learnt) -> None:
    """
    2026-02-03 user: We're getting married on 12 July.
    2026-03-03 user: We've postponed the wedding to 20 September.
    """
    assert learnt.knows("20 September")
    assert not learnt.claims("12 July")


def test_a_plan_in_the_place_of_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm going to visit my aunt in Rome in August.
    2026-03-03 user: Change of plan: we're going to visit my aunt in Naples instead.
    """
    assert learnt.knows("Naples")


def test_pulled_out(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm running the Hamburg marathon in April.
    2026-03-03 user: I had to pull out of the Hamburg marathon.
    """
    assert not learnt.claims(r"(is|plans to) run\w* the Hamburg")


def test_a_release_that_slipped(learnt: Learnt) -> None:
    """
    2026-02-03 user: The release is on 20 March.
    2026-03-03 user: The release slipped to 3 April.
    """
    assert learnt.knows("3 April")
    assert not learnt.claims("20 March")


def test_one_of_two_is_cancelled(learnt: Learnt) -> None:
    """
    2026-02-03 user: My wedding is on 5 June. My exam is on 9 June.
    2026-03-03 user: The exam has been cancelled.
    """
    assert learnt.claims("wedding")
    assert not learnt.claims("exam", "9 June")


def test_the_trip_that_is_named(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm flying to Lisbon on 4 June.
    2026-02-03 user: I'm flying to Madrid on 4 July.
    2026-03-03 user: The Madrid trip is cancelled.
    """
    assert learnt.claims(r"fly\w* to Lisbon")
    assert not learnt.claims(r"fly\w* to Madrid")


def test_a_party_is_no_journey(learnt: Learnt) -> None:
    """
    2026-02-03 user: I plan to go to Rome in May.
    2026-03-03 user: The party is off.
    """
    assert learnt.claims("Rome")


def test_what_is_cancelled_by_its_noun(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm going to a conference in May.
    2026-03-03 user: The conference got cancelled.
    """
    assert not learnt.claims("plans to go to a conference")
