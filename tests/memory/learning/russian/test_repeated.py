"""What is said twice, and sessions that go on, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_said_twice_is_known_once(learnt: Learnt) -> None:
    """
    2026-01-18 user: У меня аллергия на пенициллин.
    2026-02-18 user: напоминаю: у меня аллергия на пенициллин
    """
    assert len(learnt.the("пенициллин").sources) == 2


def test_a_resumed_session_is_read_on(learnt: Learnt) -> None:
    """
    2026-01-18 09:00 [кухня] user: У нас индукционная плита.
    2026-01-19 09:00 [сад] user: Наш сад — шесть соток.
    2026-01-20 09:00 [кухня] user: Наша духовка от Bosch.
    """
    assert learnt.knows("индукцион")
    assert learnt.knows("шесть|6", "соток")
    assert learnt.knows("Bosch")
    assert len(learnt.known) == 3
