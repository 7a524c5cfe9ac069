"""What is meant and not said in so many words, in Russian."""

import pytest

from tests.memory.learning.knowledge import Learnt
from tests.memory.learning.scripts import item, learns


@pytest.mark.needs_model(learns())
def test_irony(learnt: Learnt) -> None:
    """
    2026-03-01 user: ну супер, обожаю когда билд падает в пятницу вечером, прям любимое хобби
    """
    assert learnt.nothing


@pytest.mark.needs_model(learns(item("У пользователя аллергия на арахис.", 1, 2)))
def test_an_answer_in_two_words(learnt: Learnt) -> None:
    """
    2026-03-01 assistant: Составлю меню. Есть ли у вас аллергия на что-нибудь?
    2026-03-01 user: только на арахис
    """
    assert learnt.knows("аллерги", "арахис")


@pytest.mark.needs_model(
    learns(item("Пользователь живёт в Перми.", 1)),
    learns(item("Пользователь теперь живёт в Ереване.", 1, changes=["K1"])),
)
def test_a_move_nobody_calls_a_move(learnt: Learnt) -> None:
    """
    2026-01-05 user: Я живу в Перми.
    2026-03-01 user: Ключи сданы, Пермь теперь в прошлом, разбираю коробки в Ереване.
    """
    assert learnt.knows("Ереван")
    assert not learnt.claims("жив", "Перми")
    assert learnt.knew("Перми")


@pytest.mark.needs_model(learns(item("У пользователя есть двойняшки, которые ходят в садик.", 1, basis="inferred")))
def test_what_is_taken_for_granted(learnt: Learnt) -> None:
    """
    2026-03-01 user: отвёл двойняшек в садик, наконец-то два часа тишины на диссер
    """
    assert learnt.the("двойняш").confidence <= 0.6


@pytest.mark.needs_model(learns(item("Пользователь выбрал SQLite для очереди задач.", 1, 2, category="project")))
def test_a_decision_among_options(learnt: Learnt) -> None:
    """
    2026-03-01 assistant: Для очереди задач два варианта. Первый: Redis. Второй: таблица в SQLite.
    2026-03-01 user: давай второй, меньше возни
    """
    assert learnt.knows("SQLite")
    assert not learnt.claims("использует Redis")
