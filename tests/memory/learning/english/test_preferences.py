"""What somebody likes, and how they want things."""

from tests.memory.learning.knowledge import Learnt


def test_a_preference(learnt: Learnt) -> None:
    """
    2026-01-12 user: hey, can you convert this to a spreadsheet? I prefer metric units btw
    2026-01-12 assistant: Sure, metric it is.
    """
    assert learnt.knows("metric")
    assert not learnt.knows("spreadsheet|convert")


def test_one_thing_rather_than_another(learnt: Learnt) -> None:
    """
    2026-01-12 user: For flights I always prefer an aisle seat over a window seat.
    """
    assert learnt.knows("aisle")
    assert "aisle seat over a window seat" in learnt.the("aisle").sources[0]


def test_likes_and_dislikes_in_one_message(learnt: Learnt) -> None:
    """
    2026-02-01 user: so about the trip... i love hiking and small museums, i can't stand beaches, and i hate getting
        up before 9
    """
    assert learnt.knows("hik")
    assert learnt.knows("beach")
    assert not learnt.knows("(?:loves?|likes?|enjoys?) beach")


def test_a_preference_that_changes(learnt: Learnt) -> None:
    """
    2026-01-05 user: My favorite editor is Vim.
    2026-03-18 user: My favorite editor is Helix now.
    """
    assert learnt.knows("Helix")
    assert not learnt.claims("favou?rite", "Vim")
    assert learnt.knew("Vim")


def test_a_preference_inside_a_request(learnt: Learnt) -> None:
    """
    2026-02-11 user: Find me a restaurant for Friday please. I like Ethiopian food, nothing too fancy. Around 7pm.
    2026-02-11 assistant: How about Queen Sheba?
    2026-02-11 user: perfect thx
    """
    assert learnt.knows("Ethiopian")
    assert not learnt.knows("7pm|7 pm|Sheba|Find")


def test_somebody_elses_taste_is_theirs(learnt: Learnt) -> None:
    """
    2026-02-14 user: My wife loves jazz. I don't really care for it.
    """
    assert learnt.knows("wife", "jazz")
    assert not any(not fact.denies for fact in learnt.saying("jazz") if not fact.says("wife"))


def test_badly_typed(learnt: Learnt) -> None:
    """
    2026-02-20 user: i perfer tea to coffe, esp in the mornign
    """
    assert learnt.knows("tea")
