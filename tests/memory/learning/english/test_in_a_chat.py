"""What people tell while they chat: laughing, in passing, with what follows left to be understood."""

from datetime import date

import pytest

from tests.memory.learning.knowledge import Learnt


def test_laughter_is_no_joke(learnt: Learnt) -> None:
    """
    2026-02-03 user: we have 4 hens, haha
    2026-02-03 user: My rabbit is called Pluto, nothing to do with the planet lol
    2026-02-03 user: hahaha ok so I work at Brill
    """
    assert learnt.claims("hens")
    assert learnt.claims("rabbit", "Pluto")
    assert learnt.claims("works", "Brill")


def test_what_is_laughed_at(learnt: Learnt) -> None:
    """
    2026-02-03 user: I live on Saturn lol
    """
    assert learnt.nothing


def test_it_was_called_off(learnt: Learnt) -> None:
    """
    2026-02-03 user: The housewarming is on 20 March.
    2026-02-04 [2026-02-03] user: Sadly we had to call it off.
    """
    assert learnt.claims("housewarming", "cancelled")
    assert not learnt.claims("housewarming", "20 March")


@pytest.mark.parametrize("day", ["27 March 2026"])
def test_it_was_pushed(learnt: Learnt, day: str) -> None:
    """
    2026-03-16 user: My driving test is on 20 March.
    2026-03-17 [2026-03-16] user: It got pushed to 27 March.
    """
    assert learnt.the("driving test", day).day == date(2026, 3, 27)
    assert not learnt.claims("20 March")


def test_another_day_it_is_then(learnt: Learnt) -> None:
    """
    2026-03-16 user: Our review meeting is on Tuesday.
    2026-03-16 assistant: Tuesday is taken, Thursday is free.
    2026-03-16 user: Thursday it is then
    """
    assert learnt.knows("review", "19 March")
    assert not learnt.knows("review", "17 March")


def test_off_and_what_instead(learnt: Learnt) -> None:
    """
    2026-02-03 user: We're going to Corfu in June.
    2026-03-03 user: Our trip to Corfu is off, we're going to Naxos instead.
    """
    assert learnt.claims("Naxos")
    assert not learnt.claims("plans", "Corfu")


