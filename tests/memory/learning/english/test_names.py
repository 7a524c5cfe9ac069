"""Names, what to be called, pronouns and languages."""

from tests.memory.learning.knowledge import Learnt


def test_a_name(learnt: Learnt) -> None:
    """
    2026-01-02 user: Hi, my name is Oluwaseun Adeyemi.
    2026-01-02 assistant: Nice to meet you!
    """
    assert learnt.knows("Oluwaseun Adeyemi")


def test_what_to_be_called(learnt: Learnt) -> None:
    """
    2026-01-02 user: I'm Alexandra, but call me Sasha.
    """
    assert learnt.knows("Sasha")
    assert not learnt.knows("named? Sasha, but|call me")


def test_a_name_that_changed(learnt: Learnt) -> None:
    """
    2026-01-02 user: My last name is Miller.
    2026-03-22 user: I got married! My last name is Brandt now.
    """
    assert learnt.knows("Brandt")
    assert not learnt.claims("Miller")
    assert learnt.knew("Miller")


def test_pronouns(learnt: Learnt) -> None:
    """
    2026-01-02 user: my pronouns are they/them
    """
    assert learnt.knows("pronoun", "they/them")


def test_languages(learnt: Learnt) -> None:
    """
    2026-01-02 user: I speak Portuguese and a bit of German, my native language is Galician.
    """
    assert learnt.knows("Portuguese")
    assert learnt.knows("Galician", "native")


def test_a_state_is_no_name(learnt: Learnt) -> None:
    """
    2026-01-02 user: I'm Done with this, call me a cab!
    """
    assert learnt.nothing
