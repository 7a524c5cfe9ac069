"""What is to be on another day than was said, in Russian."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_meeting_that_is_put_off(learnt: Learnt) -> None:
    """
    2026-11-23 user: Встреча с Олегом во вторник.
    2026-11-23 user: Её перенесли на среду.
    """
    assert learnt.the("Встреча с Олегом").day == date(2026, 11, 25)
    assert learnt.knew("Встреча с Олегом", "24 ноября")


def test_without_saying_what(learnt: Learnt) -> None:
    """
    2026-11-23 user: Дедлайн 15 декабря.
    2026-11-23 user: Сдвинули на 20 января.
    """
    assert learnt.the("Дедлайн").day == date(2027, 1, 20)


def test_an_appointment_of_ones_own(learnt: Learnt) -> None:
    """
    2026-11-20 user: У меня приём у врача во вторник.
    2026-11-23 user: Приём у врача перенесли на среду.
    """
    assert learnt.the("При[её]м").day == date(2026, 11, 25)


def test_another_thing_is_not_put_off(learnt: Learnt) -> None:
    """
    2026-11-23 user: Встреча с Олегом во вторник. Экзамен 15 декабря.
    2026-11-24 user: Экзамен перенесли на 20 января.
    """
    assert learnt.the("Встреча с Олегом").day == date(2026, 11, 24)
    assert learnt.the("Экзамен").day == date(2027, 1, 20)
