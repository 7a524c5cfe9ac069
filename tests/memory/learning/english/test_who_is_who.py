"""Whom a name means, what they are called besides, and what they are there for."""

from tests.memory.learning.knowledge import Learnt


async def test_everybody_calls_them_so(learnt: Learnt) -> None:
    """
    2026-03-02 user: everyone calls my nephew Montgomery "Monty", so write Monty on the cake
    2026-03-02 user: My grandfather Aloysius is 88. We all call him Ally.
    2026-03-02 assistant: Lovely.
    2026-03-02 user: Ally lives in Galway
    """
    assert learnt.claims("Montgomery", "Monty")
    assert learnt.claims("Aloysius|Ally", "Galway")
    assert not learnt.knows("user (?:is called|goes by) Monty")


async def test_a_full_name_learnt_late(learnt: Learnt) -> None:
    """
    2026-01-12 user: My friend Gus is vegetarian.
    2026-02-12 user: Gus's full name is Augustus Finch.
    2026-03-12 user: Augustus Finch is not vegetarian anymore.
    """
    assert learnt.knows("Augustus Finch")
    assert not learnt.claims("Gus|Augustus", "vegetarian")


async def test_who_a_nickname_means(learnt: Learnt) -> None:
    """
    2026-01-12 user: Mackie lives in Tulsa.
    2026-02-12 user: Mackie is Robert Mackenzie, my old flatmate.
    2026-03-12 user: Robert Mackenzie moved to Reno
    """
    assert learnt.claims("Mackie", "flatmate")
    assert learnt.claims("Reno")
    assert not learnt.claims("Tulsa")


async def test_the_name_of_a_thing(learnt: Learnt) -> None:
    """
    2026-01-12 user: Heron is written in OCaml, so no Haskell please
    2026-02-12 user: Heron is our internal name for the invoice service.
    """
    assert learnt.claims("Heron", "OCaml")
    assert learnt.claims("Heron", "invoice service")


async def test_told_apart_by_what_they_are(learnt: Learnt) -> None:
    """
    2026-01-12 user: my cousin Petra lives in Basel and Petra from accounting lives in Bern.
    2026-02-12 user: Rudi the plumber lives in Chur. Petra (my cousin) works at Nestle
    """
    assert learnt.claims("cousin", "Basel")
    assert learnt.claims("Petra from accounting", "Bern")
    assert learnt.claims("Rudi the plumber", "Chur")
    assert learnt.claims("cousin", "Nestle")


async def test_what_they_are_there_for(learnt: Learnt) -> None:
    """
    2026-01-12 user: Odile runs the support team at our company. Karim takes care of the servers.
    2026-01-12 user: I'm CTO at a small bank. My wife is chair of the school board.
    """
    assert learnt.claims("Odile", "support team")
    assert learnt.claims("Karim", "servers")
    assert learnt.claims("works as CTO")
    assert learnt.claims("wife", "chair")


async def test_work_for_somebody_without_a_name(learnt: Learnt) -> None:
    """
    2026-03-02 user: My son started working for the fire brigade on Monday. I got a job at the city archive.
    2026-03-02 user: I run my own print shop, it's called Inkwell
    """
    assert learnt.claims("son", "fire brigade")
    assert learnt.claims("city archive")
    assert learnt.claims("print shop", "Inkwell")


async def test_what_somebody_does_not_do_at_all(learnt: Learnt) -> None:
    """
    2026-03-02 user: I don't swim, so no beaches. My wife doesn't drive. I never fly.
    2026-03-02 user: I like my coffee black
    2026-03-02 user: I don't know. I don't mind.
    """
    assert learnt.denies("swim")
    assert learnt.denies("wife", "drive")
    assert learnt.denies("flies")
    assert learnt.claims("coffee black")
    assert not learnt.knows("mind|know")


async def test_how_a_team_works(learnt: Learnt) -> None:
    """
    2026-03-02 user: Our tests are in the checks folder. We run the tests with nox. We're on Redis 7.
    """
    assert learnt.claims("tests", "checks folder")
    assert learnt.claims("runs the tests with nox")
    assert learnt.claims("Redis 7")
