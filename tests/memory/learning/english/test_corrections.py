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


def test_the_day_alone_put_right(learnt: Learnt) -> None:
    """
    2026-02-03 user: My flight to Oslo is on 12 May.
    2026-02-03 assistant: Noted.
    2026-02-03 user: Wait, I meant the 21st.
    """
    assert learnt.knows("21 May")
    assert not learnt.claims("12 May")


def test_an_address_put_right(learnt: Learnt) -> None:
    """
    2026-02-03 user: We live at 14 Birch Road.
    2026-02-03 assistant: Okay.
    2026-02-03 user: Oops, 41 Birch Road.
    """
    assert learnt.knows("41 Birch")
    assert not learnt.claims("14 Birch")


def test_a_name_that_is_spelt_otherwise(learnt: Learnt) -> None:
    """
    2026-02-03 user: My son is called Mathew.
    2026-02-03 assistant: Nice.
    2026-02-03 user: It's spelled Matthew, with two t's.
    """
    assert learnt.knows("Matthew")
    assert not learnt.claims(r"Mathew\b")


def test_how_many_put_right(learnt: Learnt) -> None:
    """
    2026-02-03 user: I drink three cups of coffee every day.
    2026-02-03 assistant: Wow.
    2026-02-03 user: Correction: four cups.
    """
    assert learnt.knows("four cups")
    assert not learnt.claims("three cups")


def test_scratch_that(learnt: Learnt) -> None:
    """
    2026-02-03 user: My sister Julia lives in Graz.
    2026-02-03 assistant: ok
    2026-02-03 user: Scratch that, Linz.
    """
    assert learnt.knows("Linz")
    assert not learnt.claims("Graz")


def test_a_birthday_got_wrong(learnt: Learnt) -> None:
    """
    2026-02-03 user: My birthday is on 3 April.
    2026-03-03 user: I got my birthday wrong last time: it's 4 April.
    """
    assert learnt.knows("4 April")
    assert not learnt.claims("3 April")


def test_not_there_but_there(learnt: Learnt) -> None:
    """
    2026-02-03 user: Our office is on the second floor.
    2026-03-03 user: Our office isn't on the second floor, it's on the fifth.
    """
    assert learnt.knows("fifth")
    assert not learnt.claims("on the second")


def test_a_school_put_right(learnt: Learnt) -> None:
    """
    2026-02-03 user: My daughter studies at Leiden.
    2026-02-03 assistant: Good uni.
    2026-02-03 user: I mean Delft, sorry.
    """
    assert learnt.knows("Delft")
    assert not learnt.claims("Leiden")


def test_a_number_with_a_letter(learnt: Learnt) -> None:
    """
    2026-02-03 user: I live in apartment 4B.
    2026-02-03 user: Not 4B, 4D.
    """
    assert learnt.knows("4D")
    assert not learnt.claims("4B")


def test_a_pet_that_is_spelt_otherwise(learnt: Learnt) -> None:
    """
    2026-02-03 user: My dog's name is Bailey.
    2026-02-03 assistant: Bailey, cute!
    2026-02-03 user: It's actually spelled Bayley.
    """
    assert learnt.knows("Bayley")
    assert not learnt.claims("Bailey")


def test_the_last_of_two_is_meant(learnt: Learnt) -> None:
    """
    2026-02-03 user: My phone number is 555 0199. My hometown is Bergen.
    2026-02-03 assistant: ok
    2026-02-03 user: I misspoke, it's Stavanger.
    """
    assert learnt.knows("Stavanger")
    assert not learnt.claims("hometown", "Bergen")


def test_what_was_meant_to_be_asked_corrects_nothing(learnt: Learnt) -> None:
    """
    2026-02-03 user: I live in Oslo.
    2026-02-03 assistant: ok
    2026-02-03 user: I meant to ask you about trains.
    """
    assert learnt.claims("Oslo")


def test_an_answer_corrects_nothing(learnt: Learnt) -> None:
    """
    2026-02-03 user: My favourite colour is green.
    2026-02-03 assistant: Shall I book Rome?
    2026-02-03 user: No, Paris.
    """
    assert learnt.claims("green")
