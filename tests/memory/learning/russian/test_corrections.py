"""What was said wrongly, or understood wrongly, and put right, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_a_name_put_right(learnt: Learnt) -> None:
    """
    2026-01-10 user: Мою собаку зовут Рекс.
    2026-01-10 assistant: Отличное имя!
    2026-01-10 user: Ой, не Рекс, а Макс, опечатался.
    """
    assert learnt.knows("Макс")
    assert not learnt.claims("Рекс")


def test_actually(learnt: Learnt) -> None:
    """
    2026-01-10 user: Моя дочь учится в третьем классе.
    2026-01-12 user: На самом деле моя дочь учится в четвёртом классе.
    """
    assert learnt.knows("четв[её]рт")
    assert not learnt.claims("третьем")


def test_a_number_put_right(learnt: Learnt) -> None:
    """
    2026-01-10 user: Наш бюджет 50 тысяч рублей.
    2026-01-10 user: Точнее, наш бюджет 150 тысяч рублей.
    """
    assert learnt.knows("бюджет", "150")
    assert not learnt.claims(r"50\b")


def test_not_this_but_that(learnt: Learnt) -> None:
    """
    2026-01-10 assistant: Раз вы вегетарианка, попробуйте чечевицу.
    2026-01-10 user: Я не вегетарианка, я веган.
    """
    assert learnt.knows("веган")
    assert not learnt.claims("вегетариан")


def test_that_is_elsewhere(learnt: Learnt) -> None:
    """
    2026-02-03 user: Моя сестра живёт в Самаре.
    2026-02-03 assistant: Хорошо.
    2026-02-03 user: То есть в Саратове.
    """
    assert learnt.knows("Саратов")
    assert not learnt.claims("Самар")


def test_another_day(learnt: Learnt) -> None:
    """
    2026-02-03 user: Встреча с юристом в пятницу.
    2026-02-03 assistant: Записал.
    2026-02-03 user: Ой, не в пятницу, а в субботу.
    """
    assert learnt.knows("7 февраля")
    assert not learnt.claims("6 февраля")


def test_a_mistake_of_the_other_day(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мой брат работает в Газпроме.
    2026-03-03 user: Я ошибся, мой брат работает в Роснефти.
    """
    assert learnt.knows("Роснефт")
    assert not learnt.claims("Газпром")


def test_another_floor(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я живу на третьем этаже.
    2026-02-03 assistant: ок
    2026-02-03 user: Извини, не на третьем, а на четвёртом.
    """
    assert learnt.knows("четв[её]рт")
    assert not learnt.claims("третьем")


def test_no_the_day_after(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мой день рождения 3 апреля.
    2026-02-03 assistant: ок
    2026-02-03 user: Нет, 4 апреля.
    """
    assert learnt.knows("4 апреля")
    assert not learnt.claims("3 апреля")


def test_spelt_with_another_letter(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мою дочь зовут Наталия.
    2026-02-03 assistant: ок
    2026-02-03 user: Не Наталия, а Наталья, через мягкий знак.
    """
    assert learnt.knows("Наталья")
    assert not learnt.claims("Наталия")


def test_another_ordinal(learnt: Learnt) -> None:
    """
    2026-02-03 user: Мой сын учится в пятом классе.
    2026-02-03 assistant: Понятно.
    2026-02-03 user: Извини, в шестом.
    """
    assert learnt.knows("шест")
    assert not learnt.claims("пятом")


def test_an_answer_corrects_nothing(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я живу в Томске.
    2026-02-03 assistant: Встретимся в среду?
    2026-02-03 user: Нет, в четверг.
    """
    assert learnt.claims("Томск")
