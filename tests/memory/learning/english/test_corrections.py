"""What was said wrongly, or understood wrongly, and put right."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


def test_a_name_put_right_in_the_next_turn(learnt: Learnt) -> None:
    """
    2026-01-10 user: My dog is called Rex.
    2026-01-10 assistant: Rex is a fine name!
    2026-01-10 user: No, not Rex, Max. Typo.
    """
    assert learnt.knows("Max")
    assert not learnt.claims("Rex")


def test_a_name_put_right_later(learnt: Learnt) -> None:
    """
    2026-01-10 user: My sister's name is Catherine.
    2026-02-10 user: Actually, my sister's name is Katherine, with a K.
    """
    assert learnt.knows("Katherine")
    assert not learnt.claims("Catherine")


def test_what_never_was_is_no_change(learnt: Learnt) -> None:
    """
    2026-01-10 user: My flat is on the 3rd floor.
    2026-01-11 user: Correction: my flat is on the 4th floor, I miscounted.
    """
    assert learnt.knows("4th|fourth")
    assert not learnt.claims("3rd|third")


def test_not_this_but_that(learnt: Learnt) -> None:
    """
    2026-01-10 user: I work on the Falcon project.
    2026-01-12 user: I don't work on Falcon but on Kestrel, you mixed that up
    """
    assert learnt.knows("Kestrel")
    assert not learnt.claims("Falcon")


def test_the_assistant_is_put_right(learnt: Learnt) -> None:
    """
    2026-01-10 assistant: As a vegetarian you will like this lentil stew.
    2026-01-10 user: I'm not vegetarian, I'm vegan.
    """
    assert learnt.knows("vegan")
    assert not learnt.claims("vegetarian")


def test_a_number_put_right(learnt: Learnt) -> None:
    """
    2026-01-10 user: Our budget is 5000 euros.
    2026-01-10 assistant: 5000 euros, noted.
    2026-01-10 user: Sorry, I meant our budget is 15000 euros.
    """
    assert learnt.knows("budget", "15[., ]?000")
    assert not learnt.claims(r"5[., ]?000\b")


async def test_what_was_put_right_is_kept_as_history(learnt: Learnt, memory: Memory) -> None:
    """
    2026-01-10 user: My daughter is 7.
    2026-01-17 user: Actually, my daughter is 8.
    """
    assert learnt.knows(r"daughter", r"8\b")
    assert not learnt.claims("daughter", r"7\b")
    assert len(await memory.search("daughter", types=("semantic",), history=True)) > 1 or learnt.reports[-1].replaced


def test_the_source_is_the_turn_that_put_it_right(learnt: Learnt) -> None:
    """
    2026-01-10 user: My car is a Skoda.
    2026-01-10 user: No wait, my car is a Seat, the Skoda is my husband's.
    """
    assert any("Seat" in source for fact in learnt.saying("Seat") for source in fact.sources)
    assert not any(fact.says("user's car is a Skoda") for fact in learnt.known)
