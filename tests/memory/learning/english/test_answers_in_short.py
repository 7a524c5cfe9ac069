"""What is said in answer to a question, in few words, and habits that have an occasion."""

from tests.memory.learning.knowledge import Learnt


async def test_a_version(learnt: Learnt) -> None:
    """
    2026-01-12 user: why does this syntax fail
    2026-01-12 assistant: Which version of Ruby does the project use?
    2026-01-12 user: 2.7, but we want to upgrade in autumn
    """
    assert learnt.claims("Ruby 2.7")


async def test_what_a_project_runs_on(learnt: Learnt) -> None:
    """
    2026-01-12 user: my query is slow
    2026-01-12 assistant: Which database is the app running on?
    2026-01-12 user: MariaDB
    """
    assert learnt.claims("uses MariaDB")


async def test_how_many_there_are(learnt: Learnt) -> None:
    """
    2026-01-12 user: plan a picnic
    2026-01-12 assistant: How many children do you have?
    2026-01-12 user: four, and my eldest is vegan
    2026-01-12 assistant: Any allergies?
    2026-01-12 user: sesame and kiwis
    """
    assert learnt.claims("four children")
    assert learnt.claims("allergic to sesame and kiwis")


async def test_there_are_none(learnt: Learnt) -> None:
    """
    2026-01-12 user: plan a picnic
    2026-01-12 assistant: Any allergies?
    2026-01-12 user: none that I know of
    2026-01-12 assistant: Do you have any pets?
    2026-01-12 user: nope
    """
    assert not learnt.knows("allergic")
    assert learnt.denies("pets")


async def test_not_any_more(learnt: Learnt) -> None:
    """
    2025-01-12 user: I'm vegan.
    2026-01-12 user: a stew please
    2026-01-12 assistant: I thought you were vegan?
    2026-01-12 user: not anymore. give me the beef one
    """
    assert not learnt.claims("is vegan")


async def test_a_habit_with_its_occasion(learnt: Learnt) -> None:
    """
    2026-01-12 user: when I cook I listen to podcasts, any good ones?
    2026-01-12 user: when I open the file I get a blank page
    """
    assert learnt.knows("podcasts", ".*when the user cooks")
    assert not learnt.knows("blank")


async def test_a_number_put_right_in_an_answer(learnt: Learnt) -> None:
    """
    2026-01-12 user: book a table for us
    2026-01-12 assistant: For how many?
    2026-01-12 user: we're a family of four. sorry, five, I forgot myself haha
    """
    assert learnt.claims("family of five")
    assert not learnt.claims("family of four")


async def test_a_number_put_right_at_once(learnt: Learnt) -> None:
    """
    2026-01-12 user: I have three nephews. sorry, four, I keep forgetting the little one lol
    """
    assert learnt.claims("four nephews")
    assert not learnt.claims("three nephews")
