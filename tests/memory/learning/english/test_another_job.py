"""Another employer, another boss, another rank: what was before is over."""

from tests.memory.learning.knowledge import Learnt


def test_where_somebody_is_now(learnt: Learnt) -> None:
    """
    2026-01-03 user: I work as a data engineer at Grundfos.
    2026-03-09 user: Little news: I changed jobs, I'm at Kone now, still data.
    """
    assert learnt.claims("works at Kone")
    assert learnt.claims("works as a data engineer")
    assert not learnt.claims("Grundfos")


def test_jobs_were_switched(learnt: Learnt) -> None:
    """
    2026-01-03 user: I work at Grundfos.
    2026-03-09 user: I switched jobs in February and now I'm at Kone.
    2026-05-09 user: Left Kone, started at Vaisala last week.
    """
    assert learnt.claims("works at Vaisala")
    assert not learnt.claims("works at Kone")
    assert not learnt.claims("Grundfos")


def test_others_change_jobs_too(learnt: Learnt) -> None:
    """
    2026-01-03 user: My brother works at Ryanair. My sister Mette works at Ikea.
    2026-03-09 user: my brother's at Eurowings now
    2026-03-09 user: Mette changed jobs, she's at Lego now
    """
    assert learnt.claims("brother", "works at Eurowings")
    assert learnt.claims("Mette", "works at Lego")
    assert not learnt.claims("Ryanair")
    assert not learnt.claims("Ikea")


def test_another_manager(learnt: Learnt) -> None:
    """
    2026-01-03 user: My manager is Ottilie.
    2026-03-09 user: Turns out Ottilie is leaving in April, Ruben takes over as my manager.
    """
    assert learnt.claims("Ottilie", "leave", "April 2026")
    assert learnt.claims("manager is Ruben")
    assert not learnt.claims("manager", "Ottilie")


def test_another_manager_in_one_conversation(learnt: Learnt) -> None:
    """
    2026-01-03 user: My manager's name is Ottilie; she's based in Graz.
    2026-01-03 user: Turns out Ottilie is leaving in April, Ruben takes over as my manager.
    """
    assert learnt.claims("Ottilie", "Graz")
    assert learnt.claims("manager is Ruben")
    assert not learnt.claims("Ottilie is Ruben")


def test_another_boss(learnt: Learnt) -> None:
    """
    2026-01-03 user: My manager is Ottilie.
    2026-03-09 user: Sunniva is my new boss
    """
    assert learnt.claims("boss is Sunniva")
    assert not learnt.claims("Ottilie")


def test_another_rank_at_the_same_place(learnt: Learnt) -> None:
    """
    2026-01-03 user: I work as a junior chemist at Grundfos.
    2026-03-09 user: I got promoted to lab director!
    """
    assert learnt.claims("works as", "lab director")
    assert learnt.claims("works at Grundfos")
    assert not learnt.claims("junior chemist")


def test_only_there_for_a_while(learnt: Learnt) -> None:
    """
    2026-01-03 user: I work at Grundfos. My manager is Ottilie. My brother works at Ryanair.
    2026-03-09 user: I'm at Starbucks now
    2026-03-09 user: We're with Vodafone now
    2026-03-09 user: my brother's at home now
    2026-03-09 user: my brother might be at Eurowings soon
    2026-03-09 user: Is Ruben my new manager?
    2026-03-09 user: Ruben might take over as my manager
    2026-03-09 user: If I got promoted to director I'd scream
    2026-03-09 user: I started a second job at Rewe.
    """
    assert learnt.claims("user", "works at Grundfos")
    assert learnt.claims("manager is Ottilie")
    assert learnt.claims("brother works at Ryanair")
    assert not learnt.claims("Starbucks|Vodafone|Eurowings|Ruben|director")
