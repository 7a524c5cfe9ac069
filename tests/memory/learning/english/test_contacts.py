"""E-mail, addresses, handles and tags."""

from sandbox.extensions.memory import Memory
from tests.memory.learning.knowledge import Learnt


async def test_an_email_address(learnt: Learnt, memory: Memory) -> None:
    """
    2026-02-21 user: My email is jo.baker@example.org, send the summary there.
    """
    assert learnt.knows(r"jo\.baker@example\.org")
    assert (await memory.entity("jo.baker@example.org")).mentions
    assert not learnt.knows("summary")


def test_a_web_address(learnt: Learnt) -> None:
    """
    2026-02-21 user: My portfolio is at https://mira.example.com/work, have a look before you write the bio.
    """
    assert learnt.knows(r"https://mira\.example\.com/work")


def test_a_handle(learnt: Learnt) -> None:
    """
    2026-02-21 user: my github handle is @quietfox
    """
    assert learnt.knows("git ?hub", "@?quietfox")


def test_a_phone_number_that_changes(learnt: Learnt) -> None:
    """
    2026-02-21 user: My phone number is +44 20 7946 0018.
    2026-03-21 user: My phone number is +44 20 7946 0991 now.
    """
    assert learnt.knows(r"\+?44 20 7946 0991")
    assert not learnt.claims(r"\+?44 20 7946 0018")


async def test_a_mention_and_a_tag_are_entities(learnt: Learnt, memory: Memory) -> None:
    """
    2026-02-21 user: @dana reviews everything tagged #billing in our team
    """
    assert learnt.knows("@?dana", "#?billing")
    assert (await memory.entity("@dana")).mentions
