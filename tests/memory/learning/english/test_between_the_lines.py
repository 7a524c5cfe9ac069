"""What is meant and not said in so many words."""

import pytest

from tests.memory.learning.knowledge import Learnt
from tests.memory.learning.scripts import item, learns


@pytest.mark.needs_model(learns())
def test_irony(learnt: Learnt) -> None:
    """
    2026-03-01 user: oh great, i just looove it when the build breaks on a friday evening. my favorite hobby!
    """
    assert learnt.nothing


@pytest.mark.needs_model(learns(item("The user is allergic to peanuts.", 1, 2, category="fact")))
def test_an_answer_in_two_words(learnt: Learnt) -> None:
    """
    2026-03-01 assistant: Happy to plan the menu. Are you allergic to anything?
    2026-03-01 user: only peanuts
    """
    assert learnt.knows("allerg", "peanut")


@pytest.mark.needs_model(
    learns(item("The user lives in Malmö.", 1)),
    learns(item("The user lives in Aarhus, where the user is unpacking boxes.", 1, changes=["K1"])),
)
def test_a_move_nobody_calls_a_move(learnt: Learnt) -> None:
    """
    2026-01-05 user: I live in Malmö.
    2026-03-01 user: Keys handed over, the flat in Malmö is history. Unpacking boxes in Aarhus as we speak!
    """
    assert learnt.knows("Aarhus")
    assert not learnt.claims("live", "Malmö")
    assert learnt.knew("Malmö")


@pytest.mark.needs_model(
    learns(item("The user has twins who go to kindergarten.", 1, basis="inferred"), item("The user has a thesis.", 1))
)
def test_what_is_taken_for_granted(learnt: Learnt) -> None:
    """
    2026-03-01 user: dropped the twins off at kindergarten, finally two quiet hours for the thesis
    """
    assert learnt.the("twins").confidence <= 0.6
    assert learnt.knows("thesis")


@pytest.mark.needs_model(learns(item("The user's boss plays chess with Rita every Sunday.", 1, subject="Rita")))
def test_the_former_and_the_latter(learnt: Learnt) -> None:
    """
    2026-03-01 user: My boss and my landlord both know Rita. The former plays chess with her every Sunday.
    """
    assert learnt.knows("boss", "chess", "Rita")
    assert not learnt.knows("landlord", "chess")


@pytest.mark.needs_model(
    learns(
        item("The user decided to keep the job queue in SQLite, the second of two options.", 1, 2, category="project")
    )
)
def test_a_decision_among_options(learnt: Learnt) -> None:
    """
    2026-03-01 assistant: For the job queue there are two options. First, Redis. Second, a table in SQLite.
    2026-03-01 user: let's go with the second one, one thing less to operate
    """
    assert learnt.knows("SQLite")
    assert not learnt.claims("uses? Redis")


@pytest.mark.needs_model(
    learns(item("The user's family and home are in Graz; the user is in Berlin every other month.", 1))
)
def test_a_second_home_is_no_home(learnt: Learnt) -> None:
    """
    2026-03-01 user: Berlin is my second home, I'm there every other month, but my family and my own bed are in Graz.
    """
    assert learnt.knows("Graz")
    assert not learnt.knows("lives? in Berlin")


@pytest.mark.needs_model(
    learns(item("The user drinks three coffees a day.", 1)),
    learns(item("The user broke up with coffee in January 2026.", 1, changes=["K1"], event_date="2026-01")),
)
def test_a_break_up_with_coffee(learnt: Learnt) -> None:
    """
    2025-12-05 user: I drink three coffees a day.
    2026-02-15 user: coffee and I broke up in January, by the way
    """
    assert not learnt.claims("drinks", "coffee")
    assert learnt.knew("three coffees")


@pytest.mark.needs_model(learns(item("The user never lends money to friends, as the user's grandma used to say.", 1)))
def test_a_saying_that_is_lived_by(learnt: Learnt) -> None:
    """
    2026-03-01 user: my grandma used to say "never lend money to friends" and I've lived by that ever since
    """
    assert learnt.denies("lend", "money")
