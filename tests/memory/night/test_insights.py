"""A model's conclusions about how a person feels."""

from pathlib import Path
from typing import Any

import pytest

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.ports import Answer, Question
from sandbox.extensions.memory.reports import StepReport
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.testing import FakeClock
from tests.memory.night.conftest import answering

TRUST = "The user shows increased trust when the assistant admits mistakes."


async def reflect(memory: Memory) -> StepReport:
    return (await memory.maintain(only=["insights"])).steps[0]


async def test_without_a_model_there_are_no_insights(memory: Memory) -> None:
    await memory.observe("user", "Thanks for being honest.", session="s")
    report = await reflect(memory)
    assert (report.status, report.note) == ("skipped", "there is no language model")


async def test_an_insight_is_weak_and_names_its_sources(folder: Path, clock: FakeClock) -> None:
    async with Memory.open(folder, embedder=None, model=answering(insights=(TRUST,)), clock=clock) as memory:
        turn = await memory.observe("user", "Thanks for being honest about that mistake.", session="s")
        assert (await reflect(memory)).counts == {"insights": 1}
        [hit] = await memory.search("trust", types=("opinion",), reinforce=False)
        known = await memory.explain(hit.id)
        record = known.memory
        assert (record.content, record.category, record.importance) == (TRUST, "relationship_dynamic", 2)
        assert (record.confidence, record.trust, record.tags) == (0.3, "assistant", ("mood",))
        assert [source.id for source in known.sources] == [turn]


@pytest.mark.parametrize("told", [True, False])
async def test_nothing_is_concluded_from_what_another_program_erases_meanwhile(
    folder: Path, clock: FakeClock, *, told: bool
) -> None:
    class Reflecting(ScriptedLanguageModel):
        async def ask(self, question: Question) -> Answer:
            async with Memory.open(folder, embedder=None, clock=clock) as other:
                await other.erase(fact if told else turn)
            return await super().ask(question)

    model = Reflecting({"insights": [{"summary": TRUST, "tags": []}]})
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        turn = await memory.observe("user", "Thanks for being honest about that mistake.", session="s")
        await memory.observe("user", "It helps.", session="s")
        fact = await memory.remember("I trust the assistant.")
        report = await reflect(memory)
        assert (report.status, report.counts) == ("done", {})
        assert await memory.search("", types=("opinion",)) == []


async def test_insights_are_drawn_once_a_day_from_new_memories(folder: Path, clock: FakeClock) -> None:
    model = answering(insights=(TRUST,))
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        for hours, said, asked in ((0, "Hello there.", 1), (1, "Me again.", 1), (24, None, 2), (48, None, 2)):
            clock.advance(hours=hours)
            if said:
                await memory.observe("user", said, session="s")
            await reflect(memory)
            assert len(model.asked) == asked
        assert len(await memory.search("", types=("opinion",))) == 1


@pytest.mark.parametrize("hours", [24 - 1 / 3600, 24, 23])
async def test_every_night_draws_insights(folder: Path, clock: FakeClock, hours: float) -> None:
    """Also a night that begins a second earlier than yesterday's, and the one after the clocks change."""
    model = answering()
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        for night in range(1, 4):
            await memory.observe("user", f"Line {night}.", session="s")
            await reflect(memory)
            assert len(model.asked) == night
            clock.advance(hours=hours / 2)
            await memory.observe("user", f"At noon {night}.", session="s")
            await reflect(memory)
            assert len(model.asked) == night
            clock.advance(hours=hours / 2)


async def test_the_model_gets_few_memories_and_none_of_others(folder: Path, clock: FakeClock) -> None:
    model = answering()
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        for number in range(40):
            await memory.observe("user", f"Line {number} of the long story about bees.", session="s")
        for number in range(9):
            await memory.remember(f"Fact {number} about honey.", key=str(number))
        await memory.observe("user", "Bob's secret garden.", session="b", scope=Scope("bob"))
        await memory.observe("user", "In the project.", session="p", scope=Scope(project_id="p", visibility="project"))
        await reflect(memory)
    mine = next(question.user for question in model.asked if "bees" in question.user)
    assert mine.count("about honey") == 3
    assert "Line 39" in mine
    assert len(mine.split("The end of the conversation:")[1]) < 1050 + 200
    assert "secret garden" not in mine
    assert "In the project" not in mine


@pytest.mark.parametrize("said", [[""], ["I feel you."], ["word " * 100], [TRUST] * 9])
async def test_an_invalid_insight_is_left_out(folder: Path, clock: FakeClock, said: list[str]) -> None:
    model = ScriptedLanguageModel(otherwise={"insights": [{"summary": each, "tags": []} for each in said]})
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        await memory.observe("user", "Thanks for being honest.", session="s")
        report = await reflect(memory)
        assert len(model.asked) == 1
        kept = [hit.content for hit in await memory.search("", types=("opinion",))]
        assert kept == ([TRUST] if TRUST in said else [])
        assert report.status == "done"


STRINGS = "The user likes talking of violin strings."


async def test_an_insight_ranks_behind_said_words(folder: Path, clock: FakeClock) -> None:
    """A search finds it, behind facts and turns."""
    async with Memory.open(folder, embedder=None, model=answering(insights=(STRINGS,)), clock=clock) as memory:
        await memory.observe("user", "I never know which violin strings I should buy.", session="s")
        await reflect(memory)
        await memory.remember("The teacher of the user, who studied in Vienna, recommends gut for violin strings.")
        await memory.observe_many(Message("user", f"Line {number} about bees.", "bees") for number in range(30))
        for types in (None, ("semantic", "opinion")):
            found = [hit.content for hit in await memory.search("violin strings", types=types)]
            assert found[-1] == STRINGS
            assert len(found) == 3 - bool(types)
        whole = await memory.context("violin strings")
        assert whole is not None
        assert whole.items[-1].content == STRINGS


async def test_a_told_fact_is_not_merged_into_an_insight(folder: Path, clock: FakeClock) -> None:
    """A model that reads a conversation does not see insights, and compares nothing with them."""

    def answer(question: Question) -> Any:
        if question.name == "insights":
            return {"insights": [{"summary": STRINGS, "tags": []}]}
        if question.name == "judge":
            return {"verdicts": [{"pair": 1, "one_value": True, "verdict": "same", "sure": True}]}
        return {"items": [{"turns": [1], "content": "The user likes to talk of violin strings.", "basis": "stated"}]}

    model = ScriptedLanguageModel(otherwise=answer)
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        await memory.observe("user", "I like to talk of violin strings.", session="s")
        await reflect(memory)
        report = await memory.consolidate("s")
        assert [record.content for record in report.learnt] == ["The user likes to talk of violin strings."]
        assert not any(STRINGS in question.user for question in model.asked)
