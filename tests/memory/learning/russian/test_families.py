"""Семьи, о которых говорят одним духом: кто есть кто и сколько кому лет."""

import pytest

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


async def test_what_matters_most(learnt: Learnt, memory: Memory) -> None:
    """
    2026-02-03 user: Я собираю марки, люблю шахматы, пишу на Rust, живу в Казани с женой и двумя кошками, у меня
        аллергия на пыль.
    """
    profile = await memory.profile()
    assert profile.city
    assert profile.city.value == "Казань"
    assert learnt.claims("аллергия на пыль")


@pytest.mark.parametrize(
    "words",
    [
        ("дети пользователя Рома и Ася", "учатся"),
        ("родители пользователя Инна и Юрий", "живут в Твери"),
        ("братья пользователя Дима и Саша", "работают"),
        ("Вере 5 лет",),
        ("Зое 3 года",),
    ],
)
def test_several(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: Мои дети, Рома и Ася, учатся в музыкальной школе.
    2026-02-03 user: Мои родители, Инна и Юрий, живут в Твери.
    2026-02-04 user: Мои братья Дима и Саша работают в Озоне.
    2026-02-05 user: Наши дочки Вера (5) и Зоя (3) любят динозавров.
    """
    assert learnt.knows(*words)


def test_an_allergy_of_one_of_them(learnt: Learnt) -> None:
    """
    2026-02-03 user: У меня двое детей, Рома и Ася.
    2026-02-03 user: У Ромы аллергия на арахис.
    """
    assert learnt.claims("Ром", "аллергия на арахис")


def test_families_that_are_none(learnt: Learnt) -> None:
    """
    2026-02-03 user: Если мои дети Рома и Ася приедут, пойдём в зоопарк.
    2026-02-03 user: Что подарить моим детям, Роме и Асе?
    2026-02-04 user: Мои файлы Main и Test лежат в корне.
    2026-02-05 user: У Ромы сегодня температура.
    """
    assert learnt.nothing
