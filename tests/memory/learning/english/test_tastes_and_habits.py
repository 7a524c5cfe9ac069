"""Tastes, habits and diets in the words people have for them."""

from tests.memory.learning.knowledge import Learnt


async def test_the_one_thing(learnt: Learnt) -> None:
    """
    2026-01-12 user: snack ideas for a long drive?
    2026-01-12 assistant: Boiled eggs, nuts.
    2026-01-12 user: eggs are the one thing i can't stand, the smell puts me right off
    """
    assert learnt.denies("eggs")
    assert not learnt.claims("likes eggs")


async def test_what_somebody_cannot_bear(learnt: Learnt) -> None:
    """
    2026-01-12 user: fluorescent lights give me headaches, so lamps only
    2026-01-13 user: and leaf blowers drive me nuts lol
    2026-01-14 user: Goat cheese doesn't really agree with me
    """
    assert learnt.knows("dislikes fluorescent lights")
    assert learnt.knows("dislikes goat cheese")


async def test_what_annoys_just_now(learnt: Learnt) -> None:
    """
    2026-01-12 user: this bug drives me nuts
    2026-01-12 user: the printer is driving me crazy today
    """
    assert learnt.nothing


async def test_what_is_always_wanted(learnt: Learnt) -> None:
    """
    2026-01-12 user: I always want a room on a high floor, if they have one
    2026-01-12 user: I want a coffee now
    """
    assert learnt.knows("always wants a room on a high floor")
    assert not learnt.knows("coffee")


async def test_before_a_question(learnt: Learnt) -> None:
    """
    2026-01-12 user: i go to bed at 10 on weekdays, so idk, an alarm at 6?
    """
    assert learnt.knows("goes to bed at 10")


async def test_grown_to_like(learnt: Learnt) -> None:
    """
    2026-01-12 user: I drink coffee every morning.
    2026-04-12 user: I've grown to like green tea, and I've gone off milk
    """
    assert learnt.claims("likes green tea")
    assert learnt.knows("no longer likes milk")


async def test_could_live_on_it(learnt: Learnt) -> None:
    """
    2026-01-12 user: I could happily live on dumplings
    2026-01-12 user: I'm always up for a board game
    """
    assert learnt.claims("dumplings")
    assert learnt.claims("board game")


async def test_a_run_is_no_taste(learnt: Learnt) -> None:
    """
    2026-01-12 user: I go for a swim before work most days
    """
    assert learnt.knows("goes for a swim")
    assert not learnt.knows("prefers")


async def test_who_eats_fish_is_no_vegan(learnt: Learnt) -> None:
    """
    2025-03-12 user: I'm vegan, what has protein?
    2026-01-12 user: I went back to eating fish last month
    """
    assert learnt.knows("fish")
    assert not learnt.claims("is vegan")


async def test_never_been(learnt: Learnt) -> None:
    """
    2026-01-12 user: I've never been vegetarian
    """
    assert not learnt.claims("vegetarian")


async def test_a_medicine_and_its_end(learnt: Learnt) -> None:
    """
    2025-03-12 user: I'm on beta blockers, can I still drink coffee?
    2026-01-12 user: good news, I came off the beta blockers
    """
    assert learnt.knew("takes beta blockers")
    assert not learnt.claims("takes beta blockers")
