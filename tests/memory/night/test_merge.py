"""Memories that say the same become one."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.canonical import canonical, differences
from sandbox.extensions.memory import Memory, Scope
from sandbox.extensions.memory.claims import Claim
from sandbox.extensions.memory.reports import StepReport
from sandbox.testing import NOON, FakeClock
from tests.memory.night.conftest import answering
from tests.memory.store import raw

RAN = {"content": "Ann ran a marathon.", "category": "event"}
RAN_THE = {"content": "Ann ran the marathon.", "category": "event"}
RENTS = {"content": "Ann rents a flat."}
RENTS_THE = {"content": "Ann rents the flat.", "category": "person"}


async def night(memory: Memory, step: str = "merge") -> StepReport:
    """The report of one step run alone."""
    return (await memory.maintain(only=[step])).steps[0]


async def held(memory: Memory, scope: Scope | None = None) -> set[str]:
    return {hit.content for hit in await memory.search("", limit=100, reinforce=False, scope=scope or Scope())}


def same_tea(known: str, new: str) -> str:
    return "same" if "tea" in known and "tea" in new else "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann waters the plants at the Acme office.", "Ann waters the plants at Acme office"),
        ("The user has a dog.", "User has the dog."),
        ("Анна поливает ёлки в саду.", "Анна поливает елки в саду"),
    ],
)
async def test_the_same_words_are_merged_without_a_model(memory: Memory, one: str, other: str) -> None:
    kept = await memory.remember(one)
    gone = await memory.remember(other, category="person", tags=["work"])
    report = await night(memory)
    assert (report.status, report.counts) == ("done", {"merged": 1})
    assert await held(memory) == {one}
    assert (await memory.explain(kept)).memory.tags == ("work",)
    merged = (await memory.explain(gone)).memory
    assert merged.retired_by == "merged"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann watered 54 plants in the hall.", "Ann watered 55 plants in the hall."),
        ("Ann drinks tea.", "Ann does not drink tea."),
        ("Ann works at Acme.", "Ann worked at Acme."),
        ("Ann takes vitamin A.", "Ann takes vitamin."),
        ("The parser calls the scanner.", "The scanner calls the parser."),
        ("Ann saw The Who.", "Ann saw who."),
    ],
)
async def test_different_words_are_not_merged_without_a_model(memory: Memory, one: str, other: str) -> None:
    await memory.remember(one)
    await memory.remember(other, category="person")
    assert (await night(memory)).counts == {}
    assert await held(memory) == {one, other}


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ({"content": "Likes tea.", "subject": "Ann"}, {"content": "Likes tea", "subject": "Bob"}, False),
        ({**RAN, "at": NOON}, {**RAN_THE, "at": NOON + timedelta(days=40)}, False),
        ({**RAN, "at": NOON}, {**RAN_THE, "at": NOON + timedelta(hours=3)}, True),
        ({"content": "Answer in verse.", "category": "instruction"}, {"content": "Answer in the verse."}, False),
        ({**RENTS, "claims": [Claim("Ann", "rents", "a flat", time="../2027")]}, RENTS_THE, False),
        (RENTS, {**RENTS_THE, "scope": Scope(visibility="global", administrator=True)}, False),
    ],
)
async def test_equal_words_are_merged_if_they_are_about_the_same(
    memory: Memory, one: dict[str, Any], other: dict[str, Any], merged: bool
) -> None:
    """Of one subject, day, kind, end and scope."""
    for statement in (one, other):
        await memory.remember(**statement)
    assert (await night(memory)).counts == ({"merged": 1} if merged else {})


async def test_memories_of_users_and_projects_are_not_merged(memory: Memory, folder: Path) -> None:
    for scope in (Scope("ann"), Scope("bob"), Scope("ann", project_id="p", visibility="project")):
        await memory.remember("Ann rents a flat.", scope=scope)
        await memory.remember("Ann rents the flat.", category="person", scope=scope)
    assert (await night(memory)).counts == {"merged": 3}
    left = raw.query(folder, "SELECT user_id, visibility FROM nodes WHERE retired_by IS NULL ORDER BY 1, 2")
    assert left == [("ann", "project"), ("ann", "user"), ("bob", "user")]
    across = """SELECT 1 FROM nodes AS a JOIN nodes AS b ON b.id = a.merged_into
        WHERE a.user_id <> b.user_id OR a.visibility <> b.visibility"""
    assert raw.query(folder, across) == []


async def test_private_memories_are_merged_within_their_conversation(memory: Memory, folder: Path) -> None:
    """The user says it privately in two conversations, and openly in two others."""
    for session, told in (("one", "Ann rents a flat."), ("two", "Ann rents the flat.")):
        category = "person" if session == "two" else "fact"
        for scope in (Scope(session_id=session, visibility="session"), Scope(session_id=f"open {session}")):
            await memory.remember(told, category=category, scope=scope)
    assert (await night(memory)).counts == {"merged": 1}
    left = raw.query(folder, "SELECT visibility, count(*) FROM nodes WHERE retired_by IS NULL GROUP BY 1 ORDER BY 1")
    assert left == [("session", 2), ("user", 1)]


async def test_a_merged_memory_leaves_its_sources_and_counts(memory: Memory) -> None:
    """
    user: I keep bees in Berlin.      (twice, in two conversations; the second is trusted more and important)
    """
    first = await memory.observe("user", "I keep bees in Berlin.", session="one")
    second = await memory.observe("user", "I keep bees in Berlin!", session="two")
    untrusted = await memory.remember("The user keeps bees in Berlin.", rests_on=[first], trust="assistant")
    trusted = await memory.remember("The user keeps bees in the Berlin.", rests_on=[second], category="person")
    await night(memory)
    kept = await memory.explain(trusted)
    assert {source.id for source in kept.sources} == {first, second}
    assert (await memory.explain(untrusted)).memory.retired_by == "merged"
    assert [change.event for change in kept.changes][-1] == "united"


async def test_a_confirmed_memory_stays_and_keeps_its_life(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("Ann lives in Berlin.", source="inferred")
    confirmed = await memory.remember("Ann lives in the Berlin.", category="person", source="inferred")
    await memory.confirm(confirmed)
    await night(memory)
    clock.advance(days=1000)
    assert [hit.id for hit in await memory.search("Ann")] == [confirmed]


async def test_a_merge_can_be_undone_and_is_not_done_again(memory: Memory, folder: Path) -> None:
    episode = await memory.observe("user", "Acme it is.")
    await memory.remember("Ann waters the plants at the Acme.", subject="Ann", tags=["a"])
    gone = await memory.remember("Ann waters the plants at Acme.", subject="Acme", rests_on=[episode], tags=["b"])
    before = canonical(folder)
    await night(memory)
    assert differences(canonical(folder), before).keys() >= {"edges", "links"}
    await memory.restore(gone)
    assert not differences(canonical(folder), before).keys() & {"edges", "links"}
    assert len(await held(memory)) == 3
    assert (await night(memory)).counts == {}


# --- with a model -----------------------------------------------------------------------------------------------------


async def test_a_model_decides_on_equal_meaning(folder: Path, clock: FakeClock) -> None:
    model = answering(same_tea)
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        await memory.remember("Ann brews green tea a lot.")
        await memory.remember("Ann pours green tea a lot.")
        await memory.remember("Ann pours green apples a lot.")
        report = await night(memory)
        assert report.counts == {"merged": 1, "pairs": 3}
        assert report.spent.calls == 1
        assert report.spent.tokens > 0
        assert await held(memory) == {"Ann brews green tea a lot.", "Ann pours green apples a lot."}
        assert (await memory.statistics()).spending == {"merge": report.spent}


@pytest.mark.parametrize("verdict", ["change", "correction"])
async def test_a_judged_change_can_be_undone(folder: Path, clock: FakeClock, verdict: str) -> None:
    model = answering(lambda known, new: verdict if "Lisbon" in known and "Porto" in new else "different")
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        old = await memory.remember("Ann has her flat in Lisbon near the river.")
        clock.advance(days=1)
        new = await memory.remember("Ann took her flat in Porto near the river.")
        assert (await night(memory)).counts == {"replaced": 1, "pairs": 1}
        assert await held(memory) == {"Ann took her flat in Porto near the river."}
        assert [each.id for each in (await memory.explain(new)).supersedes] == [old]
        known = (await memory.explain(old)).memory
        assert (known.valid_until is not None) == (verdict == "change")
        assert (known.retired_by == "corrected") == (verdict == "correction")
        await memory.restore(old)
        assert len(await held(memory)) == 2
        clock.advance(days=15)
        assert (await night(memory)).counts == {}


async def test_lower_trust_replaces_no_memory(folder: Path, clock: FakeClock) -> None:
    async with Memory.open(folder, embedder=None, model=answering(lambda *_: "change"), clock=clock) as memory:
        await memory.remember("Ann has her flat in Lisbon near the river.")
        clock.advance(days=1)
        await memory.remember("Ann took her flat in Porto near the river.", trust="tool")
        assert (await night(memory)).counts == {"pairs": 1}
        assert len(await held(memory)) == 2


@pytest.mark.parametrize(("importance", "again"), [(2, 1), (3, 2)])
async def test_an_important_pair_is_judged_again_after_two_weeks(
    folder: Path, clock: FakeClock, importance: int, again: int
) -> None:
    model = answering()
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        await memory.remember("Ann brews green tea a lot.", importance=importance)
        await memory.remember("Ann pours green tea a lot.", importance=importance)
        for days, asked in ((0, 1), (0, 1), (7, 1), (8, again), (1, again)):
            clock.advance(days=days)
            await night(memory)
            assert len(model.asked) == asked, days
    assert raw.query(folder, "SELECT count(*) FROM checked_pairs") == [(again - 1,)]


async def test_the_pairs_of_a_day_are_limited(folder: Path, clock: FakeClock) -> None:
    """Of 55 pairs fifty a day, eight in a question. A second run asks no more; the next day the rest."""
    model = answering()
    async with Memory.open(folder, embedder=None, model=model, clock=clock) as memory:
        for each in ("tea", "milk", "rice", "soup", "cake", "figs", "kale", "pears", "plums", "beans", "bread"):
            await memory.remember(f"Ann likes to have some warm {each} at night.")
        for days, pairs, status in ((0, 50, "partial"), (0, None, "partial"), (1, 5, "done")):
            clock.advance(days=days)
            report = await night(memory)
            assert (report.counts.get("pairs"), report.status) == (pairs, status)
        assert {question.user.count("Pair ") for question in model.asked} == {8, 2, 5}
