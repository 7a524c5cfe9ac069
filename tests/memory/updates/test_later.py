"""A later conversation changes what it is about, and nothing else; what one speaker says of themselves is theirs."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.extensions.memory import Memory, Message, Scope
from sandbox.extensions.memory.parse import read
from sandbox.testing import FakeClock

_PAIRS, _VALUES, _STAYS = (
    yaml.load((Path(__file__).parent / name).read_text(encoding="utf-8"), yaml.BaseLoader)
    for name in ("later.yaml", "values.yaml", "stays.yaml")
)
_BETWEEN = timedelta(days=20)


@pytest.mark.parametrize(("told", "later", "believed", "over"), _PAIRS, ids=lambda text: text)
async def test_what_is_told_later_changes_what_is_believed(
    memory: Memory, clock: FakeClock, told: str, later: str, believed: str, over: str
) -> None:
    for session, text in enumerate((told, later)):
        clock.moment += _BETWEEN
        await memory.observe("user", text, session=str(session))
        await memory.consolidate(str(session))
        known = [
            hit.content for hit in await memory.search("", types=("semantic", "opinion", "procedural"), reinforce=False)
        ]
        assert session or known
    told_again = later.casefold()  # a report of the change itself names what is over
    known = [content for content in known if told_again not in content.casefold()]
    assert not believed or any(believed in content for content in known), known
    assert not over or not any(over in content for content in known), known


@pytest.mark.parametrize(("told", "later"), _STAYS, ids=lambda text: text)
async def test_what_is_told_later_of_something_else_changes_nothing(
    memory: Memory, clock: FakeClock, told: str, later: str
) -> None:
    before: set[str] = set()
    for session, text in enumerate((told, later)):
        clock.moment += _BETWEEN
        await memory.observe("user", text, session=str(session))
        await memory.consolidate(str(session))
        known = {hit.content for hit in await memory.search("", types=("semantic",), reinforce=False)}
        assert known
        assert before <= known
        before = known


@pytest.mark.parametrize(
    ("told", "earlier"),
    [
        ("I live in Denver.", "I'm painting my new apartment"),
        ("I take sertraline.", "I'm off sertraline"),
        ("I have a dentist appointment on 30 May 2026.", "The dentist appointment is cancelled."),
    ],
)
async def test_what_is_known_stays_when_an_older_conversation_is_learnt(
    memory: Memory, clock: FakeClock, told: str, earlier: str
) -> None:
    await memory.observe("user", told, session="now")
    (known,) = (await memory.consolidate("now")).learnt
    await memory.observe("user", earlier, session="old", at=clock() - timedelta(days=300))
    await memory.consolidate("old")
    assert known.content in {hit.content for hit in await memory.search("", types=("semantic",), reinforce=False)}


async def test_what_was_told_before_many_other_things_is_changed(memory: Memory, clock: FakeClock) -> None:
    await memory.remember("I drive a Skoda Octavia.")
    clock.moment += _BETWEEN
    for at in range(210):
        await memory.remember(f"My colleague Ann{'abcdefghij'[at % 10] * (at // 10 + 1)} is allergic to nuts.")
    clock.moment += _BETWEEN
    await memory.observe("user", "sold the Skoda.", session="later")
    await memory.consolidate("later")
    assert "I drive a Skoda Octavia." not in {hit.content for hit in await memory.search("Skoda", types=("semantic",))}


@pytest.mark.parametrize(("whose", "is_kept"), [("default", True), ("somebody-else", False)])
async def test_a_word_of_many_memories_of_the_user_and_a_number_put_nothing_out_of_date(
    memory: Memory, clock: FakeClock, whose: str, is_kept: bool
) -> None:
    told = "booked our flights to Rome for 16 June, my husband is over the moon"
    steps = [Message("user", f"{day} flights of stairs today", "steps") for day in range(10)]
    await memory.observe_many(steps, scope=Scope(whose))
    for session, text in enumerate((told, "My dentist appointment is on 3 May, I hate flights of stairs")):
        clock.moment += _BETWEEN
        await memory.observe("user", text, session=str(session))
        await memory.consolidate(str(session))
    known = {hit.content for hit in await memory.search("", types=("semantic",), reinforce=False)}
    assert "The user has an appointment: dentist appointment on 3 May 2026." in known
    assert (f'The user said: "{told}".' in known) is is_kept


@pytest.mark.parametrize("written", ["", "told", "later"])
@pytest.mark.parametrize(("told", "later", "believed", "over"), _VALUES, ids=lambda text: text)
async def test_another_value_replaces_the_known_one(
    memory: Memory, clock: FakeClock, told: str, later: str, believed: str, over: str, written: str
) -> None:
    """Whether both are said, or one of them is remembered in the sentence that the memory makes of it."""
    for session, text in {"told": told, "later": later}.items():
        clock.moment += timedelta(hours=1)
        if session == written:
            for each in read([("user", text, clock())], {"user": ""}).statements:
                await memory.remember(each.content)
        else:
            await memory.observe("user", text, session=session)
            await memory.consolidate(session)
    known = [hit.content.casefold() for hit in await memory.search("", types=("semantic",), reinforce=False)]
    assert any(believed.casefold() in content for content in known), known
    assert not any(over.casefold() in content for content in known), known


_CASES = yaml.load((Path(__file__).parent / "speakers.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
async def test_what_one_speaker_says_is_theirs(memory: Memory, clock: FakeClock, case: dict[str, Any]) -> None:
    for session, turns in enumerate(case["said"]):
        clock.moment += timedelta(days=1)
        for turn in turns:
            speaker, _, text = turn.partition(": ")
            await memory.observe("user", text, session=str(session), speaker=speaker)
        await memory.consolidate(str(session))
    found = await memory.search("", types=("semantic", "opinion", "procedural"), reinforce=False, limit=20)
    assert sorted(hit.content for hit in found) == sorted(case["believed"])


async def test_conversations_that_wait_are_of_different_people(memory: Memory) -> None:
    for speaker, home in (("Mark", "Siegen"), ("Julia", "Bonn")):
        await memory.observe("user", f"I live in {home}.", session=speaker, speaker=speaker)
        await memory.end_session(speaker)
    await memory.consolidate()
    assert {hit.content for hit in await memory.search("", types=("semantic",))} == {
        "Mark lives in Siegen.",
        "Julia lives in Bonn.",
    }
