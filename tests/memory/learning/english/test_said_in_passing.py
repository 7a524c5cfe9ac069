"""What stands beside what is said: announcements, smileys, jokes taken back, text to work on."""

from tests.memory.learning.knowledge import Learnt


async def test_an_announcement_before_a_colon(learnt: Learnt) -> None:
    """
    2026-03-02 user: Bit of background, since you asked: I work at Holloway Press as an editor.
    2026-03-02 user: What I never mentioned: my husband is allergic to shellfish.
    """
    assert learnt.claims("Holloway Press")
    assert learnt.claims("husband", "shellfish")


async def test_words_of_another_before_a_colon_are_not_the_users(learnt: Learnt) -> None:
    """
    2026-03-02 user: My landlord wrote: I own three houses in Malaga.
    2026-03-02 user: Imagine this: I live on the Moon and my neighbour is a robot.
    """
    assert learnt.nothing


async def test_a_smiley_ends_a_sentence(learnt: Learnt) -> None:
    """
    2026-03-02 user: you always forget this :P we don't have a garden
    2026-03-02 user: I live in Tartu =) and it snows again
    """
    assert learnt.denies("garden")
    assert learnt.claims("Tartu")


async def test_a_joke_that_is_taken_back(learnt: Learnt) -> None:
    """
    2026-03-02 user: I own four castles and a submarine. Only joking! I live in Derby.
    2026-03-03 user: My uncle is a count.
    2026-03-03 assistant: Really?
    2026-03-03 user: just kidding
    """
    assert learnt.claims("Derby")
    assert not learnt.knows("castle|submarine|count")


async def test_text_to_work_on_is_nobodys(learnt: Learnt) -> None:
    """
    2026-03-02 user: Could you proofread this paragraph: I was born in Minsk. My brother plays the cello.
    2026-03-02 user: Make it sound nicer. "We live in Oslo and we have six goats. My wife is a judge."
    2026-03-02 user: Write a short story for a character: I am a smuggler from Macau. I love rum.
    """
    assert learnt.nothing
