"""Plans that are dropped, put off or exchanged, wherever in a sentence that is said."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


async def test_off_behind_something_else(learnt: Learnt) -> None:
    """
    2026-02-10 user: I'm organising our reading weekend in Bruges in June
    2026-04-02 user: no need for a bus, the reading weekend is cancelled
    """
    assert learnt.knows("cancelled")
    assert not learnt.claims("organising")


async def test_another_plan_at_once(learnt: Learnt) -> None:
    """
    2026-02-10 user: We're flying to Madrid on 3 April, what should we pack?
    2026-02-10 assistant: Light clothes.
    2026-02-10 user: forget that, the strike. We're driving to Antwerp instead
    """
    assert learnt.claims("Antwerp")
    assert not learnt.claims("Madrid")


async def test_put_off_by_so_much(learnt: Learnt) -> None:
    """
    2026-05-04 user: my surgery is on 8 May
    2026-05-05 user: they moved my surgery by three days, to the 11th
    """
    assert learnt.the("surgery is scheduled").day == date(2026, 5, 11)


async def test_put_off_to_a_season(learnt: Learnt) -> None:
    """
    2026-02-05 user: our wedding is on 2 May
    2026-03-05 user: we're postponing the wedding to autumn
    """
    assert learnt.claims("autumn of 2026")
    assert not learnt.claims("2 May")


async def test_what_was_going_to_be_defended(learnt: Learnt) -> None:
    """
    2026-05-11 user: I'm defending my thesis on 20 May
    2026-05-12 user: the committee pushed my defense to 27 May
    """
    assert learnt.claims("27 May")
    assert not learnt.claims("20 May")


async def test_decided_against(learnt: Learnt) -> None:
    """
    2026-01-15 user: I'm planning to do a woodwork course in Ghent this summer.
    2026-03-01 user: I decided against the woodwork course, no money
    """
    assert not learnt.claims("plans to do a woodwork course")


async def test_changed_my_mind_about_it(learnt: Learnt) -> None:
    """
    2026-01-15 user: I'm planning to do a sailing camp in Split this summer.
    2026-03-01 user: I changed my mind about the sailing camp, I'm taking a language class instead
    """
    assert learnt.claims("language class")
    assert not learnt.claims("plans to do a sailing camp")


async def test_in_some_season(learnt: Learnt) -> None:
    """
    2026-03-01 user: my in-laws are visiting us in autumn, and we're buying a bigger table in summer
    """
    assert learnt.knows("in-laws", "autumn of 2026")
    assert learnt.knows("table", "summer of 2026")


async def test_a_charge_is_no_plan(learnt: Learnt) -> None:
    """
    2026-03-01 user: my laptop is at 12% and the tablet is down to 3 percent
    """
    assert learnt.nothing


async def test_what_runs_out(learnt: Learnt) -> None:
    """
    2026-03-01 user: my residence permit runs out in August
    2026-03-01 user: my birthday is next Friday
    """
    assert learnt.knows("permit", ".*August 2026")
    assert learnt.knows("birthday", ".*6 March")
