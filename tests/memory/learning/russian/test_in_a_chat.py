"""What people tell while they chat: laughing, in passing, with what follows left to be understood."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_laughter_is_no_joke(learnt: Learnt) -> None:
    """
    2026-02-03 user: У нас две кошки, ахаха
    """
    assert learnt.claims("кошки")


def test_a_small_letter_begins_a_question(learnt: Learnt) -> None:
    """
    2026-02-03 user: слушай, предпочитаю поезда, особенно ночные. как лучше доехать до Минска?
    """
    assert learnt.claims("предпочитает поезда")


def test_another_allergen(learnt: Learnt) -> None:
    """
    2026-02-03 user: У меня аллергия на арахис.
    2026-02-05 user: Я тут напутала, у меня аллергия не на арахис, а на фундук.
    """
    assert learnt.claims("фундук")
    assert not learnt.claims("арахис")


def test_off_and_what_instead(learnt: Learnt) -> None:
    """
    2026-02-03 user: В мае мы едем в Суздаль.
    2026-03-03 user: Поездку в Суздаль отменили, в мае мы едем в Выборг.
    """
    assert learnt.claims("Выборг")
    assert not learnt.claims("едет в Суздаль")


def test_of_whom_a_pronoun_tells(learnt: Learnt) -> None:
    """
    2026-02-03 user: Пеку пирог для дедушки, у него диабет.
    """
    assert learnt.claims("дедушк", "диабет")


def test_a_relative_without_mine(learnt: Learnt) -> None:
    """
    2026-02-03 user: У сына астма.
    """
    assert learnt.claims("сын", "астма")


def test_a_meeting_on_another_day(learnt: Learnt) -> None:
    """
    2026-02-03 user: Экзамен перенесли на пятницу.
    2026-02-03 user: Конференцию перенесли на июнь.
    """
    assert learnt.the("экзамен").day == date(2026, 2, 6)
    assert learnt.the("конференция").day == date(2026, 6, 1)


def test_the_town_behind_the_flat(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мой дядя живёт один в большом доме в Угличе.
    """
    assert learnt.claims("дяд", "живёт в Угличе")


def test_who_is_meant_is_said_again(learnt: Learnt) -> None:
    """
    2026-02-03 user: Саша Орлова — моя соседка.
    2026-02-05 user: Саша Орлов — мой тренер, это другой человек.
    """
    assert learnt.claims("Орлова", "сосед")
    assert learnt.claims(r"Орлов\b", "тренер")


def test_somebody_elses_husband(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мужа Лолы зовут Петя.
    """
    assert learnt.claims("Лолы", "Петя")
    assert not learnt.claims("мужа пользователя")


def test_children_and_their_ages(learnt: Learnt) -> None:
    """
    2026-02-03 user: Моим детям 5 и 8 лет.
    """
    assert learnt.claims("дет", "5 и 8 лет")


def test_a_noun_that_goes_with_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: Моё любимое время года — весна.
    2026-02-03 user: Я внештатный иллюстратор.
    """
    assert learnt.claims("любимое время года пользователя", "весна")
    assert learnt.claims("иллюстратор")


def test_where_one_will_be(learnt: Learnt) -> None:
    """
    2026-02-03 user: Буду в Вене 6 мая.
    """
    assert learnt.the("Вене").day == date(2026, 5, 6)


def test_what_one_has_is_on_another_day(learnt: Learnt) -> None:
    """
    2026-02-03 user: У меня собеседование в Озоне 10 марта.
    2026-02-10 user: Собеседование в Озоне перенесли на 17 марта.
    """
    assert learnt.the("собеседование").day == date(2026, 3, 17)
