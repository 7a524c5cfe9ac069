"""What is not so, or no longer, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_what_somebody_does_not_do(learnt: Learnt) -> None:
    """
    2026-01-10 user: Я не пью алкоголь и не ем мясо.
    """
    assert learnt.denies("алкогол")
    assert learnt.denies("мяс")


def test_what_somebody_no_longer_does(learnt: Learnt) -> None:
    """
    2026-01-10 user: Я курю, увы.
    2026-03-10 user: Я больше не курю, уже три недели!
    """
    assert not learnt.claims("курит")
    assert learnt.knew("курит")


def test_what_somebody_has_not(learnt: Learnt) -> None:
    """
    2026-01-10 user: у меня нет машины, езжу на велике
    """
    assert learnt.denies("машин")
    assert learnt.knows("вел")


def test_what_one_cannot(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я не умею плавать.
    """
    assert learnt.denies("плавать")


def test_never_been_there(learnt: Learnt) -> None:
    """
    2026-02-03 user: Я никогда не был в Японии.
    """
    assert learnt.denies("Япони")


def test_no_licence(learnt: Learnt) -> None:
    """
    2026-02-03 user: У меня нет прав.
    """
    assert learnt.denies("прав")
