"""Allergies, diets and conditions, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_an_allergy(learnt: Learnt) -> None:
    """
    2026-02-12 user: что приготовить на ужин? у меня аллергия на морепродукты
    """
    assert learnt.knows("аллерги", "морепродукт")
    assert not learnt.knows("ужин")


def test_a_medicine(learnt: Learnt) -> None:
    """
    2026-02-12 user: У меня диабет второго типа, принимаю метформин два раза в день.
    """
    assert learnt.knows("диабет")
    assert learnt.knows("метформин")


def test_a_headache_passes(learnt: Learnt) -> None:
    """
    2026-02-12 user: что-то голова болит и спать хочу
    """
    assert learnt.nothing
