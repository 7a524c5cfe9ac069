"""Whom он and она mean: the one who was just spoken of, or nobody that can be told."""

from tests.memory.learning.knowledge import Learnt


def test_whoever_was_named_a_sentence_before(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мою соседку зовут Ульяна; она живёт этажом выше и преподаёт арфу.
    2026-02-03 user: Вчера ужинали с Мартой. Она хирург в первой больнице.
    2026-02-03 user: Я поговорил с Ниной, она работает в Озоне и ненавидит созвоны.
    2026-02-03 user: Папе исполнилось 70. Он до сих пор играет в теннис.
    """
    assert learnt.claims("Соседка", "преподаёт")
    assert learnt.claims("Марта", "хирург")
    assert learnt.claims("Нина", "Озон")
    assert learnt.claims("Нина", "ненавидит созвоны")
    assert learnt.claims("Папа", "теннис")


def test_a_trade_and_a_town(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мой лучший друг — Лёня. Он ветеринар и живёт в Твери.
    """
    assert learnt.claims("Лёня", "ветеринар")
    assert learnt.claims("Лёня", "Твер")


def test_the_name_tells_which(learnt: Learnt) -> None:
    """
    2026-02-03 user: Анна встретила Петра. Он живёт в Бонне.
    2026-02-03 user: Муж сестры — Тимур. Он работает в депо.
    """
    assert learnt.claims("Пётр", "Бонн")
    assert not learnt.claims("Анна", "Бонн")
    assert learnt.claims("Муж сестры", "депо")


def test_two_who_can_be_meant(learnt: Learnt) -> None:
    """
    2026-02-03 user: Павел встретил Олега. Он живёт в Бонне.
    2026-02-03 user: Жена с Аней ходили по магазинам. Она любит опалы.
    2026-02-03 user: Моя мама Ольга встретила Нину. Она живёт в Казани.
    """
    assert not learnt.knows("Бонн")
    assert not learnt.knows("опал")
    assert not learnt.knows("Казан")


def test_nobody_who_can_be_meant(learnt: Learnt) -> None:
    """
    2026-02-03 user: Ездили в Вену. Она любит вальсы.
    2026-02-03 user: Моя сестра любит чай. Он собирает марки.
    """
    assert not learnt.knows("вальс")
    assert not learnt.knows("марки")
