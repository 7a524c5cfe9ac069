"""Plans that are off, put off or have another goal, told in passing."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_thought_better_of(learnt: Learnt) -> None:
    """
    2026-03-02 user: планируем купить машину
    2026-03-02 user: собираюсь поступать в магистратуру в Вышку
    2026-04-09 user: с машиной передумали
    2026-04-09 user: в магистратуру передумал, пойду работать
    """
    assert not learnt.claims("(?:.*)планирует купить машину")
    assert not learnt.claims("(?:.*)собирается поступать")


def test_another_goal(learnt: Learnt) -> None:
    """
    2026-03-02 user: в августе едем на Алтай
    2026-04-09 user: вместо Алтая поедем на Кавказ
    """
    assert learnt.claims("Пользователь поедет на Кавказ")
    assert not learnt.claims("(?:.*)Алтай")


def test_put_off_without_a_day(learnt: Learnt) -> None:
    """
    2026-03-02 user: в мае мы летим в Стамбул. собираемся делать ремонт на кухне
    2026-04-09 user: Стамбул отложили до лучших времён
    2026-04-09 user: ремонт пока отложили
    """
    assert not learnt.claims("(?:.*)летит в Стамбул")
    assert not learnt.claims("(?:.*)собирается делать ремонт")
    assert learnt.knows("Ремонт отложен")


def test_when_comes_first(learnt: Learnt) -> None:
    """
    2026-03-02 user: через две недели у мамы юбилей
    2026-03-02 user: в пятницу вечером у нас корпоратив
    2026-03-02 user: прошлым летом я был в Грузии
    """
    assert learnt.saying("У мамы пользователя юбилей")[0].day == date(2026, 3, 16)
    assert learnt.saying("У пользователя корпоратив")[0].day == date(2026, 3, 6)
    assert learnt.saying("(?:.*)Грузии")[0].day == date(2025, 6, 1)


def test_before_and_now(learnt: Learnt) -> None:
    """
    2026-03-02 user: раньше жил в Омске, сейчас в Томске
    2026-03-02 user: мы теперь в субботу дома
    """
    assert learnt.claims("Пользователь живёт в Томске")
    assert not learnt.claims("живёт в Омске")
    assert not learnt.knows("(?:.*)дома")
