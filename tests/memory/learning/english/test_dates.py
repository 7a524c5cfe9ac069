"""When: birthdays, dates, and days that are counted from today."""

from datetime import date

from tests.memory.learning.knowledge import Learnt


def test_a_birthday(learnt: Learnt) -> None:
    """
    2026-02-15 user: My birthday is on May 14th.
    """
    assert learnt.knows("birthday", "May 14|14(?:th)?(?: of)? May")


def test_somebody_elses_birthday(learnt: Learnt) -> None:
    """
    2026-02-15 user: note to self: mum's birthday is 2 November
    """
    assert learnt.knows("mum|mother", "birthday", "2(?:nd)?(?: of)? November|November 2")


def test_yesterday(learnt: Learnt) -> None:
    """
    2026-02-18 user: I adopted a puppy yesterday, his name is Biscuit.
    """
    assert any(fact.day == date(2026, 2, 17) for fact in learnt.saying("puppy|Biscuit"))
    assert not learnt.knows("yesterday")


def test_last_tuesday(learnt: Learnt) -> None:
    """
    2026-02-19 user: I started a new job at Umbrella last Tuesday.
    """
    assert learnt.knows("Umbrella")
    assert all(fact.day in (date(2026, 2, 17), date(2026, 2, 10)) for fact in learnt.saying("Umbrella"))


def test_a_year_ago(learnt: Learnt) -> None:
    """
    2026-02-19 user: I moved to Bristol two years ago and I still get lost.
    """
    assert learnt.knows("Bristol")
    assert all(fact.day.year == 2024 and not fact.says("two years ago") for fact in learnt.saying("Bristol"))


def test_since_a_year(learnt: Learnt) -> None:
    """
    2026-02-19 user: I've been vegan since 2019.
    """
    vegan = learnt.the("vegan")
    assert vegan.says("2019") or vegan.day.year == 2019


def test_tomorrow_is_a_date(learnt: Learnt) -> None:
    """
    2026-02-19 user: My exam is tomorrow at 10, wish me luck.
    """
    exam = learnt.the("exam")
    assert exam.day == date(2026, 2, 20) or exam.says("20 February|February 20|2026-02-20")
    assert not exam.says("tomorrow")


def test_a_date_with_a_year(learnt: Learnt) -> None:
    """
    2026-02-19 user: I got married on 12 August 2017 in Verona.
    """
    married = learnt.the("married")
    assert married.day == date(2017, 8, 12)
    assert married.says("Verona")


def test_numbers_are_kept_as_they_are(learnt: Learnt) -> None:
    """
    2026-02-19 user: I'm 183 cm tall, my shoe size is 44 and I weigh 78.5 kg
    """
    known = " ".join(fact.content for fact in learnt.known)
    assert "183" in known
    assert "44" in known
    assert "78.5" in known
