"""When a statement is valid: events stay, states end with their day, and a year stays a year."""

from pathlib import Path

import pytest

from sandbox.testing import FakeClock
from tests.memory.learning.model.reading import item, reader, verdict


async def test_a_past_event_is_still_known(tmp_path: Path, clock: FakeClock) -> None:
    festival = item(
        "The user played at a festival in Porto from 24 to 26 February 2026.",
        kind="event",
        event_date="2026-02-24",
        end_date="2026-02-26",
    )
    async with reader(tmp_path, clock, [festival]) as reading:
        await reading.read("I played at a festival in Porto last week, from the 24th to the 26th.")
        clock.advance(days=7)
        [hit] = await reading.memory.search("festival in Porto", types=["semantic"])
        assert (hit.event_time.date().isoformat(), hit.valid_until) == ("2026-02-24", None)


@pytest.mark.parametrize(
    ("end", "last"), [("2026-03-05", "2026-03-05"), ("2026-03", "2026-03-31"), ("2026", "2026-12-31")]
)
async def test_a_state_ends_when_its_last_day_does(tmp_path: Path, clock: FakeClock, end: str, last: str) -> None:
    holiday = item("The user is away on holiday.", end_date=end)
    async with reader(tmp_path, clock, [holiday], decay_rate_default=0.0) as reading:
        await reading.read("I am away on holiday until then.")
        clock.moment = clock().fromisoformat(f"{last}T23:00:00+00:00")
        assert await reading.contents() == ["The user is away on holiday."]
        clock.advance(hours=2)
        assert await reading.contents() == []


@pytest.mark.parametrize("told", ["2022", "2022-05"])
async def test_a_year_keeps_its_precision(tmp_path: Path, clock: FakeClock, told: str) -> None:
    """In a search, in a block, for the next reader, and in a comparison."""
    content = "The user married Ines in Porto."
    then = item("The wedding of the user and Ines was in Lisbon.", event_date="2022-05-07")
    async with reader(tmp_path, clock, [item(content, event_date=told)], [then]) as reading:
        await reading.read("I married Ines in Porto in 2022, in May.")
        [hit] = await reading.memory.search("wedding with Ines", types=["semantic"])
        assert (hit.told, hit.event_time.year) == (told, 2022)
        assert (await reading.memory.explain(hit.id)).memory.told == told
        block = await reading.memory.context("How about a wedding?")
        assert block is not None
        assert f"({hit.id}, {told})" in block.text
        await reading.read("The wedding with Ines, on 7 May 2022, was in Lisbon, not in Porto.")
        assert f"K1 ({told}): {content}" in reading.requests("extract")[-1].messages[0]["content"]
        assert f"- known, {told}: {content}" in reading.requests("judge")[-1].messages[0]["content"]


async def test_a_statement_of_a_year_is_not_older_than_a_day_of_it(tmp_path: Path, clock: FakeClock) -> None:
    first = item("The office of the user is in Porto.", event_date="2022-05-07")
    second = item("The office of the user is in Lisbon.", event_date="2022")
    async with reader(tmp_path, clock, [first], [second], verdicts=[verdict(1, "change")]) as reading:
        await reading.read("Our office is in Porto, since 7 May 2022.")
        await reading.read("Our office is in Lisbon, since some time in 2022.")
        assert await reading.contents() == ["The office of the user is in Lisbon."]


PLAN = "The user plans to travel to Rome in April 2026."


@pytest.mark.parametrize(
    "told",
    [
        {"end_date": "2026-04"},
        {"claims": [["user", "travels_to", "Rome", "plan", "2026-04"]]},
        {"event_date": "2026-04", "claims": [["user", "travels_to", "Rome", "plan"]]},
    ],
)
async def test_a_plan_ends_after_its_time(tmp_path: Path, clock: FakeClock, told: dict[str, object]) -> None:
    async with reader(tmp_path, clock, [item(PLAN, **told)]) as reading:
        await reading.read("I plan to travel to Rome in April.")
        [plan] = await reading.known()
        clock.moment = clock().fromisoformat("2026-05-01T00:00:01+00:00")
        assert await reading.contents() == []
        [over] = await reading.memory.search("", types=["semantic"], history=True)
        assert (over.id, over.valid_until) == (plan.id, clock().fromisoformat("2026-05-01T00:00:00+00:00"))


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("The trip to Rome is called off.", item("The user's trip to Rome is called off.", changes=["K1"])),
        ("I was in Rome, it was great.", item("The user travelled to Rome.", changes=["K1"], kind="event")),
    ],
)
async def test_the_outcome_replaces_a_plan(
    tmp_path: Path, clock: FakeClock, said: str, outcome: dict[str, object]
) -> None:
    async with reader(tmp_path, clock, [item(PLAN, end_date="2026-04")], [outcome]) as reading:
        await reading.read("I plan to travel to Rome in April.")
        report = await reading.read(said)
        assert await reading.contents() == [outcome["content"]]
        assert [each.content for each in report.replaced] == [PLAN]
