"""What somebody thinks of something, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_an_opinion(learnt: Learnt) -> None:
    """
    2026-02-06 user: Я считаю, что микросервисы переоценены для таких команд, как наша.
    """
    view = learnt.the("микросервис", "переоцен")
    assert view.type == "opinion"


def test_in_my_opinion(learnt: Learnt) -> None:
    """
    2026-02-06 user: по-моему новая дюна слишком затянута
    """
    assert learnt.knows("дюн", "затянут")
