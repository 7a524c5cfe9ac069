"""Что у кого в какой день: что будет, что повторяется, когда кого нет."""

from datetime import date

import pytest

from tests.memory.learning.knowledge import Learnt


@pytest.mark.parametrize(
    ("words", "day"),
    [
        (("Оля", "в садик"), date(2026, 9, 1)),
        (("отпуск", "14 августа", "21 августа"), date(2026, 8, 14)),
        (("командировк",), date(2026, 2, 9)),
    ],
)
def test_what_is_to_be(learnt: Learnt, words: tuple[str, ...], day: date) -> None:
    """
    2026-02-03 user: Оля идёт в садик 1 сентября
    2026-02-03 user: Я в отпуске с 14 по 21 августа
    2026-02-04 user: Я в командировке на следующей неделе
    """
    assert learnt.the(*words).day == day


def test_what_comes_again(learnt: Learnt) -> None:
    """
    2026-02-03 user: У Пети плавание по понедельникам
    2026-02-03 user: у сына шахматы каждый четверг
    """
    assert learnt.claims("Пети", "плавание по понедельникам")
    assert learnt.claims("сына", "шахматы каждый четверг")


def test_what_is_over_soon(learnt: Learnt) -> None:
    """
    2026-02-03 user: я на созвоне до трёх
    2026-02-03 user: я в отпуске!
    2026-02-04 user: У Пети насморк
    2026-02-04 user: Я бы ушёл в отпуск с 14 августа
    2026-02-05 user: Ты в отпуске с 14 по 21 августа?
    """
    assert learnt.nothing


def test_a_day_of_another_week(learnt: Learnt) -> None:
    """
    2026-03-02 user: у меня собеседование на следующей неделе в среду
    2026-03-02 user: через неделю в пятницу у меня экзамен
    """
    assert learnt.saying("собеседование")[0].day == date(2026, 3, 11)
    assert learnt.saying("экзамен")[0].day == date(2026, 3, 13)


def test_a_part_of_a_month(learnt: Learnt) -> None:
    """
    2026-03-02 user: в декабре прошлого года мы купили дачу
    2026-03-02 user: полтора года назад я окончила институт
    2026-03-02 user: защита диплома в конце мая
    """
    assert learnt.saying("дачу")[0].content.endswith("В декабре 2025 года пользователь купил дачу.")
    assert learnt.saying("институт")[0].day == date(2024, 9, 2)
    assert learnt.saying("Защита диплома", "(?:.*)конец мая 2026")[0].day == date(2026, 5, 21)


def test_in_figures(learnt: Learnt) -> None:
    """
    2026-03-02 user: экзамен по физике 13.04
    2026-03-02 user: у нас Ubuntu 22.04
    2026-03-02 user: у меня операция 20-го
    """
    assert learnt.saying("Экзамен")[0].day == date(2026, 4, 13)
    assert learnt.saying("операция")[0].day == date(2026, 3, 20)
    assert learnt.knows("Ubuntu 22.04")
