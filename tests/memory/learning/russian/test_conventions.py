"""Как устроен проект, в двух словах; и одно вместо другого."""

import pytest

from tests.memory.learning.knowledge import Learnt


@pytest.mark.parametrize(
    "words",
    [
        ("прод", "Scaleway"),
        ("стейджинг", "stage.example.net"),
        ("master", "защищён"),
        ("бэкенд", "packages/api"),
        ("использует bun",),
        ("табы",),
    ],
)
def test_conventions(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: Прод на Scaleway, стейджинг на stage.example.net
    2026-02-03 user: master защищён
    2026-02-04 user: бэкенд в packages/api
    2026-02-04 user: В этом репозитории используем bun, не yarn
    2026-02-04 user: табы, а не пробелы
    """
    assert learnt.knows(*words)


def test_how_it_is_just_now(learnt: Learnt) -> None:
    """
    2026-02-03 user: прод упал
    2026-02-03 user: прод на Scaleway?
    2026-02-04 user: master сломан
    2026-02-04 user: Если бы прод был на Scaleway, было бы дешевле
    2026-02-05 user: чай, а не кофе
    """
    assert learnt.nothing


def test_the_verb_goes_on_with_the_new(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я учу корейский. Пью кофе каждое утро. Мы используем Oracle.
    2026-05-03 user: Перестал учить корейский, вместо него учу японский
    2026-05-03 user: Перешёл с кофе на чай
    2026-05-03 user: В итоге выбрали Postgres вместо Oracle
    """
    assert learnt.claims("учит японский")
    assert learnt.claims("пьёт чай")
    assert learnt.claims("использует Postgres")
    for old in (("учит корейский",), ("пьёт кофе",), ("Oracle",)):
        assert not learnt.claims(*old)


def test_learnt_instead(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я учу корейский.
    2026-05-03 user: Вместо корейского теперь учу тайский
    """
    assert learnt.claims("учит тайский")
    assert not learnt.knows("корейск")


def test_nothing_goes_on(learnt: Learnt) -> None:
    """
    2026-02-03 user: Может, учить тайский вместо корейского?
    2026-02-03 user: Сегодня пил чай вместо кофе
    2026-02-04 user: Выбрали Италию вместо Испании
    """
    assert learnt.nothing
