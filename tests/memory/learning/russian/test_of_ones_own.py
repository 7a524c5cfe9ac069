"""Relatives, friends and animals of which one tells without saying whose they are, and who does what."""

from tests.memory.learning.knowledge import Learnt


def test_friends_and_in_laws(learnt: Learnt) -> None:
    """
    2026-03-02 user: друг переехал в Берлин
    2026-03-02 user: у коллеги Юли аллергия на пыль
    2026-03-02 user: лучшая подруга Ира работает в Озоне
    2026-03-02 user: тёща любит кроссворды
    """
    assert learnt.claims("Друг пользователя", "(?:.*)Берлин")
    assert learnt.claims("У коллеги пользователя Юли аллергия")
    assert learnt.claims("Лучшая подруга пользователя Ира")
    assert learnt.claims("Тёща пользователя любит")
    assert not learnt.knows("Пользователь")


def test_parents_are_two(learnt: Learnt) -> None:
    """
    2026-03-02 user: мои родители переехали в Анапу
    """
    assert learnt.claims("Родители пользователя живут в Анапе")


def test_what_they_were(learnt: Learnt) -> None:
    """
    2026-03-02 user: мой дед был лётчиком
    2026-03-02 user: мама всю жизнь преподавала химию
    2026-03-02 user: моей тёте Рае в среду исполняется 70 лет, она тридцать лет проработала акушеркой
    2026-03-02 user: сын пошёл в первый класс
    2026-03-02 user: сосед вчера орал
    """
    assert learnt.claims("Дед пользователя был лётчиком")
    assert learnt.claims("Мама пользователя всю жизнь преподавала химию")
    assert learnt.claims("Тётя пользователя Рая", "(?:.*)акушеркой")
    assert learnt.claims("Сын пользователя пошёл в первый класс")
    assert not learnt.knows("Сосед")


def test_how_they_called_the_child(learnt: Learnt) -> None:
    """
    2026-03-02 user: месяц назад у нас родилась дочка, назвали Верой
    2026-03-02 user: завели щенка, назвали Бублик
    2026-03-02 user: у брата родился сын, назвали Тимофеем
    2026-03-02 user: черепаху зовут Тоня
    """
    assert learnt.claims("Дочку пользователя зовут Вера")
    assert learnt.claims("Щенка пользователя зовут Бублик")
    assert learnt.claims("У брата пользователя родился сын Тимофей")
    assert learnt.claims("Черепаху пользователя зовут Тоня")


def test_who_does_it_comes_last(learnt: Learnt) -> None:
    """
    2026-03-02 user (Аня): кому слать счета?
    2026-03-02 user (Вера): Марина уволилась, бухгалтерию теперь ведёт Света
    2026-03-02 user (Вера): документы принимает Лида, а за склад отвечает Костя
    2026-03-02 user (Вера): мне нравится Прага
    """
    assert learnt.claims("Света ведёт бухгалтерию")
    assert learnt.claims("Лида принимает документы")
    assert learnt.claims("Костя отвечает за склад")
    assert not learnt.claims("Прага нравится")


def test_another_boss(learnt: Learnt) -> None:
    """
    2026-03-02 user: начальница у меня теперь Ольга Викторовна
    2026-03-02 user: брату Косте 30 лет
    2026-03-02 user: мы любим друг друга
    """
    assert learnt.claims("Начальница пользователя — Ольга")
    assert learnt.claims("Брату пользователя Косте 30 лет")
    assert not learnt.knows("Друг")
