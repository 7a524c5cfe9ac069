"""Other names: of products, of accounts, of children just born."""

from tests.memory.learning.knowledge import Learnt


async def test_a_product_renamed(learnt: Learnt) -> None:
    """
    2026-02-06 user: Heron is our billing service, it's written in Go
    2026-04-10 user: marketing won, we renamed Heron to Osprey
    """
    assert learnt.knows("Heron is written in Go")
    assert "Osprey" in learnt.the("Heron is called").entities


async def test_it_used_to_be_called_otherwise(learnt: Learnt) -> None:
    """
    2026-02-06 user: Osprey used to be called Heron, in case you find that name
    """
    assert learnt.knows("Heron is called Osprey")


async def test_no_other_name(learnt: Learnt) -> None:
    """
    2026-02-06 user: I renamed the variable to total
    2026-02-06 user: Tuesday is now called off
    """
    assert learnt.nothing


async def test_whose_account(learnt: Learnt) -> None:
    """
    2026-02-06 user: @wren is Margarethe, she's our designer
    """
    assert learnt.knows("@wren is Margarethe")


async def test_a_grandchild(learnt: Learnt) -> None:
    """
    2026-04-20 user: we became grandparents last week, a girl! her name is Philippa
    """
    assert learnt.knows("grandchild", "Philippa")


async def test_my_name_changed(learnt: Learnt) -> None:
    """
    2025-04-20 user: My name is Dana.
    2026-04-20 user: I legally changed my name to Robin
    """
    assert learnt.claims("Robin")
    assert not learnt.claims("Dana")
