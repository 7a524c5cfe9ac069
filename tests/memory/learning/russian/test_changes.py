"""Changes told in other words than what they end, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_what_was_refused_for_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мы используем MySQL.
    2026-03-03 user: Мы отказались от MySQL в пользу Postgres.
    """
    assert learnt.knows("Postgres")
    assert not learnt.claims("использует MySQL")


def test_a_relative_who_moved(learnt: Learnt) -> None:
    """
    2026-02-03 user: Моя сестра живёт в Казани.
    2026-03-03 user: Сестра переехала в Уфу.
    """
    assert learnt.knows("Уф")
    assert not learnt.claims("жив[её]т в Казани")


def test_left_for_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я работаю в Сбере.
    2026-03-03 user: Я ушла из Сбера в Тинькофф.
    """
    assert learnt.knows("Тинькофф")
    assert not learnt.claims("работает в Сбере")


def test_what_was_sold(learnt: Learnt) -> None:
    """
    2026-02-03 user: У меня есть машина, Kia Rio.
    2026-03-03 user: Машину я продал.
    """
    assert not learnt.claims("есть машина")


def test_two_who_parted(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я встречаюсь с Леной.
    2026-03-03 user: Мы с Леной расстались.
    """
    assert not learnt.claims("встречается с Леной")


def test_one_instead_of_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: Наш проект собирается через Webpack. Мы используем Webpack.
    2026-03-03 user: Вместо Webpack мы теперь используем Vite.
    """
    assert learnt.knows("Vite")
    assert not learnt.claims("использует Webpack")


def test_what_was_abandoned(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я пользуюсь Notion.
    2026-03-03 user: Я забросил Notion.
    """
    assert not learnt.claims("пользуется Notion")


def test_what_was_given_up(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я играю в теннис.
    2026-03-03 user: Я бросил играть в теннис.
    """
    assert not learnt.claims("пользователь играет в теннис")


def test_who_left_left_alone(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я работаю в Яндексе. Мой брат работает в Сбере.
    2026-03-03 user: Брат ушёл из Сбера.
    """
    assert learnt.claims("пользователь работает в Яндексе")
    assert not learnt.claims("работает в Сбере")
