"""Пожелания впредь в двух словах, без глагола; и просьбы об одном ответе."""

import pytest

from tests.memory.learning.knowledge import Learnt


@pytest.mark.parametrize(
    "words",
    [
        ("всегда", "примеры кода на Kotlin"),
        ("всегда", "без таблиц"),
        ("всегда", "отвечать попроще"),
        ("всегда", "метрические единицы"),
        ("всегда", "даты в"),
        ("всегда", "меньше эмодзи"),
    ],
)
def test_wishes_without_a_verb(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: И примеры кода на Kotlin, не на Java.
    2026-02-03 user: никаких таблиц
    2026-02-03 user: Ответы попроще, пожалуйста
    2026-02-04 user: Можешь всегда использовать метрические единицы?
    2026-02-04 user: Даты в формате ISO, пожалуйста
    2026-02-05 user: поменьше эмодзи, пожалуйста
    """
    assert learnt.knows(*words, category="instruction")


def test_for_one_answer_only(learnt: Learnt) -> None:
    """
    2026-02-03 user: Можешь ответить покороче?
    2026-02-03 user: Покороче, пожалуйста
    2026-02-03 user: Этот ответ на английском, пожалуйста
    2026-02-04 user: Цены в Москве, пожалуйста
    2026-02-04 user: Примеры кода на Kotlin есть?
    2026-02-04 user: никаких проблем
    2026-02-05 user: Меньше эмодзи, чем вчера
    """
    assert learnt.nothing
