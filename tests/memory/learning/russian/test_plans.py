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


def test_a_trip_that_is_cancelled(learnt: Learnt) -> None:
    """
    2026-02-03 user: В июне я лечу в Рим.
    2026-03-03 user: Поездка в Рим отменилась.
    """
    assert not learnt.claims("летит в Рим")


def test_a_wedding_that_is_moved(learnt: Learnt) -> None:
    """
    2026-02-03 user: Моя свадьба 12 июля.
    2026-03-03 user: Мы перенесли свадьбу на 20 сентября.
    """
    assert learnt.knows("20 сентября")
    assert not learnt.claims("12 июля")


def test_not_going_after_all(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я собираюсь на конференцию HighLoad в мае.
    2026-03-03 user: На HighLoad я всё-таки не поеду.
    """
    assert not learnt.claims("собирается на конференцию")


def test_a_move_that_is_thought_better_of(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мы планируем переехать в Сочи осенью.
    2026-03-03 user: Мы передумали переезжать в Сочи.
    """
    assert not learnt.claims("планирует переехать")


def test_a_trip_that_had_to_be_cancelled(learnt: Learnt) -> None:
    """
    2026-02-03 user: В августе мы едем в Грузию.
    2026-03-03 user: Поездку в Грузию пришлось отменить.
    """
    assert not learnt.claims("едет в Грузию")


def test_a_concert_is_no_journey(learnt: Learnt) -> None:
    """
    2026-02-03 user: В мае я иду на концерт. В июне я еду на дачу.
    2026-03-03 user: Концерт отменили.
    """
    assert not learnt.claims("ид[её]т на концерт")
    assert learnt.claims("дачу")
