"""Conversations of people with names: who says I is who speaks."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


def test_whose_it_is(learnt: Learnt) -> None:
    """
    2026-01-22 user (Nora): I live in Bergen.
    2026-01-22 user (Idris): I live in Cardiff, small world!
    """
    assert learnt.knows("Nora", "Bergen")
    assert learnt.knows("Idris", "Cardiff")
    assert not learnt.knows("Nora", "Cardiff")


def test_both_have_a_dog(learnt: Learnt) -> None:
    """
    2026-01-22 user (Nora): My dog is called Pixel.
    2026-01-22 user (Idris): My dog is called Bilbo.
    """
    assert learnt.knows("Nora", "Pixel")
    assert learnt.knows("Idris", "Bilbo")


def test_us_is_not_who_speaks(learnt: Learnt) -> None:
    """
    2026-01-22 user (Nora): I think cooking really brings us together.
    2026-01-22 user (Idris): It does.
    """
    assert not learnt.knows("brings Nora")


async def test_each_is_an_entity(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-22 user (Nora): I'm training for a triathlon.
    2026-01-22 user (Idris): Wow. I collect stamps.
    """
    assert learnt.knows("Idris", "stamps")
    assert any("triathlon" in fact.content for fact in (await memory.entity("Nora")).facts)
    assert not any("stamps" in fact.content for fact in (await memory.entity("Nora")).facts)


def test_two_move_and_each_has_a_home(learnt: Learnt) -> None:
    """
    2026-01-22 user (Nora): I live in Bergen.
    2026-01-22 user (Idris): I live in Cardiff.
    2026-02-22 user (Idris): I moved to Bath two weeks ago.
    """
    assert learnt.knows("Nora", "Bergen")
    assert learnt.knows("Idris", "Bath")
    assert not learnt.claims("Idris", "live", "Cardiff")


def test_a_compliment_is_not_a_fact(learnt: Learnt) -> None:
    """
    2026-01-22 user (Nora): I finally finished the painting of the lighthouse!
    2026-01-22 user (Idris): That's amazing Nora, I love it, you must be so proud!
    2026-01-22 user (Nora): Thanks, that means a lot.
    """
    assert not learnt.knows("Idris", r"it\b|proud|amazing")
    assert not learnt.knows("means a lot")


def test_a_hobby_among_small_talk(learnt: Learnt) -> None:
    """
    2026-01-22 user (Nora): Hey Idris! Long time no see, how have you been?
    2026-01-22 user (Idris): Hey! Pretty busy. I've been taking pottery classes since October, it's so relaxing.
    2026-01-22 user (Nora): Oh cool, show me some pics!
    """
    assert learnt.knows("Idris", "pottery")
    assert not learnt.knows("pics|busy|long time")
