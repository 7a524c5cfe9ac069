"""What somebody puts right in a word or two, whatever they call the slip."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_another_day_of_the_month(learnt: Learnt) -> None:
    """
    2026-03-02 user: мой рейс 12 мая в 9 утра
    2026-03-02 user: ой, не 12-го, а 14-го
    """
    assert learnt.saying("Рейс")[0].day == date(2026, 5, 14)
    assert not learnt.knows("12 мая")


def test_only_a_short_no(learnt: Learnt) -> None:
    """
    2026-03-02 user: у меня приём у окулиста 8 апреля
    2026-03-02 assistant: Записал.
    2026-03-02 user: не, 18-го
    """
    assert learnt.knows("18 апреля")
    assert not learnt.knows("8 апреля")


def test_noted_for_the_wrong_day(learnt: Learnt) -> None:
    """
    2026-03-02 user: запиши: встреча с юристом во вторник
    2026-03-02 user: вернее в среду
    """
    assert learnt.saying("Встреча с юристом")[0].day == date(2026, 3, 4)


def test_another_town_or_figure(learnt: Learnt) -> None:
    """
    2026-03-02 user: я живу в Туле. моя зарплата 150 тысяч
    2026-03-02 user: вру, 160
    2026-03-03 user: родители живут в Уфе
    2026-03-03 user: тьфу, в Перми
    """
    assert learnt.knows("Зарплата", "160")
    assert not learnt.knows("150")
    assert not learnt.claims("Уф")


def test_always_mixing_up(learnt: Learnt) -> None:
    """
    2026-03-02 user: мою невестку зовут Алиса
    2026-03-02 user: ой, Алина, вечно их путаю
    """
    assert learnt.claims("Алина")
    assert not learnt.knows("Алиса|(?:.*)пута")


def test_no_correction(learnt: Learnt) -> None:
    """
    2026-03-02 user: мой рейс 12 мая в 9 утра
    2026-03-02 assistant: Вылет из Внуково?
    2026-03-02 user: нет, из Домодедово. а 14-го там пробки?
    """
    assert learnt.knows("Рейс", "12 мая")
    assert not learnt.knows("14 мая")


def test_how_it_is_told(learnt: Learnt) -> None:
    """
    2026-03-02 user: созвон с заказчиком 3 апреля
    2026-03-09 user: радуюсь: созвон с заказчиком перенесли на 10 апреля
    2026-03-09 user: люблю: джаз, блюз
    """
    assert learnt.saying("Созвон")[0].day == date(2026, 4, 10)
    assert not learnt.claims("3 апреля")
