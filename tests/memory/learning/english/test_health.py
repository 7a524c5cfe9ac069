"""Allergies, diets and conditions."""

from tests.memory.learning.knowledge import Learnt


def test_an_allergy(learnt: Learnt) -> None:
    """
    2026-02-12 user: dinner ideas for 4? I'm allergic to shellfish
    """
    assert learnt.knows("allerg", "shellfish")


def test_a_diet(learnt: Learnt) -> None:
    """
    2026-02-12 user: I'm vegan and my partner is gluten free so it's tricky to eat out
    """
    assert learnt.knows("vegan")
    assert learnt.knows("partner", "gluten")
    assert not learnt.knows("partner (?:is|eats) vegan")


def test_a_condition_and_a_medicine(learnt: Learnt) -> None:
    """
    2026-02-12 user: I have type 2 diabetes and I take metformin twice a day. Is grapefruit ok?
    """
    assert learnt.knows("diabetes")
    assert learnt.knows("metformin")
    assert not learnt.knows("grapefruit")


def test_a_diet_that_ended(learnt: Learnt) -> None:
    """
    2026-01-12 user: I'm vegetarian.
    2026-03-12 user: I'm no longer vegetarian, I eat fish and chicken now.
    """
    assert not learnt.claims("vegetarian")
    assert learnt.knows("fish")


def test_a_cold_passes(learnt: Learnt) -> None:
    """
    2026-02-12 user: ugh, I have a headache and I'm so tired today
    2026-02-12 assistant: Get some rest!
    """
    assert learnt.nothing
