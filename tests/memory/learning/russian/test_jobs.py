"""Work, and how it changes, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_a_new_job_replaces_the_old_one(learnt: Learnt) -> None:
    """
    2026-01-03 user: Я работаю в Сбере.
    2026-03-09 user: Я теперь работаю в Яндексе.
    """
    assert learnt.knows("Яндекс")
    assert not learnt.claims("работа", "Сбер")
    assert learnt.knew("Сбер")


def test_a_profession(learnt: Learnt) -> None:
    """
    2026-01-03 user: Я врач-педиатр, дежурю по ночам. Как лучше высыпаться днём?
    """
    assert learnt.knows("педиатр")
    assert not learnt.knows("высыпаться")


def test_a_job_that_ended(learnt: Learnt) -> None:
    """
    2026-01-03 user: Я работаю аналитиком в банке.
    2026-03-02 user: Я больше не работаю в банке, ушёл на вольные хлеба.
    """
    assert not learnt.claims("работает", "банк")
    assert learnt.knew("банк")
