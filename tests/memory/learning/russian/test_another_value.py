"""Другое значение того же самого; что говорится рядом; имена вещей и людей."""

from tests.memory.learning.knowledge import Learnt


async def test_not_that_but_this(learnt: Learnt) -> None:
    """
    2026-01-12 user: созвон у нас по четвергам. Мою тётю зовут Нина.
    2026-01-13 user: Я ошибся, созвон у нас по пятницам, а не по четвергам.
    2026-01-14 user: Мою тётю зовут Инна, а не Нина!
    """
    assert learnt.claims("созвон", "пятниц")
    assert not learnt.claims("четверг")
    assert learnt.claims("тёт", "Инна")
    assert not learnt.claims("тёт", "Нина")


async def test_another_destination(learnt: Learnt) -> None:
    """
    2026-01-12 user: В августе мы летим в Баку.
    2026-03-12 user: Планы изменились: в августе мы летим в Ереван, а не в Баку.
    """
    assert learnt.claims("Ереван")
    assert not learnt.claims("Баку")


async def test_a_plan_given_up_in_the_other_aspect(learnt: Learnt) -> None:
    """
    2026-01-12 user: Я собираюсь сменить работу этой весной.
    2026-03-12 user: Я больше не собираюсь менять работу, всё наладилось.
    """
    assert learnt.knew("сменить работу")
    assert not learnt.claims("собирается", "сменить")


async def test_two_of_one_name(learnt: Learnt) -> None:
    """
    2026-01-12 user: Мой брат Олег живёт в Пскове. Олег Быков отвечает за бэкенд, а Олег Юдин делает вёрстку.
    2026-05-12 user: Мой брат Олег переехал в Выборг. Не перепутай!
    """
    assert learnt.claims("брат", "Выборг")
    assert not learnt.claims("Псков")
    assert learnt.claims("Олег Юдин", "вёрстку")
    assert not learnt.knows("перепута")


async def test_the_name_of_a_thing(learnt: Learnt) -> None:
    """
    2026-01-12 user: «Вереск» написан на Rust.
    2026-02-12 user: «Вереск» - это наш сервис для рассылок.
    """
    assert learnt.claims("Вереск", "Rust")
    assert learnt.claims("Вереск", "сервис")


async def test_who_a_nickname_means(learnt: Learnt) -> None:
    """
    2026-01-12 user: Михалыч живёт в Туле.
    2026-02-12 user: Михалыч - это Андрей Зуев, мой сосед по даче
    2026-03-12 user: Андрей Зуев переехал в Клин. Мою бабушку зовут Раиса, но все называют её Рая.
    """
    assert learnt.claims("Андрей Зуев", "Клин")
    assert learnt.claims("Андрей Зуев", "сосед")
    assert not learnt.claims("Тул")
    assert learnt.claims("Рая", "бабушк")


async def test_what_is_nobodys(learnt: Learnt) -> None:
    """
    2026-01-12 user: ага, работает
    2026-01-12 user: Супер, подходит. Вроде запускается
    2026-01-12 user: Переведи на английский: Я живу в Твери. У меня двое детей.
    2026-01-12 user: Я король Франции. Шучу, конечно)
    """
    assert not learnt.knows("ага|вроде|запуска")
    assert not learnt.knows("Твер|дет|корол")


async def test_mine_is_no_order_to_wash(learnt: Learnt) -> None:
    """
    2026-01-12 user: Мой брат живёт в Омске.
    2026-03-12 user: Мой брат больше не живёт в Омске
    """
    assert not learnt.knows("мыть")
    assert not learnt.claims("живёт в Омске")
