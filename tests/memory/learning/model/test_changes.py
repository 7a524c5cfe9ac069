"""A model's claim that something changed is checked, and pairs are judged only if the question is worth it."""

from pathlib import Path

import pytest

from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import item, pairs_of, reader, verdict

JAZZ = item("The user loves jazz.")
PORTO = item("The user lives in Porto.", changes=["K1"])


async def test_an_unrelated_statement_does_not_end_a_known_one(tmp_path: Path, clock: FakeClock) -> None:
    """The model that reads claims a change; the verdict on the pair is different."""
    async with reader(tmp_path, clock, [JAZZ], [PORTO]) as reading:
        await reading.read("I love jazz.")
        await reading.read("I live in Porto now, where they love jazz.")
        assert await reading.contents() == ["The user lives in Porto.", "The user loves jazz."]
        [request] = reading.requests("judge")
        assert len(pairs_of(request)) == 1


@pytest.mark.parametrize("kind", ["changes", "corrects"])
async def test_a_judged_change_ends_the_known_statement(tmp_path: Path, clock: FakeClock, kind: str) -> None:
    then = item("The user commutes by bicycle.", **{kind: ["K1"]})
    answers = [item("The user drives to the office.")], [then]
    async with reader(tmp_path, clock, *answers, verdicts=[verdict(1, "change")]) as reading:
        await reading.read("I drive to the office.")
        await reading.read("I sold the car and do not drive to the office any more, I commute by bicycle.")
        assert await reading.contents() == ["The user commutes by bicycle."]


async def test_a_plain_change_is_not_judged_again(tmp_path: Path, clock: FakeClock) -> None:
    answers = [item("The user drives an old Volvo.")], [item("The user drives a Fiat.", changes=["K1"])]
    async with reader(tmp_path, clock, *answers) as reading:
        await reading.read("I drive an old Volvo.")
        await reading.read("I drive a Fiat now, the old Volvo is sold.")
        assert await reading.contents() == ["The user drives a Fiat."]
        assert reading.requests("judge") == []


async def test_a_statement_about_one_person_ends_none_about_another(tmp_path: Path, clock: FakeClock) -> None:
    then = item("Ben drives a Fiat.", subject="Ben", changes=["K1"])
    async with reader(tmp_path, clock, [item("Ann drives a Volvo.", subject="Ann")], [then]) as reading:
        await reading.read("My friend Ann drives a Volvo.")
        report = await reading.read("My friend Ben drives a Fiat, not a Volvo.")
        assert await reading.contents() == ["Ann drives a Volvo.", "Ben drives a Fiat."]
        assert report.skipped == {"replaces what is about another": 1}


async def test_a_shared_person_alone_causes_no_question(tmp_path: Path, clock: FakeClock) -> None:
    facts = ["Calvin is a musician.", "Calvin loves jazz.", "Calvin has a sister called Ana.", "Calvin lives in Tokyo."]
    answers = [[item(fact, subject="Calvin")] for fact in facts]
    async with reader(tmp_path, clock, *answers) as reading:
        for fact in facts:
            await reading.read(fact)
        assert await reading.contents() == sorted(facts)
        assert reading.requests("judge") == []


async def test_a_pair_is_judged_once_in_a_run(tmp_path: Path, clock: FakeClock) -> None:
    """Two sessions of one night say the same, in words similar to known ones."""
    known, again = item("The user drinks black tea in the morning."), item("The user drinks green tea in the morning.")
    async with reader(tmp_path, clock, [known], [again], [again]) as reading:
        await reading.read("I drink black tea in the morning.")
        moment = clock()
        for session in ("x", "y"):
            await reading.memory.observe("user", "I drink green tea in the morning.", session=session, at=moment)
        clock.advance(days=1)
        await reading.memory.consolidate()
        assert len(reading.requests("extract")) == 3
        assert len(reading.requests("judge")) == 1


async def test_a_pair_judged_at_learning_is_not_judged_again_at_night(tmp_path: Path, clock: FakeClock) -> None:
    """Until it is two weeks old, because newer knowledge may say more."""
    known, other = item("The user drinks black tea in the morning."), item("The user drinks green tea in the morning.")
    async with reader(tmp_path, clock, [known], [other]) as reading:
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
