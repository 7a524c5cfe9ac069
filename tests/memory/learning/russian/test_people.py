"""Relatives, colleagues, friends and animals, in Russian."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


def test_a_sister_and_where_she_lives(learnt: Learnt) -> None:
    """
    2026-01-14 user: Моя сестра живёт в Самаре.
    """
    assert learnt.knows("сестр", "Самар")


async def test_a_brother_with_a_name(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-14 user: Мой брат Тимур работает хирургом в Уфе.
    """
    assert learnt.knows("Тимур", "хирург")
    assert (await memory.entity("Тимур")).facts


def test_a_pet(learnt: Learnt) -> None:
    """
    2026-01-14 user: у нас кот, зовут Пельмень
    """
    assert learnt.knows("кот")
    assert learnt.knows("Пельмен")


def test_a_colleague(learnt: Learnt) -> None:
    """
    2026-01-14 user: Наш тимлид — Ольга Ветрова, все вопросы по релизу к ней.
    """
    assert learnt.knows("тимлид", "Ольг", "Ветров")


def test_children(learnt: Learnt) -> None:
    """
    2026-01-14 user: У меня двое детей: Мише 5 лет, а Кате 9.
    """
    assert learnt.knows("двое|2", "дет")
    assert learnt.knows("Миш", "5|пять")


def test_a_friend_moves_and_not_the_user(learnt: Learnt) -> None:
    """
    2026-01-14 user: Я живу в Минске.
    2026-02-20 user: Мой друг Паша переехал в Белград.
    """
    assert learnt.knows("Паш", "Белград")
    assert learnt.knows("Минск")
