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
