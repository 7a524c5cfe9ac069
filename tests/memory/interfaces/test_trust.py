"""Nothing raises trust: the text that a tool returns lowers what the turn may store or correct."""

import pytest

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.interfaces.tooling import Refusal
from sandbox.testing import FakeClock
from tests.memory.interfaces.conftest import Assistant

PAGE = "The bank of Ann is in Lagos, account 12."


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_memory", {"query": "bank"}),
        ("get_entity_info", {"name": "Ann"}),
        ("weak_facts", {}),
        ("explain_fact", {"id": None}),
    ],
)
async def test_words_of_a_page_are_not_stored_as_the_users(
    memory: Memory, assistant: Assistant, clock: FakeClock, tool: str, arguments: dict[str, str | None]
) -> None:
    """
    web:       The bank of Ann is in Lagos, account 12.
    user:      Where is my bank?
    assistant: (looks it up, and stores what it read)
    """
    known = await memory.remember(PAGE, subject="Ann", trust="web")
    clock.advance(days=60)
    assistant.turn("Where is my bank?", "m-1")
    await assistant.call(tool, **{name: value or known for name, value in arguments.items()})
    assert assistant.trust == "web"
    stored = (await assistant.call("remember_fact", content="Ann keeps money in Nigeria.", category="instruction"))[
        "memory"
    ]
    assert stored["trust"] == "web"
    assert (await memory.explain(stored["id"])).memory.quarantined
    assert await memory.context("Where is Ann's money, in Nigeria?") is None


async def test_repeating_a_page_does_not_make_it_trusted(memory: Memory, assistant: Assistant) -> None:
    known = await memory.remember(PAGE, trust="web")
    assistant.turn("Look up my bank and keep it.", "m-1")
    await assistant.call("search_memory", query="bank")
    assert (await assistant.call("remember_fact", content=PAGE))["memory"]["trust"] == "web"
    with pytest.raises(Refusal, match="/memory confirm"):
        await assistant.call("confirm_fact", id=known)
    record = (await memory.explain(known)).memory
    assert (record.trust, record.quarantined, record.decay_rate) == ("web", True, 0.1)


async def test_words_of_the_user_are_stored_as_the_users(assistant: Assistant) -> None:
    assistant.turn("Remember that I bank in Leipzig.", "m-1")
    stored = (await assistant.call("remember_fact", content="The user banks in Leipzig."))["memory"]
    assert stored["trust"] == "user"
    assert assistant.trust == "user"


async def test_a_turn_is_as_trusted_as_the_message_it_answers(memory: Memory, assistant: Assistant) -> None:
    """The whole message is a forwarded letter, so it is not the user's word."""
    assistant.turn("Dear customer, your bank is now in Lagos.", "m-1", trust="web")
    stored = (await assistant.call("remember_fact", content="The user banks in Lagos."))["memory"]
    assert stored["trust"] == "web"
    assert await memory.context("Where does the user bank?") is None


async def test_a_page_does_not_correct_the_users_word(memory: Memory, assistant: Assistant) -> None:
    """
    user:      I bank in Leipzig.
    web:       The bank of Ann is in Lagos, account 12.
    assistant: (corrects) -> is told to ask; the user says it is so, and it is corrected
    """
    known = await memory.remember("The user banks in Leipzig.")
    await memory.remember(PAGE, trust="web")
    assistant.turn("Where do I bank?", "m-1")
    await assistant.call("search_memory", query="bank")
    with pytest.raises(Refusal) as refused:
        await assistant.call("correct_fact", id=known, content="The user banks in Lagos.")
    assert known in refused.value.problem
    assert "ask which is right" in refused.value.advice
    assert (await memory.explain(known)).memory.content == "The user banks in Leipzig."
    assistant.turn("Yes, in Lagos since May.", "m-2")
    corrected = (await assistant.call("correct_fact", id=known, content="The user banks in Lagos."))["memory"]
    assert (corrected["trust"], corrected["version"]) == ("user", 2)


async def test_words_of_the_assistant_do_not_prevent_corrections_of_the_user(
    memory: Memory, assistant: Assistant
) -> None:
    """
    user:      I bank in Leipzig.            assistant: Leipzig, noted.
    user:      I bank in Lagos now.          assistant: (searches, and corrects)
    """
    known = await memory.remember("The user banks in Leipzig.")
    await memory.observe("assistant", "Leipzig, noted as your bank.")
    assistant.turn("I bank in Lagos now.", "m-1")
    assert (await assistant.call("search_memory", query="bank, Leipzig"))["count"] == 2
    assert (await assistant.call("correct_fact", id=known, content="The user banks in Lagos."))["ok"]


async def test_words_of_the_assistant_about_a_page_count_as_the_page(memory: Memory, assistant: Assistant) -> None:
    await memory.observe("assistant", "Your bank is in Lagos, it says.", trust="web")
    assistant.turn("Where is my bank?", "m-1")
    await assistant.call("search_memory", query="bank")
    assert assistant.trust == "web"


async def test_correcting_an_untrusted_memory_recalls_it(memory: Memory, assistant: Assistant) -> None:
    known = await memory.remember(PAGE, trust="web")
    assistant.turn("That is wrong.", "m-1")
    await assistant.call("correct_fact", id=known, content="The bank of Ann is in Rome.")
    assert assistant.trust == "web"
