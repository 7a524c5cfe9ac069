"""Another value of the same, where it is said that it is another now."""

from tests.memory.learning.knowledge import Learnt


async def test_a_plan_with_another_day(learnt: Learnt) -> None:
    """
    2026-01-12 user: We're moving to Aarhus in May.
    2026-02-20 user: Plans have changed. We're moving to Odense in July.
    """
    assert learnt.claims("Odense")
    assert learnt.knew("Aarhus")
    assert not learnt.claims("Aarhus")


async def test_another_version(learnt: Learnt) -> None:
    """
    2026-01-12 user: Our backend runs on Django 4.
    2026-06-12 user: Our backend runs on Django 5 now, so type hints are fine
    """
    assert learnt.claims("Django 5")
    assert not learnt.claims("Django 4")


async def test_another_number(learnt: Learnt) -> None:
    """
    2026-01-12 user: I have two hens and a small garden.
    2026-01-13 user: That was wrong, I have five hens.
    """
    assert learnt.claims("five hens")
    assert not learnt.claims("two hens")


async def test_another_address_with_fewer_words(learnt: Learnt) -> None:
    """
    2026-01-12 user: my address for parcels is 8 Elm Row, Leith
    2026-05-12 user: my address is 41 Quay Street, Oban now
    """
    assert learnt.claims("41 Quay Street")
    assert not learnt.claims("Elm Row")


async def test_moved_and_back(learnt: Learnt) -> None:
    """
    2025-09-14 user: I live in Split.
    2025-12-01 user: I moved to Zadar last week.
    2026-07-19 user: Zadar didn't work out. I've moved back to Split.
    """
    assert learnt.claims("lives in Split")
    assert not learnt.claims("Zadar")


async def test_another_rank_in_the_same_house(learnt: Learnt) -> None:
    """
    2026-01-12 user: I'm a nurse at Stonefield.
    2026-05-12 user: Got promoted, I'm head of nursing at Stonefield now
    """
    assert learnt.claims("head of nursing")
    assert learnt.claims("Stonefield")
    assert not learnt.claims("a nurse")


async def test_a_permission_given_again(learnt: Learnt) -> None:
    """
    2026-01-12 user: Never use tables in your answers.
    2026-05-12 user: I've changed my mind, you can use tables in your answers again.
    """
    assert learnt.knew("never", "tables")
    assert not learnt.knows("never", "tables")


async def test_both_stay_where_one_comes_on_top(learnt: Learnt) -> None:
    """
    2026-01-12 user: I use Figma 3 at work.
    2026-05-12 user: I also use Figma 4 now.
    """
    assert learnt.claims("Figma 3")
    assert learnt.claims("Figma 4")
