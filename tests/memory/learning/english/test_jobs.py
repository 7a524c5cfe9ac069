"""Work, and how it changes."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_new_job_replaces_the_old_one(learnt: Learnt) -> None:
    """
    2026-01-03 user: I work at Acme.
    2026-03-09 user: I joined Initech last week.
    """
    assert learnt.knows("Initech")
    assert not learnt.claims("Acme")
    assert learnt.knew("Acme")
    assert all(date(2026, 3, 1) <= fact.day <= date(2026, 3, 8) for fact in learnt.saying("Initech"))


def test_a_profession(learnt: Learnt) -> None:
    """
    2026-01-03 user: I'm a nurse in a children's hospital so I work nights a lot. any tips for sleeping in daytime?
    """
    assert learnt.knows("nurse")
    assert not learnt.knows("tips")


def test_a_job_that_ended(learnt: Learnt) -> None:
    """
    2026-01-03 user: I work for Globex as a data analyst.
    2026-03-02 user: Well, I quit my job at Globex.
    """
    assert not learnt.claims("works? (?:for|at)", "Globex")
    assert learnt.knew("Globex")


def test_a_promotion(learnt: Learnt) -> None:
    """
    2026-01-03 user: I'm a junior developer at a bank.
    2026-03-14 user: Good news: I got promoted, I'm a team lead now!
    """
    assert learnt.knows("team lead")


def test_a_job_beside_the_job(learnt: Learnt) -> None:
    """
    2026-02-03 user: I work as a teacher, and on weekends I volunteer at the animal shelter.
    """
    assert learnt.knows("teacher")
    assert learnt.knows("volunteer")


def test_whom_a_team_consists_of(learnt: Learnt) -> None:
    """
    2026-02-03 user: Draft a note to the team please. There are six of us. My manager is Priya Raman.
    """
    assert learnt.knows("manager", "Priya Raman")
    assert not learnt.knows("Draft")
