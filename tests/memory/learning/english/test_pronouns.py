"""Whom he, she and they mean: the one who was just spoken of, or nobody that can be told."""

from tests.memory.learning.knowledge import Learnt


def test_whoever_was_named_a_sentence_before(learnt: Learnt) -> None:
    """
    2026-02-03 user: My supervisor's name is Halina; she's based in Gdynia and prefers phone calls over chats.
    2026-02-03 user: Marek's birthday is on 9 June. He's allergic to shellfish.
    2026-02-03 user: Had lunch with Odile yesterday. She's a violinist at the opera.
    """
    assert learnt.claims("Halina", "Gdynia")
    assert learnt.claims("Halina", "prefers phone calls")
    assert learnt.claims("Marek", "shellfish")
    assert learnt.claims("Odile", "violinist")


def test_whoever_only_said_something(learnt: Learnt) -> None:
    """
    2026-02-03 user: Greta said she might be late. She lives in Malmö.
    """
    assert learnt.claims("Greta", "lives in Malmö")
    assert not learnt.claims("late")


def test_a_freelancer_now(learnt: Learnt) -> None:
    """
    2026-02-03 user: My brother Anton works for Ryanair.
    2026-04-03 user: My brother Anton quit Ryanair, he's freelancing now
    """
    assert learnt.claims("Anton", "freelancer")
    assert not learnt.claims("works", "Ryanair")


def test_they_are_several(learnt: Learnt) -> None:
    """
    2026-02-03 user: My parents live in Graz. They have a garden.
    """
    assert learnt.claims("parents", "garden")


def test_her_sex_tells_which(learnt: Learnt) -> None:
    """
    2026-02-03 user: My brother met Ottilie at work. She lives in Linz.
    """
    assert learnt.claims("Ottilie", "Linz")
    assert not learnt.claims("brother", "Linz")


def test_two_who_can_be_meant(learnt: Learnt) -> None:
    """
    2026-02-03 user: Oskar met Bruno yesterday. He lives in Kyoto.
    2026-02-03 user: My wife and Petra went shopping. She loves opals.
    2026-02-03 user: My sister Ilse called Hedwig. She lives in Lima.
    2026-02-03 user: My dad told Igor about it. He hates beetroot.
    """
    assert not learnt.knows("Kyoto")
    assert not learnt.knows("opals")
    assert not learnt.knows("Lima")
    assert not learnt.knows("beetroot")


def test_nobody_who_can_be_meant(learnt: Learnt) -> None:
    """
    2026-02-03 user: We went to Vienna. She loves waltzes.
    2026-02-03 user: My sister Ilse likes tea. He collects stamps.
    2026-02-03 user: My parents live in Graz. She runs a bakery.
    """
    assert not learnt.knows("waltzes")
    assert not learnt.knows("stamps")
    assert not learnt.knows("bakery")
