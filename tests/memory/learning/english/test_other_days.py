"""What is to be on another day than was said: the next of that date, instead of the one before."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_deadline_that_moved_into_the_next_year(learnt: Learnt) -> None:
    """
    2026-11-20 user: The deadline is December 15th.
    2026-11-23 user: The deadline moved to January 20th.
    """
    assert learnt.the("deadline").day == date(2027, 1, 20)
    assert learnt.knew("deadline", "15 December")


def test_the_day_of_a_month_is_kept(learnt: Learnt) -> None:
    """
    2026-11-20 user: The launch is on December 3rd. My dentist appointment is on Tuesday.
    2026-11-21 user: The launch was pushed to February 2nd.
    2026-11-21 user: My dentist appointment moved to Friday.
    """
    assert learnt.the("launch").day == date(2027, 2, 2)
    assert learnt.the("dentist").day == date(2026, 11, 27)


def test_from_one_day_to_another(learnt: Learnt) -> None:
    """
    2026-11-20 user: The deadline is December 15th.
    2026-11-23 user: The deadline moved from December 15th to January 20th.
    """
    assert learnt.the("deadline").day == date(2027, 1, 20)


def test_a_new_deadline(learnt: Learnt) -> None:
    """
    2026-11-20 user: The deadline is December 15th.
    2026-11-23 user: The new deadline is January 20th.
    """
    assert learnt.the("deadline").day == date(2027, 1, 20)


def test_more_time(learnt: Learnt) -> None:
    """
    2026-11-20 user: The deadline is December 15th.
    2026-11-23 user: The deadline was extended to January 20th.
    """
    assert learnt.the("deadline").day == date(2027, 1, 20)


def test_what_was_lies_in_the_past(learnt: Learnt) -> None:
    """
    2026-11-23 user: I visited Rome on January 20th.
    2026-11-23 user: I plan to visit Oslo on January 20th.
    """
    assert learnt.the("visited", "Rome").day == date(2026, 1, 20)
    assert learnt.the("Oslo").day == date(2027, 1, 20)


def test_people_who_moved_are_not_put_off(learnt: Learnt) -> None:
    """
    2026-11-23 user: My brother moved to Rome in March.
    """
    assert learnt.knows("brother", "Rome")
    assert not learnt.knows("scheduled")


def test_put_right_in_one_breath(learnt: Learnt) -> None:
    """
    2026-11-23 user: My brother lives in Rome, no wait, Milan.
    """
    assert learnt.the("brother", "lives").says("Milan")
