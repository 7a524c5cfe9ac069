"""What somebody thinks of something."""

from tests.memory.learning.knowledge import Learnt


def test_an_opinion(learnt: Learnt) -> None:
    """
    2026-02-06 user: I think microservices are overrated for teams our size.
    """
    view = learnt.the("microservices", "overrated")
    assert view.type == "opinion"


def test_a_judgement_is_whose_it_is(learnt: Learnt) -> None:
    """
    2026-02-06 user: In my opinion the new Dune film is way too long.
    """
    view = learnt.the("Dune")
    assert view.says("user")
    assert view.says("too long")


def test_an_opinion_that_changed(learnt: Learnt) -> None:
    """
    2026-02-06 user: I hate TypeScript.
    2026-04-06 user: I love TypeScript now, who would have thought
    """
    assert learnt.knows("lov", "TypeScript")
    assert not learnt.knows("hate", "TypeScript")


def test_what_somebody_finds_hard(learnt: Learnt) -> None:
    """
    2026-02-06 user: can we go slower? I find recursion really confusing
    """
    assert learnt.knows("recursion", "confus")
