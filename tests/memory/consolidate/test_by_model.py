"""A model reads sessions: its proposals are applied, rules read what it cannot, and its cost is recorded."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.errors import ModelUnavailable
from sandbox.extensions.memory.ports import Answer, Question
from sandbox.extensions.memory.testing import ScriptedLanguageModel
from sandbox.testing import FakeClock
from tests.files import files_with
from tests.memory.consolidate.test_sessions import known, say
from tests.memory.learning.scripts import item, learns

Opened = Callable[..., AbstractAsyncContextManager[Memory]]

GONE = ModelUnavailable(model="scripted", problem="it is not there")


@pytest.fixture
def opened(folder: Path, clock: FakeClock) -> Opened:
    """The memory of one folder, with a model and settings."""
    return lambda model=None, **config: Memory.open(folder, embedder=None, model=model, clock=clock, config=config)


async def test_proposals_of_a_model_are_learnt_once_with_sources(opened: Opened) -> None:
    model = ScriptedLanguageModel(
        learns(item("Ann lives in Berlin.", 1, subject="Ann", claims=[["user", "home", "Berlin"]]))
    )
    async with opened(model) as memory:
        turn = await say(memory, "I live in Berlin.")
        report = await memory.consolidate("s1")
        (fact,) = report.learnt
        assert fact.content == "Ann lives in Berlin."
        assert (fact.source, fact.confidence, fact.importance) == ("extraction", 1, 5)
        assert [each.id for each in (await memory.explain(fact.id)).sources] == [turn]
        assert report.by == ("scripted",)
        assert report.spent.tokens > 0
        await memory.consolidate("s1")
        await memory.consolidate()
        assert report.spent.calls == len(model.asked) == 1


async def test_a_user_does_not_wait_for_all_sessions_of_another(opened: Opened) -> None:
    model = ScriptedLanguageModel(otherwise=learns())
    async with opened(model) as memory:
        for day in range(20):
            await say(memory, f"I saw film number {day}.", str(day), day)
        await say(memory, "I keep bees.", scope=Scope("ben"))
        of_all, of_ben = await asyncio.gather(memory.consolidate(), memory.consolidate("s1", scope=Scope("ben")))
    assert (len(of_all.sessions), len(of_ben.sessions)) == (20, 1)
    assert ["bees" in each.user for each in model.asked].index(True) < 10


async def test_calls_at_once_share_the_tokens_of_the_day(opened: Opened) -> None:
    """One question exceeds them."""
    model = ScriptedLanguageModel(otherwise=learns())
    async with opened(model, tokens_per_day=1) as memory:
        users = [Scope(f"user {number}") for number in range(5)]
        for user in users:
            await say(memory, "I keep bees.", scope=user)
        await asyncio.gather(*(memory.consolidate(scope=user) for user in users))
    assert len(model.asked) == 1


@pytest.mark.usefixtures("anywhere")
async def test_a_day_of_a_model_is_one_of_this_machines_calendar(opened: Opened) -> None:
    told = item("Ann will move to Oslo.", 1, category="event", event_date="2026-07-01")
    async with opened(ScriptedLanguageModel(learns(told))) as memory:
        await say(memory, "I will move to Oslo on 1 July.")
        (fact,) = (await memory.consolidate("s1")).learnt
        assert (fact.told, fact.event_time) == ("2026-07-01", datetime(2026, 7, 1).astimezone())


async def test_rules_read_while_the_model_is_away_and_the_model_later(opened: Opened, clock: FakeClock) -> None:
    model = ScriptedLanguageModel(GONE, otherwise={"verdicts": []})
    async with opened(model) as memory:
        await say(memory, "I live in Berlin.")
        report = await memory.consolidate()
        assert (report.by, dict(report.waiting)) == (("rules",), {"s1": "it is not there"})
        assert ["Berlin" in each.content for each in await known(memory)] == [True]
        assert [each.ok for each in await memory.check() if each.name == "learning"] == [False]
        assert (await memory.consolidate()).sessions == ()  # not before it is due
        clock.advance(minutes=16)
        model.script.append(learns(item("Ann has her home in Berlin.", 1)))
        again = await memory.consolidate()
        assert again.by == ("scripted",)
        assert [each.content for each in await known(memory)] == ["Ann has her home in Berlin."]
        assert all(each.ok for each in await memory.check())


async def test_a_model_that_is_not_used_any_more_leaves_nothing_wrong(opened: Opened) -> None:
    async with opened(ScriptedLanguageModel(GONE)) as memory:
        await say(memory, "I live in Berlin.")
        await memory.consolidate()
        assert [each.ok for each in await memory.check() if each.name == "learning"] == [False]
    async with opened() as memory:
        assert [each.ok for each in await memory.check() if each.name == "learning"] == [True]


@pytest.mark.parametrize("take", ["erase", "forget"])
@pytest.mark.parametrize("rests_on", [1, 2])
async def test_what_another_program_takes_away_while_it_is_read_teaches_nothing(
    opened: Opened, folder: Path, take: str, rests_on: int
) -> None:
    """
    user: I met Zorblina.   user: We adopted a cat.   (a model reads both, and the first is erased or forgotten)
    """
    read = [
        {**learns(item("The user has a friend, Zorblina, and a cat.", rests_on)), "summary": "They met Zorblina."},
        learns(item("The user has a cat.", 1)),
    ]

    class Reading(ScriptedLanguageModel):
        async def ask(self, question: Question) -> Answer:
            if not self.asked:
                async with opened() as other:
                    await getattr(other, take)(first)
            return await super().ask(question)

    async with opened(Reading(*read, otherwise={"verdicts": []})) as memory:
        first = await say(memory, "I met Zorblina.")
        await say(memory, "We adopted a cat.")
        assert (await memory.consolidate("s1")).learnt == ()
        assert [each.content for each in (await memory.consolidate("s1")).learnt] == ["The user has a cat."]
    found = files_with(folder, "Zorblina")
    assert (found == set()) == (take == "erase")


async def test_pauses_grow_with_each_failure(opened: Opened, clock: FakeClock) -> None:
    model = ScriptedLanguageModel(otherwise=GONE)
    async with opened(model) as memory:
        await say(memory, "I live in Berlin.")
        asked = []
        for _ in range(120):
            await memory.consolidate()
            asked.append(len(model.asked))
            clock.advance(minutes=5)
    tried = [place for place in range(1, 120) if asked[place] > asked[place - 1]]
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert pauses[0] < pauses[1] < pauses[2]


async def test_a_model_rereads_sessions_and_keeps_confirmed_memories(opened: Opened) -> None:
    async with opened() as memory:
        await say(memory, "I live in Berlin. I work at Acme. I'm allergic to peanuts.")
        facts = (await memory.consolidate("s1")).learnt
        (acme,) = [each for each in facts if "Acme" in each.content]
        await memory.confirm(acme.id)
    answer = learns(item("Ann cannot eat peanuts, being allergic.", 1))
    model = ScriptedLanguageModel(answer, otherwise={"verdicts": []})
    async with opened(model) as memory:
        await memory.consolidate()
        assert {each.content for each in await known(memory)} == {
            acme.content,
            "Ann cannot eat peanuts, being allergic.",
        }


async def test_a_spent_budget_leaves_sessions_to_rules_until_another_day(opened: Opened, clock: FakeClock) -> None:
    model = ScriptedLanguageModel(otherwise=learns(item("Ann lives in Berlin.", 1)))
    async with opened(model, tokens_per_day=10) as memory:
        for number in range(3):
            await say(memory, "I live in Berlin.", f"s{number}")
        report = await memory.consolidate()
        assert len(model.asked) == 1
        assert set(report.waiting.values()) == {"the token budget is spent"}
        assert sorted(report.by) == ["rules", "scripted"]
        clock.advance(days=1)
        await memory.consolidate()
        assert len(model.asked) == 2


@pytest.mark.parametrize(("tokens_per_day", "is_enough"), [(500_000, False), (1_000_000, True)])
async def test_a_run_may_spend_a_part_of_the_day(opened: Opened, tokens_per_day: int, *, is_enough: bool) -> None:
    model = ScriptedLanguageModel(otherwise=learns())
    async with opened(model, tokens_per_day=tokens_per_day) as memory:
        for number in range(8 * 30):
            await say(memory, f"I have {number} bees. " * 250, f"s{number // 30}")
        report = await memory.consolidate()
        assert 200_000 < report.spent.tokens < 400_000
        assert bool(report.waiting) != is_enough


async def test_the_budget_of_one_user_leaves_that_of_others(opened: Opened, clock: FakeClock) -> None:
    """Rules read for a user without budget until the next day; the model still reads for others."""
    model = ScriptedLanguageModel(otherwise=learns(item("The user lives in Berlin.", 1)))
    async with opened(model, tokens_per_user=10) as memory:
        for user in ("ann", "bob"):
            for number in range(2):
                await memory.observe("user", "I live in Berlin.", session=f"{user}{number}", scope=Scope(user))
                await memory.end_session(f"{user}{number}", scope=Scope(user))
        await memory.maintain(only=["sessions"])
        assert len(model.asked) == 2
        for user in ("ann", "bob"):
            waiting = await memory.consolidate(scope=Scope(user))
            assert set(waiting.waiting.values()) == {"the token budget is spent"}
        clock.advance(days=1)
        await memory.maintain(only=["sessions"])
        assert len(model.asked) == 4


async def test_items_without_faults_are_counted(opened: Opened) -> None:
    """An item with a fault does not count, nor does an answer that could not be read."""
    model = ScriptedLanguageModel(
        learns(item("Ann lives in Berlin.", 1), item("She lives in Berlin.", 1), item("Did Ann move to Berlin?", 1)),
        "no idea",
        learns(item("Ann drives a Fiat.", 1)),
        "no idea",
        "no idea",
        otherwise={"verdicts": []},
    )
    async with opened(model) as memory:
        counted = []
        for session, said in (("s1", "I live in Berlin."), ("s2", "I drive a Fiat."), ("s3", "I like tea.")):
            await say(memory, said, session)
            await memory.consolidate(session)
            statistics = await memory.statistics()
            counted.append((statistics.answer_quality.right, statistics.answer_quality.items))
    assert counted == [(1, 3), (2, 5), (2, 7)]
    assert statistics.violations["no_json"] == 3
    assert {"pronoun", "question"} <= statistics.violations.keys()


async def test_the_tokens_of_models_are_reported_by_day(opened: Opened, clock: FakeClock) -> None:
    model = ScriptedLanguageModel(*[learns(item("Ann lives in Berlin.", 1, subject="Ann"))] * 3)
    async with opened(model) as memory:
        for session in ("s1", "s2", "s3"):
            await say(memory, "I live in Berlin.", session=session)
            await memory.consolidate(session)
            clock.advance(days=1)
        days = await memory.spending()
        assert [(each.step, each.model, each.calls) for each in days] == [("sessions", "scripted", 1)] * 3
        assert [each.day for each in days] == sorted({each.day for each in days}, reverse=True)
        total = (await memory.statistics()).spending["sessions"]
        assert sum(each.prompt_tokens for each in days) == total.prompt_tokens > 0
        assert sum(each.completion_tokens for each in days) == total.completion_tokens > 0
        assert await memory.spending(days=2) == days[:2]
        assert await memory.spending(scope=Scope("bob")) == ()
