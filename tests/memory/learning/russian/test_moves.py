"""Where people live, and where they lived before, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_a_home(learnt: Learnt) -> None:
    """
    2026-01-08 user: Какая погода будет завтра? Я живу в Казани.
    """
    assert learnt.knows("Казан")
    assert not learnt.knows("погод")


def test_a_move_replaces_the_old_home(learnt: Learnt) -> None:
    """
    2026-01-08 user: Я живу в Твери.
    2026-03-20 user: Месяц назад я переехала в Тбилиси!
    """
    assert learnt.knows("Тбилиси")
    assert not learnt.claims("жив", "Твер")
    assert learnt.knew("Твер")


def test_where_somebody_comes_from(learnt: Learnt) -> None:
    """
    2026-01-08 user: сама я из Омска, но живу в Риге
    """
    assert learnt.knows("Риг")
    assert not learnt.knows("живёт в Омске|живет в Омске")
