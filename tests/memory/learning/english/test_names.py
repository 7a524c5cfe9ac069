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


def test_a_name_no_longer_wanted(learnt: Learnt) -> None:
    """
    2026-02-03 user: My friends call me Ziggy.
    2026-03-03 user: I don't want to be called Ziggy any more.
    """
    assert not learnt.claims("Ziggy")


def test_one_name_instead_of_another(learnt: Learnt) -> None:
    """
    2026-02-03 user: You can call me Al.
    2026-03-03 user: From now on call me Albert instead of Al.
    """
    assert learnt.knows("Albert")
    assert not learnt.claims(r"goes by Al\b")


def test_another_name_from_now_on(learnt: Learnt) -> None:
    """
    2026-02-03 user: Call me Ollie.
    2026-03-03 user: I no longer go by Ollie. Call me Oliver.
    """
    assert learnt.knows("Oliver")
    assert not learnt.claims("goes by Ollie")


def test_a_name_never_wanted(learnt: Learnt) -> None:
    """
    2026-02-03 user: Please don't call me Liz.
    """
    assert learnt.denies("Liz")
