"""The same things said in other words, typed small, beside something else, or in one breath."""

from datetime import date

import pytest

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


async def test_whom_a_request_takes_for_granted(learnt: Learnt, memory: Memory) -> None:
    """
    2026-02-03 user: Ищу подарок для тёти Зинаиды, она вышивает.
    """
    assert learnt.claims("Зинаид", "тёт|вышива")
    assert (await memory.entity("Зинаида")).mentions


def test_a_verb_of_no_table(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мой дядя Фёдор реставрирует иконы, а я держу небольшую пасеку.
    """
    assert learnt.claims("Фёдор", "иконы")
    assert learnt.claims("держит", "пасеку")


def test_who_is_not_named(learnt: Learnt) -> None:
    """
    2026-02-03 user: Боится грозы. Говорят, завтра дождь.
    """
    assert learnt.nothing


@pytest.mark.parametrize("words", [("не любит", "кинзу"), ("не нравится", "опера"), ("без ума от", "джаза")])
def test_tastes(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-04 user: Кинза — это не моё.
    2026-02-04 user: Мне не по душе опера.
    2026-02-04 user: Я без ума от джаза.
    """
    assert learnt.knows(*words)


def test_what_is_preferred(learnt: Learnt) -> None:
    """
    2026-02-04 user: Я лучше поеду на поезде, чем полечу.
    """
    assert learnt.knows("лучше", "поезде")


def test_for_how_long(learnt: Learnt) -> None:
    """
    2026-02-05 user: Я преподаю химию уже восемь лет.
    """
    assert learnt.claims("химию", "2018")


def test_a_plan_with_a_day(learnt: Learnt) -> None:
    """
    2026-02-05 user: 12 марта я защищаю диссертацию.
    """
    assert learnt.the("диссертац").day == date(2026, 3, 12)


def test_steps_in_a_line(learnt: Learnt) -> None:
    """
    2026-02-06 user: Чтобы выпустить номер: собираем статьи, вычитываем гранки, потом отдаём в печать.
    """
    assert learnt.the("номер", "гранки").type == "procedural"


def test_steps_told_before_what_they_are_for(learnt: Learnt) -> None:
    """
    2026-02-06 user: Сначала глушим насос, потом сливаем воду, в конце меняем фильтр — так мы чистим бассейн.
    """
    assert learnt.the("бассейн", "насос").type == "procedural"


@pytest.mark.parametrize("words", [("34 года",), ("Уф",), ("аналитик",)])
def test_several_facts_in_one_breath(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-07 user: Привет! Мне 34, живу в Уфе, работаю аналитиком.
    """
    assert learnt.claims(*words)


@pytest.mark.parametrize(
    "words", [("тесты", "tests/e2e"), ("прод", "Hetzner"), ("ветка", "stable"), ("линтер", "ruff")]
)
def test_a_project(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-08 user: Тесты лежат в tests/e2e. Прод крутится на серверах Hetzner.
    2026-02-09 user: Основная ветка называется stable. Наш линтер — ruff.
    """
    assert learnt.claims(*words)


@pytest.mark.parametrize("words", [("никогда", "приукрашивать"), ("лаконичнее",), ("никогда", "вопрос")])
def test_wishes_without_a_word_for_always(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-10 user: Не приукрашивай.
    2026-02-10 user: Пожалуйста, будь лаконичнее.
    2026-02-10 user: Не повторяй мой вопрос.
    """
    assert learnt.knows(*words)


def test_wishes_for_once(learnt: Learnt) -> None:
    """
    2026-02-10 user: Не удаляй файл. Не волнуйся. Переведи этот абзац.
    """
    assert learnt.nothing


def test_typed_small(learnt: Learnt) -> None:
    """
    2026-02-11 user: меня зовут женя, я живу в казани
    """
    assert learnt.knows("Женя")
    assert learnt.knows("Казани")


def test_where_to_write(learnt: Learnt) -> None:
    """
    2026-02-11 user: Связаться со мной можно по почте zoya@example.org.
    """
    assert learnt.knows(r"zoya@example\.org")


def test_a_son_and_a_daughter(learnt: Learnt) -> None:
    """
    2026-02-12 user: У меня есть сын Артём и дочь Вера.
    """
    assert learnt.claims("сын", "Артём")
    assert learnt.claims("доч", "Вера")


def test_the_moment(learnt: Learnt) -> None:
    """
    2026-02-12 user: Жду автобус, мёрзну. Пытаюсь понять, что не так. Получаю ошибку.
    """
    assert learnt.nothing
