"""The form of memories for a model: times that it can read, and no empty fields."""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from sandbox.extensions.memory import Memory
from sandbox.extensions.memory.interfaces import wire
from sandbox.extensions.memory.interfaces.wire import LocalTime
from sandbox.testing import NOON, FakeClock

BERLIN = ZoneInfo("Europe/Berlin")
AT = LocalTime(NOON, BERLIN)


async def test_a_fact_has_only_fields_with_values(memory: Memory, clock: FakeClock) -> None:
    clock.advance(days=-21)
    id = await memory.remember("Ann plays chess.", subject="Ann", tags=["games"], source="inferred")
    clock.advance(days=21)
    (hit,) = await memory.search("chess", reinforce=False)
    assert wire.memory(hit, AT) == {
        "id": id,
        "content": "Ann plays chess.",
        "type": "semantic",
        "category": "fact",
        "subject": "Ann",
        "tags": ["games"],
        "confidence": 0.22,
        "trust": "user",
        "event_time": "2026-02-09T12:00:00Z",
        "event_time_local": "Monday, 9 February 2026, 13:00 CET",
        "event_time_relative": "21 days ago",
    }


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My exam is tomorrow.", ("2026-03-02", "a day from now")),
        ("I moved to Oslo yesterday.", ("2026-02-28", "a day ago")),
        ("My exam is today.", ("2026-03-01", "now")),
        ("We moved to Oslo in March 2024.", ("2024-03", "2 years ago")),
    ],
)
async def test_a_told_day_is_counted_from_today(memory: Memory, said: str, told: tuple[str, str]) -> None:
    """It is the evening of 1 March by the clocks of this machine."""
    evening = datetime(2026, 3, 1, 20).astimezone()
    await memory.observe("user", said, session="s", at=evening)
    await memory.consolidate("s")
    (found,) = wire.memories(await memory.search("", types=["semantic"], now=evening), LocalTime(evening))
    assert (found["event_time"], found["event_time_relative"]) == told
    assert "event_time_local" not in found


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("said", ["0001-01-01", "1901-05-17", "9999-12-31T23:59"])
def test_a_time_without_a_zone_is_local_even_where_the_calendar_ends(said: str) -> None:
    moment = LocalTime(NOON).read(said)
    assert isinstance(moment, datetime)
    assert moment.astimezone(UTC).year == moment.year


async def test_a_turn_names_its_speaker_and_session(memory: Memory) -> None:
    for role, speaker in (("user", "Ann"), ("assistant", None)):
        await memory.observe(role, f"said by {speaker}", session="s1", speaker=speaker)  # type: ignore[arg-type]
    told = {each["speaker"]: each for each in wire.memories(await memory.search("said"), AT)}
    assert {name: (each["session"], each["trust"]) for name, each in told.items()} == {
        "Ann": ("s1", "user"),
        "assistant": ("s1", "assistant"),
    }
    assert not {"category", "subject", "tags", "version", "state", "shortened"} & told["Ann"].keys()


async def test_a_retired_memory_says_so(memory: Memory, clock: FakeClock) -> None:
    """Ann lived in Berlin, then in Porto; a guess fades; the port was wrong; the name was forgotten."""
    await memory.remember("Ann lives in Berlin.", subject="Ann")
    clock.advance(days=1)
    moved = await memory.remember("Ann lives in Porto.", subject="Ann", on_similar="supersede")
    port = await memory.remember("The port is 5432.")
    await memory.correct(port, "The port is 5433.")
    gone = await memory.remember("Her name is Eve.")
    await memory.forget(gone)
    guess = await memory.remember("Ann plays golf.", source="inferred")
    at = LocalTime(clock.advance(days=60))
    found = [await memory.explain(id) for id in (moved, port, gone, guess)]
    assert [wire.memory(each.memory, at).get("state") for each in found] == [None, None, "forgotten", "faded"]
    assert wire.memory(found[0].supersedes[0], at)["state"] == "superseded"
    assert wire.memory(found[1].versions[1], at)["state"] == "superseded"


async def test_possible_conflicts_are_shown(memory: Memory) -> None:
    known = await memory.remember("Ann drinks tea.")
    other = await memory.remember("Ann does not drink tea.")
    told = wire.explanation(await memory.explain(known), AT)
    assert [each["id"] for each in told["possible_conflicts"]] == [other]


async def test_a_pasted_document_is_shortened(memory: Memory) -> None:
    await memory.observe("user", "word " * 5_000)
    (hit,) = await memory.search("word")
    told = wire.memory(hit, AT)
    assert (len(told["content"]), told["shortened"]) == (2_000, True)


@pytest.mark.parametrize(
    ("ago", "text"),
    [
        (timedelta(0), "now"),
        (timedelta(seconds=-2), "now"),
        (timedelta(seconds=40), "40 seconds ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(days=1), "a day ago"),
        (timedelta(days=16), "16 days ago"),
        (timedelta(days=200), "200 days ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(days=-2), "2 days from now"),
    ],
)
def test_an_age_is_told_in_words(ago: timedelta, text: str) -> None:
    assert AT.relative(NOON - ago) == text


def test_days_are_those_of_the_local_calendar_across_the_change_of_clocks() -> None:
    """The night to 29 March 2026 has an hour less in Berlin."""
    before, after = datetime(2026, 3, 28, 12, tzinfo=BERLIN), datetime(2026, 3, 29, 12, tzinfo=BERLIN)
    at = LocalTime(after, BERLIN)
    assert at.relative(before) == "23 hours ago"
    assert (at.local(before)[-9:], at.local(after)[-10:]) == ("12:00 CET", "12:00 CEST")
    late = LocalTime(datetime(2026, 3, 2, 23, 30, tzinfo=UTC), BERLIN)
    assert late.here == late.now
    assert late.here.date().isoformat() == "2026-03-03"


@pytest.mark.parametrize("moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
def test_the_ends_of_the_calendar_can_be_shown(moment: datetime, zone: str) -> None:
    told = LocalTime(NOON, ZoneInfo(zone)).times("event_time", moment)
    assert told["event_time"].endswith("Z")
    assert str(moment.year) in told["event_time_local"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=BERLIN)),
        ("2026-07-01T08:30", datetime(2026, 7, 1, 8, 30, tzinfo=BERLIN)),
        ("2026-03-01T08:30:00Z", datetime(2026, 3, 1, 8, 30, tzinfo=UTC)),
        ("last_week", "last_week"),
        ("soon", "soon"),
    ],
)
def test_a_time_without_a_zone_is_local(text: str, read: datetime | str) -> None:
    assert AT.read(text) == read


@given(st.datetimes(timezones=st.sampled_from([UTC, BERLIN])))
def test_a_shown_time_can_be_read_back(moment: datetime) -> None:
    told = AT.times("at", moment)
    assert AT.read(told["at"]) == moment.replace(microsecond=0).astimezone(UTC)


async def test_every_answer_is_json(memory: Memory, clock: FakeClock) -> None:
    id = await memory.remember(
        "Ann plays chess.", subject="Ann", rests_on=[await memory.observe("user", "I play chess.")], source="inferred"
    )
    clock.advance(days=50)
    for told in (
        wire.explanation(await memory.explain(id), AT),
        wire.entity(await memory.entity("Ann"), AT),
        wire.statistics(await memory.statistics(), AT),
        {"weak": [wire.fading(each, AT) for each in await memory.weak()]},
    ):
        assert json.loads(json.dumps(told)) == told
