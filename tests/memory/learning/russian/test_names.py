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
