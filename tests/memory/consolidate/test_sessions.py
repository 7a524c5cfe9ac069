"""Rules turn sessions into knowledge: once, from new turns, with sources, reversibly."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sandbox.extensions.memory import Hit, Memory, Message, Scope
from sandbox.extensions.memory.model import CognitiveType, Role
from sandbox.testing import FakeClock
from tests.memory.hits import present

KNOWLEDGE: tuple[CognitiveType, ...] = ("semantic", "opinion", "procedural")
JANUARY = datetime(2026, 1, 3, 9, tzinfo=UTC)


async def known(memory: Memory, question: str = "", scope: Scope | None = None, *, history: bool = False) -> list[Hit]:
    """The learnt knowledge that is valid."""
    return await memory.search(
        question, types=KNOWLEDGE, limit=50, reinforce=False, history=history, scope=scope or Scope()
    )


async def say(memory: Memory, text: str, session: str = "s1", days: int = 0, scope: Scope | None = None) -> str:
    """A user says something."""
    at = JANUARY + timedelta(days=days)
    return await memory.observe("user", text, session=session, at=at, speaker="Ann", scope=scope or Scope())


@pytest.mark.parametrize("waiting", [3, 24])
async def test_people_of_earlier_sessions_are_known(memory: Memory, waiting: int) -> None:
    """Also where so many sessions wait that the next ones are read while one is applied."""
    await say(memory, "My friend Javier lives in Madrid.", "0")
    for day in range(1, waiting):
        await say(memory, f"I visited aunt number {day}.", str(day), day)
    await say(memory, "Javier moved to Lisbon.", str(waiting), waiting)
    report = await memory.consolidate()
    assert len(report.sessions) == waiting + 1
    assert [hit.content for hit in await known(memory, "Where does Javier live?") if "lives" in hit.content] == [
        "Javier lives in Lisbon."
    ]


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini"])
async def test_what_is_the_users_own_leaves_the_project_of_a_coding_agent(memory: Memory, agent: str) -> None:
    shop = Scope(project_id="shop", visibility="project")
    said = [Message("user", text, "s1", JANUARY, source=agent) for text in ("I live in Berlin.", "We use pnpm here.")]
    await memory.observe_many(said, scope=shop)
    await memory.consolidate("s1", scope=shop)
    assert [hit.content for hit in await known(memory)] == ["The user lives in Berlin."]
    assert len(await known(memory, scope=shop)) == 2


@pytest.mark.parametrize(
    ("told", "later"),
    [
        ("Never commit to main.", "You may commit to main now."),
        ("Please don't write comments.", "You may write comments again."),
        ("Never push to main.", "Actually, you can push to main."),
        ("In this repo, never push to develop.", "You may push to develop now."),
    ],
)
@pytest.mark.parametrize("session", ["s1", "s2"])
async def test_what_holds_everywhere_is_changed_from_within_a_project(
    memory: Memory, told: str, later: str, session: str
) -> None:
    shop = Scope(project_id="shop", visibility="project")
    for number, (text, name) in enumerate(((told, "s1"), (later, session))):
        at = JANUARY + timedelta(days=number)
        await memory.observe_many([Message("user", text, name, at, source="claude-code")], scope=shop)
        await memory.consolidate(name, scope=shop)
    assert await known(memory, scope=shop) == await known(memory) == []


async def test_a_session_is_read_once_and_later_from_its_watermark(memory: Memory) -> None:
    await say(memory, "I live in Berlin.")
    await memory.consolidate("s1")
    again = await memory.consolidate("s1")
    assert (again.sessions, again.learnt, again.merged) == ((), (), ())
    await say(memory, "I work at Acme.", days=1)
    report = await memory.consolidate("s1")
    assert ["Acme" in each.content for each in report.learnt] == [True]
    assert len(await known(memory)) == 2


async def test_a_repeated_fact_gets_another_source(memory: Memory) -> None:
    first = await say(memory, "I live in Berlin.")
    second = await say(memory, "I live in Berlin.", "s2", 5)
    report = await memory.consolidate()
    assert report.sessions == ("s1", "s2")
    (fact,) = await known(memory)
    assert report.merged == ()  # learnt in this very run
    assert {source.id for source in (await memory.explain(fact.id)).sources} == {first, second}


async def test_a_repeated_fact_lasts_anew(memory: Memory, clock: FakeClock) -> None:
    await say(memory, "I live in Berlin.")
    (fact,) = (await memory.consolidate("s1")).learnt
    clock.advance(days=600)
    await say(memory, "I live in Berlin.", "s2")
    await memory.consolidate("s2")
    clock.advance(days=600)
    assert [each.id for each in await known(memory)] == [fact.id]
    clock.advance(days=600)
    assert await known(memory) == []


async def test_a_change_ends_the_old_fact_and_restore_revives_it(memory: Memory) -> None:
    await say(memory, "I live in Berlin.")
    await say(memory, "I live in Potsdam now.", "s2", 50)
    report = await memory.consolidate()
    assert ["Berlin" in each.content for each in report.replaced] == [True]
    assert all("Berlin" not in each.content for each in await known(memory))
    (old,) = [each for each in await known(memory, "where did Ann live?", history=True) if "Berlin" in each.content]
    assert old.valid_until == JANUARY + timedelta(days=50)
    await memory.restore(old.id)
    assert any("Berlin" in each.content for each in await known(memory))


@pytest.mark.parametrize("instead", ["", "Ann lives in Bern."])
async def test_a_forgotten_or_corrected_fact_is_not_learnt_again(memory: Memory, instead: str) -> None:
    await say(memory, "I live in Berlin.")
    (fact,) = (await memory.consolidate("s1")).learnt
    if instead:
        await memory.correct(fact.id, instead)
    else:
        await memory.forget(fact.id)
    await say(memory, "I live in Berlin.", "s2", 1)
    report = await memory.consolidate("s2")
    assert (report.learnt, report.skipped["was forgotten or corrected"]) == ((), 1)
    assert "".join(each.content for each in await known(memory)) == instead


async def test_waiting_sessions_are_read_oldest_first_and_progress_is_reported(memory: Memory) -> None:
    told: list[tuple[int, int]] = []
    await say(memory, "I live in Potsdam now.", "late", 50)
    await say(memory, "I live in Berlin.", "early")
    report = await memory.consolidate(progress=lambda done, total: told.append((done, total)))
    assert report.sessions == ("early", "late")
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert (await memory.statistics()).sessions_pending == 0
    assert ["Potsdam" in each.content for each in await known(memory)] == [True]


async def test_words_of_a_web_page_are_learnt_with_the_trust_of_the_web(memory: Memory) -> None:
    await memory.observe_many([Message("user", "I live in Berlin.", "s1", JANUARY, "Ann", trust="web")])
    (learnt,) = (await memory.consolidate("s1")).learnt
    assert (learnt.trust, learnt.quarantined) == ("web", True)


async def test_system_and_tool_text_teach_nothing(memory: Memory) -> None:
    roles: tuple[Role, ...] = ("system", "tool")
    for role in roles:
        await memory.observe(role, "I live in Berlin.", session="s1", at=JANUARY)
    report = await memory.consolidate("s1")
    assert (report.sessions, report.learnt) == (("s1",), ())


async def test_two_simultaneous_consolidations_learn_once(memory: Memory, folder: Path, clock: FakeClock) -> None:
    for number in range(8):
        await say(memory, f"I live in Berlin. My sister lives in Leeds. I am {30 + number} years old.", f"s{number}")
    async with Memory.open(folder, embedder=None, clock=clock) as other:
        await asyncio.gather(memory.consolidate(), other.consolidate(), memory.consolidate())
    contents = [each.content for each in await known(memory, history=True)]
    assert len(contents) == len(set(contents))
    assert (await memory.statistics()).sessions_pending == 0


async def test_a_forgotten_turn_is_not_read(memory: Memory) -> None:
    turn = await say(memory, "I live in Berlin.")
    await memory.forget(turn)
    assert (await memory.consolidate("s1")).learnt == ()


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("The party is on Sunday the 25th.", "25 January 2026"),
        ("The party is on Sunday the 29th.", "29 March 2026"),
        ("The party is on the 29th.", "29 January 2026"),
        ("The party is on Sunday.", "4 January 2026"),
    ],
)
async def test_a_named_weekday_becomes_the_right_date(memory: Memory, said: str, day: str) -> None:
    """The user says it on Saturday, 3 January."""
    await say(memory, said)
    (learnt,) = (await memory.consolidate("s1")).learnt
    assert learnt.content.endswith(f" on {day}.")


@pytest.mark.usefixtures("anywhere")
async def test_told_times_are_those_of_this_machines_clocks(memory: Memory, tmp_path: Path) -> None:
    told = ["My exam is on 1 July.", "My dentist appointment is on 5 December at 10.", "I live in Rome until 7 May."]
    for said in told:
        await memory.observe("user", said, session=said)
        await memory.consolidate(said)
    exam, dentist, home = sorted(await known(memory), key=lambda hit: ("Rome" in hit.content, hit.event_time))
    assert (exam.told, exam.event_time) == ("2026-07-01", datetime(2026, 7, 1).astimezone())
    assert (dentist.told, dentist.event_time) == (None, datetime(2026, 12, 5, 10).astimezone())
    assert home.valid_until == datetime(2026, 5, 8).astimezone()
    block = present(await memory.context("exam", types=["semantic"]))
    await memory.export(tmp_path / "page.md", format="markdown")
    for text in (block.text, (tmp_path / "page.md").read_text(encoding="utf-8")):
        assert "1 July 2026. (" in text
        assert "2026-07-01)" in text
    found = await memory.search("", types=["semantic"], after="2026-07-01", before="2026-07-02")
    assert [hit.id for hit in found] == [exam.id]


async def test_a_year_stays_a_year_when_it_is_confirmed_or_corrected(memory: Memory) -> None:
    await say(memory, "I married Ines in 2022.")
    await memory.consolidate("s1")
    (wedding,) = await known(memory)
    await memory.confirm(wedding.id)
    await memory.correct(wedding.id, "The user married Inga in 2022.")
    (corrected,) = await known(memory)
    assert (corrected.version, corrected.told, corrected.event_time) == (2, "2022", wedding.event_time)
    block = present(await memory.context("Whom did I marry?"))
    assert f"({wedding.id}, 2022)" in block.text
    assert [item.told for item in block.items if item.id == wedding.id] == ["2022"]


async def test_what_was_so_until_a_day_stays_known(memory: Memory) -> None:
    await say(memory, "I worked at Acme until 2020.")
    await memory.consolidate("s1")
    assert [(hit.content, hit.valid_until) for hit in await known(memory)] == [
        ("Ann used to work at Acme until 2020.", None)
    ]


@pytest.mark.usefixtures("far_east")
async def test_days_are_counted_by_this_machines_calendar(memory: Memory, clock: FakeClock) -> None:
    """It is 2026-03-03, when it is still 2 March in UTC."""
    await memory.observe("user", "My dentist appointment is tomorrow.", session="s")
    (learnt,) = (await memory.consolidate("s")).learnt
    told = await memory.explain(await memory.remember("My sister Mia moved to Oslo yesterday."))
    await memory.observe("user", "The lamp broke.", at=clock() - timedelta(hours=3))
    await memory.observe("user", "The vase broke.", at=clock() - timedelta(hours=27))
    found = await memory.search("What broke yesterday?", types=["episodic"])
    assert "4 March 2026" in learnt.content
    assert {claim.time for claim in told.claims if claim.time} == {"2026-03-02/.."}
    assert found[0].content == "The lamp broke."