def test_what_was_going_to_be(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm going to run the Oslo marathon in September.
    2026-03-03 user: I'm not running the marathon anymore.
    """
    assert not learnt.claims("marathon")


@pytest.mark.parametrize(
    ("words", "day"),
    [
        (("niece", "starts kindergarten"), date(2026, 9, 1)),
        (("grandparents", "arrive"), date(2026, 2, 7)),
        (("lease", "runs out"), date(2026, 10, 31)),
        (("new sofa", "delivered"), date(2026, 2, 7)),
        (("start at Miele",), date(2026, 4, 1)),
    ],
)
def test_days_told_in_the_present(learnt: Learnt, words: tuple[str, ...], day: date) -> None:
    """
    2026-02-03 user: My niece starts kindergarten in September.
    2026-02-03 user: My grandparents arrive on Saturday.
    2026-02-03 user: My lease runs out on 31 October.
    2026-02-03 user: So our new sofa is delivered in four days.
    2026-02-03 user: Starting at Miele in April!
    """
    assert learnt.the(*words).day == day


def test_a_notice_and_what_comes_next(learnt: Learnt) -> None:
    """
    2026-02-03 user: I work at the brewery.
    2026-02-10 user: so I handed in my notice at the brewery and from next month im studying law full time
    """
    assert learnt.claims("studying law")
    assert not learnt.claims("works", "brewery")


def test_the_town_behind_the_flat(learnt: Learnt) -> None:
    """
    2026-02-03 user: My aunt lives alone in a tiny flat in Braga.
    2026-02-03 user: We just moved into our own place in Gdansk.
    """
    assert learnt.claims("aunt", "lives in Braga")
    assert learnt.claims("user", "lives in Gdansk")


def test_a_new_address(learnt: Learnt) -> None:
    """
    2026-02-03 user: My address is 5 Mill Lane.
    2026-04-03 user: My new address is 77 Harbour Road.
    """
    assert learnt.claims("77 Harbour Road")
    assert not learnt.claims("5 Mill Lane")


def test_another_allergen(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'm allergic to cashews.
    2026-02-03 user: Actually, I'm not allergic to cashews but to pistachios.
    """
    assert learnt.claims("pistachios")
    assert not learnt.claims("cashews")


def test_the_other_way_round(learnt: Learnt) -> None:
    """
    2026-02-03 user: I think trams are better than buses.
    2026-05-03 user: I changed my mind, I think buses are better than trams.
    """
    assert learnt.claims("buses are better")
    assert not learnt.claims("trams are better")


def test_rules_of_a_team(learnt: Learnt) -> None:
    """
    2026-02-03 user: we never deploy on Fridays here, every release needs a sign-off from security
    2026-02-03 user: Preprod is at preprod.example.org
    2026-02-03 user: In our team Ines handles the contracts and Piotr looks after the servers.
    """
    assert learnt.denies("deploy", "Friday")
    assert learnt.claims("release", "sign-off")
    assert learnt.claims("preprod.example.org")
    assert learnt.claims("Ines", "contracts")
    assert learnt.claims("Piotr", "servers")


def test_without_a_subject(learnt: Learnt) -> None:
    """
    2026-02-03 user: Not a fan of musicals tbh
    2026-02-03 user: Allergic to latex
    """
    assert learnt.denies("fan of musicals")
    assert learnt.claims("allergic", "latex")


@pytest.mark.parametrize(
    "words", [("cat person",), ("prefers", "aisle seats"), ("cannot", "blue cheese"), ("Svelte", "overkill")]
)
def test_tastes_in_passing(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: I'm more of a cat person than a dog person.
    2026-02-03 user: I usually go for aisle seats.
    2026-02-04 user: I can't do blue cheese.
    2026-02-04 user: tbh imo Svelte is overkill for what we do
    """
    assert learnt.knows(*words)


def test_two_names_and_an_age(learnt: Learnt) -> None:
    """
    2026-02-03 user: my grandpa's called Leopold, we all call him Poldi, he turns 80 in May
    """
    assert learnt.claims("grandpa", "Leopold")
    assert learnt.claims("Poldi")
    assert learnt.claims("Leopold", "80", "May")


def test_an_address_with_an_apostrophe(learnt: Learnt) -> None:
    """
    2026-02-03 user: My email's nils@example.org
    """
    assert learnt.claims("email", "nils@example.org")


def test_where_one_has_never_been(learnt: Learnt) -> None:
    """
    2026-02-03 user: I've never been to Iceland.
    """
    assert learnt.denies("Iceland")
    assert not learnt.knows("like")


def test_a_day_of_the_month(learnt: Learnt) -> None:
    """
    2026-02-03 user: We're moving to Lewes on the 14th.
    2026-02-03 user: My train leaves on the 1st at 7am.
    """
    assert learnt.the("move", "Lewes").day == date(2026, 2, 14)
    assert learnt.the("train").day == date(2026, 3, 1)


def test_a_visit_ahead(learnt: Learnt) -> None:
    """
    2026-02-03 user: I'll be in Vienna next week.
    """
    assert learnt.the("Vienna").day == date(2026, 2, 9)


def test_an_appointment_and_its_hour(learnt: Learnt) -> None:
    """
    2026-02-03 user: I have a hearing check appointment tomorrow at 10.
    """
    assert learnt.the("appointment").day == date(2026, 2, 4)


@pytest.mark.parametrize("words", [("mum", "Judith"), ("car", "Bertha"), ("kids", "4 and 7 years"), ("Xander", "chef")])
def test_who_they_are(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: Mum's name is Judith.
    2026-02-03 user: We call our car Bertha.
    2026-02-03 user: My kids are 4 and 7.
    2026-02-04 user: My brother Xander (everyone calls him Xan) is a chef.
    """
    assert learnt.claims(*words)


def test_a_new_boss(learnt: Learnt) -> None:
    """
    2026-02-03 user: My boss is called Henrik.
    2026-05-03 user: My new boss is called Solveig.
    """
    assert learnt.claims("boss", "Solveig")
    assert not learnt.claims("boss", "Henrik")


def test_with_another_house_now(learnt: Learnt) -> None:
    """
    2026-02-03 user: I work at Lidl.
    2026-05-03 user: I don't work at Lidl anymore, I'm with Aldi now.
    """
    assert learnt.claims("works at Aldi")
    assert not learnt.claims("works at Lidl")


def test_left_for_another_town(learnt: Learnt) -> None:
    """
    2026-05-03 user: Left Berlin for Leipzig last month.
    """
    assert learnt.claims("lives in Leipzig")
    assert not learnt.knows("works")


@pytest.mark.parametrize(
    "words", [("lives in Ghent",), ("married", "October 2026"), ("Emma", "best novel"), ("Welsh",)]
)
def test_said_the_other_way(learnt: Learnt, words: tuple[str, ...]) -> None:
    """
    2026-02-03 user: Since May I've been living in Ghent.
    2026-02-03 user: We're getting married in October instead of August.
    2026-02-03 user: Emma is the best novel I've ever read.
    2026-02-04 user: I'm Welsh.
    """
    assert learnt.claims(*words)


def test_nothing_at_all(learnt: Learnt) -> None:
    """
    2026-02-03 user: I don't drink alcohol at all.
    """
    assert learnt.denies("drink alcohol")
