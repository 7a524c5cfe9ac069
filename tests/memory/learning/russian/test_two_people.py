"""Conversations of people with names: who says I is who speaks, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_whose_it_is(learnt: Learnt) -> None:
    """
    2026-01-22 user (Нора): Я живу в Бергене.
    2026-01-22 user (Игорь): А я живу в Туле, мир тесен!
    """
    assert learnt.knows("Нор", "Берген")
    assert learnt.knows("Игор", "Тул")
    assert not learnt.knows("Нор", "Тул")


def test_a_hobby_among_small_talk(learnt: Learnt) -> None:
    """
    2026-01-22 user (Нора): Привет! Сто лет не виделись, как ты?
    2026-01-22 user (Игорь): Привет! С октября занимаюсь гончарным делом, очень успокаивает.
    2026-01-22 user (Нора): Ого, покажи фотки!
    """
    assert learnt.knows("Игор", "гончарн")
    assert not learnt.knows("фотки|сто лет")
