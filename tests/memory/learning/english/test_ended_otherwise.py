"""What ends in other words than it began: homes, work, studies, lessons, couples."""

from tests.memory.learning.knowledge import Learnt


async def test_lessons_given_up(learnt: Learnt) -> None:
    """
    2026-01-12 user: I'm learning the accordion, twice a week.
    2026-03-12 user: I gave up the accordion, my back hurts
    """
    assert learnt.knew("accordion")
    assert not learnt.claims("learning the accordion")


async def test_a_degree_finished(learnt: Learnt) -> None:
    """
    2025-03-12 user: I'm doing a master's in geology at Uppsala.
    2026-03-12 user: guess what, I finished my master's!
    """
    assert learnt.knows("finished")
    assert not learnt.claims("is doing a master")


async def test_another_field(learnt: Learnt) -> None:
    """
    2025-03-12 user: I study biology at Uppsala.
    2026-03-12 user: I changed my major from biology to computer science
    """
    assert learnt.knows("computer science")
    assert not learnt.claims("studies biology")


async def test_another_tool_is_used(learnt: Learnt) -> None:
    """
    2026-03-12 user: we switched from Trello to Linear
    """
    assert learnt.claims("uses Linear")


async def test_a_workplace_without_a_name(learnt: Learnt) -> None:
    """
    2025-03-12 user: I work at a law firm in Ghent.
    2026-03-12 user: I quit the law firm and went freelance
    """
    assert learnt.knows("freelancer")
    assert not learnt.claims("works at a law firm")


async def test_moved_into_a_home(learnt: Learnt) -> None:
    """
    2025-03-12 user: my aunt lives alone in Salzburg
    2026-03-12 user: my aunt moved to a nursing home in Linz
    """
    assert learnt.claims("aunt", "Linz")
    assert not learnt.claims("Salzburg")


async def test_the_first_week_in_a_new_home(learnt: Learnt) -> None:
    """
    2025-03-12 user: I live in Groningen
    2026-03-12 user: first night in our new house in Zwolle, the heating is broken
    """
    assert learnt.claims("lives in Zwolle")
    assert not learnt.claims("Groningen")


async def test_no_longer_here_but_there(learnt: Learnt) -> None:
    """
    2025-03-12 user: I live in Groningen
    2026-03-12 user: I don't live in Groningen anymore, I'm in Zwolle now
    """
    assert learnt.claims("lives in Zwolle")
    assert not learnt.claims("lives in Groningen")


async def test_just_outside(learnt: Learnt) -> None:
    """
    2025-03-12 user: we live just outside Zwolle, so we need a car
    """
    assert learnt.knows("lives outside Zwolle")


async def test_staying_somewhere_is_no_home(learnt: Learnt) -> None:
    """
    2025-03-12 user: I'm in Zwolle now, where can I eat?
    2025-03-12 user: nice hotel, we love the pool
    2025-03-13 user: I'm still in Zwolle until Friday
    """
    assert not learnt.knows("lives")


async def test_a_couple_that_parted(learnt: Learnt) -> None:
    """
    2025-03-12 user: Owen is my boyfriend.
    2026-03-12 user: cancel the table for two please, Owen and I are no longer together
    """
    assert not learnt.claims("Owen is the user's boyfriend")
    assert learnt.knows("broke up with Owen")


async def test_why_it_is_so(learnt: Learnt) -> None:
    """
    2025-03-12 user: we don't keep nuts at home because our son is allergic to them
    2025-03-12 user: I only cook with gas because my husband is a chef
    """
    assert learnt.knows("husband", "chef")
