"""What is going to happen, and then is not, in Russian."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_plan_with_a_date(learnt: Learnt) -> None:
    """
    2026-01-20 user: 3 марта я лечу в Осло на конференцию.
    """
    plan = learnt.the("Осло")
    assert plan.says("3 марта|2026-03-03|03.03") or plan.day == date(2026, 3, 3)


def test_a_plan_that_is_moved(learnt: Learnt) -> None:
    """
    2026-01-20 user: Наша свадьба 6 июня.
    2026-02-03 user: Наша свадьба теперь 13 июня, ресторан был занят.
    """
    assert learnt.knows("свадьб", r"13\b")
    assert not learnt.claims("свадьб", "6 июня")


def test_a_goal(learnt: Learnt) -> None:
    """
    2026-01-20 user: В этом году хочу выучить японский до N4.
    """
    assert learnt.knows("японск")
