"""What was said wrongly, or understood wrongly, and put right, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_a_name_put_right(learnt: Learnt) -> None:
    """
    2026-01-10 user: Мою собаку зовут Рекс.
    2026-01-10 assistant: Отличное имя!
    2026-01-10 user: Ой, не Рекс, а Макс, опечатался.
    """
    assert learnt.knows("Макс")
    assert not learnt.claims("Рекс")


def test_actually(learnt: Learnt) -> None:
    """
    2026-01-10 user: Моя дочь учится в третьем классе.
    2026-01-12 user: На самом деле моя дочь учится в четвёртом классе.
    """
    assert learnt.knows("четв[её]рт")
    assert not learnt.claims("третьем")


def test_a_number_put_right(learnt: Learnt) -> None:
    """
    2026-01-10 user: Наш бюджет 50 тысяч рублей.
    2026-01-10 user: Точнее, наш бюджет 150 тысяч рублей.
    """
    assert learnt.knows("бюджет", "150")
    assert not learnt.claims(r"50\b")


def test_not_this_but_that(learnt: Learnt) -> None:
    """
    2026-01-10 assistant: Раз вы вегетарианка, попробуйте чечевицу.
    2026-01-10 user: Я не вегетарианка, я веган.
    """
    assert learnt.knows("веган")
    assert not learnt.claims("вегетариан")
