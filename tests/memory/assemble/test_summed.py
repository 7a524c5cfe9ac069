"""Blocks show summaries of people and of conversations for questions about them."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sandbox.extensions.embedding import WordLlamaEmbedder
from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.model import Block
from sandbox.extensions.memory.ports import Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.support.trust import Trust
from sandbox.testing import FakeClock
from tests.memory.hits import contents, present

ANN = "Ann collects books of poems, has the numbers one to thirty and lives in Berlin."


def _answer(question: Question) -> object:
    if question.name == "entity_summary":
        return {"summary": ANN}
    town = next(town for town in ("Porto", "Oslo", "Bergen", "Turin", "Graz", "Casa") if town in question.user)
    return {"items": [], "summary": f"The user planned the trip to {town}."}


@pytest.fixture
async def known(folder: Path, clock: FakeClock) -> AsyncIterator[Memory]:
    """A memory with a model that writes summaries."""
    model = ScriptedLanguageModel(otherwise=_answer)
    async with Memory.open(folder, embedder=None, clock=clock, model=model) as memory:
        yield memory


async def talk(
    memory: Memory, town: str, at: datetime, *, turns: int = 1, scope: Scope | None = None, trust: Trust = "user"
) -> None:
    """A conversation that is over and has been read."""
    texts = (f"I want to plan a trip to {town}, day {day}, by train and not too dear." for day in range(turns))
    await memory.observe_many([Message("user", text, town, at, trust=trust) for text in texts], scope=scope or Scope())
    await memory.consolidate(town, scope=scope or Scope())


def profiles(block: Block | None) -> Sequence[str]:
    return [item.content for item in block.items if item.section == "profiles"] if block else []


async def test_a_named_person_is_summed_up_if_not_all_facts_fit(known: Memory) -> None:
    for number in range(30):
        await known.remember(f"Ann has the book of poems number {number}, bound in leather.", subject="Ann")
    await known.maintain(only=["enrich"])
    block = present(await known.context("What do you know about Ann?", budget=360))
    assert ANN in profiles(block)
    assert ANN in block.text
    assert ANN not in profiles(await known.context("Which poems are bound in leather?", budget=360))


async def test_facts_shown_in_full_are_not_summed_up(known: Memory) -> None:
    facts = ("Ann lives in Berlin.", "Ann collects poems.", "Ann has thirty books.")
    for fact in facts:
        await known.remember(fact, subject="Ann")
    await known.maintain(only=["enrich"])
    assert (await known.entity("Ann")).summary == ANN
    assert set(contents(await known.context("What do you know about Ann?"))) == set(facts)


async def test_somebody_who_is_described_and_not_named_is_summed_up(folder: Path, clock: FakeClock) -> None:
    """A question that is about nobody in particular shows no summary."""
    facts = ("The user's dentist is Dr. Baer.", "Dr. Baer speaks French.", "Dr. Baer is closed on Wednesdays.")
    others = [f"Anna has the book of poems number {number}, bound in leather." for number in range(30)]
    async with Memory.open(folder, embedder=WordLlamaEmbedder(), clock=clock) as memory:
        for fact in (*facts, *others):
            await memory.remember(fact, subject="Dr. Baer" if "Baer" in fact else "Anna")
        await memory.wait_until_embedded()
        await memory.maintain(only=["enrich"])
        (shown,) = profiles(await memory.context("When is my dentist closed?", budget=200))
        assert all(fact in shown for fact in facts)
        assert not profiles(await memory.context("What should I cook tonight?", budget=200))
        assert not profiles(await memory.context("When is my dentist closed?", budget=200, scope=Scope("bob")))


@pytest.mark.parametrize("by_model", [True, False])
async def test_a_summary_in_the_users_own_words_is_marked_as_theirs(
    known: Memory, memory: Memory, *, by_model: bool
) -> None:
    asked = known if by_model else memory
    await asked.observe("assistant", "Where would you like to go?", session="Porto", at=MAY)
    await talk(asked, "Porto", MAY)
    block = present(await asked.context("What did we talk about last time?"))
    assert profiles(block)
    assert ("not the user" in block.text) is by_model


MAY, JUNE = datetime(2025, 5, 14, 9, tzinfo=UTC), datetime(2025, 6, 20, 9, tzinfo=UTC)


@pytest.mark.parametrize("prompt", ["What's new?", "What did we talk about last time?", "О чём мы говорили?"])
async def test_recent_events_are_told_by_summaries_of_conversations(known: Memory, prompt: str) -> None:
    await talk(known, "Oslo", MAY)
    await talk(known, "Porto", JUNE)
    found = profiles(await known.context(prompt))
    assert set(found) == {"The user planned the trip to Porto.", "The user planned the trip to Oslo."}


async def test_events_of_a_period_are_told_by_its_conversations(known: Memory) -> None:
    await talk(known, "Oslo", MAY, turns=20)
    await talk(known, "Porto", JUNE)
    found = profiles(await known.context("What happened in May?", budget=200))
    assert found == ["The user planned the trip to Oslo."]


async def test_other_questions_get_no_summaries_of_conversations(known: Memory) -> None:
    await talk(known, "Porto", JUNE)
    assert profiles(await known.context("Which trip was by train?")) == []


async def test_summaries_of_others_and_of_web_content_are_not_shown(known: Memory) -> None:
    await talk(known, "Turin", MAY, scope=Scope("bob"))
    await talk(known, "Graz", MAY, trust="web")
    await talk(known, "Casa", MAY, scope=Scope(project_id="secret", visibility="project"))
    await talk(known, "Oslo", JUNE)
    assert profiles(await known.context("What's new?", session="Oslo", include_session=False)) == []
    assert profiles(await known.context("What's new?")) == ["The user planned the trip to Oslo."]
    await known.erase(session="Oslo")
    assert await known.context("What's new?") is None
