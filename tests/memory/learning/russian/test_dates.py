"""When: birthdays, dates, and days that are counted from today, in Russian."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_birthday(learnt: Learnt) -> None:
    """
    2026-02-15 user: Мой день рождения 14 мая.
    """
    assert learnt.knows("(?:день|дня|днём|родил)", "14 мая")


def test_yesterday(learnt: Learnt) -> None:
    """
    2026-02-18 user: Вчера мы взяли щенка из приюта.
    """
    assert any(fact.day == date(2026, 2, 17) for fact in learnt.saying("щен"))
    assert not learnt.knows("вчера")


def test_since_a_year(learnt: Learnt) -> None:
    """
    2026-02-19 user: Я веган с 2019 года.
    """
    vegan = learnt.the("веган")
    assert vegan.says("с 2019") or vegan.day.year == 2019


def test_a_date_with_a_year(learnt: Learnt) -> None:
    """
    2026-02-19 user: Мы поженились 12 августа 2017 года в Суздале.
    """
    married = learnt.the("Суздал")
    assert married.day == date(2017, 8, 12)
