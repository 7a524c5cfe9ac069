"""What is not so, or no longer."""

from tests.memory.learning.knowledge import Learnt

NOT = r"not\b|never|no\b|doesn|don|isn|hasn|without|avoid|can.t|cannot|dislike|hate"


def test_what_somebody_does_not_do(learnt: Learnt) -> None:
    """
    2026-01-10 user: Book something nice for tonight. I don't drink alcohol.
    """
    assert learnt.knows("alcohol", NOT)
    assert not learnt.claims("alcohol")


def test_what_somebody_no_longer_does(learnt: Learnt) -> None:
    """
    2026-01-10 user: I smoke, sadly.
    2026-03-10 user: I don't smoke anymore! 3 weeks clean
    """
    assert not learnt.claims("smokes?")
    assert learnt.knew("smokes?")


def test_what_somebody_never_does(learnt: Learnt) -> None:
    """
    2026-01-10 user: I never eat breakfast, so skip that in the meal plan
    """
    assert learnt.denies("breakfast")


def test_what_somebody_has_not(learnt: Learnt) -> None:
    """
    2026-01-10 user: I don't have a car. I get around by bike.
    """
    assert learnt.knows(r"car\b", NOT)
    assert learnt.knows("bike")


def test_a_tool_that_was_given_up(learnt: Learnt) -> None:
    """
    2026-01-10 user: We use Jenkins for CI.
    2026-03-01 user: we no longer use Jenkins, everything runs on GitHub Actions now
    """
    assert learnt.knows("GitHub Actions")
    assert not learnt.claims("uses? Jenkins")


def test_what_used_to_be(learnt: Learnt) -> None:
    """
    2026-01-10 user: I used to be afraid of flying, now I have a pilot's license.
    """
    assert not learnt.claims("is afraid")
    assert learnt.knows("pilot")


def test_never_been_there(learnt: Learnt) -> None:
    """
    2026-02-03 user: I've never been to Japan.
    """
    assert learnt.denies("Japan")


def test_what_one_cannot(learnt: Learnt) -> None:
    """
    2026-02-03 user: I can't swim.
    """
    assert learnt.denies("swim")


def test_never_done(learnt: Learnt) -> None:
    """
    2026-02-03 user: I have never smoked.
    """
    assert learnt.denies("smok")


def test_what_is_not_owned(learnt: Learnt) -> None:
    """
    2026-02-03 user: We don't own a TV.
    """
    assert learnt.denies("TV")
