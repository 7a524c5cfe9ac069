"""Relatives, colleagues, friends and animals."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


def test_a_sister_and_where_she_lives(learnt: Learnt) -> None:
    """
    2026-01-14 user: My sister lives in Leeds.
    """
    assert learnt.knows("sister", "Leeds")


def test_several_relatives_in_one_message(learnt: Learnt) -> None:
    """
    2026-01-14 user: gift ideas? my mom is 62 and loves gardening, my brother Tom is a drummer
    """
    assert learnt.knows("mom|mother", "garden")
    assert learnt.knows("Tom", "drum")
    assert not learnt.knows("gift")


async def test_a_relative_becomes_known_by_name(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-14 user: My cousin Deepa is a cardiologist in Pune.
    """
    assert learnt.knows("Deepa", "cardiologist")
    assert any("Pune" in fact.content for fact in (await memory.entity("Deepa")).facts)


def test_a_pet(learnt: Learnt) -> None:
    """
    2026-01-14 user: We adopted a cat from the shelter yesterday, she's called Miso.
    """
    assert learnt.knows("cat")
    assert learnt.knows("Miso")


def test_a_colleague_and_a_duty(learnt: Learnt) -> None:
    """
    2026-01-14 user: If anything breaks tell Marcus. Marcus is our SRE, he's on call until April.
    """
    assert learnt.knows("Marcus", "SRE")


def test_she_is_the_one_named_before(learnt: Learnt) -> None:
    """
    2026-01-14 user: My daughter Ella started school. She's allergic to peanuts.
    """
    assert learnt.knows("Ella|daughter", "peanut")


def test_a_partner_and_their_job(learnt: Learnt) -> None:
    """
    2026-01-14 user: my husband works at the port authority and he's away every second week
    """
    assert learnt.knows("husband", "port authority")
    assert not learnt.knows("user works")


def test_a_friend_moves_and_not_the_user(learnt: Learnt) -> None:
    """
    2026-01-14 user: I live in Ghent.
    2026-02-20 user: My friend Olu moved to Lyon.
    """
    assert learnt.knows("Olu", "Lyon")
    assert learnt.knows("Ghent")
    assert not learnt.past


def test_children_and_their_ages(learnt: Learnt) -> None:
    """
    2026-01-14 user: I have two kids, Noah and Lea. Noah is 6 and Lea is 9.
    """
    assert learnt.knows("two", "kids|children")
    assert learnt.knows("Noah", r"(?:6|six)\b")
    assert learnt.knows("Lea", r"(?:9|nine)\b")
