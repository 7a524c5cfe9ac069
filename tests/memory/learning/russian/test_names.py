"""Names, what to be called, pronouns and languages, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_a_name(learnt: Learnt) -> None:
    """
    2026-01-02 user: Привет, меня зовут Арсений Лебедев.
    """
    assert learnt.knows("Арсени", "Лебедев")


def test_what_to_be_called(learnt: Learnt) -> None:
    """
    2026-01-02 user: Меня зовут Александра, но называй меня Саша, и на «ты», пожалуйста.
    """
    assert learnt.knows("Саш")


def test_languages(learnt: Learnt) -> None:
    """
    2026-01-02 user: Говорю по-португальски и немного по-немецки, родной язык татарский.
    """
    assert learnt.knows("португальск")
    assert learnt.knows("татарск")


def test_a_name_no_longer_wanted(learnt: Learnt) -> None:
    """
    2026-02-03 user: Зови меня Ленка.
    2026-03-03 user: Не зови меня больше Ленкой.
    """
    assert not learnt.claims("имя Ленка")


def test_one_name_instead_of_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: Зови меня Вовка.
    2026-03-03 user: Не называй меня Вовкой, зови Владимир.
    """
    assert learnt.knows("Владимир")
    assert not learnt.claims("предпочитает имя Вовка")
