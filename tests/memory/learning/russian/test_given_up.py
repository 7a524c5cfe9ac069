"""What somebody does or has no longer, in whatever order the words stand."""

from tests.memory.learning.knowledge import Learnt


def test_habits_named_first(learnt: Learnt) -> None:
    """
    2026-01-03 user: я занимаюсь теннисом. учу испанский
    2026-01-04 user: играю в шахматы по четвергам. каждый день бегаю по утрам
    2026-03-09 user: теннис я забросил, времени нет
    2026-03-09 user: испанский бросила, учу теперь итальянский
    2026-03-10 user: с шахматами завязал
    2026-03-10 user: бегать я бросил, колени
    """
    assert not learnt.claims("(?:.*)(?:занимается теннис|учит испан|играет в шахмат|бегает)")
    assert learnt.claims("учит итальянский")


def test_what_is_drunk_with_more_words(learnt: Learnt) -> None:
    """
    2026-01-03 user: по утрам я пью эспрессо, две порции с молоком
    2026-03-09 user: эспрессо больше не пью, врач запретил
    """
    assert not learnt.claims("по утрам")
    assert learnt.denies("эспрессо")


def test_one_of_two_was_sold(learnt: Learnt) -> None:
    """
    2026-01-03 user: у нас есть утки и гуси
    2026-03-09 user: уток мы продали, остались только гуси
    """
    assert learnt.claims("У пользователя гуси")
    assert not learnt.claims("У пользователя утки")


def test_sold_given_away(learnt: Learnt) -> None:
    """
    2026-01-03 user: у меня мотоцикл Ямаха
    2026-01-03 user: я подписан на Кинопоиск
    2026-03-09 user: мотоцикл продал две недели назад
    2026-03-09 user: отменил подписку на Кинопоиск
    """
    assert not learnt.claims("У пользователя мотоцикл")
    assert not learnt.claims("(?:.*)подписан на Кинопоиск")
    assert learnt.knows("Пользователь продал мотоцикл")


def test_left_together(learnt: Learnt) -> None:
    """
    2026-01-03 user: мы снимаем квартиру на Чкаловской
    2026-01-03 user: мы с Ритой встречаемся
    2026-03-09 user: с Чкаловской съехали
    2026-03-09 user: мы с Ритой расстались
    """
    assert not learnt.claims("снимает")
    assert not learnt.claims("встречается")


def test_others_who_did_so(learnt: Learnt) -> None:
    """
    2026-01-03 user: мы снимаем квартиру на Чкаловской. занимаюсь теннисом
    2026-03-09 user: с дачи съехали соседи
    2026-03-09 user: брат бросил теннис
    2026-03-09 user: билд сломал тесты
    """
    assert learnt.claims("снимает квартиру")
    assert learnt.claims("Пользователь занимается теннисом")
    assert not learnt.claims("Пользователь", "сломал")


def test_not_for_a_month(learnt: Learnt) -> None:
    """
    2026-01-03 user: я курю
    2026-03-09 user: не курю уже месяц
    2026-03-09 user: не сплю уже неделю
    """
    assert not learnt.claims("курит")
    assert not learnt.knows("(?:.*)спит")


def test_what_nobody_keeps(learnt: Learnt) -> None:
    """
    2026-03-09 user: завели тикет в джире
    2026-03-09 user: перешли к следующему вопросу
    2026-03-09 user: отказались от ужина
    """
    assert not learnt.knows("Пользователь", "(?:.*)(?:тикет|вопрос|ужин)")
