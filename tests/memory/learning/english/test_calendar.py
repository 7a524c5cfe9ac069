"""What somebody does on a day, told in the present: what is to be, what comes again, and when nobody is there."""

from datetime import date

import pytest

from tests.memory.learning.knowledge import Learnt


@pytest.mark.parametrize(
    ("words", "day"),
    [
        (("Nora", "starts nursery"), date(2026, 9, 1)),
        (("Lena", "graduates"), date(2026, 5, 1)),
        (("Omar", "moves to Lyon"), date(2026, 3, 1)),
        (("on vacation", "14 August 2026", "21 August 2026"), date(2026, 8, 14)),
        (("away", "20 December 2026", "3 January 2027"), date(2026, 12, 20)),
        (("wife", "business trip"), date(2026, 2, 9)),
        (("out of office until", "9 February"), date(2026, 2, 9)),
        (("mother", "visits", "9 March"), date(2026, 3, 3)),
    ],
)
def test_what_is_to_be(learnt: Learnt, words: tuple[str, ...], day: date) -> None:
    """
    2026-02-03 user: Nora starts nursery on September 1st.
    2026-02-03 user: Lena graduates in May
    2026-02-03 user: Omar moves to Lyon on 1 March
    2026-02-04 user: I'm on vacation from the 14th to the 21st of August
    2026-02-04 user: I'm away from December 20 to January 3.
    2026-02-04 user: My wife is on a business trip next week
    2026-02-05 user: I'm out of office until Monday
    2026-02-05 user: My mother visits from the 3rd to the 9th of March
    """
    assert learnt.the(*words).day == day


def test_what_comes_again(learnt: Learnt) -> None:
    """
    2026-02-03 user: Nora has judo on Mondays
    2026-02-03 user: I have choir on Tuesdays and Fridays
    2026-02-03 user: my son has chess club every Thursday
    """
    assert learnt.claims("Nora has judo on Mondays")
    assert learnt.claims("choir on Tuesdays and Fridays")
    assert learnt.claims("son has chess club every Thursday")


def test_what_is_over_soon(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm on a call until 3
    2026-02-03 user: I'm on holiday!
    2026-02-03 user: I'm on the bus until 5
    2026-02-04 user: Are you on vacation from the 14th?
    2026-02-04 user: Maybe I'm on vacation in June
    2026-02-04 user: Nora has a cold
    2026-02-05 user: If Nora starts nursery in September, I'll work more.
    2026-02-05 user: "I'm away from December 20 to January 3, please write to my colleague," says her mail
    """
    assert learnt.nothing
