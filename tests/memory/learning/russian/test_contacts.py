"""E-mail, addresses, handles and tags, in Russian."""

from tests.memory.learning.knowledge import Learnt


def test_an_email_address(learnt: Learnt) -> None:
    """
    2026-02-21 user: Моя почта — lena.k@example.org, пришли туда итоги.
    """
    assert learnt.knows(r"lena\.k@example\.org")
    assert not learnt.knows("итоги")


def test_a_web_address(learnt: Learnt) -> None:
    """
    2026-02-21 user: мое портфолио тут https://mira.example.com/raboty
    """
    assert learnt.knows(r"https://mira\.example\.com/raboty")
