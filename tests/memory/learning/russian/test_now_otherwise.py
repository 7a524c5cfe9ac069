"""Another job, boss, home or day, as people tell them in passing."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_another_job(learnt: Learnt) -> None:
    """
    2026-01-03 user: Я работаю тестировщиком в Сименсе. Мой начальник — Игорь.
    2026-03-09 user: Сменил работу, теперь в Яндексе.
    2026-03-09 user: Начальником теперь будет Тимур
    """
    assert learnt.claims("работает в Яндексе")
    assert learnt.claims("работает тестировщиком")
    assert learnt.claims("Начальник", "Тимур")
    assert not learnt.claims("Сименс")
    assert not learnt.claims("Игорь")


def test_others_and_ranks(learnt: Learnt) -> None:
    """
    2026-01-03 user: Брат работает в Люфтганзе. Я работаю младшим аналитиком.
    2026-03-09 user: брат теперь в Тинькофф
    2026-03-09 user: Меня повысили до ведущего аналитика
    """
    assert learnt.claims("Брат", "Тинькофф")
    assert learnt.claims("работает ведущим аналитиком")
    assert not learnt.claims("Люфтганз")


def test_only_there_or_only_perhaps(learnt: Learnt) -> None:
    """
    2026-01-03 user: Я работаю в Сименсе. Я живу в Казани.
    2026-03-09 user: Я сейчас в Пятёрочке
    2026-03-09 user: Я теперь в Москве
    2026-03-09 user: Может, перейду в Озон
    2026-03-09 user: новый офис в Минске
    2026-03-09 user: Может, переедем в Сочи
    2026-03-09 user: У сестры новая квартира в Риге
    """
    assert learnt.claims("Пользователь работает в Сименсе")
    assert learnt.claims("Пользователь живёт в Казани")
    assert not learnt.claims("Пятёрочк|Озон|Сочи")


def test_a_new_place(learnt: Learnt) -> None:
    """
    2026-01-08 user: Я живу в Казани.
    2026-02-08 user: Мы переехали! Новая квартира в Самаре, старую сдали
    2026-04-08 user: Вернулся к родителям в Омск
    """
    assert learnt.claims("живёт в Омске")
    assert not learnt.claims("живёт в (?:Казани|Самаре)")


def test_what_is_off_and_what_is_moved(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мы летим в Лиссабон в мае. У меня стоматолог 12 февраля в 10.
    2026-02-04 user: Лиссабон отменяется
    2026-02-04 user: Звонил стоматолог, перенесли на 19 февраля
    2026-02-04 user: Поездка в Рим отменяется, вместо неё поедем в Словению.
    """
    assert learnt.the("стоматолог", "19 февраля").day == date(2026, 2, 19)
    assert learnt.claims("поедет в Словению")
    assert not learnt.claims("летит в Лиссабон")
    assert not learnt.claims("12 февраля")


def test_what_is_off_but_was_not_planned(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мы женимся в мае.
    2026-02-04 user: Свет отключили
    2026-02-04 user: Сестра сказала, что может отменить свадьбу
    2026-02-04 user: А если свадьбу отменят?
    """
    assert learnt.claims("женится")
    assert not learnt.knows("отмен")


def test_put_right_at_once(learnt: Learnt) -> None:
    """
    2026-02-03 user: Приём у врача 14 февраля.
    2026-02-03 user: нет, стоп, 15-го
    2026-02-03 user: Моя сестра живёт в Туле.
    2026-02-03 user: ой, нет, она живёт в Твери
    """
    assert learnt.the("врач", "15 февраля").day == date(2026, 2, 15)
    assert not learnt.knows("14 февраля")
    assert learnt.claims("сестра", "Твери")
    assert not learnt.knows("Туле")
