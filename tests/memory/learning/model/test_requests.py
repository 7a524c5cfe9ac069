"""What a reading model is asked: only what is needed, once, and as it was told."""

from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.asking.chat import ChatModel
from sandbox.testing import FakeClock, ScriptedModel
from tests.memory.learning.model.reading import reader
from tests.memory.learning.scripts import item


async def test_items_with_faults_are_left_out_and_not_asked_for_again(folder: Path, clock: FakeClock) -> None:
    items = [item("The user lives in Berlin."), item("He has a dog called Rex.")]
    async with reader(folder, clock, {"summary": "The user spoke of Berlin and of Rex.", "items": items}) as reading:
        await reading.read("I live in Berlin and have a dog called Rex.")
        assert await reading.contents() == ["The user lives in Berlin."]
        assert len(reading.requests("extract")) == 1
        assert dict((await reading.memory.statistics()).violations) == {"pronoun": 1}


async def test_what_is_fixed_comes_first_and_stays_equal_for_the_servers_that_keep_it(
    folder: Path, clock: FakeClock
) -> None:
    async with reader(folder, clock, [item("The user lives in Berlin.")]) as reading:
        await reading.read("I live in Berlin.", speaker="Ann")
        await reading.read("Berlin is cold.", "Is it?")
        first, second = reading.requests("extract")
        assert "Known facts" in second.messages[0]["content"]
        assert first.system == second.system
        assert first.body["response_format"] == second.body["response_format"]


@pytest.mark.parametrize(
    "summary", ["Ann lives in Berlin with her two cats.", "In her flat, Ann has two cats and plays the cello for them."]
)
async def test_a_summary_may_have_pronouns_that_it_explains(folder: Path, clock: FakeClock, summary: str) -> None:
    """If few words of the facts show their language, a summary in English does not count as another language."""
    facts = ("Ann lives in Berlin near Tempelhof.", "Ann has two cats named Momo and Bilbo.", "Ann plays cello.")
    with ScriptedModel(otherwise=f'{{"summary": "{summary}"}}') as server:
        model = ChatModel("scripted", base_url=server.base_url)
        async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
            for fact in facts:
                await memory.remember(fact, subject="Ann")
            await memory.maintain(only=["enrich"])
            assert (await memory.entity("Ann")).summary == summary
        await model.close()
        assert len(server.requests) == 1


async def test_answers_may_omit_default_values(folder: Path, clock: FakeClock) -> None:
    """The schema allows it, and tells the server so."""
    answer = {"items": [{"turns": [1], "content": "The user lives in Porto.", "basis": "stated"}]}
    async with reader(folder, clock, answer) as reading:
        await reading.read("I live in Porto.")
        assert await reading.contents() == ["The user lives in Porto."]
        asked = reading.requests("extract")[0].body["response_format"]["json_schema"]
        assert asked["strict"] is False
        assert asked["schema"]["required"] == ["items"]
        assert asked["schema"]["properties"]["items"]["items"]["required"] == ["turns", "content"]


async def test_a_pair_is_judged_once_in_a_run(folder: Path, clock: FakeClock) -> None:
    """Two sessions of one night say the same, in words similar to known ones."""
    known, again = item("The user drinks black tea in the morning."), item("The user drinks green tea in the morning.")
    async with reader(folder, clock, [known], [again], [again]) as reading:
        await reading.read("I drink black tea in the morning.")
        moment = clock()
        for session in ("x", "y"):
            await reading.memory.observe("user", "I drink green tea in the morning.", session=session, at=moment)
        clock.advance(days=1)
        await reading.memory.consolidate()
        assert len(reading.requests("extract")) == 3
        assert len(reading.requests("judge")) == 1


async def test_a_pair_judged_at_learning_is_not_judged_again_at_night(folder: Path, clock: FakeClock) -> None:
    """Until it is two weeks old, because newer knowledge may say more."""
    known, other = item("The user drinks black tea in the morning."), item("The user drinks green tea in the morning.")
    async with reader(folder, clock, [known], [other]) as reading:
        await reading.read("I drink black tea in the morning.")
        await reading.read("I drink green tea in the morning.")
        assert len(reading.requests("judge")) == 1
        for night in range(3):
            clock.advance(days=1)
            await reading.memory.maintain(only=["merge"])
            assert len(reading.requests("judge")) == 1, f"night {night}"
        clock.advance(days=15)
        await reading.memory.observe("user", "Thanks!", session="later")
        await reading.memory.search("tea in the morning", types=["semantic"])
        await reading.memory.maintain(only=["merge"])
        assert len(reading.requests("judge")) == 2


@pytest.mark.usefixtures("anywhere")
async def test_a_judge_is_told_the_last_day_of_what_ends(folder: Path, clock: FakeClock) -> None:
    goal = item("The user's goal is to have 3000 saved by 25 December 2026.", end_date="2026-12-25")
    async with reader(folder, clock, [goal], [item("The user's goal is to have 4000 saved.")]) as reading:
        await reading.read("My goal is to have 3000 saved by 25 December.")
        await reading.read("My goal is to have 4000 saved.")
        assert " until 2026-12-25: " in reading.requests("judge")[-1].messages[0]["content"]


@pytest.mark.parametrize("told", ["2022", "2022-05"])
async def test_a_year_keeps_its_precision(folder: Path, clock: FakeClock, told: str) -> None:
    """In a search, in a block, for the next reader, and in a comparison."""
    content = "The user married Ines in Porto."
    then = item("The user married Ines in Lisbon.", event_date="2022-05-07")
    async with reader(folder, clock, [item(content, event_date=told)], [then]) as reading:
        await reading.read("I married Ines in Porto in 2022, in May.")
        [hit] = await reading.memory.search("wedding with Ines", types=["semantic"])
        assert (hit.told, hit.event_time.year) == (told, 2022)
        assert (await reading.memory.explain(hit.id)).memory.told == told
        block = await reading.memory.context("How about a wedding?")
        assert block is not None
        assert f"({hit.id}, {told})" in block.text
        await reading.read("I married Ines on 7 May 2022, in Lisbon, not in Porto.")
        assert f"K1 ({told}): {content}" in reading.requests("extract")[-1].messages[0]["content"]
        assert f"- known, {told}: {content}" in reading.requests("judge")[-1].messages[0]["content"]


async def test_the_model_is_told_the_name_of_the_project_and_may_use_it(folder: Path, clock: FakeClock) -> None:
    scope = Scope(project_id="example.org/ann/bookshop")
    content = "The app Bookshop is written in Elixir."
    async with reader(folder, clock, [item(content)]) as reading:
        await reading.memory.observe("user", "The app is written in Elixir.", session="s", scope=scope)
        report = await reading.memory.consolidate("s", scope=scope)
        assert [each.content for each in report.learnt] == [content]
        [request] = reading.requests("extract")
        assert "in the project bookshop." in request.messages[0]["content"]
        assert "example.org" not in request.messages[0]["content"]
