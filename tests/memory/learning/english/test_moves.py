"""Where people live, and where they lived before."""

from tests.memory.learning.knowledge import Learnt


def test_a_home(learnt: Learnt) -> None:
    """
    2026-01-08 user: What's the weather going to be like? I live in Leipzig.
    """
    assert learnt.knows("Leipzig")
    assert not learnt.knows("weather")


def test_a_move_replaces_the_old_home(learnt: Learnt) -> None:
    """
    2026-01-08 user: I live in Leipzig.
    2026-03-20 user: I moved to Porto last month!
    2026-03-20 assistant: How exciting, how is it?
    """
    assert learnt.knows("Porto")
    assert not learnt.claims("live", "Leipzig")
    assert learnt.knew("Leipzig")


def test_a_move_told_in_a_long_message(learnt: Learnt) -> None:
    """
    2026-01-08 user: I live in Boston with two flatmates.
    2026-03-02 user: Sorry for the silence, it's been a crazy month. The movers lost two boxes, the internet took nine
        days to get installed and the cat hid under the sink. Anyway, I live in Denver now, so please use mountain time
        from now on. Could you remind me what we had on the list for the tax stuff?
    """
    assert learnt.knows("Denver")
    assert not learnt.claims("live", "Boston")
    assert learnt.knows("mountain time")


def test_where_somebody_comes_from_is_not_where_they_live(learnt: Learnt) -> None:
    """
    2026-01-08 user: I'm originally from Lagos but I live in Toronto.
    """
    assert learnt.knows("Toronto")
    assert learnt.knows("Lagos")
    assert not learnt.knows("(?:live|living|based) in Lagos")


def test_an_office_is_not_a_home(learnt: Learnt) -> None:
    """
    2026-01-08 user: I live in Haarlem.
    2026-02-08 user: Our office is in Amsterdam, so I take the train three times a week.
    """
    assert learnt.knows("Haarlem")
    assert learnt.knows("Amsterdam")
